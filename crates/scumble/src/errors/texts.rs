//! [`TextError`]: what is wrong with the texts that a run begins with, or with what they ask of the data.

use std::io;
use std::path::{Path, PathBuf};

use miette::Diagnostic;
use scumble_fault::{Blame, Fault};
use scumble_policy::Problems;
use scumble_table::taxonomy::BuildError;

/// What is wrong with a policy, an agreement, a taxonomy, or another text that somebody wrote.
#[derive(Debug, thiserror::Error, Diagnostic)]
pub enum TextError {
    /// The policy, the agreement or a taxonomy is wrong, or does not fit the data.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Problems(#[from] Problems),
    /// The file could not be opened.
    #[error("{}: cannot be read: {reason}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: io::Error,
    },
    /// A taxonomy could not be built from a column.
    #[error("no taxonomy for column `{column}`: {reason}")]
    Build {
        /// The column.
        column: String,
        /// Why not.
        reason: BuildError,
    },
}

impl TextError {
    /// Says which file could not be opened.
    pub(crate) fn opening(path: &Path) -> impl FnOnce(io::Error) -> TextError {
        let path = path.to_owned();
        move |reason| TextError::Open { path, reason }
    }
}

impl Blame for TextError {
    fn fault(&self) -> Fault {
        match self {
            TextError::Problems(problems) => problems.fault(),
            TextError::Open { reason, .. } => Fault::of_opening(reason),
            TextError::Build { reason, .. } => reason.fault(),
        }
    }
}
