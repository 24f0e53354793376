//! [`Origin`]: what messages call the place that rows come from.

use std::fmt;
use std::path::PathBuf;

/// Where rows come from, as messages say it. No part of it is a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A file.
    File(PathBuf),
    /// A table or view of a database, by its name.
    Table(String),
    /// A query to a database. Its text may hold values, so it is not told.
    Query,
    /// Record batches in memory.
    Batches,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::File(path) => path.display().fmt(f),
            Origin::Table(table) => write!(f, "table `{table}`"),
            Origin::Query => f.write_str("the query"),
            Origin::Batches => f.write_str("the record batches"),
        }
    }
}
