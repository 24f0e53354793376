//! Exchange: persons change their groups, one by one or two for each other, while the loss of all falls.
//!
//! With k = 2:
//!
//! | groups | lost | change | groups | lost |
//! |---|---|---|---|---|
//! | S1 S2 S3; S4 S5 | 9 + 2 | S3 moves | S1 S2; S3 S4 S5 | 3 + 6 |
//! | S1 S4; S2 S3 | 8 + 7 | S4 and S2 swap | S1 S2; S3 S4 | 3 + 5 |
//!
//! In each round everybody looks for the best change of their own, all at once; then the best changes are made, each
//! only if no better one has touched its groups. What a change brings is estimated from what a group is without one of
//! its members, and then counted: a change that does not lower the loss is not made.
//!
//! Invariant: every group keeps at least `k` members, and the loss of all falls with every change.
//!
//! # Cost
//! For each person and round at most [`GROUPS`] losses for the groups of its neighbours, and for the best of them
//! `2 ·` [`PARTNERS`] for swaps. Who has nothing new to look at is not asked again.

use rayon::prelude::*;
use scumble_progress::{Interrupted, Work};

use crate::secrets::Bounds;

use super::group::{Group, Part, Persons};
use super::neighbours::Neighbours;

/// So many groups are looked at for each person.
const GROUPS: usize = 8;
/// In so many of them partners for a swap are sought.
const SWAPPED: usize = 2;
/// So many members of a group are tried for a swap, those first without whom it would lose least.
const PARTNERS: usize = 4;
/// More rounds are not tried.
const ROUNDS: usize = 30;
/// A round that lowers the loss by less than one part of so many is the last.
const LEAST_GAIN: i64 = 2000;

/// Groups after all exchanges that help.
pub(crate) fn exchange(
    persons: &Persons,
    near: &Neighbours,
    k: usize,
    groups: Vec<Group>,
    bounds: Option<&Bounds>,
    work: Work,
) -> Result<Vec<Group>, Interrupted> {
    Exchange::new(persons, near, k, groups).run(bounds, work)
}

/// Groups, and what they would be with one member less.
struct Exchange<'e, 't> {
    persons: &'e Persons<'e, 't>,
    near: &'e Neighbours,
    k: usize,
    groups: Vec<Group>,
    group_of: Vec<u32>,
    /// For each group and member, the others.
    without: Vec<Vec<Part>>,
}

/// A person moves from the first group to the second, and maybe a partner from the second to the first.
#[derive(Clone, Copy)]
struct Change {
    /// What is lost more, so a negative number.
    change: i64,
    groups: [u32; 2],
    person: u32,
    partner: Option<u32>,
}

impl<'e, 't> Exchange<'e, 't> {
    /// Everybody is in one of the groups.
    fn new(persons: &'e Persons<'e, 't>, near: &'e Neighbours, k: usize, groups: Vec<Group>) -> Self {
        let mut group_of = vec![0; persons.trees.len()];
        for (group, place) in groups.iter().zip(0..) {
            group
                .members
                .iter()
                .for_each(|&member| group_of[member as usize] = place);
        }
        Exchange {
            persons,
            near,
            k,
            without: groups.iter().map(|_| Vec::new()).collect(),
            groups,
            group_of,
        }
    }

    /// Changes groups as long as that helps.
    fn run(mut self, bounds: Option<&Bounds>, work: Work) -> Result<Vec<Group>, Interrupted> {
        let mut is_new = vec![true; self.groups.len()];
        for round in 0..ROUNDS {
            work.done(round, ROUNDS);
            work.go_on()?;
            self.leave_out_each(&is_new, work);
            let asked: Vec<u32> = (0..self.group_of.len() as u32)
                .filter(|&person| self.has_news(person, &is_new))
                .collect();
            let found = asked
                .par_iter()
                .filter(|_| !work.should_stop())
                .filter_map(|&person| self.best(person));
            let chosen = self.choose(found.collect());
            let made = chosen.par_iter().map(|&change| {
                self.after(change)
                    .filter(|_| !work.should_stop())
                    .filter(|after| self.is_allowed(bounds, change, after))
            });
            let made: Vec<Option<[Group; 2]>> = made.collect();
            work.go_on()?;
            is_new.fill(false);
            let before = self.lost();
            for (change, after) in chosen.into_iter().zip(made) {
                for (group, after) in change.groups.into_iter().zip(after.into_iter().flatten()) {
                    is_new[group as usize] = true;
                    self.replace(group, after);
                }
            }
            if before - self.lost() <= before / LEAST_GAIN {
                break;
            }
        }
        Ok(self.groups)
    }

    /// What all lose.
    fn lost(&self) -> i64 {
        self.groups.iter().map(|group| group.part.lost).sum()
    }

    /// The best changes, at most one to a group.
    fn choose(&self, mut changes: Vec<Change>) -> Vec<Change> {
        changes.sort_unstable_by_key(|change| (change.change, change.person));
        let mut is_touched = vec![false; self.groups.len()];
        changes.retain(|change| {
            let groups = change.groups.map(|group| group as usize);
            let is_free = groups.iter().all(|&group| !is_touched[group]);
            if is_free {
                groups.iter().for_each(|&group| is_touched[group] = true);
            }
            is_free
        });
        changes
    }

    /// Whether a group that a person looks at has changed.
    fn has_news(&self, person: u32, is_new: &[bool]) -> bool {
        let near = self.near.of[person as usize].iter().map(|&(_, other)| other);
        near.chain([person])
            .any(|other| is_new[self.group_of[other as usize] as usize])
    }

