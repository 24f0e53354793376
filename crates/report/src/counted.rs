//! Rows or persons, counted.

use serde::{Deserialize, Serialize};

/// Rows published and left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counted {
    /// Rows in the release.
    pub published: u64,
    /// Rows left out within the row budget.
    pub left_out: u64,
    /// Rows dropped because a value was missing (`missing = "drop"`).
    pub dropped: u64,
}
