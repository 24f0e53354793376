//! Growth: one group after the other takes whom it loses least by, until it has `k` persons.
//!
//! | group | near and free | lost with them | takes |
//! |---|---|---|---|
//! | S1 | S2, S3 | 4, 9 | S2 |
//! | S1, S2 | S3, S5 | 12, 8 | S5 |
//!
//! The first of a group is the one whose neighbours are the farthest: those whom others like can be taken later, too.
//! Fewer than `k` who remain join the groups that lose least by them. Persons are in regions of like ones, each of
//! which grows its groups for itself.
//!
//! Invariant: every person is in one group, and every group has at least `k`, unless there are fewer than `k` persons.
//!
//! # Source
//! Byun, Kamra, Bertino and Li, *Efficient k-Anonymization Using Clustering Techniques*, 2007 (k-member), on
//! lists of neighbours instead of all pairs.
//!
//! # Cost
//! For each person at most [`TRIED`] losses of a group with one more.

use rayon::prelude::*;
use scumble_progress::{Interrupted, Work};

use crate::secrets::{Bounds, MOST_MEMBERS};

use super::group::{Group, Part, Persons};
use super::neighbours::Neighbours;

/// Persons of a region.
const REGION: usize = 2048;
/// So many of the nearest are tried for each place in a group.
const TRIED: usize = 16;

/// Groups of at least `k`; everybody is in one.
pub(crate) fn grow(
    persons: &Persons,
    near: &Neighbours,
    k: usize,
    bounds: Option<&Bounds>,
    work: Work,
) -> Result<Vec<Group>, Interrupted> {
    let regions = (near.order.len() / REGION.max(4 * k)).max(1);
    let size = near.order.len().div_ceil(regions).max(1);
    let mut region_of = vec![0; near.order.len()];
    for (region, members) in near.order.chunks(size).enumerate() {
        members.iter().for_each(|&person| region_of[person as usize] = region);
    }
    let regions: Vec<&[u32]> = near.order.chunks(size).collect();
    let done = work.count(near.order.len());
    let grown: Vec<Vec<Group>> = regions
        .into_par_iter()
        .enumerate()
        .map(|(place, members)| {
            let mut region = Region {
                persons,
                near,
                bounds,
                members,
                is_free: region_of.iter().map(|&region| region == place).collect(),
                next: 0,
            };
            let grown = region.grow(k, work);
            done.add(members.len());
            grown
        })
        .collect();
    work.go_on()?;
    Ok(grown.into_iter().flatten().collect())
}

struct Region<'r, 't> {
    persons: &'r Persons<'r, 't>,
    near: &'r Neighbours,
    bounds: Option<&'r Bounds<'r, 't>>,
    members: &'r [u32],
    is_free: Vec<bool>,
    /// Nobody before this place is free.
    next: usize,
}

impl Region<'_, '_> {
    fn grow(&mut self, k: usize, work: Work) -> Vec<Group> {
        let mut firsts = self.members.to_vec();
        let apart = |&person: &u32| {
            let near = self.near.of[person as usize].iter().take(k.max(2) - 1);
            (
                std::cmp::Reverse(near.map(|&(distance, _)| distance).sum::<i64>()),
                person,
            )
        };
        firsts.sort_by_cached_key(apart);
        let mut free = firsts.len();
        let mut groups: Vec<Vec<u32>> = Vec::new();
        let mut place_of = vec![usize::MAX; self.is_free.len()];
        for first in firsts {
            if free < k || work.should_stop() {
                break;
            }
            if !self.is_free[first as usize] {
                continue;
            }
            let group = self.group(first, k);
            free -= group.len();
            group
                .iter()
                .for_each(|&person| place_of[person as usize] = groups.len());
            groups.push(group);
        }
        if groups.is_empty() {
            return vec![self.persons.gather(self.members)];
        }
        let mut groups: Vec<Group> = groups.iter().map(|members| self.persons.gather(members)).collect();
        for &person in self.members {
            if self.is_free[person as usize] && !work.should_stop() {
                self.place(person, &mut groups, &mut place_of);
            }
        }
        groups
    }

    fn take(&mut self, person: u32) {
        self.is_free[person as usize] = false;
        let free = self.members[self.next..]
            .iter()
            .position(|&person| self.is_free[person as usize]);
        self.next = free.map_or(self.members.len(), |free| self.next + free);
    }

    /// A group of `k` with this one; so many are free. If it breaks a bound, of more.
    fn group(&mut self, first: u32, k: usize) -> Vec<u32> {
        self.take(first);
        let mut members = vec![first];
        let mut part = self.persons.alone(first);
        while members.len() < k || members.len() < MOST_MEMBERS * k && !self.persons.hold_in(self.bounds, &members) {
            let tried = self.candidates(&members);
            let alone: Vec<Part> = tried.iter().map(|&person| self.persons.alone(person)).collect();
            let lost = alone.iter().map(|other| self.persons.lost(&part, other));
            // Large trees lose more wherever they go, which says nothing of this group.
            let least = lost.enumerate().min_by_key(|&(place, lost)| (lost, tried[place]));
            let Some((place, _)) = least else {
                break;
            };
            part = self.persons.unite(&part, &alone[place]);
            self.take(tried[place]);
            members.push(tried[place]);
        }
        members
    }

    /// Free persons that are near somebody of a group, the nearest first; else any.
    fn candidates(&self, members: &[u32]) -> Vec<u32> {
        let near = members.iter().flat_map(|&member| &self.near.of[member as usize]);
        let mut near: Vec<(i64, u32)> = near
            .copied()
            .filter(|&(_, person)| self.is_free[person as usize])
            .collect();
        near.sort_unstable();
        let mut candidates: Vec<u32> = Vec::with_capacity(TRIED);
        for (_, person) in near {
            if candidates.len() < TRIED && !candidates.contains(&person) {
                candidates.push(person);
            }
        }
        if candidates.is_empty() {
            let free = self.members[self.next..].iter().copied();
            candidates = free
                .filter(|&person| self.is_free[person as usize])
                .take(TRIED)
                .collect();
        }
        candidates
    }

    /// Puts one who remains where least is lost by it.
    fn place(&self, person: u32, groups: &mut [Group], place_of: &mut [usize]) {
        let near = self.near.of[person as usize].iter();
        let mut places: Vec<usize> = near
            .map(|&(_, other)| place_of[other as usize])
            .filter(|&place| place != usize::MAX)
            .collect();
        if places.is_empty() {
            places = (0..groups.len().min(4 * TRIED)).collect();
        }
        let alone = self.persons.alone(person);
        let lost = |&place: &usize| {
            let part = &groups[place].part;
            (self.persons.lost(part, &alone) - part.lost, place)
        };
        let place = places.iter().map(lost).min().map_or(0, |(_, place)| place);
        groups[place] = self.persons.gather(&[&groups[place].members[..], &[person]].concat());
        place_of[person as usize] = place;
    }
}
