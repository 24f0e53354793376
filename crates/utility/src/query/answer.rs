//! [`QueryError`]: the answers of the release against those of the data.

use rayon::join;
use scumble_progress::{Interrupted, Work};
use scumble_table::Table;
use serde::Serialize;

use super::rows::Rows;
use super::{Query, Workload};
use crate::comparison::Comparison;
use crate::summary::{mean, quantile};

/// How far the answers of a release are from those of the data. The smaller each error, the better.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QueryError {
    /// Queries of the workload.
    pub queries: u64,
    /// Queries that some row of the data meets; the errors are theirs.
    pub answered: u64,
    /// Queries that no row of the data meets, of which no relative error is defined.
    pub without_rows: u64,
    /// The average of |estimate - answer| / answer. None without a query.
    pub average: Option<f64>,
    /// The smallest error that half of the queries do not exceed.
    pub median: Option<f64>,
    /// The smallest error that 95 % of the queries do not exceed.
    pub percentile_95: Option<f64>,
}

/// Answers a workload twice and tells the relative errors. A column that `original` lacks is not asked about there.
///
/// # Errors
/// [`Interrupted`] if it should stop.
pub fn query_error(
    workload: &Workload,
    comparison: &Comparison,
    original: &Table,
    work: Work,
) -> Result<QueryError, Interrupted> {
    let queries = &workload.queries;
    let (actual, estimated) = join(
        || actual_counts(queries, comparison, original, work),
        || estimated_counts(queries, comparison, work),
    );
    work.go_on()?;
    let answered = actual.iter().zip(&estimated).filter(|(actual, _)| **actual > 0.0);
    let mut errors: Vec<f64> = answered
        .map(|(actual, estimated)| (estimated - actual).abs() / actual)
        .collect();
    errors.sort_by(f64::total_cmp);
    Ok(QueryError {
        queries: queries.len() as u64,
        answered: errors.len() as u64,
        without_rows: (queries.len() - errors.len()) as u64,
        average: mean(&errors),
        median: quantile(&errors, 0.5),
        percentile_95: quantile(&errors, 0.95),
    })
}

/// How many rows of the data meet each query.
pub(super) fn actual_counts(queries: &[Query], comparison: &Comparison, original: &Table, work: Work) -> Vec<f64> {
    let mut rows = Rows::new(original.rows(), queries);
    for (place, read) in comparison.columns().iter().enumerate() {
        if let Some(id) = original.find(read.compared.name) {
            let column = original.column(id);
            rows.add(place, &read.scale, column.codes(), &read.values_of(column));
        }
    }
    rows.counts(work)
}

/// How many rows of the data the release makes one expect.
fn estimated_counts(queries: &[Query], comparison: &Comparison, work: Work) -> Vec<f64> {
    let mut rows = Rows::new(comparison.rows_after() as usize, queries);
    for (place, read) in comparison.columns().iter().enumerate() {
        rows.add(place, &read.scale, read.compared.after.codes(), &read.extents);
    }
    rows.counts(work)
}
