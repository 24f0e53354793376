//! What is asked for, and what comes out: one interface for every method.

use scumble_level::Conditions;
use scumble_privacy::Requirement;
use scumble_progress::{Interrupted, Work};
use scumble_table::Table;

use crate::Space;

/// Rows to gather into groups.
pub struct Problem<'t> {
    /// The table.
    pub table: &'t Table,
    /// Its quasi columns as points.
    pub space: &'t Space,
    /// What every group must keep.
    pub requirement: &'t Requirement,
    /// How many rows may be left out where that is cheaper than to gather them.
    pub rows_left_out_at_most: u64,
    /// Fixes what is random.
    pub seed: u64,
    /// Told how far it is, and asked whether to go on.
    pub work: Work<'t>,
}

impl<'t> Problem<'t> {
    /// The same, as a part of the work.
    pub(crate) fn with(&self, work: Work<'t>) -> Problem<'t> {
        Problem { work, ..*self }
    }
}

/// A way to gather rows into groups.
///
/// What a method returns need not keep every condition: [`gather`](crate::gather) repairs it, or refuses it.
pub trait Method: Sync {
    /// Groups of rows, no row in two of them; a row in none is left over.
    fn groups(&self, problem: &Problem, conditions: &Conditions) -> Result<Vec<Vec<u32>>, Failure>;

    /// The largest loss that a group may have. Rows that fit nowhere within it are left out.
    fn loss_at_most(&self) -> Option<f64> {
        None
    }
}

/// Why there is no grouping.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// It was told to stop.
    Interrupted,
    /// Even all rows as one group break a template; the level of each.
    CannotBeMet(Vec<f64>),
    /// These templates, by number, are about the join with earlier releases, which the search knows nothing of.
    OnJoin(Vec<usize>),
    /// More rows would have to be left out than may be.
    LeavesOut {
        /// So many.
        rows: u64,
        /// Of at most so many.
        most: u64,
    },
}

impl From<Interrupted> for Failure {
    fn from(_: Interrupted) -> Self {
        Failure::Interrupted
    }
}

/// Which group each row is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grouping {
    group_of: Vec<u32>,
    groups: usize,
}

/// The group of a row that is left out.
const LEFT_OUT: u32 = u32::MAX;

impl Grouping {
    /// From groups of rows, in the order of their first rows; a row in none of them is left out.
    pub fn new(rows: usize, groups: &[Vec<u32>]) -> Grouping {
        let mut number_of = vec![LEFT_OUT; rows];
        for (number, group) in groups.iter().enumerate() {
            group.iter().for_each(|&row| number_of[row as usize] = number as u32);
        }
        let mut renumbered = vec![LEFT_OUT; groups.len()];
        let mut next = 0;
        for number in number_of.iter_mut().filter(|number| **number != LEFT_OUT) {
            let new = &mut renumbered[*number as usize];
            if *new == LEFT_OUT {
                *new = next;
                next += 1;
            }
            *number = *new;
        }
        Grouping {
            group_of: number_of,
            groups: next as usize,
        }
    }

    /// How many groups there are.
    pub fn groups(&self) -> usize {
        self.groups
    }

    /// The group of a row; `None` if it is left out.
    pub fn group_of(&self, row: usize) -> Option<u32> {
        Some(self.group_of[row]).filter(|&group| group != LEFT_OUT)
    }

    /// The rows of each group, ascending.
    pub fn rows(&self) -> Vec<Vec<u32>> {
        let mut rows = vec![Vec::new(); self.groups];
        for (row, &group) in self
            .group_of
            .iter()
            .enumerate()
            .filter(|&(_, &group)| group != LEFT_OUT)
        {
            rows[group as usize].push(row as u32);
        }
        rows
    }

    /// Which rows are left out; `None` if none is.
    pub fn left_out(&self) -> Option<Vec<bool>> {
        let out: Vec<bool> = self.group_of.iter().map(|&group| group == LEFT_OUT).collect();
        out.contains(&true).then_some(out)
    }
}
