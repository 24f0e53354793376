//! [`ColumnChange`]: what happened to one column, its cells and its distribution.
//!
//! | before | after | cells changed | distance |
//! |---|---|---|---|
//! | a, a, b, b | a, a, b, b | 0 | 0 |
//! | a, a, b, b | a, a, `*`, `*` | 1/2 | 1/4: `*` is a or b, so it reads as a, a, a, b |
//! | a, a, b, b | b, b, a, a | 0 | 0 |
//! | 0, 10 of 0 to 10 | `[0, 10]` twice | 1 | 1/4: the cells read as spread over the range |
//!
//! Neither figure knows which row is which. Cells changed are exact where cells are recoded and a lower bound where
//! they are exchanged for other values.

use std::ops::Range;

use hashbrown::HashMap;
use rayon::prelude::*;
use serde::Serialize;

use crate::comparison::{Comparison, ReadColumn};
use crate::extent::{Extent, Scale};

/// How one column differs from what it was. The smaller each figure, the better.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ColumnChange {
    /// The column.
    pub column: String,
    /// The share of the cells before masking that are not shown as they were; rows left out count as changed.
    pub cells_changed: f64,
    /// How far the distribution of its values moved, from 0 to 1. Numbers: the earth mover's distance (Wasserstein-1)
    /// as a share of the range. Words: total variation. A label counts as spread evenly over what it may stand for.
    pub distribution_distance: f64,
    /// NCP: the average share of the domain that a released cell may stand for.
    pub certainty_penalty: f64,
    /// Released cells that stand for nothing known: not in the domain, and of no known form.
    pub unknown_cells: u64,
}

/// Measures the change of every column.
pub fn column_changes(comparison: &Comparison) -> Vec<ColumnChange> {
    let change = |column: &ReadColumn| ColumnChange {
        column: column.compared.name.to_owned(),
        cells_changed: cells_changed(column, comparison.rows_before()),
        distribution_distance: distribution_distance(column),
        certainty_penalty: column.penalty() / (comparison.rows_after() as f64).max(1.0),
        unknown_cells: {
            let unknown = column.labels().filter(|(extent, _)| **extent == Extent::Unknown);
            unknown.map(|(_, rows)| rows).sum()
        },
    };
    comparison.columns().par_iter().map(change).collect()
}

/// A label that can stand for one value only counts as that value.
fn cells_changed(column: &ReadColumn, rows_before: u64) -> f64 {
    let mut before: HashMap<u64, u64> = HashMap::new();
    for (value, rows) in column.values() {
        if let Some(value) = identity(value) {
            *before.entry(value).or_default() += rows;
        }
    }
    let mut kept = 0;
    for (label, rows) in column.labels() {
        let left = identity(label).and_then(|value| before.get_mut(&value));
        if let Some(left) = left {
            let same = rows.min(*left);
            *left -= same;
            kept += same;
        }
    }
    match rows_before {
        0 => 0.0,
        rows => 1.0 - kept as f64 / rows as f64,
    }
}

/// One number for each value, the missing one included; `None` for what is not a single value.
fn identity(extent: &Extent) -> Option<u64> {
    match extent {
        Extent::Missing => Some(u64::MAX),
        _ => extent.single().map(f64::to_bits),
    }
}

fn distribution_distance(column: &ReadColumn) -> f64 {
    let rows = |rows: &[u64]| rows.iter().sum::<u64>();
    match (rows(&column.compared.before.rows), rows(&column.rows)) {
        (0, 0) => 0.0,
        (0, _) | (_, 0) => 1.0,
        _ => match &column.scale {
            Scale::Numbers { range, .. } => {
                let [before, after] = [masses(column.values(), range), masses(column.labels(), range)];
                earth_moved_of_range(&before, &after, range.length())
            }
            Scale::Values(values) => {
                let [before, after] = [
                    shares(column.values(), values.len()),
                    shares(column.labels(), values.len()),
                ];
                let differences = before.iter().zip(&after).map(|(before, after)| (before - after).abs());
                differences.sum::<f64>() / 2.0
            }
        },
    }
}

