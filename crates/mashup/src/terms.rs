//! [`Terms`]: what only those who know the agreement can say of what others tell.
//!
//! The protocol knows columns by number and values by text. Whether a text can be a value of a column, and a mask one that
//! the agreed operation makes, is asked here, of whoever runs it, before anything of our own is told because of it.

use crate::cells::{Coded, MaskedColumn};

/// What an agreement says of columns.
pub trait Terms {
    /// How many refinements lead from the most masked column to this one, which someone else holds, by its place among the
    /// quasi columns. `None` if none do: the mask is not of its kind, the labels are not those that the mask shows, or the
    /// penalty is not theirs.
    fn refinements(&self, column: usize, told: &MaskedColumn) -> Option<usize>;

    /// Whether a column that is published as it is, by its place in the joined table, can have such cells.
    fn can_hold(&self, column: usize, cells: &Coded) -> bool;
}
