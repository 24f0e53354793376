//! An error per room of the house: what can go wrong there, with its parts as fields.
//!
//! They stand beside the rooms and not in them, because [`Error`](crate::Error) is made of them and every room passes that on.
//!
//! What the crates below say is held as it is, and can be named from here, too.
//!
//! Invariant: a `Display` is the whole message, place and remedy included, one line per problem. It names files, lines and columns,
//! and words of the policy or of a taxonomy file; never a cell of the data. Each kind says whose it is to fix.

mod attack;
mod evaluate;
mod inputs;
mod json;
#[cfg(feature = "mashup")]
mod mashup;
mod past;
mod persons;
mod release;
mod released_files;
mod search;
mod texts;

pub use attack::AttackError;
pub use evaluate::{EvaluateError, OneTableOnly};
pub use inputs::InputError;
pub use json::{JsonFault, JsonMisfit};
#[cfg(feature = "mashup")]
pub use mashup::MashupError;
pub use past::{EntryFault, PastError};
pub use persons::PersonsError;
pub use release::ReleaseError;
pub use released_files::{CertificateFault, ReleasedFilesError, RowsMisfit, TablesMisfit};
pub use search::{LevelFault, MaskMisfit, SearchError};
pub use texts::TextError;

pub use scumble_bind::BindError;
#[cfg(feature = "mashup")]
pub use scumble_link::LinkError;
#[cfg(feature = "mashup")]
pub use scumble_mashup::Fault as ProtocolFault;
pub use scumble_privacy::{Fault as TableFault, Faults as TableFaults};
pub use scumble_relational::{DatabaseError, SettingError};
pub use scumble_store::{ConnectionError, LedgerError, ReadError, WriteError};
pub use scumble_table::MaskError;
pub use scumble_table::taxonomy::BuildError;
pub use scumble_utility::classify::ClassificationError;
pub use scumble_utility::{GenerateError, WorkloadError, WorkloadProblem};
