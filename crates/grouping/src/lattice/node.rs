//! A [`Node`] of the lattice: one level per quasi column.
//!
//! Nodes are partly ordered: a node is *within* another if no column is coarser in it. Every group of the other is then
//! a union of its groups.

use crate::Ladder;

/// The level of each quasi column, in their order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Node(Box<[usize]>);

impl Node {
    /// Every column at its finest.
    pub fn bottom(ladders: &[Ladder]) -> Node {
        Node(vec![0; ladders.len()].into())
    }

    /// Every column at its coarsest.
    pub fn top(ladders: &[Ladder]) -> Node {
        Node(ladders.iter().map(|ladder| ladder.masks().len() - 1).collect())
    }

    /// The level of a column.
    pub fn level(&self, column: usize) -> usize {
        self.0[column]
    }

    /// The levels, column by column.
    pub fn levels(&self) -> &[usize] {
        &self.0
    }

    /// The sum of the levels.
    pub fn height(&self) -> usize {
        self.0.iter().sum()
    }

    /// Whether no column is coarser here than there.
    pub fn is_within(&self, other: &Node) -> bool {
        self.0.iter().zip(&other.0).all(|(own, other)| own <= other)
    }

    /// The same with another level of one column.
    pub fn with(&self, column: usize, level: usize) -> Node {
        let mut other = self.clone();
        other.0[column] = level;
        other
    }

    /// The columns that are finer here than there.
    pub fn columns_below<'n>(&'n self, other: &'n Node) -> impl Iterator<Item = usize> + 'n {
        (0..self.0.len()).filter(|&column| self.0[column] < other.0[column])
    }
}