/// The share of each place, and of the missing value after them.
fn shares<'e>(cells: impl Iterator<Item = (&'e Extent, u64)>, places: usize) -> Vec<f64> {
    // Differences between neighbours: a label over a range of places changes two of them.
    let mut steps = vec![0.0; places + 2];
    let mut total = 0.0;
    let missing = places as u32..places as u32 + 1;
    for (extent, rows) in cells {
        let rows = rows as f64;
        total += rows;
        let mut spread = |range: &Range<u32>, over: u32| {
            let each = rows / f64::from(over);
            steps[range.start as usize] += each;
            steps[range.end as usize] -= each;
        };
        match extent {
            Extent::Places(held) => held.ranges().for_each(|range| spread(range, held.len())),
            Extent::Everything | Extent::Unknown if places > 0 => spread(&(0..places as u32), places as u32),
            // Nothing known of a column that has no value, which is as good as a missing one.
            _ => spread(&missing, 1),
        }
    }
    let running = steps.iter().take(places + 1).scan(0.0, |sum, step| {
        *sum += step;
        Some(*sum / total)
    });
    running.collect()
}

/// Rows spread evenly over a stretch of numbers, as a share of all rows. Numbers are taken from the smaller end of the range
/// on, in the measure that its length has.
struct Mass {
    from: f64,
    to: f64,
    share: f64,
}

/// Where the numbers of a column lie. Missing values lie nowhere.
fn masses<'e>(cells: impl Iterator<Item = (&'e Extent, u64)>, range: &scumble_table::Range) -> Vec<Mass> {
    let whole = range.whole();
    let mut masses: Vec<Mass> = cells
        .filter(|(extent, rows)| **extent != Extent::Missing && *rows > 0)
        .map(|(extent, rows)| {
            let interval = match extent {
                Extent::Numbers(interval) => interval,
                Extent::Missing | Extent::Places(_) | Extent::Everything | Extent::Unknown => &whole,
            };
            Mass {
                from: range.offset(interval.from),
                to: range.offset(interval.to),
                share: rows as f64,
            }
        })
        .collect();
    let total: f64 = masses.iter().map(|mass| mass.share).sum();
    masses.iter_mut().for_each(|mass| mass.share /= total);
    masses
}

/// How far the earth moved, as a share of the range. Numbers that are all gone moved all the way.
fn earth_moved_of_range(before: &[Mass], after: &[Mass], length: f64) -> f64 {
    match (before.is_empty(), after.is_empty()) {
        (true, true) => 0.0,
        (false, false) if length > 0.0 => (earth_moved(before, after) / length).min(1.0),
        (false, false) => 0.0,
        _ => 1.0,
    }
}

/// The Wasserstein-1 distance of two distributions: the area between their distribution functions, which are straight
/// lines between the ends of the masses.
fn earth_moved(before: &[Mass], after: &[Mass]) -> f64 {
    // At each position: how the difference jumps, and how its slope changes.
    let mut turns: Vec<(f64, f64, f64)> = Vec::with_capacity(2 * (before.len() + after.len()));
    let signed = before
        .iter()
        .map(|mass| (mass, 1.0))
        .chain(after.iter().map(|mass| (mass, -1.0)));
    for (mass, sign) in signed {
        let share = sign * mass.share;
        if mass.from == mass.to {
            turns.push((mass.from, share, 0.0));
        } else {
            let slope = share / (mass.to - mass.from);
            turns.push((mass.from, 0.0, slope));
            turns.push((mass.to, 0.0, -slope));
        }
    }
    turns.sort_by(|(a, ..), (b, ..)| a.total_cmp(b));
    let mut at = turns.first().map_or(0.0, |&(first, ..)| first);
    let (mut difference, mut slope, mut area) = (0.0, 0.0, 0.0);
    for (position, jump, turn) in turns {
        let end = difference + slope * (position - at);
        area += area_between(difference, end, position - at);
        (at, difference, slope) = (position, end + jump, slope + turn);
    }
    area
}

/// The area between zero and a straight line, which may cross it.
fn area_between(start: f64, end: f64, width: f64) -> f64 {
    if start * end >= 0.0 {
        (start + end).abs() / 2.0 * width
    } else {
        (start * start + end * end) / (2.0 * (start - end).abs()) * width
    }
}
