//! Range diversity: how surely the groups of a release give away the *range* that somebody's secret lies in.
//!
//! A policy names for each sensitive value `u` its sensitive range `SR(u)`: what nobody shall learn of its owner. Of a
//! group in which `f(u)` of `|G|` rows have the value:
//!
//! - pairwise contribution `pc(u, x)`: 1 less the distance of two values, as a share of the domain
//! - disclosure confidence `dc(u)`: `f(u) · Σ f(x) · pc(u, x) / |G|`, over the values `x` of the group in `SR(u)`
//! - range diversity `rd(G)`: `Σ dc(u) / |G|` over the *distinct* values of the group
//!
//! A label that is no single value (a missing one, an interval, `*`) is a value by itself, like no other.
//!
//! # Source
//! Loukides, definitions 5.1.1 to 5.1.5.

use scumble_level::Contributions;
use scumble_table::SensitiveRanges;
use serde::Serialize;

use crate::comparison::Comparison;
use crate::summary::mean;

/// How well the groups of a release keep sensitive ranges. The smaller, the better.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RangeDiversity {
    /// The sensitive column.
    pub column: String,
    /// WGP: the range diversity of the group that is worst off. None without a group.
    pub worst_group: Option<f64>,
    /// The average over groups.
    pub mean: Option<f64>,
}

/// Measures the range diversity of all groups of a release; `None` if the column is not in both the data and the release.
pub fn range_diversity(comparison: &Comparison, column: &str, ranges: &SensitiveRanges) -> Option<RangeDiversity> {
    let read = comparison.columns().iter().find(|read| read.compared.name == column)?;
    let (before, after) = (read.compared.before.dictionary, read.compared.after);
    let contributions = Contributions::of_column(ranges, after.dictionary(), before);
    let diversities = comparison.groups().map_counts(after.codes(), |counts| {
        contributions.range_diversity(counts.iter().copied())
    });
    Some(RangeDiversity {
        column: column.to_owned(),
        worst_group: diversities.iter().copied().reduce(f64::max),
        mean: mean(&diversities),
    })
}
