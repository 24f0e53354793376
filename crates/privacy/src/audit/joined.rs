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
mod join;
mod matching;
mod parts;
mod runs;
mod side;

use scumble_progress::{Interrupted, Work};
use scumble_table::Released;

use crate::finding::{Finding, spread, worst};
use crate::{History, Joined, THIS, Template};
use counting::Counting;
use join::Join;

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
