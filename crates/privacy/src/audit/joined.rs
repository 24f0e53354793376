//! Recounting a template on the join with earlier releases, without making the join.
//!
//! The rows of a release that match the same, show the same on the quasi-identifier and count the same are one weighted
//! [`Part`](parts::Part). All rows of parts that match, match, so the join of parts stands for the join of rows:
//!
//! | this: name | job | rows | | earlier: job | disease | rows | | matches of {Alice, Cancer} |
//! |---|---|---|---|---|---|---|---|---|
//! | Alice | Banker | 2 | | Banker | Cancer | 2 | | 2 · 2 = 4 |
//!
//! [`matching`] finds which rows match, once for all rows that show the same on the join columns. [`runs`] then goes
//! through the groups of this release, one at a time, and sorts all that a group matches, so that what shows the same
//! is a run.
//!
//! Invariant: no count is above the number of matches, and the product of the rows of all releases, which bounds that,
//! fits in 128 bits. Whoever lets a join be asked for checks it.
//!
//! # Cost
//! One pass over the rows of each release. Then time follows the parts that match, and memory the parts of each release
//! and what one group of this release matches.

mod counting;
mod matching;
mod parts;
mod runs;
mod side;

use scumble_progress::{Interrupted, Work};
use scumble_table::{ColumnId, Released};

use super::{Finding, Numbering, spread, worst};
use crate::{History, Joined, Place, THIS, Template};
use counting::Counting;
use matching::Matching;
use parts::Parts;
use side::Side;

/// What is found for a template that demands this of the join. A join without a match gives nobody away.
pub(super) fn recount(
    release: &Released,
    template: &Template,
    joined: &Joined,
    history: &History,
    work: Work,
) -> Result<Finding, Interrupted> {
    let join = Join::new(release, template, joined, history);
    let sense = template.sense();
    let mut levels: Vec<Option<f64>> = vec![None; join.groups[THIS].count()];
    for counting in Counting::all(&joined.demand, history, &join.sides) {
        for (level, found) in levels.iter_mut().zip(runs::levels(&join, &counting, sense, work)?) {
            *level = [*level, found].into_iter().flatten().reduce(|a, b| sense.worse(a, b));
        }
    }
    let level = worst(sense, levels.iter().flatten().copied());
    let matched = levels.iter().zip(join.rows_of_groups());
    Ok(Finding {
        level,
        holds: template.is_met_by(level),
        spread: spread(matched.filter_map(|(level, rows)| Some(((*level)?, rows))).collect()),
    })
}

/// The releases that are joined, this one first, and how.
struct Join<'a> {
    sides: Vec<Side<'a>>,
    matching: Matching,
    /// For each release, the groups that its kinds make on its columns of the quasi-identifier.
    groups: Vec<Numbering>,
}

impl<'a> Join<'a> {
    fn new(release: &Released, template: &Template, joined: &Joined, history: &'a History) -> Self {
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
    fn parts(&self, counting: &Counting) -> Vec<Parts> {
        let of_release = |(number, side): (usize, &Side)| {
            let (class, group) = (self.matching.class_of_kind(number), &self.groups[number]);
            let y = counting.y(number, side, || class.clone().and(group));
            Parts::new(class, group, &y, counting.weighs(number).then(|| side.rows()))
        };
        self.sides.iter().enumerate().map(of_release).collect()
    }

    /// How many rows each group of this release has.
    fn rows_of_groups(&self) -> Vec<u64> {
        let groups = &self.groups[THIS];
        let mut rows = vec![0; groups.count()];
        for (&group, weight) in groups.of_row().iter().zip(self.sides[THIS].rows()) {
            rows[group as usize] += weight;
        }
        rows
    }
}

/// The columns that places of one release name.
fn columns_of(number: usize, places: &[Place]) -> Vec<ColumnId> {
    let of_release = places.iter().filter(|place| place.release == number);
    of_release.map(|place| place.column).collect()
}
