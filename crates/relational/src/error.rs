//! Why tables make no database. Messages name tables, columns and rows (from 1), never what a cell holds.

use scumble_fault::{Blame, Fault};
use thiserror::Error;

/// What is wrong with some tables, and what to change.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DatabaseError {
    /// There is no table.
    #[error("there is no table; a database needs one table of persons")]
    NoTable,
    /// Two tables have one name.
    #[error("two tables are called `{table}`; give each its own name")]
    SameName {
        /// The name.
        table: String,
    },
    /// More than one table hangs off nothing.
    #[error("`{first}` and `{second}` both hang off no table; all tables but that of persons need a foreign key")]
    TwoPersonTables {
        /// The one.
        first: String,
        /// The other.
        second: String,
    },
    /// A table has more than one foreign key.
    #[error(
        "table `{table}` hangs off both `{first}` and `{second}`; a row belongs to one person, so keep one foreign key"
    )]
    TwoParents {
        /// The table.
        table: String,
        /// Its first parent.
        first: String,
        /// Its second parent.
        second: String,
    },
    /// A foreign key names a table that is not there.
    #[error(
        "table `{table}` hangs off `{parent}`, which is no table; the tables are {}",
        in_quotes(known)
    )]
    UnknownParent {
        /// The table.
        table: String,
        /// What it hangs off.
        parent: String,
        /// The names of all tables.
        known: Vec<String>,
    },
    /// A table hangs off itself, by way of others or not.
    #[error(
        "table `{table}` hangs off itself by way of its foreign key; every table must lead to the table of persons"
    )]
    Cycle {
        /// A table of the cycle.
        table: String,
    },
    /// A key column is a quasi column.
    #[error("column `{column}` of table `{table}` is both a key and quasi; use another key, or give it another role")]
    KeyIsQuasi {
        /// The table.
        table: String,
        /// The column.
        column: String,
    },
    /// A foreign key has not as many columns as the key.
    #[error(
        "the foreign key of `{table}` has {columns} columns, the key of `{parent}` {key_columns}; use as many, at least 1"
    )]
    KeyWidth {
        /// The table.
        table: String,
        /// Its parent.
        parent: String,
        /// Columns of the foreign key.
        columns: usize,
        /// Columns of the key.
        key_columns: usize,
    },
    /// A row has no key.
    #[error("table `{table}`, row {row}: the key column `{column}` is empty; every row needs its key")]
    MissingKey {
        /// The table.
        table: String,
        /// The column.
        column: String,
        /// The row, from 1.
        row: usize,
    },
    /// Two rows have one key.
    #[error(
        "table `{table}`, row {row}: the key in {} is that of row {first}; every row needs its own",
        in_quotes(columns)
    )]
    DuplicateKey {
        /// The table.
        table: String,
        /// The key columns.
        columns: Vec<String>,
        /// The first row with it, from 1.
        first: usize,
        /// The second.
        row: usize,
    },
    /// A row belongs to no row of the parent.
    #[error(
        "table `{table}`, row {row}: `{parent}` has no row with the key in {}; add that row, or leave out this one",
        in_quotes(columns)
    )]
    Orphan {
        /// The table.
        table: String,
        /// Its parent.
        parent: String,
        /// The columns of the foreign key.
        columns: Vec<String>,
        /// The row, from 1.
        row: usize,
    },
    /// A value is not on the scale of its column.
    #[error("table `{table}`, row {row}: column `{column}` holds {what}; correct the cell, or the scale of the column")]
    NotOnScale {
        /// The table.
        table: String,
        /// The column.
        column: String,
        /// The row, from 1.
        row: usize,
        /// What is wrong with it.
        what: &'static str,
    },
}

fn in_quotes(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

impl Blame for DatabaseError {
    fn fault(&self) -> Fault {
        match self {
            DatabaseError::NoTable
            | DatabaseError::SameName { .. }
            | DatabaseError::TwoPersonTables { .. }
            | DatabaseError::TwoParents { .. }
            | DatabaseError::UnknownParent { .. }
            | DatabaseError::Cycle { .. }
            | DatabaseError::KeyIsQuasi { .. }
            | DatabaseError::KeyWidth { .. }
            | DatabaseError::MissingKey { .. }
            | DatabaseError::DuplicateKey { .. }
            | DatabaseError::Orphan { .. }
            | DatabaseError::NotOnScale { .. } => Fault::Input,
        }
    }
}
