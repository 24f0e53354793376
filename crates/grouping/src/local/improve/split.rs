//! Splits: a group becomes two, by a cut between two values of one axis.

use rayon::prelude::*;

use super::LEAST_GAIN;
use super::state::{Changes, Group, State};
use crate::Space;

/// Cuts of a group whose halves are asked for the conditions at most, the cheapest ones. If nothing but size counts the
/// first one will do.
const CUTS_AT_MOST: usize = 64;

impl State<'_, '_> {
    /// Splits every group that gains by it.
    pub fn split(&mut self) {
        let is_large = |&group: &u32| self.groups[group as usize].rows.len() >= 2 * self.conditions.fewest_rows();
        let large: Vec<u32> = self.lossy().into_iter().filter(is_large).collect();
        let found = large
            .par_iter()
            .filter(|_| !self.work.should_stop())
            .filter_map(|&number| Some((number, self.halves(&self.groups[number as usize])?)));
        for (number, [left, right]) in found.collect::<Vec<_>>() {
            let new = self.groups.len() as u32;
            self.accept(Some(Changes::from([(number, Some(left)), (new, Some(right))])));
        }
    }

    /// The best cut of a group; the first axis and the lower value of equals.
    fn halves(&self, group: &Group) -> Option<[Group; 2]> {
        let mut cuts: Vec<(f64, usize, usize)> = (0..self.space.axes())
            .flat_map(|axis| self.cuts_across(group, axis))
            .collect();
        cuts.sort_by(|a, b| a.0.total_cmp(&b.0));
        let halves = cuts.into_iter().take(CUTS_AT_MOST).map(|(_, axis, at)| {
            let mut left = along(self.space, group, axis);
            let right = left.split_off(at);
            [left, right]
        });
        let mut kept = halves.filter(|halves| halves.iter().all(|half| self.conditions.are_met_by(half)));
        Some(kept.next()?.map(|half| Group::new(self.space, half)))
    }

    /// The cuts across an axis that gain: what both halves cost, the axis, and how many rows come before.
    fn cuts_across(&self, group: &Group, axis: usize) -> Vec<(f64, usize, usize)> {
        let rows = along(self.space, group, axis);
        let code = |at: usize| self.space.cells(rows[at])[axis];
        let before = losses_so_far(self.space, rows.iter());
        let after = losses_so_far(self.space, rows.iter().rev());
        let fewest = self.conditions.fewest_rows();
        let places = (fewest..=rows.len() - fewest).filter(|&at| code(at - 1) != code(at));
        let cuts = places.map(|at| {
            let rest = rows.len() - at;
            (at as f64 * before[at - 1] + rest as f64 * after[rest - 1], axis, at)
        });
        cuts.filter(|&(cost, _, _)| cost < group.cost() - LEAST_GAIN).collect()
    }
}

/// The rows of a group in the order of an axis.
fn along(space: &Space, group: &Group, axis: usize) -> Vec<u32> {
    let mut rows = group.rows.clone();
    rows.sort_unstable_by_key(|&row| (space.cells(row)[axis], row));
    rows
}

/// The loss of the first row, of the first two, and so on.
fn losses_so_far<'r>(space: &Space, rows: impl Iterator<Item = &'r u32>) -> Vec<f64> {
    let mut hull = None;
    let losses = rows.map(|&row| {
        let hull = hull.get_or_insert_with(|| space.point(row));
        space.add(hull, row);
        space.loss(hull)
    });
    losses.collect()
}
