//! The [`Groups`] of two versions, and which of them may have a person in common.
//!
//! Groups that meet, directly or through others, hang together in one component: whoever stayed is in one component in both
//! versions.
//!
//! Invariant: groups are numbered without gaps, all new ones before all old ones; those that a group meets are ascending.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use scumble_table::ColumnId;

use super::super::numbering::Numbering;
use super::super::rows::Rows;
use super::meeting::Meeting;
use super::versions::Republication;

/// More pairs of groups than this are not looked at: it is as many as fit well into memory, and versions of which so many
/// groups meet tell nothing apart.
const MOST_PAIRS: usize = 50_000_000;

/// The groups of both versions.
pub(super) struct Groups {
    numbering: Numbering,
    new: usize,
    /// For each group, those of the other version that may have a person in common with it.
    met: Vec<Vec<u32>>,
    component: Vec<u32>,
}

impl Groups {
    /// The groups on some columns, of rows in which those of the new version come first; `None` if too many of them meet.
    pub(super) fn new(versions: &Republication, columns: &[ColumnId], rows: &Rows) -> Option<Self> {
        let shown = rows.number(columns);
        let numbering = shown.clone().and(&version_of_row(versions));
        let first_rows = first_rows(&numbering);
        let new = first_rows.partition_point(|&row| row < versions.new.rows());
        let mut met = if versions.are_alike(columns) {
            same(&shown, &first_rows[..new], &first_rows[new..])
        } else {
            let meeting = Meeting::new(versions, columns, first_rows.split_at(new));
            all_met(&meeting, new)?
        };
        met.resize(first_rows.len(), Vec::new());
        for group in 0..new {
            for place in 0..met[group].len() {
                let old = met[group][place] as usize;
                met[old].push(group as u32);
            }
        }
        Some(Groups {
            numbering,
            new,
            component: components(&met),
            met,
        })
    }

    /// The number of the group of each row.
    pub(super) fn numbering(&self) -> &Numbering {
        &self.numbering
    }

    /// The numbers of the groups of the new version.
    pub(super) fn new_ones(&self) -> Range<usize> {
        0..self.new
    }

    /// The numbers of the groups of the old version.
    pub(super) fn old_ones(&self) -> Range<usize> {
        self.new..self.met.len()
    }

    /// The groups of the other version that may have a person in common with one.
    pub(super) fn met_by(&self, group: usize) -> impl Iterator<Item = usize> {
        self.met[group].iter().map(|&other| other as usize)
    }

    /// The component of a group.
    pub(super) fn component(&self, group: usize) -> u32 {
        self.component[group]
    }
}

/// Numbers the rows of the new version 0, those of the old one 1.
fn version_of_row(versions: &Republication) -> Numbering {
    let mut version = vec![0; versions.new.rows()];
    version.resize(versions.new.rows() + versions.old.rows(), 1);
    Numbering::new(version, 2)
}

/// The first row of each number, of numbers without gaps in the order they are first met.
fn first_rows(numbering: &Numbering) -> Vec<usize> {
    let mut first = Vec::with_capacity(numbering.count());
    for (row, &number) in numbering.of_row().iter().enumerate() {
        if number as usize == first.len() {
            first.push(row);
        }
    }
    first
}

/// For each new group, the old one whose rows show the same, if there is one.
fn same(shown: &Numbering, new: &[usize], old: &[usize]) -> Vec<Vec<u32>> {
    let label = |row: &usize| shown.of_row()[*row] as usize;
    let mut group_that_shows = vec![None; shown.count()];
    for (number, row) in (new.len() as u32..).zip(old) {
        group_that_shows[label(row)] = Some(number);
    }
    new.iter()
        .map(|row| group_that_shows[label(row)].into_iter().collect())
        .collect()
}

/// For each new group, the old ones that it meets; `None` if they are too many.
fn all_met(meeting: &Meeting, new: usize) -> Option<Vec<Vec<u32>>> {
    let pairs = AtomicUsize::new(0);
    let met_by = |group: usize| {
        let mut met = Vec::new();
        // Once there are too many, none is kept: the answer is known, and memory is not.
        if pairs.load(Ordering::Relaxed) <= MOST_PAIRS {
            meeting.for_each_old(group, |old| met.push((new + old) as u32));
            pairs.fetch_add(met.len(), Ordering::Relaxed);
        }
        met.sort_unstable();
        met
    };
    let met = (0..new).into_par_iter().map(met_by).collect();
    (pairs.into_inner() <= MOST_PAIRS).then_some(met)
}

/// Numbers the groups that hang together.
fn components(met: &[Vec<u32>]) -> Vec<u32> {
    const NONE: u32 = u32::MAX;
    let mut component = vec![NONE; met.len()];
    let mut count = 0;
    for first in 0..met.len() {
        if component[first] != NONE {
            continue;
        }
        component[first] = count;
        let mut found = vec![first];
        while let Some(group) = found.pop() {
            for &other in &met[group] {
                if component[other as usize] == NONE {
                    component[other as usize] = count;
                    found.push(other as usize);
                }
            }
        }
        count += 1;
    }
    component
}
