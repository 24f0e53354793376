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

use scumble_table::ColumnId;

use super::compared;
use super::groups::GroupsOfTable;
use super::keys::{Cells, NONE};
use super::lineage::Lineage;
use super::numbers::number_pairs;
use crate::audit::Whole;
use crate::database::{ReleasedDatabase, column};
use crate::entity_demand::EntityDemand;

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
            EntityDemand::Closeness {
                table, about, distance, ..
            } => self.levels_in(*table, *about, |groups, cells| {
                compared::distances(groups, cells, distance)
            }),
            EntityDemand::DeltaDisclosure { table, about, .. } => self.levels_in(*table, *about, |groups, cells| {
                compared::levels(groups, cells, Whole::disclosure_among)
            }),
            EntityDemand::BetaLikeness {
                table, about, enhanced, ..
            } => {
                let gain = if *enhanced {
                    Whole::enhanced_gain_among
                } else {
                    Whole::gain_among
                };
                self.levels_in(*table, *about, |groups, cells| compared::levels(groups, cells, gain))
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
