//! A [`Join`] is the releases that are joined, ready to be counted.

use scumble_table::{ColumnId, Released};

use super::super::numbering::Numbering;
use super::counting::{self, Counting};
use super::matching::Matching;
use super::parts::Parts;
use super::side::{Side, columns_of};
use crate::{History, Joined, THIS, Template};

/// The releases that are joined, this one first, and how.
pub(super) struct Join<'a> {
    pub(super) sides: Vec<Side<'a>>,
    pub(super) matching: Matching,
    /// For each release, the groups that its kinds make on its columns of the quasi-identifier.
    pub(super) groups: Vec<Numbering>,
}

impl<'a> Join<'a> {
    pub(super) fn new(release: &Released, template: &Template, joined: &Joined, history: &'a History) -> Self {
        let of = (0..history.releases()).map(|number| match number {
            THIS => template.of.columns.clone(),
            _ => columns_of(number, &joined.of),
        });
        let of: Vec<Vec<ColumnId>> = of.collect();
        let counted = counting::places(&joined.demand);
        let side = |number: usize| {
            let of = of[number].iter().copied().chain(columns_of(number, &counted));
            let columns: Vec<ColumnId> = of.chain(history.join_columns(number)).collect();
            match number {
                THIS => Side::of_release(release, columns),
                _ => Side::of_table(&history.earlier[number - 1].table, columns),
            }
        };
        let sides: Vec<Side> = (0..history.releases()).map(side).collect();
        Join {
            matching: Matching::new(history, &sides),
            groups: sides.iter().zip(&of).map(|(side, of)| side.number(of)).collect(),
            sides,
        }
    }

    /// The parts of all releases for what is counted.
    pub(super) fn parts(&self, counting: &Counting) -> Vec<Parts> {
        let of_release = |(number, side): (usize, &Side)| {
            let (class, group) = (self.matching.class_of_kind(number), &self.groups[number]);
            let y = counting.y(number, side, || class.clone().and(group));
            Parts::new(class, group, &y, counting.weighs(number).then(|| side.rows()))
        };
        self.sides.iter().enumerate().map(of_release).collect()
    }

    /// How many rows each group of this release has.
    pub(super) fn rows_of_groups(&self) -> Vec<u64> {
        let groups = &self.groups[THIS];
        let mut rows = vec![0; groups.count()];
        for (&group, weight) in groups.of_row().iter().zip(self.sides[THIS].rows()) {
            rows[group as usize] += weight;
        }
        rows
    }
}
