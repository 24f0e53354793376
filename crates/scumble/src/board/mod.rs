//! What boards that decide on a release ask for beside the requirement: a look for the identifiers of a law, and the
//! questions of an opinion.
//!
//! Invariant: nothing here says that a release may go out. It tells what was seen and what nobody looked at.

mod article29;
mod safe_harbor;

pub use article29::{Answer, Article29, Evidence, Figure, SpeakingTemplate, article29};
pub(crate) use safe_harbor::safe_harbor_while;
pub use safe_harbor::{CheckedKind, SafeHarbor, Seen, SuspectColumn, safe_harbor};
