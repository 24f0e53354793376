//! Raises: a group takes in all rows that one more step of generality would cover, where they lose more now.
//!
//! | group | rows | loss | raised to take in Engineer |
//! |---|---|---|---|
//! | Lawyer | 5 | 0 | Professional: 5 rows lose a little more |
//! | ANY | 6 engineers, 4 janitors | 1 | 4 janitors: 6 rows lose much less |

use hashbrown::HashMap;
use rayon::prelude::*;

use super::LEAST_GAIN;
use super::state::{Changes, Group, State};
use super::trial::Trial;

/// A raise is only looked into for a row if it would cost the group no more than so many times what the row gains.
const ROWS_PER_RAISE: f64 = 16.0;

/// Raises tried in one pass at most, the most promising ones.
const RAISES_AT_MOST: usize = 2000;

/// Rows whose raises are looked for by one thread at a time.
const ROWS_AT_ONCE: usize = 1024;

/// A group and the bits of its loss afterwards, which tell its raises apart.
type Key = (u32, u64);

/// What rows gain together by a raise, and the first of them, which says how far to raise.
type Gain = (f64, u32);

impl State<'_, '_> {
    /// Makes raises, the most promising first.
    pub fn raise(&mut self) {
        for (_, group, row) in self.promising() {
            if self.work.should_stop() {
                return;
            }
            let changes = self.raised(group, row);
            self.accept(changes);
        }
    }

    /// What raises gain if every row that they cover came along, with their groups and a row to be covered.
    fn promising(&self) -> Vec<(f64, u32, u32)> {
        let by_loss = self.by_loss();
        let groups = by_loss.iter().rev().map(|&group| &self.groups[group as usize]);
        let lossy = groups.take_while(|group| group.loss > 0.0);
        let rows: Vec<u32> = lossy.flat_map(|group| group.rows.iter().copied()).collect();
        let parts = rows
            .par_chunks(ROWS_AT_ONCE)
            .map(|rows| self.gains_of_rows(&by_loss, rows));
        let mut gains: HashMap<Key, Gain> = HashMap::new();
        for (key, (gain, row)) in parts.collect::<Vec<_>>().into_iter().flatten() {
            gains.entry(key).or_insert((0.0, row)).0 += gain;
        }
        let net = |((group, _), (gain, row)): (Key, Gain)| {
            let own = &self.groups[group as usize];
            let loss = self.space.loss_with(&own.hull, row);
            let net = gain - own.rows.len() as f64 * (loss - own.loss);
            (net > LEAST_GAIN).then_some((net, group, row))
        };
        let mut found: Vec<(f64, u32, u32)> = gains.into_iter().filter_map(net).collect();
        found.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        found.truncate(RAISES_AT_MOST);
        found
    }

    /// What some rows would gain in the groups that could take them in cheaply, in the order in which they were met.
    fn gains_of_rows(&self, by_loss: &[u32], rows: &[u32]) -> Vec<(Key, Gain)> {
        let mut places: HashMap<Key, usize> = HashMap::new();
        let mut gains: Vec<(Key, Gain)> = Vec::new();
        for &row in rows.iter().take_while(|_| !self.work.should_stop()) {
            let own = self.group_of(row);
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
                    let place = *places.entry(key).or_insert_with(|| {
                        gains.push((key, (0.0, row)));
                        gains.len() - 1
                    });
                    gains[place].1.0 += now - loss;
                }
            }
        }
        gains
    }

    /// A group raised so that it covers a row, with all rows that then lose less in it.
    fn raised(&self, group: u32, row: u32) -> Option<Changes> {
        let target = &self.groups[group as usize];
        if target.rows.is_empty() || self.group_of(row) == group {
            return None;
        }
        let mut hull = target.hull.clone();
        self.space.add(&mut hull, row);
        let loss = self.space.loss(&hull);
        let is_covered = |row: &u32| self.space.loss_with_up_to(&hull, *row, loss) <= loss;
        let mut trial = Trial::new(self);
        let mut homeless = Vec::new();
        let mut by_loss = None;
        let donors = (0..).zip(&self.groups);
        for (_, donor) in donors.filter(|&(number, donor)| number != group && donor.loss > loss) {
            let (mut covered, rest): (Vec<u32>, Vec<u32>) = donor.rows.iter().partition(|row| is_covered(row));
            let spare = self.spare(donor);
            if covered.len() > spare {
                let gain = (covered.len() - spare) as f64 * (donor.loss - loss);
                let by_loss = by_loss.get_or_insert_with(|| self.by_loss());
                if self.can_scatter(by_loss, donor.loss, &rest, gain) {
                    trial.take(&rest);
                    homeless.extend(rest);
                } else {
                    covered.truncate(spare);
                }
            }
            trial.take(&covered);
            covered.iter().for_each(|&row| trial.put(group, row));
        }
        for row in homeless {
            let home = trial.home(by_loss.as_deref().unwrap_or_default(), row)?;
            trial.put(home, row);
        }
        trial.if_worth_it()
    }

    /// How many rows a group can lose.
    fn spare(&self, group: &Group) -> usize {
        group.rows.len().saturating_sub(self.conditions.fewest_rows())
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
}
