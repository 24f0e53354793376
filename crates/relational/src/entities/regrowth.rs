//! Regrowth: groups that are near each other are dissolved, and grown again from another start.
//!
//! | groups | lost | grown from S4 | lost | |
//! |---|---|---|---|---|
//! | S1 S2; S3 S4 | 7 | S4 S1; S2 S3 | 5 | taken |
//! | S5 S6; S7 S8 | 4 | S7 S6; S5 S8 | 6 | as before |
//!
//! An exchange of two persons ends where no such exchange helps. Here many change their groups at once, so that it can
//! go on from there.
//!
//! Invariant: every group has at least `k` members, and the loss of all never grows.
//!
//! # Source
//! Shaw, *Using Constraint Programming and Local Search Methods to Solve Vehicle Routing Problems*, 1998 (large
//! neighbourhood search), with the growth of k-member.
//!
//! # Cost
//! With `m` persons in the groups that are dissolved together, `m²` losses of a group with one more.

use hashbrown::HashMap;
use rayon::prelude::*;
use scumble_progress::{Interrupted, Work};

use crate::secrets::Bounds;

use super::group::{Group, Part, Persons};
use super::neighbours::Neighbours;

/// So many groups are dissolved together.
const TOGETHER: usize = 3;

/// Tries once for every group to grow it again with others; the rng decides with which and from whom.
pub(crate) fn regrow(
    persons: &Persons,
    near: &Neighbours,
    k: usize,
    groups: Vec<Group>,
    bounds: Option<&Bounds>,
    rng: &mut fastrand::Rng,
    work: Work,
) -> Result<Vec<Group>, Interrupted> {
    let mut sets: Vec<(Vec<Group>, u64)> = assemble(persons, near, groups, rng)
        .into_iter()
        .map(|set| (set, rng.u64(..)))
        .collect();
    sets.par_iter_mut()
        .filter(|_| !work.should_stop())
        .for_each(|(set, seed)| {
            let grown = grow(persons, k, set, &mut fastrand::Rng::with_seed(*seed));
            let lost = |groups: &[Group]| groups.iter().map(|group| group.part.lost).sum::<i64>();
            let hold = |groups: &[Group]| {
                let hold = groups.iter().filter(|group| persons.hold_in(bounds, &group.members));
                hold.count() as i64 - groups.len() as i64
            };
            if lost(&grown) < lost(set) && (bounds.is_none() || hold(&grown) >= hold(set)) {
                *set = grown;
            }
        });
    work.go_on()?;
    Ok(sets.into_iter().flat_map(|(set, _)| set).collect())
}

/// Sets of groups that are near each other; every group is in one.
fn assemble(persons: &Persons, near: &Neighbours, groups: Vec<Group>, rng: &mut fastrand::Rng) -> Vec<Vec<Group>> {
    let mut group_of = vec![0; persons.trees.len()];
    for (place, group) in groups.iter().enumerate() {
        group
            .members
            .iter()
            .for_each(|&member| group_of[member as usize] = place);
    }
    let mut order: Vec<usize> = (0..groups.len()).collect();
    rng.shuffle(&mut order);
    let mut free: Vec<Option<Group>> = groups.into_iter().map(Some).collect();
    let mut sets = Vec::new();
    for place in order {
        let Some(first) = free[place].take() else {
            continue;
        };
        // How many neighbours of its members are in each other group.
        let mut ties: HashMap<usize, u32> = HashMap::new();
        let others = first.members.iter().flat_map(|&member| &near.of[member as usize]);
        for &(_, other) in others {
            let group = group_of[other as usize];
            if free[group].is_some() {
                *ties.entry(group).or_default() += 1;
            }
        }
        let mut ties: Vec<(u32, usize)> = ties.into_iter().map(|(group, ties)| (ties, group)).collect();
        ties.sort_unstable_by(|a, b| b.cmp(a));
        let others = ties
            .iter()
            .take(TOGETHER - 1)
            .filter_map(|&(_, group)| free[group].take());
        sets.push([first].into_iter().chain(others).collect());
    }
    sets
}

/// The same persons in groups of `k`, the last of up to `2k - 1`.
fn grow(persons: &Persons, k: usize, groups: &[Group], rng: &mut fastrand::Rng) -> Vec<Group> {
    let mut free: Vec<u32> = groups.iter().flat_map(|group| &group.members).copied().collect();
    free.sort_unstable();
    let mut grown = Vec::new();
    let mut first = rng.usize(..free.len());
    while free.len() >= 2 * k {
        let mut members = vec![free.swap_remove(first)];
        let mut part = persons.alone(members[0]);
        while members.len() < k {
            let next = nearest(persons, &part, &free);
            part = persons.unite(&part, &persons.alone(free[next]));
            members.push(free.swap_remove(next));
        }
        first = farthest(persons, &part, &free);
        grown.push(persons.gather(&members));
    }
    grown.push(persons.gather(&free));
    grown
}

fn nearest(persons: &Persons, part: &Part, free: &[u32]) -> usize {
    let lost = |&place: &usize| (persons.lost(part, &persons.alone(free[place])), free[place]);
    (0..free.len()).min_by_key(lost).unwrap_or(0)
}

fn farthest(persons: &Persons, part: &Part, free: &[u32]) -> usize {
    let lost = |&place: &usize| (persons.lost(part, &persons.alone(free[place])), free[place]);
    (0..free.len()).max_by_key(lost).unwrap_or(0)
}
