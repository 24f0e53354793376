//! The experiments of the papers, run again on the public tables that they used.
//!
//! There is one program for each figure. A program publishes a public table through the flow that every user goes
//! through, reads the release back, measures the classification error or the distortion, and prints a [`Sheet`]: the
//! numbers, then each [`Claim`] of the paper with our number and a verdict. Those of [`loukides`] are about groups of rows,
//! those of [`nergiz`] about persons with rows in several tables; they make and measure them in memory.

mod anonymity;
mod claim;
mod generalized;
pub mod loukides;
pub mod nergiz;
mod public;
mod secrets;
mod sequential;
mod settings;
mod sheet;
mod summary;
mod trial;
mod way;

pub use anonymity::{Anonymity, Measured};
pub use claim::{Bound, Claim, Verdict};
pub use generalized::Generalized;
pub use public::{ADULT_TOP9, CRX_TOP9, GERMAN_TOP9, Public, Trees};
pub use secrets::{Averaged, Counted, Secrets, worst_cost};
pub use sequential::{
    AnonymityOnJoin, ConfidenceErrors, ConfidenceOnJoin, DistortionOnJoin, Distortions, ErrorsOnJoin, Set,
};
pub use settings::{Result, run};
pub use sheet::{POINTS, Sheet};
pub use summary::{largest, mean, percent, smallest};
pub use trial::{Distortion, Masking, THESIS, Trial, Tried};
