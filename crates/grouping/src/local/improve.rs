//! Improving groups, by steps that each make the total loss smaller, until there is none left.
//!
//! | step | what changes |
//! |---|---|
//! | move | a row goes to the group where it costs least, if its own can spare it |
//! | raise | a group takes in all rows that one more step of generality would cover, where they lose more now |
//! | dissolve | all rows of a group go elsewhere, each where it costs least |
//! | split | a group becomes two |
//!
//! The total loss is the sum over groups of rows times loss: what the cells of the release lose together.
//!
//! Invariant: after every step every group keeps the conditions, if it did before.
//!
//! Steps are looked for in parallel on a state that stands still, and made one after the other, each only if it still
//! makes the total smaller. So the outcome does not depend on the number of threads.

use std::collections::BTreeMap;

use hashbrown::HashMap;
use rayon::prelude::*;
use scumble_level::Conditions;

use crate::{Failure, Hull, Problem, Space};

/// Passes over all groups at most; the first ones find nearly everything.
const PASSES_AT_MOST: usize = 4;

/// A kind of step that makes the total smaller by no more than this share is not tried again.
const WORTH_ANOTHER_PASS: f64 = 1e-3;

/// A step must gain more than this, so that rounding is never taken for a gain.
const LEAST_GAIN: f64 = 1e-7;

/// A raise is only looked into for a row if it would cost the group no more than so many times what the row gains.
const ROWS_PER_RAISE: f64 = 16.0;

/// Raises tried in one pass at most, the most promising ones.
const RAISES_AT_MOST: usize = 2000;

/// Groups whose steps are looked for at once.
const BATCH: usize = 256;

/// Makes groups lose less. Rows in no group come into one, if one can take them.
pub(super) fn improve<'p, 't>(
    problem: &'p Problem,
    conditions: &'p Conditions<'t>,
    groups: Vec<Vec<u32>>,
) -> Result<Vec<Vec<u32>>, Failure> {
    let mut state = State::new(problem, conditions, groups);
    state.take_in_rest();
    let mut steps: Vec<fn(&mut State<'p, 't>)> = vec![State::move_rows, State::raise, State::dissolve, State::split];
    for _ in 0..PASSES_AT_MOST {
        let mut fruitful = Vec::new();
        for step in std::mem::take(&mut steps) {
            if !(problem.go_on)() {
                return Err(Failure::Interrupted);
            }
            let before = state.total();
            step(&mut state);
            if before - state.total() > WORTH_ANOTHER_PASS * before {
                fruitful.push(step);
            }
        }
        if fruitful.is_empty() {
            break;
        }
        steps = fruitful;
    }
    Ok(state.into_rows())
}

/// Rows, and what they have in common.
#[derive(Clone)]
struct Group {
    rows: Vec<u32>,
    hull: Hull,
    loss: f64,
}

impl Group {
    fn new(space: &Space, rows: Vec<u32>) -> Group {
        let hull = space.hull(&rows);
        let loss = space.loss(&hull);
        Group { rows, hull, loss }
    }

    fn cost(&self) -> f64 {
        self.rows.len() as f64 * self.loss
    }

    /// What the total grows by if a row joins; some larger figure if that is more than `most`.
    fn cost_of_joining(&self, space: &Space, row: u32, most: f64) -> f64 {
        let rows = self.rows.len() as f64;
        let loss = space.loss_with_up_to(&self.hull, row, (most + self.cost()) / (rows + 1.0));
        (rows + 1.0) * loss - self.cost()
    }

    fn join(&mut self, space: &Space, row: u32) {
        space.add(&mut self.hull, row);
        self.loss = space.loss(&self.hull);
        self.rows.push(row);
    }
}

struct State<'p, 't> {
    space: &'p Space,
    conditions: &'p Conditions<'t>,
    /// Those without rows are gone.
    groups: Vec<Group>,
    /// The group of each row; that of a row in none is beyond them.
    group_of: Vec<u32>,
}

/// Where a row would go, and what that costs.
#[derive(Clone, Copy)]
struct Home {
    group: u32,
    cost: f64,
}

