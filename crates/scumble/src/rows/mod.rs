//! One table: what differs from several tables and several parties.
//!
//! ```text
//! inputs ─► decide ─► release ─► study
//! ```
//!
//! [`RowsInputs`] are read, a [`Decision`](decision::Decision) is searched for, a [`RowsRelease`] is masked, audited and
//! certified. None of it but the inputs touches a file.

mod apart;
mod certify;
mod decide;
mod decision;
mod gather;
mod inputs;
mod justify;
#[cfg(feature = "mashup")]
mod parties;
mod pictures;
mod recoding;
mod release;
mod study;
mod tables;

#[cfg(feature = "mashup")]
pub(crate) use decision::Decision;
pub(crate) use inputs::RowsInputs;
#[cfg(feature = "mashup")]
pub(crate) use recoding::Recoding;
pub(crate) use release::{RowsFound, RowsRelease};
pub(crate) use study::RowsStudy;
