//! MDAV: twice per round, the rows nearest to an outermost one become a group.

use scumble_level::Conditions;
use scumble_progress::Work;

use super::points::{Points, Tallies};
use crate::Failure;

/// Groups around the row furthest from the centre, and around the one furthest from that, until too few rows are left.
pub(super) fn groups(points: &Points, conditions: &Conditions, work: Work) -> Result<Vec<Vec<u32>>, Failure> {
    let k = conditions.fewest_rows();
    let mut rest = Rest::new(points);
    let mut groups = Vec::new();
    // With fewer than three times k rows there is one more group to take, and what is left is the last.
    while rest.rows.len() / 2 >= k {
        work.go_on()?;
        work.done(points.rows() - rest.rows.len(), points.rows());
        let is_last = rest.rows.len() / 3 < k;
        let outermost = rest.furthest_from_centre();
        let Some(group) = rest.take_around(outermost, conditions, work) else {
            break;
        };
        groups.push(group);
        if is_last || rest.rows.is_empty() {
            continue;
        }
        let opposite = rest.furthest_from(outermost);
        let Some(group) = rest.take_around(opposite, conditions, work) else {
            break;
        };
        groups.push(group);
    }
    if !rest.rows.is_empty() && conditions.are_met_by(&rest.rows) {
        groups.push(rest.rows);
    }
    Ok(groups)
}

/// The rows that are in no group yet, ascending.
struct Rest<'a> {
    points: &'a Points,
    rows: Vec<u32>,
    tallies: Tallies,
}

impl<'a> Rest<'a> {
    fn new(points: &'a Points) -> Self {
        Rest {
            points,
            rows: (0..points.rows() as u32).collect(),
            tallies: points.tallies(),
        }
    }

    fn furthest_from_centre(&self) -> u32 {
        let reach = self.points.reach_of_centre(&self.tallies);
        furthest(&self.points.distances(&self.rows, &reach))
    }

    fn furthest_from(&self, row: u32) -> u32 {
        let reach = self.points.reach_of_row(row);
        furthest(&self.points.distances(&self.rows, &reach))
    }

    /// Takes a row and the nearest to it, as few as keep the conditions; `None` if all together do not, or it should stop.
    fn take_around(&mut self, row: u32, conditions: &Conditions, work: Work) -> Option<Vec<u32>> {
        let mut nearest = self.points.distances(&self.rows, &self.points.reach_of_row(row));
        let order = |a: &(f64, u32), b: &(f64, u32)| {
            // The row itself comes before others that are where it is.
            let is_other = |other: u32| other != row;
            let by_distance = a.0.total_cmp(&b.0).then(is_other(a.1).cmp(&is_other(b.1)));
            by_distance.then(a.1.cmp(&b.1))
        };
        let k = conditions.fewest_rows();
        if k < nearest.len() {
            nearest.select_nth_unstable_by(k - 1, order);
        }
        let mut group: Vec<u32> = nearest.iter().take(k).map(|&(_, row)| row).collect();
        if !conditions.are_met_by(&group) {
            let further = nearest.get_mut(k..)?;
            further.sort_unstable_by(order);
            let enough = further
                .iter()
                .take_while(|_| !work.should_stop())
                .position(|&(_, row)| {
                    group.push(row);
                    conditions.are_met_by(&group)
                });
            enough?;
        }
        self.take(&group);
        Some(group)
    }

    fn take(&mut self, group: &[u32]) {
        let mut taken = group.to_vec();
        taken.sort_unstable();
        self.rows.retain(|row| taken.binary_search(row).is_err());
        group
            .iter()
            .for_each(|&row| self.points.take_off(&mut self.tallies, row));
    }
}

/// The row that is furthest, the first of several.
fn furthest(distances: &[(f64, u32)]) -> u32 {
    let order = |a: &&(f64, u32), b: &&(f64, u32)| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1));
    distances.iter().max_by(order).map_or(0, |&(_, row)| row)
}
