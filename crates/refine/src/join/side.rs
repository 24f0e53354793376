//! A [`Side`] is an earlier release as the join sees it: records that match alike and count alike are one.
//!
//! | job | disease | zip | | kind (by job) | entry (by disease, of the group) |
//! |---|---|---|---|---|---|
//! | Clerk | HIV | Z3 | | Clerk | HIV, 2 records |
//! | Clerk | HIV | Z5 | | | |
//! | Clerk | Flu | Z3 | | | Flu, 1 record |
//! | Driver | Flu | Z3 | | Driver | Flu, 1 record |
//!
//! What a record matches depends on its *kind*, the labels of its join columns. Within a kind, *entries* tell apart what the
//! template groups by and what it counts. Nothing else of the release is kept.

use std::ops::Range;

use hashbrown::HashMap;
use scumble_table::{Codes, ColumnId, Table, collapse};

/// An earlier release, collapsed.
#[derive(Debug)]
pub(super) struct Side {
    /// The columns that decide what a record matches.
    pub join_columns: Vec<ColumnId>,
    /// The labels of each kind on the join columns, kind by kind.
    labels: Vec<u32>,
    /// The entries of each kind.
    entries_of: Vec<Range<u32>>,
    pub entries: Vec<Entry>,
    /// How many different combinations there are on the columns of the group.
    pub groups: u32,
    /// How many different combinations there are of what is counted.
    pub categories: u32,
}

/// Records of one kind that are alike in all that counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// The number of their combination on the columns of the group.
    pub group: u32,
    /// The number of what is counted of them.
    pub category: u32,
    /// How many there are.
    pub records: u64,
}

impl Side {
    /// Collapses a release. `category_of` says what is counted of a record, by its row.
    pub fn new(
        table: &Table,
        join_columns: Vec<ColumnId>,
        group: &[ColumnId],
        counted: &[ColumnId],
        category_of: impl Fn(usize) -> u32,
    ) -> Side {
        let codes = |&id: &ColumnId| table.column(id).codes();
        let key: Vec<&Codes> = join_columns.iter().chain(group).chain(counted).map(codes).collect();
        let collapsed = collapse(table.rows(), &key);
        let mut groups: HashMap<Vec<u32>, u32> = HashMap::new();
        let labels_of = |columns: &[ColumnId], row: u32| -> Vec<u32> {
            columns.iter().map(|id| codes(id).at(row as usize)).collect()
        };
        let mut rows: Vec<(Vec<u32>, Entry)> = collapsed
            .rows
            .iter()
            .zip(&collapsed.weights)
            .map(|(&row, &records)| {
                let next = groups.len() as u32;
                let entry = Entry {
                    group: *groups.entry(labels_of(group, row)).or_insert(next),
                    category: category_of(row as usize),
                    records: u64::from(records),
                };
                (labels_of(&join_columns, row), entry)
            })
            .collect();
        // In an order of their own, so that equal ones are neighbours.
        rows.sort_by(|(a, x), (b, y)| (a, x.group, x.category).cmp(&(b, y.group, y.category)));
        let mut side = Side {
            join_columns,
            labels: Vec::new(),
            entries_of: Vec::new(),
            entries: Vec::new(),
            groups: groups.len().max(1) as u32,
            categories: 1,
        };
        for kind in rows.chunk_by(|(a, _), (b, _)| a == b) {
            let first = side.entries.len() as u32;
            for alike in kind.chunk_by(|(_, a), (_, b)| (a.group, a.category) == (b.group, b.category)) {
                side.entries.push(Entry {
                    records: alike.iter().map(|(_, entry)| entry.records).sum(),
                    ..alike[0].1
                });
            }
            side.labels.extend(&kind[0].0);
            side.entries_of.push(first..side.entries.len() as u32);
        }
        side.categories = side.entries.iter().map(|entry| entry.category + 1).max().unwrap_or(1);
        side
    }

    pub fn kinds(&self) -> u32 {
        self.entries_of.len() as u32
    }

    /// The label of a kind on the join column at a place.
    pub fn label(&self, kind: u32, at: usize) -> u32 {
        self.labels[kind as usize * self.join_columns.len() + at]
    }

    /// The entries of a kind, by number.
    pub fn entries_of(&self, kind: u32) -> Range<u32> {
        self.entries_of[kind as usize].clone()
    }

    /// How many records are of a kind.
    pub fn records(&self, kind: u32) -> u64 {
        let entries = self.entries_of(kind);
        let entries = &self.entries[entries.start as usize..entries.end as usize];
        entries.iter().map(|entry| entry.records).sum()
    }

    /// The place of a column among the join columns.
    pub fn place(&self, column: ColumnId) -> usize {
        let place = self.join_columns.iter().position(|&own| own == column);
        place.expect("a rule is about join columns")
    }
}
