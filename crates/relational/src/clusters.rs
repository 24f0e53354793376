//! [`Clusters`]: persons who are shown alike, with what they have in common.

use std::ops::Range;

use crate::database::TableId;
use crate::tree::Tree;

/// Persons who are shown alike.
#[derive(Clone, Debug)]
pub struct Cluster {
    tree: Tree,
}

/// All clusters, in the order in which they were closed.
#[derive(Debug)]
pub struct Clusters {
    clusters: Vec<Cluster>,
    left_out: Vec<u32>,
}

impl Clusters {
    pub(crate) fn new(clusters: Vec<Cluster>, left_out: Vec<u32>) -> Clusters {
        Clusters { clusters, left_out }
    }

    pub(crate) fn into_parts(self) -> (Vec<Cluster>, Vec<u32>) {
        (self.clusters, self.left_out)
    }

    /// The clusters, each of at least `k` persons.
    pub fn clusters(&self) -> &[Cluster] {
        &self.clusters
    }

    /// The persons that are in none.
    pub fn left_out(&self) -> &[u32] {
        &self.left_out
    }
}

impl Cluster {
    pub(crate) fn new(tree: Tree) -> Cluster {
        Cluster { tree }
    }

    /// The rows of the table of persons.
    pub fn members(&self) -> &[u32] {
        self.tree.persons()
    }

    /// The nodes of its representative in a table.
    pub fn nodes(&self, table: TableId) -> Range<u32> {
        self.tree.nodes(table.0)
    }

    /// The nodes of a table under a node of the table that it hangs off.
    pub fn children(&self, table: TableId, node: u32) -> Range<u32> {
        self.tree.children(table.0, node)
    }

    /// The rows that a node stands for, one of each member, in their order.
    pub fn rows(&self, table: TableId, node: u32) -> &[u32] {
        self.tree.rows(table.0, node)
    }

    pub(crate) fn tree(&self) -> &Tree {
        &self.tree
    }
}
