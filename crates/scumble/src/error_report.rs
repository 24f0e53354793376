//! [`ErrorReport`]: the one way in which errors are told: message, whose fault, exit code, JSON, excerpt of the policy.
//!
//! The command line prints it; an exception or a page shows the same parts. An edge has errors of its own, too (flags that do not
//! go together), which are told alike.

use miette::Diagnostic;
use scumble_fault::{Blame, Fault};
use scumble_policy::Problem;
use serde::Serialize;
use serde_json::Value;

use crate::error::Error;

/// An error as it is shown.
#[derive(Clone, Debug, Serialize)]
pub struct ErrorReport<'e> {
    /// Whose it is to fix.
    pub fault: Fault,
    /// What is wrong, where, and what to change: one line per problem.
    pub message: String,
    /// The single problems with their places, where the error is a list of them.
    pub problems: &'e [Problem],
    /// What points at the places in the policy, if the error has any.
    #[serde(skip)]
    pub excerpt: Option<&'e dyn Diagnostic>,
}

impl<'e> From<&'e Error> for ErrorReport<'e> {
    fn from(error: &'e Error) -> Self {
        let has_labels = error.labels().is_some_and(|mut labels| labels.next().is_some());
        ErrorReport {
            problems: error.problems(),
            excerpt: has_labels.then_some(error as &dyn Diagnostic),
            ..ErrorReport::of_edge(error)
        }
    }
}

impl ErrorReport<'_> {
    /// An error of an edge itself.
    pub fn of_edge(error: &impl Blame) -> Self {
        ErrorReport {
            fault: error.fault(),
            message: error.to_string(),
            problems: &[],
            excerpt: None,
        }
    }

    /// What a program ends with that has nothing else to say.
    pub fn exit_code(&self) -> u8 {
        self.fault.exit_code()
    }

    /// The error for programs: `{"error": {"fault", "message", "problems": [{"file", "line", "key", "message", "help"}]}}`.
    pub fn to_json(&self) -> Value {
        serde_json::to_value(Answer { error: self }).expect("our own types are plain JSON")
    }
}

/// What a program gets instead of the answer that it asked for.
#[derive(Serialize)]
struct Answer<'r> {
    error: &'r ErrorReport<'r>,
}
