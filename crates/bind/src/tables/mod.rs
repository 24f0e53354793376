//! A policy bound to several tables about persons.

mod binding;
mod plan;

pub use binding::{TableHead, bind_tables};
pub use plan::{PlannedLookup, PlannedTable, TablesPlan};
