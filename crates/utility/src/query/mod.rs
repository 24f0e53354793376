//! COUNT queries: how far the answers that a release gives are from the true ones.
//!
//! A [`Query`] asks for the number of rows that meet some predicates, all of them. The data gives the answer; the
//! release gives an estimate, in which everything that a label may stand for is equally likely and columns do not
//! depend on each other within a row.
//!
//! | age | job | | released age | job | `age in [30, 35) and job = Lawyer` |
//! |---|---|---|---|---|---|
//! | 31 | Lawyer | | [30, 40) | Professional | the data says 1 |
//! | 38 | Engineer | | [30, 40) | Professional | the release 2 · (5/10 · 1/2) = 1/2 |
//! | 52 | Janitor | | 52 | Janitor | + 0: relative error 1/2 |
//!
//! A predicate is written as a label, and read as one: a value, a node, an interval or a set.
//!
//! # Source
//! Loukides, 4.5.2 and 6.3.

mod answer;
mod generate;
mod parse;
mod rows;

use crate::extent::Extent;

pub use answer::{QueryError, query_error};
pub use generate::{GenerateError, Generated};
pub use parse::{WorkloadError, WorkloadProblem};

/// Queries to be answered by the data and by a release.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Workload {
    queries: Vec<Query>,
}

/// A count of the rows that meet all of its predicates.
///
/// Invariant: it has at least one predicate, and no two about one column.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// Ascending by column.
    predicates: Vec<Predicate>,
}

/// What a cell must be.
#[derive(Clone, Debug, PartialEq)]
struct Predicate {
    /// The place of the column in the comparison.
    column: usize,
    /// The numbers or values that are asked for.
    asked: Extent,
}

impl Workload {
    /// How many queries there are.
    pub fn len(&self) -> usize {
        self.queries.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.queries.is_empty()
    }
}
