//! [`TableSchema`]: what a database says of a table, beside its rows.

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

/// What a database says of a table or view. A view has neither key nor references.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableSchema {
    /// The table, as the database writes it.
    pub name: String,
    /// The columns of its primary key, in the order of the key.
    pub key: Vec<String>,
    /// Its foreign keys, in a fixed order.
    pub references: Vec<Reference>,
}

/// A foreign key: columns that hold the values of other columns, mostly of another table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The columns.
    pub columns: Vec<String>,
    /// The table that they refer to, written as its [`TableSchema::name`].
    pub table: String,
    /// The columns there, one for each. Those of the primary key come in its order; others are possible, if their
    /// values are unique.
    pub to: Vec<String>,
}
