//! A [`SensitiveRange`] is what a policy says of the ranges of a column, beside what the values of the column may be.

use std::sync::Arc;

use crate::{Interval, Range, Taxonomy};

/// What a policy says of the ranges of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum SensitiveRange {
    /// Numbers by classes of one width `w`: `[i·w, (i+1)·w)`.
    Width(f64),
    /// Numbers by the first of these intervals that holds them; one that none holds, by itself.
    Intervals(Vec<Interval>),
    /// Values by their ancestor so many steps above the leaf, or the root. Without a tree the first step is the root.
    Level(u32),
    /// Pairs of a value and its range, a node or an interval; a value that is not listed, by itself.
    Table(Vec<(String, String)>),
}

/// What the values of a sensitive column may be.
#[derive(Clone, Debug, PartialEq)]
pub enum SensitiveDomain {
    /// The numbers of a range; without one, those from the smallest to the largest that there is.
    Numbers(Option<Range>),
    /// The leaves of a taxonomy.
    Leaves(Arc<Taxonomy>),
    /// The different values that there are.
    Values,
}

/// Why sensitive ranges do not fit a column. The words shown are those of the policy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SensitiveRangeError {
    /// Widths or intervals of words.
    #[error("ranges by width or interval need a continuous column; give a level, or a range for each value")]
    NotContinuous,
    /// Levels of numbers.
    #[error("ranges by level need a column of words; give a width or intervals")]
    Continuous,
    /// A width that parts nothing.
    #[error("the width of a range must be a number above 0")]
    Width,
    /// A value that the column cannot have.
    #[error("`{0}` is no single value of the column")]
    UnknownValue(String),
    /// A range that is nothing of the domain.
    #[error("`{0}` is no range of the column: name a node of its taxonomy or an interval")]
    UnknownRange(String),
    /// A range without its value.
    #[error("the range `{range}` does not hold its value `{value}`")]
    Outside {
        /// The value.
        value: String,
        /// The range.
        range: String,
    },
}
