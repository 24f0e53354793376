//! Taking part in a mashup: the flow of [`publish`](crate::publish), by one of several parties who hold columns of the same
//! people.
//!
//! ```text
//! agreement ─► plan ─► load own columns ─► meet ─► align ─► search together ─► mask own ─► tell ─► recount
//!           ─► contribute ─► audit ─► write aside ─► audit the files ─► compare ─► put in place ─► goodbye
//! ```
//!
//! Every party audits the whole release by itself, has its bytes on disk, aside, and audits these, before all compare them;
//! only then does the folder appear. Whatever goes wrong before all have agreed ends the run for all, and nothing is written.
//! After that, goodbye means that the release is in place: who does not say it is named, because it may not have written.

mod drive;
mod explain;
mod own;
mod part;
mod participation;
mod release;
mod steps;
mod terms;
mod transcript;
#[cfg(test)]
mod untruths;

pub use explain::{Explained, explain};
pub use part::take_part;
pub use participation::{Participation, PartyRecords, PartyTimings, Together, Traffic};
