//! [`RowsOf`]: which rows of a database.

use std::fmt;

use crate::error::Origin;

/// Some rows of a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RowsOf {
    /// Those of a table or view, by its name.
    Table(String),
    /// Those that one SELECT gives.
    Query(String),
}

/// What messages call them.
impl fmt::Display for RowsOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.origin().fmt(f)
    }
}

impl RowsOf {
    pub(crate) fn origin(&self) -> Origin {
        match self {
            RowsOf::Table(table) => Origin::Table(table.clone()),
            RowsOf::Query(_) => Origin::Query,
        }
    }
}
