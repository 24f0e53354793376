//! What several parties agree on, and what one of them keeps to itself.

mod agreed;
mod canonical;
mod check;
mod counting;
mod deadline;
mod differences;
mod parse;
mod parties;
mod private;
mod questions;
mod taxonomies;

pub use agreed::Agreement;
pub use deadline::Deadline;
pub use differences::differences;
pub use parties::Party;
pub use private::Private;
