//! A [`Side`]: one of the releases that are joined, its rows collapsed to kinds.
//!
//! Invariant: a kind is all rows that show the same on the columns of the side, which are all that a template looks at.

use std::borrow::Cow;

use scumble_table::{Column, ColumnId, Dictionary, Released, Table};

use super::super::kinds::Kinds;
use super::super::numbering::Numbering;
use crate::Place;

/// One of the releases.
pub(super) struct Side<'a> {
    columns: Vec<SideColumn<'a>>,
    /// How many rows are of each kind.
    rows: Vec<u64>,
}

struct SideColumn<'a> {
    id: ColumnId,
    /// What a reader sees.
    column: Cow<'a, Column>,
    /// The label of each kind.
    of_kind: Numbering,
}

impl<'a> Side<'a> {
    /// The release that is being made, as its reader will have it.
    pub(super) fn of_release(release: &Released, columns: Vec<ColumnId>) -> Self {
        let as_read = |id: ColumnId| Cow::Owned(release.columns()[id.0].as_read());
        Side::new(release.rows(), columns, as_read)
    }

    /// A release that was read.
    pub(super) fn of_table(table: &'a Table, columns: Vec<ColumnId>) -> Self {
        Side::new(table.rows(), columns, |id| Cow::Borrowed(table.column(id)))
    }

    fn new(rows: usize, mut ids: Vec<ColumnId>, column: impl Fn(ColumnId) -> Cow<'a, Column>) -> Self {
        ids.sort_unstable();
        ids.dedup();
        let columns: Vec<Cow<Column>> = ids.iter().map(|&id| column(id)).collect();
        let shown: Vec<Numbering> = columns.iter().map(|column| by_label(column)).collect();
        let nothing = Numbering::none(rows);
        let kinds = Kinds::new(&shown.iter().fold(nothing.clone(), Numbering::and), &nothing);
        let columns = ids.into_iter().zip(columns).zip(&shown);
        let columns = columns.map(|((id, column), shown)| SideColumn {
            id,
            column,
            of_kind: kinds.numbered_by(shown),
        });
        Side {
            columns: columns.collect(),
            rows: kinds.rows().collect(),
        }
    }

    /// How many rows are of each kind.
    pub(super) fn rows(&self) -> &[u64] {
        &self.rows
    }

    /// The labels that a column shows.
    pub(super) fn labels(&self, id: ColumnId) -> &Dictionary {
        self.column(id).column.dictionary()
    }

    /// The label of each kind on a column.
    pub(super) fn shown(&self, id: ColumnId) -> &Numbering {
        &self.column(id).of_kind
    }

    /// Numbers the kinds by the labels that they show on `columns`, without gaps.
    pub(super) fn number(&self, columns: &[ColumnId]) -> Numbering {
        let nothing = Numbering::none(self.rows.len());
        columns.iter().fold(nothing, |groups, &id| groups.and(self.shown(id)))
    }

    fn column(&self, id: ColumnId) -> &SideColumn<'a> {
        let column = self.columns.iter().find(|column| column.id == id);
        column.expect("a side is made with all columns that a template looks at")
    }
}

fn by_label(column: &Column) -> Numbering {
    Numbering::new(column.codes().iter().collect(), column.dictionary().len())
}

/// The columns that places of one release name.
pub(super) fn columns_of(number: usize, places: &[Place]) -> Vec<ColumnId> {
    let of_release = places.iter().filter(|place| place.release == number);
    of_release.map(|place| place.column).collect()
}
