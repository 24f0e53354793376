//! Q- and S-diversity: how far apart the values of a group are, as a share of the domain.
//!
//! | domain | values | Q-diversity | S-diversity |
//! |---|---|---|---|
//! | salaries from 10 to 40 | 10, 10, 30 | 20/30 | 1/3 |
//! | ANY over Professional (Engineer, Lawyer) and Janitor | Engineer, Lawyer | (2 - 1) / (3 - 1) | 1/2 |
//! | the same | Engineer, Janitor | (3 - 1) / (3 - 1) | 0 |
//! | the values a, b, c | a, c | (2 - 1) / (3 - 1) | 1/2 |
//!
//! # Source
//! Loukides, definitions 3.1.1 and 3.1.3.

use std::ops::Range;

use crate::extent::{Extent, Places, Scale, Values};

/// The Q-diversity of a set of values, given by what they stand for: 0 if all are one value, 1 if they span the domain.
/// Missing values are not counted; a value that may be any spans the domain.
pub fn q_diversity<'e>(scale: &Scale, values: impl IntoIterator<Item = &'e Extent>) -> f64 {
    let mut span: Option<(f64, f64)> = None;
    let mut places: Vec<Range<u32>> = Vec::new();
    for value in values {
        match value {
            Extent::Missing => {}
            Extent::Numbers(interval) => {
                let (from, to) = span.unwrap_or((interval.from, interval.to));
                span = Some((from.min(interval.from), to.max(interval.to)));
            }
            Extent::Places(value) => places.extend(value.ranges().cloned()),
            Extent::Everything | Extent::Unknown => return 1.0,
        }
    }
    match scale {
        Scale::Numbers { range, .. } => span.map_or(0.0, |(from, to)| {
            // A number of the data outside the range may lead to more than the whole, which is then 1.
            range.share(from, to)
        }),
        Scale::Values(values) => values.others(spanned(values, places)),
    }
}

/// The S-diversity of a set of sensitive values, which is small if they are far apart.
pub fn s_diversity<'e>(scale: &Scale, values: impl IntoIterator<Item = &'e Extent>) -> f64 {
    1.0 - q_diversity(scale, values)
}

/// `s(V)`: the leaves under the closest common ancestor, or without a tree the distinct values.
fn spanned(values: &Values, places: Vec<Range<u32>>) -> u32 {
    let Some(places) = Places::union(places) else { return 0 };
    match values.common_node(places.ends()) {
        Some(node) => values.leaves_under(node).len() as u32,
        None => places.len(),
    }
}
