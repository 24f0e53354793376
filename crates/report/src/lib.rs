//! What a release says about itself.
//!
//! The [`Certificate`] goes out with the release; the trace stays in the house. Both are plain JSON, described in
//! `docs/formats.md`. Nothing in a certificate comes from a single record: levels and counts speak of groups that
//! meet the requirement, and masks of values that such groups show.

mod certificate;
mod level;
mod trace;

pub use certificate::{
    Certificate, CertifiedColumn, CertifiedMask, CertifiedSecrets, CertifiedTemplate, Counted, MethodSettings, VERSION,
};
pub use level::Level;
pub use trace::{TraceBlock, TraceFile, TraceStep, TraceStop, TraceWhy};