/// A move that looked worth it.
struct Move {
    row: u32,
    to: u32,
    gain: f64,
}

/// Changes to some groups, not made yet.
#[derive(Clone)]
struct Trial<'s, 'p, 't> {
    state: &'s State<'p, 't>,
    /// The groups that would change; `None` for one that would be gone.
    changed: BTreeMap<u32, Option<Group>>,
}

impl<'p, 't> State<'p, 't> {
    fn new(problem: &'p Problem, conditions: &'p Conditions<'t>, groups: Vec<Vec<u32>>) -> Self {
        let mut group_of = vec![u32::MAX; problem.table.rows()];
        for (number, rows) in groups.iter().enumerate() {
            rows.iter().for_each(|&row| group_of[row as usize] = number as u32);
        }
        let groups = groups.into_par_iter().map(|rows| Group::new(problem.space, rows));
        State {
            space: problem.space,
            conditions,
            groups: groups.collect(),
            group_of,
        }
    }

    fn into_rows(self) -> Vec<Vec<u32>> {
        let groups = self.groups.into_iter().map(|group| group.rows);
        groups.filter(|rows| !rows.is_empty()).collect()
    }

    fn total(&self) -> f64 {
        self.groups.iter().map(Group::cost).sum()
    }

    /// Groups by ascending loss: a row that joins a group loses at least what the group does.
    fn by_loss(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.groups.len() as u32).collect();
        order.retain(|&group| !self.groups[group as usize].rows.is_empty());
        order.sort_by(|&a, &b| {
            let loss = |group: u32| self.groups[group as usize].loss;
            loss(a).total_cmp(&loss(b)).then(a.cmp(&b))
        });
        order
    }

    /// Where a row would cost least, if less than `below`, other than where it is.
    fn home(&self, by_loss: &[u32], row: u32, below: f64) -> Option<Home> {
        let own = self.group_of[row as usize];
        let mut best = Home {
            group: u32::MAX,
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
        (best.group != u32::MAX).then_some(best)
    }

    fn take_in_rest(&mut self) {
        let rest: Vec<u32> = (0..self.group_of.len() as u32)
            .filter(|&row| self.group_of[row as usize] == u32::MAX)
            .collect();
        for row in rest {
            let Some(home) = self.home(&self.by_loss(), row, f64::INFINITY) else {
                return;
            };
            let mut trial = Trial::new(self);
            trial.put(home.group, row);
            if trial.is_allowed() {
                let changed = trial.changed;
                self.make(changed);
            }
        }
    }

    fn make(&mut self, changed: BTreeMap<u32, Option<Group>>) {
        for (number, group) in changed {
            let place = number as usize;
            let group = group.unwrap_or_else(|| Group {
                rows: Vec::new(),
                loss: 0.0,
                hull: self.groups[place].hull.clone(),
            });
            group.rows.iter().for_each(|&row| self.group_of[row as usize] = number);
            if place == self.groups.len() {
                self.groups.push(group);
            } else {
                self.groups[place] = group;
            }
        }
    }

    /// Makes a trial come true if it is allowed and a gain.
    fn accept(&mut self, changed: Option<BTreeMap<u32, Option<Group>>>) {
        if let Some(changed) = changed {
            self.make(changed);
        }
    }

    fn live(&self) -> Vec<u32> {
        let live = (0..self.groups.len() as u32).filter(|&group| {
            let group = &self.groups[group as usize];
            !group.rows.is_empty() && group.loss > 0.0
        });
        live.collect()
    }

    fn move_rows(&mut self) {
        for batch in self.live().chunks(BATCH) {
            let by_loss = self.by_loss();
            let found = batch.par_iter().flat_map_iter(|&number| {
                let group = &self.groups[number as usize];
                let can_spare = group.rows.len() > self.conditions.fewest_rows();
                let gains = if can_spare {
                    self.gains_of_leaving(group)
                } else {
                    Vec::new()
                };
                let rows = group.rows.iter().zip(gains);
                rows.filter_map(|(&row, gain)| {
                    let home = self.home(&by_loss, row, gain - LEAST_GAIN)?;
                    Some(Move {
                        row,
                        to: home.group,
                        gain: gain - home.cost,
                    })
                })
                .collect::<Vec<_>>()
            });
            let mut found: Vec<Move> = found.collect();
            found.sort_by(|a, b| b.gain.total_cmp(&a.gain).then(a.row.cmp(&b.row)));
            for step in found {
                let mut trial = Trial::new(self);
                trial.take(&[step.row]);
                trial.put(step.to, step.row);
                let worth = trial.worth();
                self.accept(worth);
            }
        }
    }

    /// What the total shrinks by if each row of a group leaves it.
    fn gains_of_leaving(&self, group: &Group) -> Vec<f64> {
        let rows = &group.rows;
        let mut after: Vec<Option<Hull>> = vec![None; rows.len() + 1];
        for place in (1..rows.len()).rev() {
            let mut hull = after[place + 1]
                .clone()
                .unwrap_or_else(|| self.space.point(rows[place]));
            self.space.add(&mut hull, rows[place]);
            after[place] = Some(hull);
        }
        let mut before: Option<Hull> = None;
        let mut gains = Vec::with_capacity(rows.len());
        for (place, &row) in rows.iter().enumerate() {
            let loss = match (&before, &after[place + 1]) {
                (Some(before), Some(after)) => self.space.loss_of_both(before, after),
                (Some(hull), None) | (None, Some(hull)) => self.space.loss(hull),
                (None, None) => 0.0,
            };
            gains.push(group.cost() - (rows.len() as f64 - 1.0) * loss);
            match &mut before {
                Some(hull) => self.space.add(hull, row),
                None => before = Some(self.space.point(row)),
            }
        }
        gains
    }

    fn dissolve(&mut self) {
        let mut live = self.live();
        live.sort_by(|&a, &b| {
            let loss = |group: u32| self.groups[group as usize].loss;
            loss(b).total_cmp(&loss(a)).then(a.cmp(&b))
        });
        for batch in live.chunks(BATCH / 4) {
            let by_loss = self.by_loss();
            let found = batch.par_iter().filter_map(|&number| {
                let group = &self.groups[number as usize];
                let mut left = group.cost();
                let homes = group.rows.iter().map(|&row| {
                    let home = self.home(&by_loss, row, left - LEAST_GAIN)?;
                    left -= home.cost;
                    Some((row, home.group))
                });
                homes.collect::<Option<Vec<_>>>().map(|homes| (number, homes))
            });
            let found: Vec<(u32, Vec<(u32, u32)>)> = found.collect();
            for (number, homes) in found {
                let mut trial = Trial::new(self);
                let rows = self.groups[number as usize].rows.clone();
                let still = rows.len() == homes.len() && rows.iter().zip(&homes).all(|(row, (other, _))| row == other);
                let open = homes
                    .iter()
                    .all(|&(_, home)| !self.groups[home as usize].rows.is_empty());
                if still && open {
                    trial.take(&rows);
                    homes.iter().for_each(|&(row, home)| trial.put(home, row));
                    let worth = trial.worth();
                    self.accept(worth);
                }
            }
        }
    }

    /// Raises: a group, a row outside it, and what rows that lose more would gain together under both.
    fn raise(&mut self) {
        let by_loss = self.by_loss();
        let rows: Vec<u32> = by_loss
            .iter()
            .rev()
            .map(|&group| &self.groups[group as usize])
            .take_while(|group| group.loss > 0.0)
            .flat_map(|group| group.rows.iter().copied())
            .collect();
        let parts = rows.par_chunks(1024).map(|rows| self.raises(&by_loss, rows));
        let mut all: HashMap<(u32, u64), (f64, u32)> = HashMap::new();
        for (key, (gain, row)) in parts.collect::<Vec<_>>().into_iter().flatten() {
            all.entry(key).or_insert((0.0, row)).0 += gain;
        }
        let net = |((group, _), (gain, row)): ((u32, u64), (f64, u32))| {
            let own = &self.groups[group as usize];
            let loss = self.space.loss_with(&own.hull, row);
            let net = gain - own.rows.len() as f64 * (loss - own.loss);
            (net > LEAST_GAIN).then_some((net, group, row))
        };
        let mut found: Vec<(f64, u32, u32)> = all.into_iter().filter_map(net).collect();
        found.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        found.truncate(RAISES_AT_MOST);
        for (_, group, row) in found {
            let worth = self.raised(group, row);
            self.accept(worth);
        }
    }

    /// For some rows, the groups that could take them in cheaply; by group and loss afterwards, which tells raises apart.
    fn raises(&self, by_loss: &[u32], rows: &[u32]) -> Vec<((u32, u64), (f64, u32))> {
        let mut gains: HashMap<(u32, u64), usize> = HashMap::new();
        let mut found: Vec<((u32, u64), (f64, u32))> = Vec::new();
        for &row in rows {
            let own = self.group_of[row as usize];
            let now = self.groups[own as usize].loss;
            for &group in by_loss {
                let target = &self.groups[group as usize];
                if target.loss >= now {
                    break;
                }
                let size = target.rows.len() as f64;
                let most = (ROWS_PER_RAISE * now + target.cost()) / (ROWS_PER_RAISE + size);
                let loss = self.space.loss_with_up_to(&target.hull, row, most);
                if group != own && loss < most {
                    let key = (group, loss.to_bits());
                    let place = *gains.entry(key).or_insert_with(|| {
                        found.push((key, (0.0, row)));
                        found.len() - 1
                    });
                    found[place].1.0 += now - loss;
                }
            }
        }
        found
    }

    /// The trial of raising a group so that it covers a row, and taking in all that then lose less.
    fn raised(&self, group: u32, row: u32) -> Option<BTreeMap<u32, Option<Group>>> {
        let target = &self.groups[group as usize];
        if target.rows.is_empty() || self.group_of[row as usize] == group {
            return None;
        }
        let mut hull = target.hull.clone();
        self.space.add(&mut hull, row);
        let loss = self.space.loss(&hull);
        let covered = |row: &u32| self.space.loss_with_up_to(&hull, *row, loss) <= loss;
        let donors = self.groups.iter().enumerate().filter(|(_, donor)| donor.loss > loss);
        let mut trial = Trial::new(self);
        let mut homeless = Vec::new();
        let mut by_loss = None;
        for (_, donor) in donors.filter(|&(number, _)| number as u32 != group) {
            let mut rows: Vec<u32> = donor.rows.iter().copied().filter(covered).collect();
            let spare = donor.rows.len() - self.conditions.fewest_rows().min(donor.rows.len());
            if rows.len() > spare {
                let rest: Vec<u32> = donor.rows.iter().copied().filter(|row| !rows.contains(row)).collect();
                let gain = (rows.len() - spare) as f64 * (donor.loss - loss);
                let by_loss = by_loss.get_or_insert_with(|| self.by_loss());
                if self.can_scatter(by_loss, donor.loss, &rest, gain) {
                    homeless.extend(rest.iter().copied());
                    trial.take(&rest);
                } else {
                    rows.truncate(spare);
                }
            }
            trial.take(&rows);
            rows.iter().for_each(|&row| trial.put(group, row));
        }
        for row in homeless {
            let home = trial.home(by_loss.as_deref().unwrap_or_default(), row)?;
            trial.put(home, row);
        }
        trial.worth()
    }

    /// Whether rows that lose so much now can go elsewhere for less than a gain.
    fn can_scatter(&self, by_loss: &[u32], now: f64, rows: &[u32], gain: f64) -> bool {
        let mut left = gain;
        rows.iter().all(|&row| {
            let Some(home) = self.home(by_loss, row, left + now) else {
                return false;
            };
            left -= home.cost - now;
            left > 0.0
        })
    }

    fn split(&mut self) {
        let fewest = self.conditions.fewest_rows();
        let large = |&group: &u32| self.groups[group as usize].rows.len() >= 2 * fewest;
        let large: Vec<u32> = self.live().into_iter().filter(large).collect();
        let found = large
            .par_iter()
            .map(|&number| (number, self.halves(&self.groups[number as usize])));
        let found: Vec<(u32, Option<(Group, Group)>)> = found.collect();
        for (number, halves) in found {
            if let Some((a, b)) = halves {
                let new = self.groups.len() as u32;
                self.make(BTreeMap::from([(number, Some(a)), (new, Some(b))]));
            }
        }
    }

    /// The best cut of a group in two along one axis.
    fn halves(&self, group: &Group) -> Option<(Group, Group)> {
        let fewest = self.conditions.fewest_rows();
        let mut best: Option<(Group, Group)> = None;
        let mut cost = group.cost() - LEAST_GAIN;
        for axis in 0..self.space.axes() {
            let code = |row: u32| self.space.cells(row)[axis];
            let mut rows = group.rows.clone();
            rows.sort_unstable_by_key(|&row| (code(row), row));
            for at in fewest..=rows.len() - fewest {
                if code(rows[at - 1]) == code(rows[at]) {
                    continue;
                }
                let (left, right) = rows.split_at(at);
                let (left, right) = (
                    Group::new(self.space, left.to_vec()),
                    Group::new(self.space, right.to_vec()),
                );
                let both = left.cost() + right.cost();
                if both < cost
                    && [&left, &right]
                        .iter()
                        .all(|half| self.conditions.are_met_by(&half.rows))
                {
                    cost = both;
                    best = Some((left, right));
                }
            }
        }
        best
    }
}