    /// Finds what new groups would be without each of their members, from all before it and all after it.
    fn leave_out_each(&mut self, is_new: &[bool], work: Work) {
        let (persons, groups) = (self.persons, &self.groups);
        let places = self.without.par_iter_mut().enumerate();
        let asked = places.filter(|&(place, _)| is_new[place] && !work.should_stop());
        asked.for_each(|(place, without)| {
            *without = leave_out_each(persons, &groups[place].members);
        });
    }

    fn replace(&mut self, group: u32, after: Group) {
        let members = after.members.iter();
        members.for_each(|&member| self.group_of[member as usize] = group);
        self.groups[group as usize] = after;
    }

    /// The best change of one person.
    fn best(&self, person: u32) -> Option<Change> {
        let own = self.group_of[person as usize];
        let group = &self.groups[own as usize];
        let place = group.members.iter().position(|&member| member == person)?;
        let without = self.without[own as usize].get(place)?;
        let gain = group.part.lost - without.lost;
        if gain == 0 {
            return None;
        }
        let alone = self.persons.alone(person);
        let mut others: Vec<(i64, u32)> = self
            .groups_near(person, own)
            .into_iter()
            .map(|other| {
                let part = &self.groups[other as usize].part;
                (self.persons.lost(part, &alone) - part.lost, other)
            })
            .collect();
        others.sort_unstable();
        let can_move = group.members.len() > self.k;
        let has_room = |other: u32| self.groups[other as usize].members.len() < (2 * self.k - 1).max(2);
        let mut best: Option<(i64, u32, Option<u32>)> = None;
        if can_move && let Some(&(more, other)) = others.iter().find(|&&(_, other)| has_room(other)) {
            best = Some((more - gain, other, None));
        }
        for &(_, other) in others.iter().take(SWAPPED) {
            for (change, partner) in self.swaps(without, &alone, gain, other) {
                if best.is_none_or(|(least, ..)| change < least) {
                    best = Some((change, other, Some(partner)));
                }
            }
        }
        let (change, other, partner) = best.filter(|&(change, ..)| change < 0)?;
        Some(Change {
            change,
            groups: [own, other],
            person,
            partner,
        })
    }

    /// The groups of the neighbours of a person.
    fn groups_near(&self, person: u32, own: u32) -> Vec<u32> {
        let mut groups: Vec<u32> = Vec::with_capacity(GROUPS);
        for &(_, other) in &self.near.of[person as usize] {
            let group = self.group_of[other as usize];
            if groups.len() < GROUPS && group != own && !groups.contains(&group) {
                groups.push(group);
            }
        }
        groups
    }

    /// What it would bring to swap one person for members of another group.
    fn swaps(&self, without: &Part, alone: &Part, gain: i64, other: u32) -> Vec<(i64, u32)> {
        let group = &self.groups[other as usize];
        let rest = &self.without[other as usize];
        let mut partners: Vec<(i64, usize)> = rest
            .iter()
            .enumerate()
            .map(|(place, rest)| (rest.lost, place))
            .collect();
        partners.sort_unstable();
        partners.truncate(PARTNERS);
        let swap = |(_, place): (i64, usize)| {
            let partner = group.members[place];
            let here = self.persons.lost(without, &self.persons.alone(partner)) - without.lost - gain;
            let there = self.persons.lost(&rest[place], alone) - group.part.lost;
            (here + there, partner)
        };
        partners.into_iter().map(swap).collect()
    }

    /// Whether no fewer groups keep the bounds after a change.
    fn is_allowed(&self, bounds: Option<&Bounds>, change: Change, after: &[Group; 2]) -> bool {
        let hold = |group: &Group| usize::from(self.persons.hold_in(bounds, &group.members));
        let hold_after = hold(&after[0]) + hold(&after[1]);
        let before = || change.groups.map(|group| hold(&self.groups[group as usize]));
        hold_after == 2 || before().iter().sum::<usize>() <= hold_after
    }

    /// The groups after a change, if less is lost then.
    fn after(&self, change: Change) -> Option<[Group; 2]> {
        let before = change.groups.map(|group| &self.groups[group as usize]);
        let stay = |group: &Group, leaves: Option<u32>| {
            let members = group.members.iter().copied();
            members.filter(|&member| Some(member) != leaves).collect::<Vec<u32>>()
        };
        let mut members = [stay(before[0], Some(change.person)), stay(before[1], change.partner)];
        members[0].extend(change.partner);
        members[1].push(change.person);
        let after = members.map(|members| self.persons.gather(&members));
        let lost = |one: &Group, other: &Group| one.part.lost + other.part.lost;
        (lost(&after[0], &after[1]) < lost(before[0], before[1])).then_some(after)
    }
}

fn leave_out_each(persons: &Persons, members: &[u32]) -> Vec<Part> {
    // What all after each member have in common; the last has none after it.
    let mut after: Vec<Option<Part>> = vec![None];
    for &member in members[1..].iter().rev() {
        let alone = persons.alone(member);
        let next = match after.last() {
            Some(Some(part)) => persons.unite(&alone, part),
            _ => alone,
        };
        after.push(Some(next));
    }
    let mut before: Option<Part> = None;
    let mut without = Vec::with_capacity(members.len());
    for (&member, after) in members.iter().zip(after.into_iter().rev()) {
        let alone = persons.alone(member);
        let next = before
            .as_ref()
            .map_or_else(|| persons.alone(member), |part| persons.unite(part, &alone));
        without.extend(match (before, after) {
            (Some(before), Some(after)) => Some(persons.unite(&before, &after)),
            (one, other) => one.or(other),
        });
        before = Some(next);
    }
    without
}
