//! What an adversary has [`Known`] before they see the release, and what they want to find out.

use scumble_table::{ColumnId, FormsOf, Table};
use serde::Serialize;

/// What the adversary knows, and what they want.
pub struct Known<'a> {
    /// One row for each person they know something of.
    pub table: &'a Table,
    /// The columns that they know.
    pub shared: Vec<SharedColumn<'a>>,
    /// What they want to find out.
    pub secrets: Vec<Secret<'a>>,
    /// How the release was made.
    pub recoding: Recoding,
    /// Whether the table is the whole population from which the people of the release come.
    pub is_population: bool,
    /// A person narrowed to fewer rows than this counts as narrowed.
    pub k: u64,
    /// A guess with more confidence than this counts as confident.
    pub threshold: f64,
}

/// A column that both tables have.
#[derive(Clone, Copy)]
pub struct SharedColumn<'a> {
    /// In the known table.
    pub known: ColumnId,
    /// In the release.
    pub released: ColumnId,
    /// What the labels of the release can be.
    pub forms: FormsOf<'a>,
}

/// A sensitive column.
#[derive(Clone, Copy)]
pub struct Secret<'a> {
    /// In the release.
    pub released: ColumnId,
    /// The truth, if the known table has it: then guesses can be checked.
    pub known: Option<ColumnId>,
    /// What the labels of the release can be.
    pub forms: FormsOf<'a>,
}

/// How a release was made, and so what a value may be shown as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Recoding {
    /// A value has one label in all rows: the most specific one that covers it.
    Global,
    /// A value may hide behind every label that covers it.
    Local,
}
