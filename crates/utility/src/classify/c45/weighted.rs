//! A [`Weighted`] case: what has a missing value goes down several branches in parts.

/// Weights and gains closer than this are equal.
pub(super) const SMALL: f64 = 1e-6;

/// A case, or a part of one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Weighted {
    pub case: u32,
    pub weight: f64,
}

/// Whether there is more than rounding left of these cases.
pub(super) fn is_any(rows: &[Weighted]) -> bool {
    rows.iter().map(|row| row.weight).sum::<f64>() > SMALL
}
