//! `trace.json`: the steps of the search, and why it ended. Private, because it names values.

use serde::{Deserialize, Serialize};

use crate::Level;

/// The whole file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TraceFile {
    /// The level of each template before the first step, when every column was at its most masked.
    pub start: Vec<Level>,
    /// The information loss before the first step.
    pub start_information_loss: f64,
    /// The refinements, in order.
    pub steps: Vec<TraceStep>,
    /// Why each quasi column is not refined further.
    #[serde(default)]
    pub stops: Vec<TraceStop>,
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
    pub levels: Vec<Level>,
    /// The average certainty penalty of the quasi cells after the step.
    pub information_loss: f64,
    /// Rows left out after the step.
    pub rows_left_out: u64,
}

/// Why a column is not refined further.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TraceStop {
    /// The column.
    pub column: String,
    /// Why.
    #[serde(flatten)]
    pub why: TraceWhy,
}

/// Why a column is not refined further. A missing value is `null`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "kebab-case")]
pub enum TraceWhy {
    /// Every value is shown as it is.
    Complete,
    /// Finer values would bring nothing.
    NothingToGain,
    /// The search was told to stop.
    StepsSpent,
    /// The next refinement would break templates.
    Blocked {
        /// The masked value to be refined, or the suppressed value to be disclosed.
        value: Option<String>,
        /// What would be shown instead.
        into: Vec<Option<String>>,
        /// The templates that it would break.
        by: Vec<TraceBlock>,
        /// Rows that it would leave out in all, if there is a row budget.
        rows_left_out: u64,
    },
}

/// A template that a refinement would break.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TraceBlock {
    /// Its place among the templates, from 0.
    pub template: usize,
    /// What its level would be.
    pub level: Level,
}
