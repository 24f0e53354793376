//! What must hold of a release, and the audit that shows it does.
//!
//! A [`Template`] says what must not be possible to infer; a [`Requirement`] is a list of templates that must all
//! hold. [`audit`] recounts a release from its labels alone. It never depends on a search, so a slip in the fast
//! counting of a search cannot hide itself. A [`Republication`] is compared with the version before it.
//! [`audit_entities`] does the same for persons whose rows are in several tables.

mod audit;
mod audited;
mod database;
mod decimal;
mod entities;
mod entity_demand;
mod finding;
mod join;
mod loss;
mod secrets;
mod template;

pub use audit::{
    ComparedTemplate, Comparison, Failed, Masking, Part, Population, Republication, Skipped, WhySkipped, audit,
    audit_while, recount, recount_loss, recount_while,
};
pub use audited::{Audited, Promises};
pub use database::{
    LookupTable, OriginalColumn, OriginalTable, Originals, ParentKey, Reference, ReleasedDatabase, ReleasedTable,
};
pub use decimal::Decimal;
pub use entities::{
    FailedEntities, Fault, Faults, Lineage, Wrong, audit_entities, audit_entities_while, check_schema, entity_classes,
    entity_classes_on, recount_entities, recount_entities_while,
};
pub use entity_demand::EntityDemand;
pub use finding::{Finding, GroupsAt, LossFinding};
pub use join::{Condition, Earlier, History, JoinDemand, JoinSecrets, Joined, Per, Place, Rule, THIS};
pub use loss::{LossDomain, LossPerGroup};
pub use secrets::{SecretValues, Secrets};
pub use template::{Demand, Distance, Diversity, QuasiIdentifier, Requirement, Sense, Template, TemplateKind};
