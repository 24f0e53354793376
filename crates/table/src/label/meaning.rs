//! A [`Meaning`] is what a label stands for beside itself.

use crate::{Interval, NodeId, Taxonomy};

/// What a label stands for beside itself.
#[derive(Clone, Debug, PartialEq)]
pub enum Meaning<'a> {
    /// Nothing else.
    Itself,
    /// The members of a set, `None` for the missing value.
    Set(Vec<Option<&'a str>>),
    /// The values under a node of the column's taxonomy.
    Node(&'a Taxonomy, NodeId),
    /// The numbers of an interval. An end may be infinite, as that of `90+` is.
    Interval(Interval),
    /// The values of `length` characters that begin with `prefix`.
    Masked {
        /// What is shown.
        prefix: &'a str,
        /// How many characters the value has, those hidden by stars included.
        length: usize,
    },
    /// Whatever there is.
    Everything,
}

/// The text, or `None` for the missing value, which is written as an empty one.
pub(super) fn non_empty(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}
