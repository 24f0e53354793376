//! `trace.json`: the steps of the search. Private, because it names values.

use serde::{Deserialize, Serialize};

/// The whole file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TraceFile {
    /// The level of each template before the first step, when every column was at its most masked.
    pub start: Vec<u64>,
    /// The refinements, in order.
    pub steps: Vec<TraceStep>,
}

/// One refinement. A missing value is `null`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TraceStep {
    /// The column refined.
    pub column: String,
    /// The masked value refined, or the suppressed value disclosed.
    pub value: Option<String>,
    /// What is shown instead.
    pub into: Vec<Option<String>>,
    /// What the objective gained.
    pub gain: f64,
    /// What the templates lost on average.
    pub loss: f64,
    /// Both in one figure.
    pub score: f64,
    /// The level of each template after the step.
    pub levels: Vec<u64>,
    /// Rows left out after the step.
    pub rows_left_out: u64,
}
