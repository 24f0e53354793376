//! [`gather`]: the groups of a method, repaired until each keeps every condition.
//!
//! Groups that look alike are one to a reader, so they are made one first. A group that breaks a condition goes together
//! with the group where that costs least, until none is broken. Where the loss of a group is bounded, the rows of a broken
//! group look for a place one by one instead, and those that find none are left out.
//!
//! Two rows to a group, no row left out; the ages of the whole table span 50 years:
//!
//! | group of the method | ages | | in the end |
//! |---|---|---|---|
//! | 1 | 20, 21 | | 20, 21 |
//! | 2 | 30 | broken; with 3 its rows lose 2/50, with 1 they lose 10/50 | 30, 31, 32 |
//! | 3 | 31, 32 | | as above |
//! | 4 | 69, 70 | | 69, 70 |
//!
//! Invariant: no two groups look alike, and whoever changes a group asks anew whether it is broken; nobody else does. So
//! the cost follows what is broken.

mod held;

use scumble_level::Conditions;

use crate::{Failure, Grouping, Method, Problem};
use held::{Group, Held};

/// What leaving out a row costs: as if nothing were told of it.
const LEFT_OUT: f64 = 1.0;

/// The share of the work that is the method's.
const METHOD: f64 = 0.95;

/// Gathers the rows of a problem by a method.
///
/// # Errors
/// - [`Failure::Interrupted`] if it was told to stop.
/// - [`Failure::CannotBeMet`] if all rows as one group break a template; never if the method bounds the loss of groups.
/// - [`Failure::LeavesOut`] if more rows than may be left out fit nowhere; only if the method bounds the loss of groups.
pub fn gather(method: &dyn Method, problem: &Problem) -> Result<Grouping, Failure> {
    let on_join = problem.requirement.on_join();
    if !on_join.is_empty() {
        return Err(Failure::OnJoin(on_join));
    }
    let conditions = Conditions::new(problem.table, problem.requirement);
    let groups = method.groups(&problem.with(problem.work.part(0.0..METHOD)), &conditions)?;
    // A method that was told to stop may have ended with less than it would have found.
    problem.work.go_on()?;
    let repairing = problem.with(problem.work.phase("repairing groups", METHOD..1.0));
    let mut repair = Repair::new(&repairing, &conditions, groups, method.loss_at_most());
    match method.loss_at_most() {
        Some(most) => repair.place_within(most)?,
        None => repair.merge_broken()?,
    }
    let rows = repair.rest.len() as u64;
    if rows > problem.rows_left_out_at_most {
        return Err(Failure::LeavesOut {
            rows,
            most: problem.rows_left_out_at_most,
        });
    }
    Ok(Grouping::new(problem.table.rows(), &repair.held.into_rows()))
}

struct Repair<'p, 't> {
    problem: &'p Problem<'p>,
    held: Held<'p, 't>,
    /// Rows in no group, ascending.
    rest: Vec<u32>,
}

impl<'p, 't> Repair<'p, 't> {
    fn new(
        problem: &'p Problem,
        conditions: &'p Conditions<'t>,
        groups: Vec<Vec<u32>>,
        loss_at_most: Option<f64>,
    ) -> Self {
        let mut is_in = vec![false; problem.table.rows()];
        groups.iter().flatten().for_each(|&row| is_in[row as usize] = true);
        let rest = (0..is_in.len() as u32).filter(|&row| !is_in[row as usize]);
        Repair {
            problem,
            rest: rest.collect(),
            held: Held::new(problem.space, conditions, groups, loss_at_most.unwrap_or(f64::INFINITY)),
        }
    }

    fn check(&self) -> Result<(), Failure> {
        Ok(self.problem.work.go_on()?)
    }

    /// Rows of broken groups, and rows in none, join a group that stays within the loss and the conditions; or none.
    fn place_within(&mut self, most: f64) -> Result<(), Failure> {
        loop {
            while let Some(place) = self.held.first_broken() {
                self.rest.extend(self.held.remove(place).rows);
            }
            self.rest.sort_unstable();
            for row in std::mem::take(&mut self.rest) {
                self.check()?;
                if !self.held.place(row, most, f64::INFINITY) {
                    self.rest.push(row);
                }
            }
            // A group that took a row in may look like another then, and both together may break what each keeps. Every
            // round ends with fewer groups than it began with, so there is a last one.
            if self.held.first_broken().is_none() {
                return Ok(());
            }
        }
    }

    /// Rows in no group join one, or are left out if that is cheaper and allowed; broken groups go together with others.
    fn merge_broken(&mut self) -> Result<(), Failure> {
        self.place_rest()?;
        while let Some(place) = self.held.first_broken() {
            let mut group = self.held.remove(place);
            while self.held.breaks(&group) {
                self.check()?;
                match self.held.nearest(&group) {
                    Some(nearest) => {
                        let other = self.held.remove(nearest);
                        group.merge(self.problem.space, other);
                    }
                    None => group = self.all_as_one(group)?,
                }
            }
            self.held.insert(group);
        }
        Ok(())
    }

    /// Finds a place for the rows in no group, or leaves them out.
    fn place_rest(&mut self) -> Result<(), Failure> {
        let rest = std::mem::take(&mut self.rest);
        if self.held.is_empty() && !rest.is_empty() {
            self.held.insert(Group::new(self.problem.space, rest));
            return Ok(());
        }
        for row in rest {
            self.check()?;
            let may_leave_out = (self.rest.len() as u64) < self.problem.rows_left_out_at_most;
            let below = if may_leave_out { LEFT_OUT } else { f64::INFINITY };
            if !self.held.place(row, 1.0, below) {
                if may_leave_out {
                    self.rest.push(row);
                } else {
                    self.held.insert(Group::new(self.problem.space, vec![row]));
                }
            }
        }
        Ok(())
    }

    /// Takes the rows that were left out back in, when all others as one group are broken: the whole table may be good.
    fn all_as_one(&mut self, group: Group) -> Result<Group, Failure> {
        let mut rows = group.rows;
        rows.append(&mut self.rest);
        let all = Group::new(self.problem.space, rows);
        if self.held.breaks(&all) {
            return Err(Failure::CannotBeMet(self.held.levels(&all)));
        }
        Ok(all)
    }
}
