//! [`DisSuda`]: scores turned into chances of a correct match.
//!
//! An adversary who finds one row for somebody may still have the wrong person. How likely a single match is right can be
//! told for a whole file: remove a person from the sample and put another one back (*data intrusion simulation*). With `U`
//! rows alone, `P` rows in pairs and a sampling fraction π the chance is Uπ / (Uπ + P(1 − π)). The scores spread it over the
//! rows, so that the harmonic mean over rows alone stays what it is if each of them has an MSU.
//!
//! # Source
//! Skinner and Elliot: *A measure of disclosure risk for microdata*, Journal of the Royal Statistical Society B 64(4), 2002. The
//! exponent 1 + (8 − columns) / 20 is that of the SUDA2 library for Java, which cites Elliot: *Special Uniques Detection
//! Algorithm, user guide*, 2004. It falls with the columns; here never below 0, where a higher score would mean a lower chance.
//!
//! # What is lost
//! The exponent was found by trial. Chances of single rows are a ranking more than a measurement.

use scumble_table::{ColumnId, Table};
use serde::Serialize;

use super::quantile::{Quantile, quantiles};
use crate::sizes::GroupSizes;

/// The chances that a single match is right.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DisSuda {
    /// The share of the population that is in the table.
    pub sampling_fraction: f64,
    /// For the file as a whole: that a row which alone fits somebody is theirs. 0 if no row is alone.
    pub file: f64,
    /// The chances of the rows, 0 for one without MSU; empty if there are no rows.
    pub rows: Vec<Quantile>,
}

impl DisSuda {
    /// `None` for a sampling fraction that is none.
    pub(super) fn new(table: &Table, columns: &[ColumnId], scores: &[f64], sampling_fraction: f64) -> Option<Self> {
        if !(sampling_fraction > 0.0 && sampling_fraction <= 1.0) {
            return None;
        }
        let sizes = GroupSizes::of_table(table, columns);
        let (alone, in_pairs) = (sizes.groups_of(1) as f64, 2.0 * sizes.groups_of(2) as f64);
        let right = alone * sampling_fraction;
        let file = match alone > 0.0 {
            true => right / (right + in_pairs * (1.0 - sampling_fraction)),
            false => 0.0,
        };
        let exponent = (1.0 + (8.0 - columns.len() as f64) / 20.0).max(0.0);
        let against = |score: f64| score.powf(-exponent);
        let scored = || scores.iter().copied().filter(|&score| score > 0.0);
        let spread = (alone / file - alone) / scored().map(against).sum::<f64>();
        let chance = |&score: &f64| match score > 0.0 {
            true => 1.0 / (1.0 + spread * against(score)),
            false => 0.0,
        };
        Some(DisSuda {
            sampling_fraction,
            file,
            rows: quantiles(scores.iter().map(chance).collect()),
        })
    }
}
