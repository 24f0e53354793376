//! Released tables that hang together, and the originals that they are compared with.
//!
//! | table | key | hangs off | by | quasi | refers |
//! |---|---|---|---|---|---|
//! | students | sid | | | | |
//! | courses | scid | students | sid | course | |
//! | books | | courses | scid | book | book, to titles |
//!
//! Invariant: every table comes after the one that it hangs off; that of persons is the first and hangs off none.

use scumble_table::{ColumnId, FormsOf, Released, ReleasedColumn, SharedForms, Table};

/// Tables as a reader of the release sees them.
#[derive(Debug)]
pub struct ReleasedDatabase {
    /// The table of persons, and those that hang off it or each other, parents before their children.
    pub tables: Vec<ReleasedTable>,
    /// Tables that rows refer to, and that say nothing of persons.
    pub lookups: Vec<LookupTable>,
}

/// One table of a release.
#[derive(Debug)]
pub struct ReleasedTable {
    /// Its name.
    pub name: String,
    /// Its rows.
    pub release: Released,
    /// The columns that tell its rows apart; empty if nothing hangs off it and it has none.
    pub key: Vec<ColumnId>,
    /// What it hangs off; `None` for the table of persons.
    pub parent: Option<ParentKey>,
    /// The columns that an adversary may know.
    pub quasi: Vec<ColumnId>,
    /// The columns that refer to look-ups.
    pub refers: Vec<Reference>,
}

/// What a table hangs off.
#[derive(Clone, Debug, PartialEq)]
pub struct ParentKey {
    /// The place of the other table.
    pub table: usize,
    /// The columns that hold its key, in the order of the key.
    pub columns: Vec<ColumnId>,
}

/// A column that holds keys of a look-up.
#[derive(Clone, Debug)]
pub struct Reference {
    /// The column.
    pub column: ColumnId,
    /// The place of the look-up.
    pub lookup: usize,
    /// What its released cells can be.
    pub forms: SharedForms,
}

/// A table that is published as it is, because rows only refer to it.
#[derive(Debug)]
pub struct LookupTable {
    /// Its name.
    pub name: String,
    /// Its rows.
    pub release: Released,
    /// The column that rows refer to.
    pub key: ColumnId,
    /// The columns that refer to other look-ups.
    pub refers: Vec<Reference>,
}

/// A table before it was released.
#[derive(Clone, Debug)]
pub struct OriginalTable<'a> {
    /// Its rows.
    pub table: &'a Table,
    /// The columns that tell its rows apart.
    pub key: Vec<ColumnId>,
    /// The columns that hold the key of the table that it hangs off; empty for the table of persons.
    pub foreign_key: Vec<ColumnId>,
    /// For each column of the released table, what it was; `None` for a key, which is replaced.
    pub columns: Vec<Option<OriginalColumn<'a>>>,
}

/// A column before it was released.
#[derive(Clone, Copy, Debug)]
pub struct OriginalColumn<'a> {
    /// Which column of the original.
    pub id: ColumnId,
    /// What its released cells can be.
    pub forms: FormsOf<'a>,
}

/// What a release is compared with.
#[derive(Clone, Copy, Debug)]
pub struct Originals<'a> {
    /// The originals of the released tables, in their order.
    pub tables: &'a [OriginalTable<'a>],
    /// For each released table, of which row of the original each of its rows is, from 0.
    pub rows: &'a [Vec<u32>],
}

/// The column of a released table.
pub(super) fn column(release: &Released, id: ColumnId) -> &ReleasedColumn {
    &release.columns()[id.0]
}
