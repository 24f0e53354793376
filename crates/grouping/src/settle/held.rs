//! [`Held`] are groups, no two of which look alike, that know which of them are broken.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use hashbrown::HashMap;
use rayon::prelude::*;
use scumble_level::Conditions;

use crate::cost::rank;
use crate::{Hull, Space};

/// Rows, and what they have in common.
pub(super) struct Group {
    pub rows: Vec<u32>,
    hull: Hull,
}

impl Group {
    pub fn new(space: &Space, rows: Vec<u32>) -> Self {
        Group {
            hull: space.hull(&rows),
            rows,
        }
    }

    pub fn merge(&mut self, space: &Space, other: Group) {
        space.merge(&mut self.hull, &other.hull);
        self.rows.extend(other.rows);
    }

    fn cost(&self, space: &Space) -> f64 {
        self.rows.len() as f64 * space.loss(&self.hull)
    }
}

pub(super) struct Held<'p, 't> {
    space: &'p Space,
    conditions: &'p Conditions<'t>,
    /// A group that loses more is broken.
    loss_at_most: f64,
    /// By place; `None` where a group was removed.
    groups: Vec<Option<Group>>,
    /// The place of the group that looks so.
    places: HashMap<Vec<u64>, usize>,
    broken: BTreeSet<usize>,
}

impl<'p, 't> Held<'p, 't> {
    pub fn new(space: &'p Space, conditions: &'p Conditions<'t>, groups: Vec<Vec<u32>>, loss_at_most: f64) -> Self {
        let mut held = Held {
            space,
            conditions,
            loss_at_most,
            groups: Vec::with_capacity(groups.len()),
            places: HashMap::new(),
            broken: BTreeSet::new(),
        };
        let groups = groups.into_par_iter().filter(|rows| !rows.is_empty());
        let groups: Vec<Group> = groups.map(|rows| Group::new(space, rows)).collect();
        groups.into_iter().for_each(|group| {
            held.unite(group);
        });
        let broken = (0..held.groups.len())
            .into_par_iter()
            .filter(|&place| held.is_broken(place));
        held.broken = broken.collect();
        held
    }

    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    pub fn into_rows(self) -> Vec<Vec<u32>> {
        self.groups.into_iter().flatten().map(|group| group.rows).collect()
    }

    /// The level of each template, in one group.
    pub fn levels(&self, group: &Group) -> Vec<f64> {
        self.conditions.levels([&group.rows[..]])
    }

    /// Whether a group breaks a condition or loses too much.
    pub fn breaks(&self, group: &Group) -> bool {
        self.space.loss(&group.hull) > self.loss_at_most || !self.conditions.are_met_by(&group.rows)
    }

    fn is_broken(&self, place: usize) -> bool {
        self.groups[place].as_ref().is_some_and(|group| self.breaks(group))
    }

    pub fn first_broken(&self) -> Option<usize> {
        self.broken.first().copied()
    }

    /// Takes a group in. If one looks like it, both become one.
    pub fn insert(&mut self, group: Group) {
        let place = self.unite(group);
        if self.is_broken(place) {
            self.broken.insert(place);
        } else {
            self.broken.remove(&place);
        }
    }

    /// The same, without asking whether it is broken. Returns its place.
    fn unite(&mut self, group: Group) -> usize {
        let look = self.space.look(&group.hull);
        let place = *self.places.entry(look).or_insert(self.groups.len());
        // Together they look as each of them does, so the place stays the one of that look.
        match self.groups.get_mut(place).and_then(Option::as_mut) {
            Some(alike) => alike.merge(self.space, group),
            None => self.groups.push(Some(group)),
        }
        place
    }

    /// Gives a group away.
    ///
    /// # Panics
    /// If there is none at this place.
    pub fn remove(&mut self, place: usize) -> Group {
        let group = self.groups[place]
            .take()
            .expect("only the place of a group is asked for");
        self.places.remove(&self.space.look(&group.hull));
        self.broken.remove(&place);
        group
    }

    /// Puts a row into the group that it costs least, of those that lose at most so much with it and admit it;
    /// not if that is as much as `below`.
    pub fn place(&mut self, row: u32, most: f64, below: f64) -> bool {
        let costs = self.groups.par_iter().enumerate().filter_map(|(place, group)| {
            let group = group.as_ref()?;
            let loss = self.space.loss_with(&group.hull, row);
            let cost = (group.rows.len() as f64 + 1.0) * loss - group.cost(self.space);
            (loss <= most && cost < below).then_some(Reverse((rank(cost), place)))
        });
        // Nearly always the first will do, so the others are not put in order.
        let mut costs: BinaryHeap<Reverse<(u64, usize)>> = costs.collect::<Vec<_>>().into();
        while let Some(Reverse((_, place))) = costs.pop() {
            if self.admits(place, row) {
                let mut group = self.remove(place);
                group.rows.push(row);
                self.space.add(&mut group.hull, row);
                self.insert(group);
                return true;
            }
        }
        false
    }

    /// Whether a group keeps the conditions with a row more. One that is too small only comes closer to them.
    fn admits(&mut self, place: usize, row: u32) -> bool {
        if self.conditions.are_of_size_only() {
            return true;
        }
        let Some(group) = &mut self.groups[place] else {
            return false;
        };
        group.rows.push(row);
        let admits = self.conditions.are_met_by(&group.rows);
        group.rows.pop();
        admits
    }

    /// The group that a group goes together with at the least cost; the first of equals.
    pub fn nearest(&self, group: &Group) -> Option<usize> {
        let costs = self.groups.par_iter().enumerate().filter_map(|(place, other)| {
            let other = other.as_ref()?;
            let rows = (group.rows.len() + other.rows.len()) as f64;
            let loss = self.space.loss_of_both(&group.hull, &other.hull);
            Some((rank(rows * loss - other.cost(self.space)), place))
        });
        costs.min().map(|(_, place)| place)
    }
}
