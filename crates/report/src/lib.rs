//! What a release says about itself.
//!
//! The [`Certificate`] goes out with the release; the trace and the [`Page`] stay in the house. Certificate and trace
//! are plain JSON, described in `docs/formats.md`. Nothing in a certificate comes from a single record: levels and counts
//! speak of groups that meet the requirement, and masks of values that such groups show.

mod certificate;
mod counted;
mod figure;
mod form;
mod frontier;
mod level;
mod page;
mod plot;
mod tables;
mod trace;

pub use certificate::{
    BoundedLoss, Certificate, CertifiedColumn, CertifiedEarlier, CertifiedMask, CertifiedReading, CertifiedSecrets,
    CertifiedTemplate, MethodSettings, SecretsFile, VERSION,
};
pub use counted::Counted;
pub use figure::figure;
pub use frontier::{Frontier, FrontierPoint, FrontierTemplate};
pub use level::Level;
pub use page::{Align, Block, Cell, Fact, Page, Section, Table, Tone};
pub use plot::{Bar, Bars, Bin, Curve, Histogram, Plot, Tree, TreeNode, TreePart};
pub use tables::{CertifiedCells, CertifiedLookup, CertifiedTable, CertifiedTables, MaskedCells};
pub use trace::{TraceBlock, TraceFile, TraceStep, TraceStop, TraceWhy};
