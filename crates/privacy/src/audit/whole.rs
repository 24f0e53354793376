//! Groups compared with the release as a [`Whole`]: the share p of a value in a group with its share q in all rows.
//!
//! Shares are compared as fractions of whole numbers, p − q = (c·N − C·n)/(n·N) for c of n rows of a group and C of N
//! rows of the release, so that rounding happens once, at the end.

use super::kinds::{Count, size};
use super::numbering::Numbering;
use crate::Sense;

/// How often each value is shown in all rows.
pub(crate) struct Whole {
    /// By value.
    pub(super) rows_of_value: Vec<u64>,
    /// In all.
    pub(super) rows: u64,
}

/// Gains closer than this are equal: they differ by rounding.
const ROUNDING: f64 = 1e-9;

impl Whole {
    /// Counts all rows.
    pub(super) fn new(values: &Numbering) -> Self {
        Whole {
            rows_of_value: values.sizes(),
            rows: values.of_row().len() as u64,
        }
    }

    /// So many rows in all, and so many of them with each value. They may have several values each.
    pub(crate) fn of_counts(rows_of_value: Vec<u64>, rows: u64) -> Self {
        Whole { rows_of_value, rows }
    }

    /// How many values are shown.
    fn shown(&self) -> usize {
        self.rows_of_value.iter().filter(|&&rows| rows > 0).count()
    }

    /// n·N·p and n·N·q of one value of a group of n rows.
    pub(super) fn shares(&self, count: &Count, size: u64) -> (u128, u128) {
        let own = u128::from(count.rows) * u128::from(self.rows);
        let whole = u128::from(self.rows_of_value[count.value as usize]) * u128::from(size);
        (own, whole)
    }

    /// The largest |ln(p/q)|. A value that the group lacks has p = 0.
    pub(super) fn disclosure(&self, group: &[Count]) -> f64 {
        self.disclosure_among(size(group), group)
    }

    /// The same of a group of so many rows, which may have several values each.
    pub(crate) fn disclosure_among(&self, size: u64, group: &[Count]) -> f64 {
        if group.len() < self.shown() {
            return f64::INFINITY;
        }
        let of_value = |count: &Count| {
            let (own, whole) = self.shares(count, size);
            (own as f64 / whole as f64).ln().abs()
        };
        largest(group.iter().map(of_value))
    }

    /// The largest (p − q)/q. Some value of a group always has p ≥ q, so it is at least 0.
    pub(super) fn gain(&self, group: &[Count]) -> f64 {
        self.gain_among(size(group), group)
    }

    /// The same of a group of so many rows, which may have several values each.
    pub(crate) fn gain_among(&self, size: u64, group: &[Count]) -> f64 {
        largest(self.gains(size, group).map(|(gain, _)| gain))
    }

    /// The largest gain, infinite if the gain of some value is above −ln q.
    pub(super) fn enhanced_gain(&self, group: &[Count]) -> f64 {
        self.enhanced_gain_among(size(group), group)
    }

    /// The same of a group of so many rows, which may have several values each.
    pub(crate) fn enhanced_gain_among(&self, size: u64, group: &[Count]) -> f64 {
        let of_value = |(gain, share): (f64, f64)| {
            let allowed = -share.ln() + ROUNDING;
            if gain > allowed { f64::INFINITY } else { gain }
        };
        largest(self.gains(size, group).map(of_value))
    }

    /// (p − q)/q and q of each value of a group that it gains.
    fn gains(&self, size: u64, group: &[Count]) -> impl Iterator<Item = (f64, f64)> {
        group.iter().map(move |count| {
            let (own, whole) = self.shares(count, size);
            let share = self.rows_of_value[count.value as usize] as f64 / self.rows as f64;
            (own.saturating_sub(whole) as f64 / whole as f64, share)
        })
    }
}

/// The largest of some figures, which are not below 0.
fn largest(figures: impl Iterator<Item = f64>) -> f64 {
    figures.fold(0.0, |a, b| Sense::AtMost.worse(a, b))
}
