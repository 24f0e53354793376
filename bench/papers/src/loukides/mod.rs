//! Chapters 4 and 6 of Loukides 2008: TOC and UPC beside the methods that they were compared with.
//!
//! Each function is one experiment, of a figure or table or of several that come from the same releases. `people` has
//! the tables, `recoding` the methods, `release` what is measured. Releases are made and measured in memory: what is
//! compared are groups, not files.
//!
//! Most of the thesis' results are curves without numbers. What it says of them in words is here a claim about a ratio
//! or a difference of two of our figures.

mod bounds;
mod heuristics;
mod measures;
mod people;
mod policies;
mod protection;
mod queries;
mod recoding;
mod release;
mod runtime;
mod synthetic;
mod trade_off;
mod weights;
mod with_guarantees;

pub use bounds::bounds_varied;
pub use heuristics::{subspace_heuristic, threshold_heuristic};
pub use measures::measures_by_k;
pub use policies::range_policies;
pub use protection::protection_constrained;
pub use queries::query_answering;
pub use runtime::{runtime_by_rows, runtime_by_subspace};
pub use synthetic::synthetic_benchmarks;
pub use trade_off::{trade_off_by_k, trade_off_by_weight};
pub use weights::weights_varied;
pub use with_guarantees::trade_off_or_guarantees;

use crate::sheet::row;

/// How often a series goes up.
fn rises(series: &[f64]) -> f64 {
    series.windows(2).filter(|pair| pair[1] > pair[0] + 1e-9).count() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn staying_equal_is_no_rise() {
        assert_eq!(rises(&[0.3, 0.3, 0.2, 0.4]), 1.0);
        assert_eq!(rises(&[0.3]), 0.0);
    }
}
