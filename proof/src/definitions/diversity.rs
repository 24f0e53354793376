//! Diversity: how well sensitive values are spread in a group.

use super::groups::{Groups, tally};
use super::sight::Sight;
use crate::policy::Spread;
use crate::table::Cell;

pub(super) fn levels(sight: &Sight, groups: &Groups, spread: Spread, about: &str) -> Option<Vec<f64>> {
    let column = sight.find(about)?;
    let level = |rows: &Vec<usize>| level(&sight.cells(column, rows), spread);
    Some(groups.values().map(level).collect())
}

/// The level of one group, which has a row.
pub(super) fn level(cells: &[Cell], spread: Spread) -> f64 {
    let mut counts: Vec<usize> = tally(cells).into_values().collect();
    counts.sort_unstable_by(|a, b| b.cmp(a));
    match spread {
        Spread::Distinct(_) => counts.len() as f64,
        Spread::Entropy(_) => {
            let share = |&count: &usize| count as f64 / cells.len() as f64;
            let entropy: f64 = counts.iter().map(|count| -share(count) * share(count).ln()).sum();
            entropy.exp()
        }
        Spread::Recursive { hundredths, .. } => recursive(&counts, hundredths) as f64,
    }
}

/// The largest l such that the most frequent value is less frequent than c times the l-th and all rarer ones together.
/// In whole numbers: 100·f₁ < (100·c)·(f_l + …).
fn recursive(counts: &[usize], hundredths: u64) -> usize {
    let holds = |l: &usize| {
        let rarer: usize = counts[l - 1..].iter().sum();
        100 * (counts[0] as u64) < hundredths * rarer as u64
    };
    (1..=counts.len()).rev().find(holds).unwrap_or(0)
}
