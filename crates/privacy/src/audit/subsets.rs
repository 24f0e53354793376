//! The worst level over every set of columns that one adversary may know.
//!
//! A walk down the tree of sets: {a} → {a, b} → {a, b, c}. Groups on {a, b} are made from those on {a} by one pairing,
//! and serve all sets that begin with a and b. Only the sets of exactly `known` columns are measured: a smaller one has
//! larger groups, which are never worse if the template is anti-monotone.

use rayon::prelude::*;
use scumble_progress::{Interrupted, Work};

use super::numbering::Numbering;
use crate::Sense;

/// The worst level of the groups on any `known` of the columns, which number the same `rows`.
pub(super) fn worst(
    columns: &[Numbering],
    known: usize,
    sense: Sense,
    rows: usize,
    level: &(impl Fn(&Numbering) -> f64 + Sync),
    work: Work,
) -> Result<f64, Interrupted> {
    walk(&Numbering::none(rows), columns, known, sense, level, work)
}

/// The worst level on the columns of `groups` and any `more` of `columns`.
fn walk(
    groups: &Numbering,
    columns: &[Numbering],
    more: usize,
    sense: Sense,
    level: &(impl Fn(&Numbering) -> f64 + Sync),
    work: Work,
) -> Result<f64, Interrupted> {
    work.go_on()?;
    if more == 0 {
        return Ok(level(groups));
    }
    let choose = |next: usize| {
        let groups = groups.clone().and(&columns[next]);
        walk(&groups, &columns[next + 1..], more - 1, sense, level, work)
    };
    // The worst of some levels does not depend on their order, so neither does the result on the number of threads.
    let last = columns.len() - more;
    let levels = (0..=last).into_par_iter().map(choose);
    levels.try_reduce(|| sense.best(), |a, b| Ok(sense.worse(a, b)))
}
