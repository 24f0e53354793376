//! [`EvaluateError`]: why a release was not measured.

use std::fmt;
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
    /// One of several tables has nothing to ask about.
    #[error("no query error: the table has no quasi column to ask about")]
    NoQuasi,
    /// Queries ask about a secret that no table has.
    #[error(
        "no query error: no table has a column {}; of several tables it is named with its table, as in courses.grade",
        quoted(.0)
    )]
    NoSecret(String),
    /// What has a meaning for one table only was asked of several.
    #[error("{0}")]
    OfOneTable(OneTableOnly),
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
            | EvaluateError::NoQuasi
            | EvaluateError::NoSecret(_)
            | EvaluateError::OfOneTable(_) => Fault::Input,
        }
    }
}

/// What can be asked of the measures of one table, and not of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OneTableOnly {
    /// Queries from a file.
    Queries,
    /// To split rows by a column, or by their order.
    Split,
    /// To say what cells are.
    Cells,
    /// To count uniques.
    Uniques,
}

impl fmt::Display for OneTableOnly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            OneTableOnly::Queries => {
                "a file of queries is about the columns of one table; of several, queries are drawn for each"
            }
            OneTableOnly::Split => {
                "rows of several tables are split by chance, a third or in folds, and not by a column or by their order, which \
                 the release does not keep"
            }
            OneTableOnly::Cells => {
                "what the cells of several tables are, their policy says; --cells goes with one table"
            }
            OneTableOnly::Uniques => {
                "population uniques and special uniques are counted in one table, and a person is rows of several"
            }
        })
    }
}
