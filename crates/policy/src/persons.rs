//! [`Persons`] are what only a policy over several tables has: one table of persons, tables that hang off it, and look-ups
//! that rows of them refer to.
//!
//! ```toml
//! [person]
//! file = "students.csv"
//! key = "sid"
//!
//! [[tables]]
//! name = "courses"
//! file = "courses.csv"
//! key = "scid"
//! foreign_key = "sid"          # holds the key of the table of persons, unless `parent` names another table
//! ```
//!
//! Invariant: every name that is spoken of is that of a table or column that is listed, no column is both key and quasi,
//! what is required can be counted of persons. What a database or the data must tell (keys that are not written here,
//! whether columns are there) is checked when the policy is bound to them.

use crate::column::ColumnPolicy;
use crate::data::RowsAt;
use crate::listed::ListedColumns;
use crate::spanned::Spanned;

/// The tables of a policy over several.
#[derive(Clone, Debug, PartialEq)]
pub struct Persons {
    /// The tables, that of persons first, else in the order of the policy.
    pub tables: Vec<TablePolicy>,
    /// The tables that rows refer to, which are published as they are.
    pub lookups: Vec<LookupPolicy>,
}

/// One table about persons.
#[derive(Clone, Debug, PartialEq)]
pub struct TablePolicy {
    /// What the policy and the released file call it: letters, digits, `_` and `-`.
    pub name: Spanned<String>,
    /// Where its rows are.
    pub from: RowsAt,
    /// The columns of its key; none if nothing hangs off it, or if the database is to tell.
    pub key: Vec<Spanned<String>>,
    /// The table that it hangs off; for that of persons none, for others the table of persons or what the database tells.
    pub parent: Option<Spanned<String>>,
    /// The columns that hold the key of that table; none if the database is to tell.
    pub foreign_key: Vec<Spanned<String>>,
    /// The columns that hold the key of a look-up, and its name.
    pub refers: Vec<(Spanned<String>, Spanned<String>)>,
    /// What is said of its columns.
    pub columns: ListedColumns,
}

impl TablePolicy {
    /// What is said of a column.
    pub fn column(&self, name: &str) -> Option<&ColumnPolicy> {
        self.columns.find(name)
    }
}

/// A table that rows refer to, and that is published as it is.
#[derive(Clone, Debug, PartialEq)]
pub struct LookupPolicy {
    /// What the policy and the released file call it.
    pub name: Spanned<String>,
    /// Where its rows are.
    pub from: RowsAt,
    /// The column of its key; `None` if the database is to tell.
    pub key: Option<Spanned<String>>,
    /// The columns that hold the key of another look-up, and its name.
    pub refers: Vec<(Spanned<String>, Spanned<String>)>,
    /// The columns that are listed, and so published as they are.
    pub columns: Vec<Spanned<String>>,
}
