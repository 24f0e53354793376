//! A [`Finding`] is what the audit found for one template.

use crate::Sense;

/// What the audit found for one template.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The level of the worst group; 0 if nothing is released. A group that lacks a value, or gains more of it than
    /// enhanced likeness allows, has the level infinity. If the releases of a join have no match, no group is small:
    /// the level is infinity for anonymity, and 0 for confidence.
    pub level: f64,
    /// Whether the template holds.
    pub holds: bool,
    /// All levels and who has them, ascending. Empty where an adversary knows any few of the columns: each choice of
    /// columns makes groups of its own. On a join, the groups are those of this release, each with the worst level that it
    /// has a part in; a group without a match is left out.
    pub spread: Vec<GroupsAt>,
}

/// The groups that have one level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroupsAt {
    /// The level.
    pub level: f64,
    /// How many groups have it.
    pub groups: u64,
    /// The released rows in them.
    pub rows: u64,
}

/// What was found of the loss per group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LossFinding {
    /// What the group that lost most did; 0 if nothing is released.
    pub level: f64,
    /// Whether it keeps the bound.
    pub holds: bool,
}

/// The worst of some levels. No secret at all is inferred with confidence 0.
pub(crate) fn worst(sense: Sense, levels: impl Iterator<Item = f64>) -> f64 {
    levels.fold(sense.best().max(0.0), |a, b| sense.worse(a, b))
}

/// How many groups, and rows in them, have each level.
pub(crate) fn spread(mut groups: Vec<(f64, u64)>) -> Vec<GroupsAt> {
    groups.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let equals = groups.chunk_by(|a, b| a.0 == b.0);
    let groups_at = |equal: &[(f64, u64)]| GroupsAt {
        level: equal[0].0,
        groups: equal.len() as u64,
        rows: equal.iter().map(|&(_, rows)| rows).sum(),
    };
    equals.map(groups_at).collect()
}
