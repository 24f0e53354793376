//! What must hold of a release, and the audit that shows it does.
//!
//! A [`Template`] says what must not be possible to infer; a [`Requirement`] is a list of templates that must all
//! hold. [`audit`] recounts a release from its labels alone. It never depends on a search, so a slip in the fast
//! counting of a search cannot hide itself. A [`Republication`] is compared with the version before it.

mod audit;
mod join;
mod template;

pub use audit::{
    Audited, ComparedTemplate, Comparison, Failed, Finding, GroupsAt, Masking, Part, Population, Republication, audit,
    recount,
};
pub use join::{Condition, Earlier, History, JoinDemand, JoinSecrets, Joined, Per, Place, Rule, THIS};
pub use template::{Demand, Distance, Diversity, QuasiIdentifier, Requirement, SecretValues, Secrets, Sense, Template};
