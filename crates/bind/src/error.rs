//! What keeps a policy from its data.

use scumble_fault::{Blame, Fault};
use scumble_policy::Problems;

/// Why a policy cannot be bound to its data.
#[derive(Debug, thiserror::Error)]
pub enum BindError {
    /// It does not fit.
    #[error(transparent)]
    Problems(#[from] Problems),
    /// More matches of releases than can be counted.
    #[error(
        "{0} earlier releases may have more matches with this table than can be counted (2^128); name fewer of them"
    )]
    TooManyMatches(usize),
}

impl Blame for BindError {
    fn fault(&self) -> Fault {
        match self {
            BindError::Problems(problems) => problems.fault(),
            BindError::TooManyMatches(_) => Fault::Input,
        }
    }
}
