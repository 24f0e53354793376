//! The search for minimal sample uniques, one size of column sets after the other.
//!
//! Invariant: when sets of a size are looked at, it is known of every set one column smaller which rows are alone on it. A
//! row that is alone on a set has it as an MSU exactly if it is alone on none of those parts, because who is alone on
//! fewer columns is alone on more.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;
use scumble_progress::Work;
use scumble_table::{Column, ColumnId, Table};

use super::company::Company;

/// The MSUs of one size.
pub(super) struct Level {
    pub(super) size: usize,
    /// For each row, how many it has.
    pub(super) of_row: Vec<u32>,
    /// For each set of columns, by their places and in order, for how many rows it is one.
    pub(super) of_set: Vec<(Vec<usize>, u64)>,
}

impl Level {
    pub(super) fn msus(&self) -> u64 {
        self.of_set.iter().map(|(_, msus)| msus).sum()
    }
}

/// The MSUs of each size up to `at_most`; of fewer sets if it should stop.
pub(super) fn minimal_uniques(table: &Table, columns: &[ColumnId], at_most: usize, work: Work) -> Vec<Level> {
    let columns: Vec<&Column> = columns.iter().map(|&id| table.column(id)).collect();
    let mut levels = Vec::new();
    let mut alone_on = BTreeMap::new();
    for size in 1..=at_most {
        let search = Search {
            work,
            columns: &columns,
            size,
            is_last: size == at_most,
            alone_on,
            msus_of_row: (0..table.rows()).map(|_| AtomicU32::new(0)).collect(),
        };
        let found = search.below(&[], &Company::whole(table.rows()));
        let msus_of_row = search.msus_of_row.into_iter();
        levels.push(Level {
            size,
            of_row: msus_of_row.map(AtomicU32::into_inner).collect(),
            of_set: found.iter().map(|found| (found.set.clone(), found.msus)).collect(),
        });
        alone_on = found
            .into_iter()
            .filter_map(|found| Some((found.set, found.alone?)))
            .collect();
    }
    levels
}

/// The search for MSUs of one size.
struct Search<'t> {
    work: Work<'t>,
    columns: &'t [&'t Column],
    size: usize,
    is_last: bool,
    /// The rows that are alone, for each set of one column less. Sets on which nobody has company may be absent.
    alone_on: BTreeMap<Vec<usize>, Bits>,
    /// Counted by all threads at once. The sums do not depend on who adds first.
    msus_of_row: Vec<AtomicU32>,
}

/// A set of columns that was looked at.
struct Found {
    set: Vec<usize>,
    msus: u64,
    /// The rows that are alone on it, unless it is of the last size.
    alone: Option<Bits>,
}

impl Search<'_> {
    /// Looks at all sets of the size that begin with these columns; `company` is who is not alone on them.
    fn below(&self, beginning: &[usize], company: &Company) -> Vec<Found> {
        if company.is_empty() || self.work.should_stop() {
            return Vec::new();
        }
        let first = beginning.last().map_or(0, |last| last + 1);
        let further = (first..self.columns.len()).into_par_iter();
        let extended = |column: usize| [beginning, &[column]].concat();
        if beginning.len() + 1 == self.size {
            let further = further.filter(|_| !self.work.should_stop());
            return further.map(|column| self.look_at(extended(column), company)).collect();
        }
        let below = further
            .filter(|_| !self.work.should_stop())
            .map(|column| self.below(&extended(column), &company.split(self.columns[column])));
        below.flatten_iter().collect()
    }

    /// Looks at one set; `company` is who is not alone without its last column.
    fn look_at(&self, set: Vec<usize>, company: &Company) -> Found {
        let without = |place: usize| {
            let mut part = set.clone();
            part.remove(place);
            self.alone_on.get(&part)
        };
        let last = set.len() - 1;
        let parts: Vec<Option<&Bits>> = (0..last).map(without).collect();
        let mut alone = (!self.is_last).then(|| without(last).cloned().unwrap_or_else(|| self.nobody()));
        let mut msus = 0;
        company.each_alone(self.columns[set[last]], |row| {
            if let Some(alone) = &mut alone {
                alone.insert(row);
            }
            if !parts.iter().any(|part| part.is_none_or(|alone| alone.contains(row))) {
                self.msus_of_row[row as usize].fetch_add(1, Ordering::Relaxed);
                msus += 1;
            }
        });
        Found { set, msus, alone }
    }

    fn nobody(&self) -> Bits {
        Bits::none(self.msus_of_row.len())
    }
}

/// A set of rows, one bit for each.
#[derive(Clone)]
struct Bits(Vec<u64>);

impl Bits {
    fn none(rows: usize) -> Self {
        Bits(vec![0; rows.div_ceil(64)])
    }

    fn insert(&mut self, row: u32) {
        self.0[row as usize / 64] |= 1 << (row % 64);
    }

    fn contains(&self, row: u32) -> bool {
        self.0[row as usize / 64] & (1 << (row % 64)) != 0
    }
}
