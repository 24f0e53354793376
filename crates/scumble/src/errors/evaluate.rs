//! [`EvaluateError`]: why a release was not measured.

use std::path::PathBuf;

use scumble_fault::{Blame, Fault};
use scumble_policy::quoted;
use scumble_utility::classify::ClassificationError;
use scumble_utility::{GenerateError, WorkloadError};

/// What was asked to be measured, and does not fit.
#[derive(Debug, thiserror::Error)]
pub enum EvaluateError {
    /// Cells are declared of a column that is not there.
    #[error("the release has no column {}", quoted(.0))]
    NoColumn(String),
    /// A column with ranges of secrets is not there.
    #[error("no range diversity: the release has no column {}", quoted(.0))]
    NoRanges(String),
    /// Queries cannot be drawn.
    #[error("no query error: {0}")]
    NoQueries(GenerateError),
    /// Queries cannot be read.
    #[error("no query error: {}: {reason}", path.display())]
    Workload {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: WorkloadError,
    },
    /// Nothing can be learnt, or nothing guessed.
    #[error("no classification error: {0}")]
    NoClassification(ClassificationError),
    /// The data was let go of.
    #[error("the data was not kept to compare the release with")]
    DataNotKept,
    /// Several tables have no such measures.
    #[error("several tables are measured by what their columns lost, which the certificate has, and by nothing else")]
    SeveralTables,
}

impl Blame for EvaluateError {
    fn fault(&self) -> Fault {
        match self {
            EvaluateError::NoQueries(error) => error.fault(),
            EvaluateError::Workload { reason, .. } => reason.fault(),
            EvaluateError::NoClassification(error) => error.fault(),
            EvaluateError::NoColumn(_)
            | EvaluateError::NoRanges(_)
            | EvaluateError::DataNotKept
            | EvaluateError::SeveralTables => Fault::Input,
        }
    }
}
