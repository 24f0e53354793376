//! A [`State`] is rows in groups, with what each group loses.
//!
//! Invariant: a row is told to be in the group that has it. A group without rows is gone, but its number is not given
//! again by itself, so a step that was found before still names what it meant.

use std::collections::BTreeMap;

use rayon::prelude::*;
use scumble_level::Conditions;
use scumble_progress::Work;

use crate::{Hull, Space};

/// Rows, and what they have in common.
#[derive(Clone)]
pub(super) struct Group {
    pub rows: Vec<u32>,
    pub hull: Hull,
    pub loss: f64,
}

impl Group {
    pub fn new(space: &Space, rows: Vec<u32>) -> Group {
        let hull = space.hull(&rows);
        let loss = space.loss(&hull);
        Group { rows, hull, loss }
    }

    pub fn cost(&self) -> f64 {
        self.rows.len() as f64 * self.loss
    }

    /// What the total grows by if a row joins; some larger figure if that is more than `most`.
    pub fn cost_of_joining(&self, space: &Space, row: u32, most: f64) -> f64 {
        let rows = self.rows.len() as f64;
        let loss = space.loss_with_up_to(&self.hull, row, (most + self.cost()) / (rows + 1.0));
        (rows + 1.0) * loss - self.cost()
    }

    pub fn join(&mut self, space: &Space, row: u32) {
        space.add(&mut self.hull, row);
        self.loss = space.loss(&self.hull);
        self.rows.push(row);
    }
}

/// Groups by number, as a step would leave them; `None` for one that would be gone.
pub(super) type Changes = BTreeMap<u32, Option<Group>>;

/// Where a row would go, and what that costs.
#[derive(Clone, Copy)]
pub(super) struct Home {
    pub group: u32,
    pub cost: f64,
}

/// The number of no group.
pub(super) const NONE: u32 = u32::MAX;

pub(super) struct State<'p, 't> {
    pub space: &'p Space,
    pub conditions: &'p Conditions<'t>,
    /// Those without rows are gone.
    pub groups: Vec<Group>,
    /// All rows, ascending.
    pub rows: &'p [u32],
    /// The group of each of them. By place among these rows and not among all, so that a block costs nothing for others.
    pub numbers: Vec<u32>,
    /// Steps that are not made because it should stop are made never.
    pub work: Work<'p>,
}

impl<'p, 't> State<'p, 't> {
    pub fn new(
        space: &'p Space,
        conditions: &'p Conditions<'t>,
        rows: &'p [u32],
        groups: Vec<Vec<u32>>,
        work: Work<'p>,
    ) -> Self {
        let groups = groups.into_par_iter().map(|rows| Group::new(space, rows));
        let mut state = State {
            space,
            conditions,
            groups: groups.collect(),
            rows,
            numbers: vec![NONE; rows.len()],
            work,
        };
        (0..state.groups.len()).for_each(|group| state.tell_rows(group));
        state
    }

    pub fn into_rows(self) -> Vec<Vec<u32>> {
        let groups = self.groups.into_iter().map(|group| group.rows);
        groups.filter(|rows| !rows.is_empty()).collect()
    }

    pub fn total(&self) -> f64 {
        self.groups.iter().map(Group::cost).sum()
    }

    /// The number of the group of a row; that of a row in none is beyond all.
    pub fn group_of(&self, row: u32) -> u32 {
        self.numbers[self.place(row)]
    }

    fn place(&self, row: u32) -> usize {
        self.rows.partition_point(|&other| other < row)
    }

    /// Tells the rows of a group that they are in it.
    fn tell_rows(&mut self, group: usize) {
        for at in 0..self.groups[group].rows.len() {
            let place = self.place(self.groups[group].rows[at]);
            self.numbers[place] = group as u32;
        }
    }

    /// The groups that lose something.
    pub fn lossy(&self) -> Vec<u32> {
        let numbered = (0..).zip(&self.groups);
        let lossy = numbered.filter(|(_, group)| !group.rows.is_empty() && group.loss > 0.0);
        lossy.map(|(number, _)| number).collect()
    }

    /// Groups by ascending loss: a row that joins a group loses at least what the group does.
    pub fn by_loss(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.groups.len() as u32).collect();
        order.retain(|&group| !self.groups[group as usize].rows.is_empty());
        order.sort_by(|&a, &b| {
            let loss = |group: u32| self.groups[group as usize].loss;
            loss(a).total_cmp(&loss(b)).then(a.cmp(&b))
        });
        order
    }

    /// Where a row would cost least, if less than `below`, other than where it is.
    pub fn home(&self, by_loss: &[u32], row: u32, below: f64) -> Option<Home> {
        let own = self.group_of(row);
        let mut best = Home {
            group: NONE,
            cost: below,
        };
        for &group in by_loss {
            let candidate = &self.groups[group as usize];
            if candidate.loss >= best.cost {
                break;
            }
            if group != own {
                let cost = candidate.cost_of_joining(self.space, row, best.cost);
                if cost < best.cost {
                    best = Home { group, cost };
                }
            }
        }
        (best.group != NONE).then_some(best)
    }

    /// Makes what a trial found good come true.
    pub fn accept(&mut self, changes: Option<Changes>) {
        for (number, group) in changes.into_iter().flatten() {
            let place = number as usize;
            match group {
                Some(group) if place < self.groups.len() => self.groups[place] = group,
                Some(group) => self.groups.push(group),
                None => {
                    self.groups[place].rows.clear();
                    self.groups[place].loss = 0.0;
                }
            }
            self.tell_rows(place);
        }
    }
}
