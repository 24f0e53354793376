//! Confidence: the largest share of a group that has a secret.

use super::groups::{Groups, tally};
use super::sight::Sight;
use crate::policy::{About, Kind, Secrets};
use crate::table::Cell;

pub(super) fn levels(sight: &Sight, groups: &Groups, about: &[About]) -> Option<Vec<f64>> {
    let level = |rows: &Vec<usize>| {
        let of_column = |about: &About| {
            let cells = sight.cells(sight.find(&about.column)?, rows);
            let kind = &sight.column(&about.column)?.kind;
            Some(largest_share(&cells, kind, &about.secrets))
        };
        let shares = about.iter().map(of_column).collect::<Option<Vec<f64>>>()?;
        Some(shares.into_iter().fold(0.0, f64::max))
    };
    groups.values().map(level).collect()
}

/// The largest share of one secret among these cells, of which there is at least one.
pub(super) fn largest_share(cells: &[Cell], kind: &Kind, secrets: &Secrets) -> f64 {
    let largest = match secrets {
        Secrets::Every => tally(cells).into_values().max().unwrap_or(0),
        Secrets::Listed(listed) => largest_of(cells, kind, listed.iter()),
        Secrets::Bounds(bounds) => largest_of(cells, kind, bounds.iter().map(|(value, _)| value)),
    };
    largest as f64 / cells.len() as f64
}

fn largest_of<'v>(cells: &[Cell], kind: &Kind, listed: impl Iterator<Item = &'v String>) -> usize {
    let rows = |secret: &String| {
        cells
            .iter()
            .flatten()
            .filter(|value| is_under(kind, value, secret))
            .count()
    };
    listed.map(rows).max().unwrap_or(0)
}

/// Whether a value is a secret, or a leaf under it.
pub(super) fn is_under(kind: &Kind, value: &str, secret: &str) -> bool {
    match kind {
        Kind::Tree(tree) => match (tree.find(secret), tree.find(value)) {
            (Some(node), Some(leaf)) => tree.is_above(node, leaf),
            _ => false,
        },
        Kind::Plain | Kind::Numbers(_) => value == secret,
    }
}
