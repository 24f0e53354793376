//! How costs are compared: as whole numbers, so that what differs by rounding alone is equal and ties are broken by
//! order, whichever way a cost was summed up.

/// Binary digits of a cost, which is about 1 at most, that count: far more than data has, far fewer than rounding touches.
const DIGITS: i32 = 30;

/// The share of a bound by which rounding may exceed it, as for the bounds of templates.
const ROUNDING: f64 = 1e-9;

/// A cost, which is not below 0, as the nearest whole number.
pub(crate) fn rank(cost: f64) -> u64 {
    // What `round` would do, without a call.
    (cost * f64::from(1 << DIGITS) + 0.5) as u64
}

/// A cost that is more than any of this rank.
pub(crate) fn above(rank: u64) -> f64 {
    (rank + 1) as f64 / f64::from(1 << DIGITS)
}

/// Whether a figure keeps a bound, rounding aside.
pub(crate) fn is_within(figure: f64, bound: f64) -> bool {
    figure <= bound + ROUNDING * bound
}
