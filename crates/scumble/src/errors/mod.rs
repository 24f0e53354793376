//! An error per room of the house: what can go wrong there, with its parts as fields.
//!
//! They stand beside the rooms and not in them, because [`Error`](crate::Error) is made of them and every room passes that on.
//!
//! Invariant: a `Display` is the whole message, place and remedy included, one line per problem. It names files, lines and columns,
//! and words of the policy or of a taxonomy file; never a cell of the data. Each kind says whose it is to fix.

mod attack;
mod evaluate;
mod inputs;
#[cfg(feature = "mashup")]
mod mashup;
mod past;
mod persons;
mod release;
mod released_files;
mod search;
mod texts;

pub use attack::AttackError;
pub use evaluate::EvaluateError;
pub use inputs::InputError;
#[cfg(feature = "mashup")]
pub use mashup::MashupError;
pub use past::{EntryFault, PastError};
pub use persons::PersonsError;
pub use release::ReleaseError;
pub use released_files::{CertificateFault, ReleasedFilesError, RowsMisfit, TablesMisfit};
pub use search::{LevelFault, MaskMisfit, SearchError};
pub use texts::TextError;
