//! The groups of one table: how many rows of each, and how many persons, have each value.
//!
//! | path | person | grade | | path | grade | rows | persons |
//! |---|---|---|---|---|---|---|---|
//! | 0 | 1 | F | | 0 | A | 1 | 1 |
//! | 0 | 1 | F | | 0 | F | 2 | 1 |
//! | 0 | 2 | A | | 1 | B | 1 | 1 |
//! | 1 | 2 | B | | | | | |
//!
//! Rows of nobody are in no group.

use rayon::prelude::*;

use super::keys::{Cells, NONE, shown};
use super::numbers::{first_of, packed};
use crate::audit::{Count, diversity};
use crate::{Diversity, SecretValues, Secrets};

/// The groups of one table, by the path of their rows.
pub(super) struct GroupsOfTable {
    pub(super) table: usize,
    /// The number of the path of each row.
    pub(super) paths: Vec<u32>,
    /// The person of each row, or [`NONE`], who is in no group.
    pub(super) persons: Vec<u32>,
    /// How many rows each path has.
    pub(super) rows: Vec<u64>,
    /// How many persons have it.
    pub(super) persons_with: Vec<u64>,
}

impl GroupsOfTable {
    /// The path and person of each row that somebody has, with what the row shows.
    fn rows_with<'g>(&'g self, values: &'g [u32]) -> impl ParallelIterator<Item = (u32, u32, u32)> + 'g {
        let rows = self.paths.par_iter().zip(&self.persons).zip(values);
        let rows = rows.filter(|((_, person), _)| **person != NONE);
        rows.map(|((&path, &person), &value)| (path, person, value))
    }

    /// Path and secret, and the person who has it, for each secret of each row.
    pub(super) fn with_secrets(&self, cells: Cells, about: &Secrets) -> Vec<(u64, u32)> {
        match &about.values {
            SecretValues::Every => {
                let values = shown(cells);
                let rows = self.rows_with(&values);
                rows.map(|(path, person, value)| (packed(path, value), person))
                    .collect()
            }
            SecretValues::Sets(sets) => {
                let is_in = |set: &[String], text: &str| set.iter().any(|own| own == text);
                let sets_of = |value: u32| -> Vec<u32> {
                    let numbered = cells.text(value).into_iter().flat_map(|text| {
                        let sets = (0..).zip(sets);
                        sets.filter(move |(_, set)| is_in(set, text))
                    });
                    numbered.map(|(number, _)| number).collect()
                };
                let sets_of: Vec<Vec<u32>> = (0..cells.values()).map(sets_of).collect();
                let values = cells.look_up(&(0..cells.values()).collect::<Vec<u32>>());
                let rows = self.rows_with(&values);
                let entries = rows.flat_map_iter(|(path, person, value)| {
                    let sets = sets_of[value as usize].iter();
                    sets.map(move |&set| (packed(path, set), person))
                });
                entries.collect()
            }
        }
    }

    /// For each path, the largest share of its persons who have one secret.
    pub(super) fn confidence(&self, mut with_secrets: Vec<(u64, u32)>) -> Vec<f64> {
        with_secrets.par_sort_unstable();
        with_secrets.dedup();
        let mut levels = vec![0.0; self.rows.len()];
        for persons in with_secrets.chunk_by(|a, b| a.0 == b.0) {
            let path = first_of(persons[0].0) as usize;
            let share = persons.len() as f64 / self.persons_with[path] as f64;
            levels[path] = share.max(levels[path]);
        }
        levels
    }

    /// For each path, how diverse the values of its rows are.
    pub(super) fn diversity(&self, cells: Cells, measure: Diversity) -> Vec<f64> {
        self.levels_of(&self.rows_by_value(&shown(cells)), |histogram| {
            diversity(measure, histogram)
        })
    }

    /// How many rows of each path have each value, path by path and in value order.
    pub(super) fn rows_by_value(&self, values: &[u32]) -> Vec<Count> {
        let rows = self.rows_with(values);
        let mut rows: Vec<u64> = rows.map(|(path, _, value)| packed(path, value)).collect();
        rows.par_sort_unstable();
        counted(&rows)
    }

    /// How many persons of each path have each value in at least one row of it, path by path and in value order.
    pub(super) fn persons_by_value(&self, values: &[u32]) -> Vec<Count> {
        let rows = self.rows_with(values);
        let mut rows: Vec<(u64, u32)> = rows
            .map(|(path, person, value)| (packed(path, value), person))
            .collect();
        rows.par_sort_unstable();
        rows.dedup();
        counted(&rows.into_iter().map(|(number, _)| number).collect::<Vec<u64>>())
    }

    /// For each path that has rows, what `level` makes of its histogram.
    pub(super) fn levels_of(&self, counts: &[Count], level: impl Fn(&[Count]) -> f64) -> Vec<f64> {
        let mut levels = vec![0.0; self.rows.len()];
        for histogram in counts.chunk_by(|a, b| a.group == b.group) {
            levels[histogram[0].group as usize] = level(histogram);
        }
        levels
    }

    /// The persons of every path that has rows, each as often as they have such paths.
    pub(super) fn persons_of_all(&self) -> u64 {
        let paths = self.persons_with.iter().zip(&self.rows);
        paths.filter(|&(_, &rows)| rows > 0).map(|(&persons, _)| persons).sum()
    }
}

/// How often each number is there, of those that ascend: the group comes first in it, then the value.
fn counted(numbers: &[u64]) -> Vec<Count> {
    let counts = numbers.chunk_by(|a, b| a == b).map(|same| Count {
        group: first_of(same[0]),
        value: same[0] as u32,
        rows: same.len() as u64,
    });
    counts.collect()
}
