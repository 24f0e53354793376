//! [`Microaggregation`]: groups of just `k` rows that lie close together, so that each can be shown as its centre.
//!
//! Two rows to a group, one column of numbers:
//!
//! | income | group | shown as its mean |
//! |---|---|---|
//! | 10 | 1 | 11 |
//! | 12 | 1 | 11 |
//! | 40 | 2 | 42 |
//! | 41 | 2 | 42 |
//! | 45 | 2 | 42 |
//!
//! How far two rows are apart is the root of the sum, over columns, of the square of:
//!
//! | column | distance |
//! |---|---|
//! | numbers | the difference, in standard deviations of the column; to the missing value, the length of the column |
//! | tree | the loss of the two as one, from 0 to 1 |
//! | values | 0 if equal, 1 if not |
//!
//! The centre of some rows has their mean number and their most frequent value (the first of several). Where most are
//! missing, a centre of numbers is missing, too.
//!
//! # Source
//! MDAV: Domingo-Ferrer and Torra, *Ordinal, continuous and heterogeneous k-anonymity through microaggregation*,
//! 2005. One column of numbers: Hansen and Mukherjee, *A polynomial algorithm for optimal univariate
//! microaggregation*, 2003. A group of MDAV grows beyond `k` rows, by the next nearest, until it keeps every
//! condition.
//!
//! # Cost
//! `O(n² / k)` for MDAV, `O(n (log n + k))` for one column of numbers.
//!
//! # What is lost
//! One column of numbers loses the least that is possible. MDAV has no such bound.

mod mdav;
mod points;
mod univariate;

use scumble_level::Conditions;
use scumble_table::ColumnId;

use crate::{Failure, Method, Problem, Scale};
use points::Points;

/// Gathers the nearest rows around the outermost ones. One column of numbers is gathered optimally, if conditions are
/// of size only and no number is missing.
#[derive(Clone, Copy, Debug)]
pub struct Microaggregation<'t> {
    /// The columns to be close on, and how their values are told apart.
    pub columns: &'t [(ColumnId, Scale<'t>)],
}

impl Method for Microaggregation<'_> {
    fn groups(&self, problem: &Problem, conditions: &Conditions) -> Result<Vec<Vec<u32>>, Failure> {
        let points = Points::new(problem.table, self.columns);
        match points.only_number() {
            Some(numbers) if conditions.are_of_size_only() => {
                let work = problem.work.phase("gathering numbers", 0.0..1.0);
                Ok(univariate::groups(&numbers, conditions.fewest_rows(), work)?)
            }
            _ => mdav::groups(&points, conditions, problem.work.phase("gathering rows", 0.0..1.0)),
        }
    }
}
