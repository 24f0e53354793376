//! Range diversity: how surely a group gives away the *range* that somebody's secret lies in.
//!
//! A policy names for each sensitive value `u` its sensitive range `SR(u)`: what nobody shall learn of its owner. Of a
//! group in which `f(u)` of `|G|` rows have the value:
//!
//! - pairwise contribution `pc(u, x)`: 1 less the distance of two values, as a share of the domain
//! - disclosure confidence `dc(u)`: `f(u) · Σ f(x) · pc(u, x) / |G|`, over the values `x` of the group in `SR(u)`
//! - range diversity `rd(G)`: `Σ dc(u) / |G|` over the *distinct* values of the group
//!
//! | incomes of a group | `SR` | `dc` | `rd` |
//! |---|---|---|---|
//! | 0, and 22 to 26, of 0 to 99 | 22 to 26: [10, 30]; 0: itself | of 22: (5 - 10/99) / 6 ≈ 0.82 | 0.71 |
//! | the same | every value itself | 1/6 each | 1/6 |
//!
//! # Source
//! Loukides, definitions 5.1.1 to 5.1.5.
//!
//! # Cost
//! Values lie on a line (numbers, or the leaves of a tree in order) and every sensitive range is a stretch of it, so
//! the sum over `x` comes from running totals: `l log l` for a group of `l` distinct values, times the height of a
//! tree.

mod line;
mod policy;

use scumble_table::{Dictionary, Interval};
use serde::Serialize;

use crate::comparison::Comparison;
use crate::extent::{Extent, Scale};
use crate::summary::mean;
use line::Line;
use policy::{RangeOf, point};

pub use policy::{SensitiveRange, SensitiveRangeError};

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

/// Measures the range diversity of all groups of a release.
///
/// # Errors
/// A column that is not there, or ranges that do not fit it.
pub fn range_diversity(
    comparison: &Comparison,
    column: &str,
    ranges: &SensitiveRange,
) -> Result<RangeDiversity, SensitiveRangeError> {
    let found = comparison.columns().iter().find(|read| read.compared.name == column);
    let read = found.ok_or_else(|| SensitiveRangeError::NoColumn(column.to_owned()))?;
    let after = read.compared.after;
    let secrets = SensitiveRanges::new(&read.scale, after.dictionary(), ranges)?;
    let diversities = comparison
        .groups()
        .map_counts(after.codes(), |counts| secrets.range_diversity(counts));
    Ok(RangeDiversity {
        column: column.to_owned(),
        worst_group: diversities.iter().copied().reduce(f64::max),
        mean: mean(&diversities),
    })
}

/// The sensitive ranges of all values of a column, by their codes.
///
/// A code that is no single value (a missing one, an interval, `*`) is a value by itself, like no other.
#[derive(Debug)]
pub struct SensitiveRanges<'s> {
    scale: &'s Scale<'s>,
    /// Where each code lies: its number, or the place of its leaf.
    positions: Vec<Option<f64>>,
    /// The stretch of positions that is the range of each code.
    ranges: Vec<Interval>,
}

impl<'s> SensitiveRanges<'s> {
    /// Finds the range of each value of a dictionary.
    ///
    /// # Errors
    /// Ranges that do not fit the column.
    pub fn new(
        scale: &'s Scale<'s>,
        values: &Dictionary,
        ranges: &SensitiveRange,
    ) -> Result<Self, SensitiveRangeError> {
        let range_of = RangeOf::new(scale, ranges)?;
        let positions: Vec<Option<f64>> = scale.extents(values).iter().map(Extent::single).collect();
        let ranges = positions
            .iter()
            .map(|position| position.map_or(point(0.0), |at| range_of.at(at)));
        Ok(SensitiveRanges {
            ranges: ranges.collect(),
            positions,
            scale,
        })
    }

    /// `pc`: 1 for one value, 0 for two that are as far apart as any.
    pub fn pairwise_contribution(&self, a: u32, b: u32) -> f64 {
        match (self.positions[a as usize], self.positions[b as usize]) {
            (Some(at), Some(other)) if at != other => 1.0 - self.distance(at, other),
            (Some(_), Some(_)) => 1.0,
            _ => f64::from(u8::from(a == b)),
        }
    }

    /// `dc` of a code in a group, given as its codes with their rows; 0 if the group lacks it.
    pub fn disclosure_confidence(&self, code: u32, group: &[(u32, u32)]) -> f64 {
        let group = Line::new(self, group);
        match self.positions[code as usize] {
            Some(at) => group.index(at).map_or(0.0, |index| group.confidence(index)),
            None => group
                .apart
                .iter()
                .find(|&&(other, _)| other == code)
                .map_or(0.0, |&(_, rows)| group.apart(rows)),
        }
    }

    /// `rd` of a group, given as its codes with their rows.
    pub fn range_diversity(&self, group: &[(u32, u32)]) -> f64 {
        let group = Line::new(self, group);
        let on_line: f64 = (0..group.values.len()).map(|index| group.confidence(index)).sum();
        let apart: f64 = group.apart.iter().map(|&(_, rows)| group.apart(rows)).sum();
        (on_line + apart) / group.size.max(1.0)
    }

    /// The distance of two different positions, as a share of the domain.
    fn distance(&self, a: f64, b: f64) -> f64 {
        match self.scale {
            Scale::Numbers { range, .. } => {
                let (from, to) = (a.min(b), a.max(b));
                Interval { from, to, closed: true }.penalty(range)
            }
            Scale::Values(values) => {
                let ends = (a.min(b) as u32, a.max(b) as u32);
                let spanned = values
                    .common_node(ends)
                    .map(|node| values.leaves_under(node).len() as u32);
                values.others(spanned.unwrap_or(2))
            }
        }
    }
}
