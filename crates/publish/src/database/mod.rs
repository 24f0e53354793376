//! Several tables: the same flow as for one, over persons and all their rows.
//!
//! ```text
//! bind ─► load ─► gather ─► mask, number, sort ─► audit ─► write
//! ```
//!
//! Files, a SQLite file or a PostgreSQL database are read once; what is released is one file per table, with keys that
//! mean nothing. As for one table, only what the audit lets through can be written.

mod attack;
mod audit;
mod bind;
mod certify;
mod flow;
mod load;
mod page;
mod search;
mod source;
mod words;

pub use attack::attack_database;
pub use audit::{DatabaseAudit, audit_database};
pub use flow::{DatabaseOptions, DatabasePublication, publish_database};
