//! Why a classification error could not be measured. All of it is the caller's to fix.

use std::fmt;

use scumble_fault::{Blame, Fault};

/// Which of the two tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComparedTable {
    /// The original.
    Data,
    /// The masked one.
    Release,
}

impl fmt::Display for ComparedTable {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            ComparedTable::Data => "data",
            ComparedTable::Release => "release",
        })
    }
}

/// What is wrong with a comparison.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClassificationError {
    /// A column is not there.
    #[error("the {place} has no column `{column}`; classification needs it in the data and in the release")]
    NoColumn {
        /// Where it is missing.
        place: ComparedTable,
        /// Its name.
        column: String,
    },
    /// The first rows of the release are not those of the data.
    #[error("the rows of the release are not in the order of the data; split by a column or by folds")]
    OtherOrder,
    /// Nothing to learn from, or nothing to guess.
    #[error("the split leaves no row of the {place} to learn from, or none to test; give both parts rows with a class")]
    EmptyPart {
        /// In which table.
        place: ComparedTable,
    },
    /// Cross-validation by fewer than two folds.
    #[error("cross-validation takes at least 2 folds")]
    TooFewFolds,
    /// A test part that is nothing or everything.
    #[error("the share of rows to hold out is above 0 and below 1")]
    ShareOutOfRange,
    /// It should stop.
    #[error(transparent)]
    Interrupted(#[from] scumble_progress::Interrupted),
}

impl Blame for ClassificationError {
    fn fault(&self) -> Fault {
        match self {
            ClassificationError::NoColumn { .. }
            | ClassificationError::OtherOrder
            | ClassificationError::EmptyPart { .. }
            | ClassificationError::TooFewFolds
            | ClassificationError::ShareOutOfRange => Fault::Input,
            ClassificationError::Interrupted(error) => error.fault(),
        }
    }
}