impl<'s, 'p, 't> Trial<'s, 'p, 't> {
    fn new(state: &'s State<'p, 't>) -> Self {
        Trial {
            state,
            changed: BTreeMap::new(),
        }
    }

    fn group(&self, number: u32) -> Option<&Group> {
        match self.changed.get(&number) {
            Some(group) => group.as_ref(),
            None => Some(&self.state.groups[number as usize]).filter(|group| !group.rows.is_empty()),
        }
    }

    /// Takes rows, all of one group, out of it.
    fn take(&mut self, rows: &[u32]) {
        let Some(&first) = rows.first() else { return };
        let number = self.state.group_of[first as usize];
        let left = self.group(number).map_or(&[][..], |group| &group.rows);
        let left: Vec<u32> = left.iter().copied().filter(|row| !rows.contains(row)).collect();
        let group = (!left.is_empty()).then(|| Group::new(self.state.space, left));
        self.changed.insert(number, group);
    }

    /// Puts a row into a group that has rows.
    fn put(&mut self, number: u32, row: u32) {
        let mut group = self.group(number).cloned();
        match &mut group {
            Some(group) => group.join(self.state.space, row),
            None => group = Some(Group::new(self.state.space, vec![row])),
        }
        self.changed.insert(number, group);
    }

    /// Where a row would cost least, as things would stand.
    fn home(&self, by_loss: &[u32], row: u32) -> Option<u32> {
        let mut best = (f64::INFINITY, None);
        let changed = self.changed.keys().copied();
        let unchanged = by_loss
            .iter()
            .copied()
            .filter(|group| !self.changed.contains_key(group));
        for number in changed.chain(unchanged) {
            let Some(group) = self.group(number) else { continue };
            if group.loss >= best.0 {
                if self.changed.contains_key(&number) {
                    continue;
                }
                break;
            }
            let cost = group.cost_of_joining(self.state.space, row, best.0);
            if cost < best.0 {
                best = (cost, Some(number));
            }
        }
        best.1
    }

    fn is_allowed(&self) -> bool {
        let groups = self.changed.values().flatten();
        groups
            .into_iter()
            .all(|group| self.state.conditions.are_met_by(&group.rows))
    }

    /// The changes, if they are allowed and make the total smaller.
    fn worth(self) -> Option<BTreeMap<u32, Option<Group>>> {
        let before = self
            .changed
            .keys()
            .map(|&number| self.state.groups[number as usize].cost());
        let after = self.changed.values().flatten().map(Group::cost);
        let gain = before.sum::<f64>() - after.sum::<f64>();
        (gain > LEAST_GAIN && self.is_allowed()).then_some(self.changed)
    }
}
