//! A [`Republication`] is two versions of a release, and how each column is masked in both.

use std::sync::Arc;

use scumble_table::{Table, Taxonomy};

/// Two versions of a release.
#[derive(Clone, Copy, Debug)]
pub struct Republication<'a> {
    /// What was published, as labels.
    pub old: &'a Table,
    /// What is to be published, as labels. Columns are matched by name.
    pub new: &'a Table,
    /// For each column of the new version, how it was masked beside the old one.
    pub masking: &'a [Masking],
}

/// How a column is masked in two versions.
#[derive(Clone, Debug)]
pub enum Masking {
    /// Every value is shown in the same way in all rows of both.
    Alike,
    /// A value may be shown in different ways.
    Differs {
        /// The tree that the labels of both are read with.
        taxonomy: Option<Arc<Taxonomy>>,
        /// Whether the old version recodes the column as a whole, so that no value which it shows is behind its `*`.
        old_recoded: bool,
        /// Whether the new version does.
        new_recoded: bool,
    },
    /// What a version shows does not say which values are behind it, as the mean of a group does not.
    Untold,
}
