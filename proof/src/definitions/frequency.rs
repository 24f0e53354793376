//! Delta-disclosure and beta-likeness: the share p of a value in a group beside its share q in the whole release.

use super::groups::{Groups, tally};
use super::sight::Sight;

/// The largest |ln(p/q)|; a value that a group lacks has no end to it.
pub(super) fn delta(sight: &Sight, groups: &Groups, about: &str) -> Option<Vec<f64>> {
    compared(sight, groups, about, change)
}

/// By how much a value is more or less frequent.
pub(super) fn change(p: f64, q: f64) -> f64 {
    (p / q).ln().abs()
}

/// The largest (p − q)/q; enhanced, one above −ln q has no end.
pub(super) fn beta(sight: &Sight, groups: &Groups, enhanced: bool, about: &str) -> Option<Vec<f64>> {
    compared(sight, groups, about, |p, q| gain(p, q, enhanced))
}

/// By how much a value is more frequent.
pub(super) fn gain(p: f64, q: f64, enhanced: bool) -> f64 {
    let gain = ((p - q) / q).max(0.0);
    // One part in a thousand million is rounding.
    if enhanced && gain > -q.ln() + 1e-9 {
        f64::INFINITY
    } else {
        gain
    }
}

fn compared(sight: &Sight, groups: &Groups, about: &str, of_value: impl Fn(f64, f64) -> f64) -> Option<Vec<f64>> {
    let column = sight.find(about)?;
    let whole = tally(&sight.all_cells(column));
    let level = |rows: &Vec<usize>| {
        let group = tally(&sight.cells(column, rows));
        let of_value = |(value, count): (_, &usize)| {
            let p = group.get(value).map_or(0.0, |&count| count as f64 / rows.len() as f64);
            of_value(p, *count as f64 / sight.rows.len() as f64)
        };
        whole.iter().map(of_value).fold(0.0, f64::max)
    };
    Some(groups.values().map(level).collect())
}
