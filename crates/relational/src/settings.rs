//! The [`Settings`] of a clustering, once they have been checked.

use scumble_fault::{Blame, Fault};
use thiserror::Error;

use crate::cost::Threshold;

/// What persons are compared by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Their trees. Rows are paired by what they lose together with everything below them.
    Miracle,
    /// Their trees. Rows are paired by what they lose themselves: faster, and nearly as good where what is below is like
    /// what is above.
    MiracleX,
    /// One flat row for each, with a bit for every value: no value is generalized. For comparison.
    Bitmap,
}

/// So many persons make the clusters that are open between two blocks a small part of all.
pub(crate) const BLOCK: usize = 16_384;

/// The settings of algorithm 2.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    pub(crate) k: usize,
    pub(crate) threshold: Threshold,
    pub(crate) climit: usize,
    pub(crate) method: Method,
    /// How many persons are gathered in one go; others at the same time.
    pub(crate) block: usize,
}

/// A setting that makes no sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SettingError {
    /// k is 0.
    #[error("k is 0; a cluster needs at least one person")]
    NoMembers,
    /// The threshold is no share.
    #[error("the threshold is not from 0 to 1; it is a share of what can be lost")]
    Threshold,
}

impl Blame for SettingError {
    fn fault(&self) -> Fault {
        match self {
            SettingError::NoMembers | SettingError::Threshold => Fault::Input,
        }
    }
}
