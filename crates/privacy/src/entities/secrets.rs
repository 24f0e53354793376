//! Groups of rows that cannot be told apart, and what they say of secrets.
//!
//! | student | class | course | grade | path | | group | persons | with F | diversity |
//! |---|---|---|---|---|---|---|---|---|---|
//! | 1 | 0 | Science | F | 0 | | 0 | 2 | 1 | 2 |
//! | 1 | 0 | Science | F | 0 | | 1 | 2 | 1 | 2 |
//! | 1 | 0 | History | B | 1 | | | | | |
//! | 2 | 0 | Science | A | 0 | | | | | |
//! | 2 | 0 | Science | A | 0 | | | | | |
//! | 2 | 0 | History | F | 1 | | | | | |
//!
//! Student 1 has F in both rows of the first group, and is counted once. Rows of nobody are in no group.

use rayon::prelude::*;
use scumble_table::ColumnId;

use super::database::{ReleasedDatabase, column};
use super::demand::EntityDemand;
use super::keys::{Cells, NONE, shown};
use super::lineage::Lineage;
use super::numbers::{first_of, number_pairs, packed};
use crate::audit::{Count, diversity};
use crate::{Diversity, SecretValues, Secrets};

/// The groups of a release.
pub(super) struct Groups<'a> {
    database: &'a ReleasedDatabase,
    lineage: &'a Lineage,
    looks: &'a [Vec<u32>],
    /// How many persons each class has.
    class_sizes: Vec<u64>,
    /// The groups of the table that was asked for last: neighbours mostly ask for the same.
    last: Option<GroupsOfTable>,
}

/// The groups of one table, by the path of their rows.
struct GroupsOfTable {
    table: usize,
    /// The number of the path of each row.
    paths: Vec<u32>,
    /// The person of each row, or [`NONE`], who is in no group.
    persons: Vec<u32>,
    /// How many rows each path has.
    rows: Vec<u64>,
    /// How many persons have it.
    persons_with: Vec<u64>,
}

impl<'a> Groups<'a> {
    pub(super) fn new(database: &'a ReleasedDatabase, lineage: &'a Lineage, looks: &'a [Vec<u32>]) -> Self {
        let classes = looks.first().map_or(&[][..], |classes| classes);
        Groups {
            database,
            lineage,
            looks,
            class_sizes: counts(classes.iter().copied()),
            last: None,
        }
    }

    /// How many persons are released.
    pub(super) fn persons(&self) -> usize {
        self.looks.first().map_or(0, Vec::len)
    }

    /// The level of each group that a demand is about, and how many rows it has.
    pub(super) fn levels(&mut self, demand: &EntityDemand) -> Vec<(f64, u64)> {
        match demand {
            EntityDemand::Anonymity { .. } => {
                let sizes = self.class_sizes.iter();
                sizes.map(|&persons| (persons as f64, persons)).collect()
            }
            EntityDemand::Confidence { table, about, .. } => self.levels_in(*table, about.column, |groups, cells| {
                groups.confidence(groups.with_secrets(cells, about))
            }),
            EntityDemand::Diversity { table, about, measure } => {
                self.levels_in(*table, *about, |groups, cells| groups.diversity(cells, *measure))
            }
        }
    }

    /// The levels that `level` finds for each path, with the rows of those that have any.
    fn levels_in(
        &mut self,
        table: usize,
        about: ColumnId,
        level: impl FnOnce(&GroupsOfTable, Cells) -> Vec<f64>,
    ) -> Vec<(f64, u64)> {
        let groups = match self.last.take().filter(|last| last.table == table) {
            Some(groups) => groups,
            None => self.groups_of(table),
        };
        let cells = Cells::Released(column(&self.database.tables[table].release, about));
        let levels = level(&groups, cells).into_iter().zip(groups.rows.iter().copied());
        let levels = levels.filter(|&(_, rows)| rows > 0).collect();
        self.last = Some(groups);
        levels
    }

    fn groups_of(&self, table: usize) -> GroupsOfTable {
        let paths = self.paths(table);
        let persons = self.lineage.person_rows(table);
        let of_persons = || paths.iter().zip(&persons).filter(|&(_, &person)| person != NONE);
        let mut rows = counts(of_persons().map(|(&path, _)| path));
        rows.resize(paths.iter().max().map_or(0, |&last| last as usize + 1), 0);
        // Each person of a class has a row of every path of the class.
        let mut persons_with = vec![0; rows.len()];
        for (&path, &person) in of_persons() {
            let class = self.looks[0][person as usize];
            persons_with[path as usize] = self.class_sizes[class as usize];
        }
        GroupsOfTable {
            table,
            paths,
            persons,
            rows,
            persons_with,
        }
    }

    /// The path of each row of a table: the looks from the person down to it. Rows of nobody have some path.
    fn paths(&self, table: usize) -> Vec<u32> {
        let own = &self.looks[table];
        let Some(parent) = self.lineage.parent_of(table) else {
            return own.clone();
        };
        let of_parent = self.paths(parent);
        let above = self.lineage.parent_rows(table).iter();
        let above = above.map(|&row| of_parent.get(row as usize).copied().unwrap_or(0));
        number_pairs(&above.collect::<Vec<u32>>(), own)
    }
}

impl GroupsOfTable {
    /// The path and person of each row that somebody has, with what the row shows.
    fn rows_with<'g>(&'g self, values: &'g [u32]) -> impl ParallelIterator<Item = (u32, u32, u32)> + 'g {
        let rows = self.paths.par_iter().zip(&self.persons).zip(values);
        let rows = rows.filter(|((_, person), _)| **person != NONE);
        rows.map(|((&path, &person), &value)| (path, person, value))
    }

    /// Path and secret, and the person who has it, for each secret of each row.
    fn with_secrets(&self, cells: Cells, about: &Secrets) -> Vec<(u64, u32)> {
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
    fn confidence(&self, mut with_secrets: Vec<(u64, u32)>) -> Vec<f64> {
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
    fn diversity(&self, cells: Cells, measure: Diversity) -> Vec<f64> {
        let values = shown(cells);
        let rows = self.rows_with(&values);
        let mut rows: Vec<u64> = rows.map(|(path, _, value)| packed(path, value)).collect();
        rows.par_sort_unstable();
        let counts = rows.chunk_by(|a, b| a == b).map(|same| Count {
            group: first_of(same[0]),
            value: same[0] as u32,
            rows: same.len() as u64,
        });
        let counts: Vec<Count> = counts.collect();
        let mut levels = vec![0.0; self.rows.len()];
        for histogram in counts.chunk_by(|a, b| a.group == b.group) {
            levels[histogram[0].group as usize] = diversity(measure, histogram);
        }
        levels
    }
}

/// How often each number is there.
fn counts(numbers: impl Iterator<Item = u32>) -> Vec<u64> {
    let mut counts = Vec::new();
    for number in numbers {
        let place = number as usize;
        if place >= counts.len() {
            counts.resize(place + 1, 0);
        }
        counts[place] += 1;
    }
    counts
}
