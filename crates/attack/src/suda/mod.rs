//! [`Suda`]: who stands out by how few columns.
//!
//! A row that is alone on two columns is at more risk than one that is alone only on ten: fewer things need be known of the
//! person. A *minimal sample unique* (MSU) of a row is a set of columns on which it is alone, while on no smaller part of
//! the set it is.
//!
//! | job | sex | age | MSUs | score |
//! |---|---|---|---|---|
//! | Lawyer | F | 40 | job | 2 |
//! | Clerk | M | 52 | sex; age | 4 |
//! | Clerk | F | 40 | job + sex; job + age | 2 |
//!
//! The third row is alone on job + sex + age too, but that is not minimal. An MSU of size `k` of `ATT` columns, where sizes up
//! to `M` are looked for, scores (ATT − k)(ATT − k − 1) … (ATT − M + 1): in how many ways it can be made larger, column by
//! column, up to size `M`. The score of a row is the sum over its MSUs. Only figures over all rows leave: no row, no cell.
//!
//! # Source
//! The score is that of Elliot, Manning and Ford: *A computational algorithm for handling the special uniques problem*,
//! International Journal of Uncertainty, Fuzziness and Knowledge-Based Systems 10(5), 2002. The search is our own.
//!
//! # Cost
//! Every set of up to `M` columns once, with the rows that are not yet alone on its beginning: at most [`suda_cost`] steps.
//! Memory is one bit for each row and set of `M − 1` columns.

mod company;
mod dis;
mod quantile;
mod search;

use scumble_progress::{Interrupted, Work};
use scumble_table::{ColumnId, Table};
use serde::Serialize;

pub use dis::DisSuda;
pub use quantile::Quantile;
use quantile::quantiles;
use search::{Level, minimal_uniques};

/// Sets of up to this many columns are looked at, unless told otherwise: more is seldom known of a person, and each
/// further column takes several times as long.
pub const MSU_AT_MOST: usize = 3;

/// Who stands out by how few columns. It holds figures over all rows and column names.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Suda {
    /// Rows of the table.
    pub rows: u64,
    /// The size up to which MSUs were looked for.
    pub at_most: usize,
    /// MSUs of all rows together.
    pub msus: u64,
    /// Rows that have any.
    pub rows_with_msu: u64,
    /// For each size, the rows whose smallest MSU has it.
    pub smallest: Vec<SmallestMsu>,
    /// The scores of the rows, 0 for one without MSU; empty if there are no rows.
    pub scores: Vec<Quantile>,
    /// What each column has to do with it.
    pub columns: Vec<Contribution>,
    /// The scores as chances of a correct match, if the sampling fraction was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dis: Option<DisSuda>,
}

/// Rows whose smallest MSU has a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SmallestMsu {
    /// How many columns suffice.
    pub size: usize,
    /// How many rows they suffice for.
    pub rows: u64,
}

/// What a column has to do with rows standing out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Contribution {
    /// Its name.
    pub column: String,
    /// The MSUs that hold it.
    pub msus: u64,
    /// Their share of all MSUs; 0 if there are none.
    pub share: f64,
    /// Their share of the scores of all rows; 0 if there are none.
    pub share_of_score: f64,
}

/// How many steps [`suda`] takes at most: rows times sets of columns. A caller may find it too many.
pub fn suda_cost(rows: usize, columns: usize, at_most: usize) -> u64 {
    let mut sets_of_size = 1u128;
    let mut sets = 0u128;
    for size in 1..=at_most.min(columns) {
        // A set of this size is one of the size before and one of the other columns, and is counted once for each of its
        // columns.
        sets_of_size = sets_of_size.saturating_mul((columns - size + 1) as u128) / size as u128;
        sets = sets.saturating_add(sets_of_size);
    }
    u64::try_from(sets.saturating_mul(rows as u128)).unwrap_or(u64::MAX)
}

/// Finds the MSUs of up to `at_most` of the columns, of tables with fewer than 2³² rows. A missing value is a value of its
/// own.
///
/// With the share of the population that is in the table, above 0 and at most 1, scores are also given as chances of a
/// correct match.
///
/// # Errors
/// [`Interrupted`] if it should stop.
pub fn suda(
    table: &Table,
    columns: &[ColumnId],
    at_most: usize,
    sampling_fraction: Option<f64>,
    work: Work,
) -> Result<Suda, Interrupted> {
    let at_most = at_most.min(columns.len());
    let levels = minimal_uniques(table, columns, at_most, work);
    work.go_on()?;
    let weight = |size: usize| (size..at_most).map(|i| (columns.len() - i) as f64).product::<f64>();
    let scores = scores_of_rows(table.rows(), &levels, weight);
    let names = columns.iter().map(|&id| &table.column(id).name[..]);
    Ok(Suda {
        rows: table.rows() as u64,
        at_most,
        msus: levels.iter().map(Level::msus).sum(),
        rows_with_msu: scores.iter().filter(|&&score| score > 0.0).count() as u64,
        smallest: smallest(table.rows(), &levels),
        columns: contributions(names, &levels, weight),
        dis: sampling_fraction.and_then(|fraction| DisSuda::new(table, columns, &scores, fraction)),
        scores: quantiles(scores),
    })
}

/// The score of each row, given what an MSU of each size scores.
fn scores_of_rows(rows: usize, levels: &[Level], weight: impl Fn(usize) -> f64) -> Vec<f64> {
    let mut scores = vec![0.0; rows];
    for level in levels {
        let weight = weight(level.size);
        for (score, &msus) in scores.iter_mut().zip(&level.of_row) {
            *score += weight * f64::from(msus);
        }
    }
    scores
}

fn smallest(rows: usize, levels: &[Level]) -> Vec<SmallestMsu> {
    let mut found = vec![false; rows];
    let of_level = levels.iter().map(|level| {
        let mut new = 0;
        for (found, &msus) in found.iter_mut().zip(&level.of_row) {
            new += u64::from(msus > 0 && !*found);
            *found |= msus > 0;
        }
        SmallestMsu {
            size: level.size,
            rows: new,
        }
    });
    of_level.collect()
}

fn contributions<'n>(
    names: impl Iterator<Item = &'n str>,
    levels: &[Level],
    weight: impl Fn(usize) -> f64,
) -> Vec<Contribution> {
    let sets: Vec<(&[usize], u64)> = levels
        .iter()
        .flat_map(|level| level.of_set.iter().map(|(set, msus)| (&set[..], *msus)))
        .collect();
    let score = |&(set, msus): &(&[usize], u64)| weight(set.len()) * msus as f64;
    let all: u64 = sets.iter().map(|(_, msus)| msus).sum();
    let all_scores: f64 = sets.iter().map(score).sum();
    let share = |part: f64, whole: f64| if all == 0 { 0.0 } else { part / whole };
    let contribution = |(place, name): (usize, &str)| {
        let holding = sets.iter().filter(|(set, _)| set.contains(&place));
        let msus = holding.clone().map(|(_, msus)| msus).sum();
        Contribution {
            column: name.to_owned(),
            msus,
            share: share(msus as f64, all as f64),
            share_of_score: share(holding.map(score).sum(), all_scores),
        }
    };
    names.enumerate().map(contribution).collect()
}
