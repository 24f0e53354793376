//! [`InputError`]: why data did not become the inputs of a release.

use scumble_bind::BindError;
use scumble_fault::{Blame, Fault};
use scumble_store::ReadError;

use crate::cover::Cover;

/// What to do about releases that do not cover each other.
const UNCOVERED: &str = "what is required of the join is about people who are in all releases: check that they are \
                         about the same people and name the columns to match in `join`, or go on with \
                         `on_dangling = \"report\"`";

/// What is wrong with data, or with earlier releases beside it.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// The data could not be read, or is not what the policy says.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// More rows than can be numbered.
    #[error("a table has {0} rows; at most {max} can be counted at once", max = u32::MAX)]
    TooManyRows(usize),
    /// The policy cannot be bound to its data.
    #[error(transparent)]
    Bind(BindError),
    /// Releases do not cover each other.
    #[error("{0}; {UNCOVERED}")]
    Dangling(Cover),
    /// Inputs would have to be read again.
    #[error(
        "this policy reads its data otherwise than the one that these inputs were read for: other columns, another file, \
         other earlier releases or populations; read the inputs again"
    )]
    OtherInputs,
}

impl Blame for InputError {
    fn fault(&self) -> Fault {
        match self {
            InputError::Read(error) => error.fault(),
            InputError::Bind(error) => error.fault(),
            InputError::TooManyRows(_) | InputError::Dangling(_) | InputError::OtherInputs => Fault::Input,
        }
    }
}
