//! A [`Split`] is what both parties know of a refinement.

use std::ops::Range;

use crate::secure::SecureError;

/// A circuit that has so many ANDs takes no further group. Memory follows the size of a circuit: this many ANDs take a
/// party about 120 MB.
const ANDS_PER_CIRCUIT: usize = 100_000;

/// More children than this are refused.
const CHILDREN_AT_MOST: u32 = 1 << 16;

/// What both parties know of a refinement: the groups that it splits, and into how many children at most.
#[derive(Clone, Debug)]
pub struct Split {
    /// Where the rows of each group begin, and at last where they end.
    bounds: Vec<usize>,
    pub(super) children: usize,
    pub(super) ands_per_circuit: usize,
}

impl Split {
    /// Groups of these sizes, each split into at most so many children.
    pub fn new(group_sizes: &[u32], children: u32) -> Result<Self, SecureError> {
        if group_sizes.is_empty() || group_sizes.contains(&0) {
            return Err(SecureError::Split("must have groups, and each must have rows"));
        }
        if !(1..=CHILDREN_AT_MOST).contains(&children) {
            return Err(SecureError::Split("must have 1 to 2^16 children"));
        }
        let mut bounds = vec![0];
        let mut rows = 0;
        for &size in group_sizes {
            rows += size as usize;
            bounds.push(rows);
        }
        Ok(Self {
            bounds,
            children: children as usize,
            ands_per_circuit: ANDS_PER_CIRCUIT,
        })
    }

    /// The same split, checked by circuits that take no further group once they have so many ANDs. Both parties must
    /// set the same.
    pub fn with_ands_per_circuit(mut self, ands: usize) -> Self {
        self.ands_per_circuit = ands;
        self
    }

    /// How many children there are at most.
    #[cfg(test)]
    pub(crate) fn children(&self) -> usize {
        self.children
    }

    pub(super) fn rows(&self) -> usize {
        self.bounds[self.groups()]
    }

    /// How many groups it splits.
    pub(crate) fn groups(&self) -> usize {
        self.bounds.len() - 1
    }

    /// The rows of a group.
    pub(crate) fn rows_of(&self, group: usize) -> Range<usize> {
        self.bounds[group]..self.bounds[group + 1]
    }

    pub(super) fn check_children(&self, children: &[u16]) -> Result<(), SecureError> {
        if children.len() != self.rows() {
            return Err(SecureError::Inputs("must name one child for every row"));
        }
        if children.iter().any(|&child| usize::from(child) >= self.children) {
            return Err(SecureError::Inputs("must name children below their number"));
        }
        Ok(())
    }
}
