//! Several tables about persons: what differs from one table.
//!
//! Files, a SQLite file or a PostgreSQL database are read once; what is released is one file per table, with keys that
//! mean nothing. As for one table, only what the audit lets through can be written.

mod attack;
mod audit;
mod certify;
mod evaluate;
mod load;
mod page;
mod release;
mod released;
mod search;
mod source;
mod tables;
mod words;

pub use attack::attack_database;
pub use audit::{DatabaseAudit, audit_database};
pub use evaluate::{DatabaseEvaluated, evaluate_database};
pub(crate) use release::{PersonsFound, PersonsInputs, PersonsRelease};
