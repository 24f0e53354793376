//! Personal: the largest share of a group that is under a node which somebody in it guards.

use super::groups::Groups;
use super::sight::Sight;
use crate::policy::Kind;

pub(super) fn levels(sight: &Sight, groups: &Groups, about: &str, guarding: &str) -> Option<Vec<f64>> {
    let Kind::Tree(tree) = &sight.column(about)?.kind else {
        return None;
    };
    let (about, guarding) = (sight.find(about)?, sight.find(guarding)?);
    let level = |rows: &Vec<usize>| {
        let guarded = sight
            .cells(guarding, rows)
            .into_iter()
            .flatten()
            .filter_map(|label| tree.find(&label));
        let share = |node: usize| {
            let values = sight.cells(about, rows).into_iter().flatten();
            let under = values.filter(|value| tree.find(value).is_some_and(|leaf| tree.is_above(node, leaf)));
            under.count() as f64 / rows.len() as f64
        };
        // The root guards nothing.
        guarded.filter(|&node| node != 0).map(share).fold(0.0, f64::max)
    };
    Some(groups.values().map(level).collect())
}
