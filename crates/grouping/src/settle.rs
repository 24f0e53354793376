//! [`gather`]: the groups of a method, repaired until each keeps every condition.
//!
//! Groups that look alike are one to a reader, so they are made one first. A group that breaks a condition goes together
//! with the group where that costs least, until none is broken. Where the loss of a group is bounded, the rows of a broken
//! group look for a place one by one instead, and those that find none are left out.

use hashbrown::HashMap;
use rayon::prelude::*;
use scumble_level::Conditions;

use crate::{Failure, Grouping, Hull, Method, Problem, Space};

/// What leaving out a row costs: as if nothing were told of it.
const LEFT_OUT: f64 = 1.0;

/// Gathers the rows of a problem by a method.
pub fn gather(method: &dyn Method, problem: &Problem) -> Result<Grouping, Failure> {
    let conditions = Conditions::new(problem.table, problem.requirement);
    let groups = method.groups(problem, &conditions)?;
    let mut settled = Settled::new(problem, &conditions, groups);
    match method.loss_at_most() {
        Some(most) => settled.place_within(most),
        None => settled.merge_broken()?,
    }
    let groups: Vec<Vec<u32>> = settled.groups.into_iter().map(|group| group.rows).collect();
    let grouping = Grouping::new(problem.table.rows(), &groups);
    let rows = grouping
        .left_out()
        .map_or(0, |out| out.iter().filter(|&&out| out).count() as u64);
    if rows > problem.rows_left_out_at_most {
        return Err(Failure::LeavesOut {
            rows,
            most: problem.rows_left_out_at_most,
        });
    }
    Ok(grouping)
}

struct Group {
    rows: Vec<u32>,
    hull: Hull,
}

struct Settled<'p, 't> {
    problem: &'p Problem<'p>,
    conditions: &'p Conditions<'t>,
    groups: Vec<Group>,
    /// Rows in no group.
    rest: Vec<u32>,
}

impl<'p, 't> Settled<'p, 't> {
    fn new(problem: &'p Problem, conditions: &'p Conditions<'t>, groups: Vec<Vec<u32>>) -> Self {
        let mut is_in = vec![false; problem.table.rows()];
        groups.iter().flatten().for_each(|&row| is_in[row as usize] = true);
        let rest = (0..is_in.len() as u32).filter(|&row| !is_in[row as usize]);
        let mut settled = Settled {
            problem,
            conditions,
            rest: rest.collect(),
            groups: Vec::new(),
        };
        let groups = groups.into_par_iter().filter(|rows| !rows.is_empty());
        settled.groups = groups
            .map(|rows| Group {
                hull: problem.space.hull(&rows),
                rows,
            })
            .collect();
        settled.unite_lookalikes();
        settled
    }

    fn space(&self) -> &'p Space {
        self.problem.space
    }

    /// Groups that show the same on every axis become one.
    fn unite_lookalikes(&mut self) {
        let mut places: HashMap<Vec<u64>, usize> = HashMap::new();
        let mut united: Vec<Group> = Vec::with_capacity(self.groups.len());
        for group in std::mem::take(&mut self.groups) {
            let place = *places.entry(self.space().look(&group.hull)).or_insert(united.len());
            match united.get_mut(place) {
                Some(alike) => {
                    self.problem.space.merge(&mut alike.hull, &group.hull);
                    alike.rows.extend(group.rows);
                }
                None => united.push(group),
            }
        }
        self.groups = united;
    }

    fn broken(&self) -> Vec<bool> {
        let broken = self
            .groups
            .par_iter()
            .map(|group| !self.conditions.are_met_by(&group.rows));
        broken.collect()
    }

    /// Rows of broken groups, and rows in none, join a group that stays within the loss and the conditions; or none.
    fn place_within(&mut self, most: f64) {
        loop {
            let mut broken = self.broken().into_iter();
            let (kept, gone): (Vec<Group>, Vec<Group>) = std::mem::take(&mut self.groups)
                .into_iter()
                .partition(|_| broken.next() == Some(false));
            self.groups = kept;
            self.rest.extend(gone.into_iter().flat_map(|group| group.rows));
            self.rest.sort_unstable();
            let before = self.groups.len();
            for row in std::mem::take(&mut self.rest) {
                if !self.place(row, most, f64::INFINITY) {
                    self.rest.push(row);
                }
            }
            // A group that took rows in may look like another now, and both together break what each keeps.
            self.unite_lookalikes();
            if self.groups.len() == before && !self.broken().contains(&true) {
                return;
            }
        }
    }

    /// Puts a row into the group that it costs least, of those that keep everything.
    fn place(&mut self, row: u32, most: f64, below: f64) -> bool {
        let space = self.space();
        let cost = |group: &Group| {
            let (rows, loss) = (group.rows.len() as f64, space.loss_with(&group.hull, row));
            (loss <= most).then(|| (rows + 1.0) * loss - rows * space.loss(&group.hull))
        };
        let costs = self
            .groups
            .par_iter()
            .enumerate()
            .filter_map(|(place, group)| Some((cost(group)?, place)));
        let mut costs: Vec<(f64, usize)> = costs.filter(|&(cost, _)| cost < below).collect();
        costs.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for (_, place) in costs {
            let group = &mut self.groups[place];
            group.rows.push(row);
            if self.conditions.are_of_size_only() || self.conditions.are_met_by(&group.rows) {
                space.add(&mut group.hull, row);
                return true;
            }
            group.rows.pop();
        }
        false
    }

    /// Rows in no group join one, or are left out if that is cheaper and allowed; broken groups go together with others.
    fn merge_broken(&mut self) -> Result<(), Failure> {
        let mut may_leave_out = self.problem.rows_left_out_at_most;
        let mut out = Vec::new();
        for row in std::mem::take(&mut self.rest) {
            if may_leave_out > 0 && !self.place(row, 1.0, LEFT_OUT) {
                may_leave_out -= 1;
                out.push(row);
            } else if may_leave_out == 0 && !self.place(row, 1.0, f64::INFINITY) {
                let hull = self.space().point(row);
                self.groups.push(Group { rows: vec![row], hull });
            }
        }
        self.rest = out;
        loop {
            let Some(place) = self.broken().iter().position(|&broken| broken) else {
                return Ok(());
            };
            if !(self.problem.go_on)() {
                return Err(Failure::Interrupted);
            }
            let mut group = self.groups.swap_remove(place);
            while !self.conditions.are_met_by(&group.rows) {
                let Some(nearest) = self.nearest(&group) else {
                    return Err(Failure::CannotBeMet(self.conditions.levels([&group.rows[..]])));
                };
                let other = self.groups.swap_remove(nearest);
                self.problem.space.merge(&mut group.hull, &other.hull);
                group.rows.extend(other.rows);
            }
            self.groups.push(group);
            self.unite_lookalikes();
        }
    }

    /// The group that a group goes together with at the least cost.
    fn nearest(&self, group: &Group) -> Option<usize> {
        let space = self.space();
        let cost = |other: &Group| {
            let (own, others) = (group.rows.len() as f64, other.rows.len() as f64);
            (own + others) * space.loss_of_both(&group.hull, &other.hull) - others * space.loss(&other.hull)
        };
        let costs = self
            .groups
            .par_iter()
            .enumerate()
            .map(|(place, other)| (cost(other), place));
        costs
            .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))
            .map(|(_, place)| place)
    }
}
