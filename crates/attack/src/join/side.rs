//! A [`Side`]: one of the releases that are joined, its records collapsed to kinds.
//!
//! Invariant: a kind is all records that show the same on the columns of the side: those that decide what matches,
//! those that are known, and the secrets.

use scumble_table::{Codes, Column, ColumnId, Table, collapse};

/// One of the releases.
pub(super) struct Side<'t> {
    table: &'t Table,
    /// A record of each kind.
    rows: Vec<u32>,
    /// How many records are of each kind.
    records: Vec<u64>,
    /// Which kinds match the same.
    pub(super) class: Numbers,
    /// Which kinds show the same on what is known.
    pub(super) group: Numbers,
}

/// A number for each kind, without gaps.
pub(super) struct Numbers {
    pub(super) of_kind: Vec<u32>,
    /// A kind of each number.
    pub(super) kinds: Vec<u32>,
}

/// The kinds of one class and group that have one label.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Part {
    pub(super) class: u32,
    pub(super) group: u32,
    pub(super) label: u32,
    /// How many records there are.
    pub(super) records: u64,
}

impl<'t> Side<'t> {
    /// The records of a table, by these columns.
    pub(super) fn new(table: &'t Table, join: &[ColumnId], known: &[ColumnId], secrets: &[ColumnId]) -> Self {
        let columns = [join, known, secrets].concat();
        let codes: Vec<&Codes> = columns.iter().map(|&id| table.column(id).codes()).collect();
        let kinds = collapse(table.rows(), &codes);
        let numbers = |columns: &[ColumnId]| {
            let of_kinds = |id: &ColumnId| {
                let column = table.column(*id);
                let labels = kinds.rows.iter().map(|&row| column.codes().at(row as usize));
                Codes::collect(column.dictionary().len(), labels)
            };
            let codes: Vec<Codes> = columns.iter().map(of_kinds).collect();
            let collapsed = collapse(kinds.rows.len(), &codes.iter().collect::<Vec<_>>());
            Numbers {
                of_kind: collapsed.kind_of,
                kinds: collapsed.rows,
            }
        };
        Side {
            table,
            class: numbers(join),
            group: numbers(known),
            records: kinds.weights.iter().map(|&weight| weight.into()).collect(),
            rows: kinds.rows,
        }
    }

    /// One of its columns.
    pub(super) fn column(&self, id: ColumnId) -> &Column {
        self.table.column(id)
    }

    /// The label that each class shows on a join column.
    pub(super) fn labels_of_classes(&self, id: ColumnId) -> Vec<u32> {
        let label = |&kind: &u32| self.label(kind as usize, id);
        self.class.kinds.iter().map(label).collect()
    }

    /// Its records by class and group, and by their label on a column if one is given; in this order.
    pub(super) fn parts(&self, labelled: Option<ColumnId>) -> Vec<Part> {
        let part = |kind: usize| Part {
            class: self.class.of_kind[kind],
            group: self.group.of_kind[kind],
            label: labelled.map_or(0, |id| self.label(kind, id)),
            records: self.records[kind],
        };
        let mut parts: Vec<Part> = (0..self.rows.len()).map(part).collect();
        parts.sort_unstable();
        parts.dedup_by(|next, part| {
            let same = (next.class, next.group, next.label) == (part.class, part.group, part.label);
            part.records += if same { next.records } else { 0 };
            same
        });
        parts
    }

    fn label(&self, kind: usize, id: ColumnId) -> u32 {
        self.column(id).codes().at(self.rows[kind] as usize)
    }
}
