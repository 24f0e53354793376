//! Why the search stopped, column by column.
//!
//! Invariant: no value is named. The next value of a suppressed column would be one that the release hides, so only
//! columns, templates and bounds are told; the private trace has the rest.

use std::fmt;

use scumble_refine::Why;
use scumble_report::{Level, TraceBlock, TraceStop, TraceWhy};
use serde::Serialize;

use scumble_bind::{Plan, nearest_bound};

/// Why a quasi column is not refined further.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Stop {
    /// The column.
    pub column: String,
    /// Why.
    #[serde(flatten)]
    pub why: StopReason,
}

/// Why a column is not refined further.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "why", rename_all = "kebab-case")]
pub enum StopReason {
    /// Every value is shown as it is.
    Complete,
    /// Finer values would bring nothing.
    NothingToGain,
    /// The search was told to stop.
    StepsSpent,
    /// The next refinement would break templates.
    Blocked {
        /// Which.
        by: Vec<BlockingTemplate>,
        /// Rows that it would leave out in all, if there is a row budget.
        rows_left_out: u64,
    },
}

/// A template that the next refinement would break.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BlockingTemplate {
    /// The template in words.
    pub template: String,
    /// What its level would be.
    pub level: Level,
    /// The bounds that would let the refinement pass: `at most 3`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<String>,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.column)?;
        match &self.why {
            StopReason::Complete => f.write_str("shown in full"),
            StopReason::NothingToGain => f.write_str("a finer value would tell no classes apart"),
            StopReason::StepsSpent => f.write_str("stopped where it was told to"),
            StopReason::Blocked { by, rows_left_out } => {
                match &by[..] {
                    [] => write!(
                        f,
                        "next refinement would leave out {rows_left_out} rows, more than may be"
                    )?,
                    [alone] => write!(f, "next refinement blocked by {alone}")?,
                    several => {
                        write!(f, "next refinement blocked by")?;
                        several.iter().try_for_each(|template| write!(f, "\n    {template}"))?;
                    }
                }
                match (by.is_empty(), rows_left_out) {
                    (true, _) | (_, 0) => Ok(()),
                    (false, rows) => write!(f, "; or it would leave out {rows} rows"),
                }
            }
        }
    }
}

impl fmt::Display for BlockingTemplate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.bound {
            Some(bound) => write!(f, "{}; a bound of {bound} would let it", self.template),
            None => write!(f, "{}; no bound would let it", self.template),
        }
    }
}

impl Stop {
    /// What the owner is told, of all columns.
    pub(crate) fn all(plan: &Plan, stops: &[scumble_refine::Stop]) -> Vec<Stop> {
        // Once: a template names its columns, and there may be as many stops as columns.
        let templates = plan.requirement.templates.iter();
        let described: Vec<String> = templates.map(|template| plan.describe(template)).collect();
        stops.iter().map(|stop| Stop::new(plan, &described, stop)).collect()
    }

    fn new(plan: &Plan, described: &[String], stop: &scumble_refine::Stop) -> Stop {
        let why = match &stop.why {
            Why::Complete => StopReason::Complete,
            Why::NothingToGain => StopReason::NothingToGain,
            Why::StepsSpent => StopReason::StepsSpent,
            Why::Blocked { by, leaves_out, .. } => {
                let by = by.iter().map(|block| {
                    let template = &plan.requirement.templates[block.template];
                    BlockingTemplate {
                        template: described[block.template].clone(),
                        level: Level::of(template, block.level),
                        bound: nearest_bound(template, block.level),
                    }
                });
                StopReason::Blocked {
                    by: by.collect(),
                    rows_left_out: *leaves_out,
                }
            }
        };
        let column = plan.quasi_name(stop.column).to_owned();
        Stop { column, why }
    }
}

/// What the private trace says.
pub(crate) fn traced(plan: &Plan, stop: &scumble_refine::Stop) -> TraceStop {
    let column = plan.quasi_name(stop.column).to_owned();
    let why = match &stop.why {
        Why::Complete => TraceWhy::Complete,
        Why::NothingToGain => TraceWhy::NothingToGain,
        Why::StepsSpent => TraceWhy::StepsSpent,
        Why::Blocked {
            value,
            into,
            by,
            leaves_out,
        } => TraceWhy::Blocked {
            value: value.clone(),
            into: into.clone(),
            by: by
                .iter()
                .map(|block| TraceBlock {
                    template: block.template,
                    level: Level::of(&plan.requirement.templates[block.template], block.level),
                })
                .collect(),
            rows_left_out: *leaves_out,
        },
    };
    TraceStop { column, why }
}
