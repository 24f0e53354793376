//! The experiments of the papers, run again on the public tables that they used.
//!
//! There is one program for each figure. A program publishes a public table through the flow that every user goes
//! through, reads the release back, measures the classification error, and prints a [`Sheet`]: the numbers, then each
//! [`Claim`] of the paper with our number and a verdict.

mod anonymity;
mod claim;
mod generalized;
mod public;
mod secrets;
mod settings;
mod sheet;
mod trial;

pub use anonymity::{Anonymity, Measured};
pub use claim::{Bound, Claim, Verdict};
pub use generalized::Generalized;
pub use public::{ADULT_TOP9, CRX_TOP9, GERMAN_TOP9, Public, Trees};
pub use secrets::{Averaged, Counted, Secrets, worst_cost};
pub use settings::{Result, run};
pub use sheet::{Sheet, percent};
pub use trial::{Masking, THESIS, Trial, Tried};
