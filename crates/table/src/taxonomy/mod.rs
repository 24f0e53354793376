//! A [`Taxonomy`] is a tree whose leaves are the values of a column.
//!
//! Invariants: nodes are numbered in pre-order, so the root is node 0 and every node covers a contiguous range of
//! leaves; every label names one node.

mod assemble;
mod build;
mod indented;
mod json;
mod levels;
mod problem;
mod read;

use std::ops::Range;

use hashbrown::HashMap;

pub use build::{BuildError, DateLevel, Ranges, dates, equal_frequency, equal_width, prefixes};
pub use problem::{Place, Problem, ProblemKind, Problems};
pub use read::{Format, parse};

/// Which node of a taxonomy, counted in pre-order from the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

/// A tree of values.
#[derive(Clone, Debug, PartialEq)]
pub struct Taxonomy {
    nodes: Vec<Node>,
    /// The node of each leaf, in leaf order.
    leaves: Vec<NodeId>,
    by_label: HashMap<String, NodeId>,
}

#[derive(Clone, Debug, PartialEq)]
struct Node {
    label: String,
    parent: Option<NodeId>,
    children: Vec<NodeId>,
    leaves: Range<usize>,
}

impl Taxonomy {
    /// A tree from labels with the place of their parent in the same list, the root first and every parent before
    /// its children; children keep the order of the list. `None` if two labels are equal or there is not one root.
    pub fn from_parents(nodes: &[(String, Option<usize>)]) -> Option<Taxonomy> {
        let mut children = vec![Vec::new(); nodes.len()];
        for (place, (_, parent)) in nodes.iter().enumerate() {
            match parent {
                Some(parent) if *parent < place => children[*parent].push(place),
                None if place == 0 => {}
                _ => return None,
            }
        }
        let mut tree = Taxonomy {
            nodes: Vec::new(),
            leaves: Vec::new(),
            by_label: HashMap::new(),
        };
        if nodes.is_empty() {
            return None;
        }
        // Pre-order with an explicit stack: a tree read from outside may be deep.
        let mut stack = vec![(0, None)];
        while let Some((place, parent)) = stack.pop() {
            let id = NodeId(tree.nodes.len() as u32);
            if let Some(NodeId(parent)) = parent {
                tree.nodes[parent as usize].children.push(id);
            }
            let label = nodes[place].0.clone();
            if tree.by_label.insert(label.clone(), id).is_some() {
                return None;
            }
            if children[place].is_empty() {
                tree.leaves.push(id);
            }
            tree.nodes.push(Node {
                label,
                parent,
                children: Vec::new(),
                leaves: 0..0,
            });
            stack.extend(children[place].iter().rev().map(|&child| (child, Some(id))));
        }
        for (leaf, &id) in tree.leaves.iter().enumerate() {
            tree.nodes[id.0 as usize].leaves = leaf..leaf + 1;
        }
        for place in (0..tree.nodes.len()).rev() {
            let inner = &tree.nodes[place];
            if let (Some(first), Some(last)) = (inner.children.first(), inner.children.last()) {
                let covered = tree.node(*first).leaves.start..tree.node(*last).leaves.end;
                tree.nodes[place].leaves = covered;
            }
        }
        Some(tree)
    }

    fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// The most general value.
    pub fn root(&self) -> NodeId {
        NodeId(0)
    }

    /// All nodes in pre-order.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// The value that a node stands for.
    pub fn label(&self, id: NodeId) -> &str {
        &self.node(id).label
    }

    /// The next more general value.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).parent
    }

    /// The next more specific values, in file order.
    pub fn children(&self, id: NodeId) -> &[NodeId] {
        &self.node(id).children
    }

    /// The node with this label.
    pub fn find(&self, label: &str) -> Option<NodeId> {
        self.by_label.get(label).copied()
    }

    /// The place of a value among the leaves; `None` if it is no leaf.
    pub fn leaf(&self, value: &str) -> Option<usize> {
        self.find(value)
            .map(|id| self.node(id))
            .filter(|node| node.children.is_empty())
            .map(|node| node.leaves.start)
    }

    /// The values at the leaves, in order.
    pub fn leaves(&self) -> impl ExactSizeIterator<Item = &str> {
        self.leaves.iter().map(|&id| self.label(id))
    }

    /// The share of the leaves that a node may stand for; 0 for a leaf.
    pub fn penalty(&self, id: NodeId) -> f64 {
        match self.node(id).leaves.len() {
            1 => 0.0,
            leaves => leaves as f64 / self.leaves.len() as f64,
        }
    }

    /// Which leaves a node covers.
    pub fn leaves_under(&self, id: NodeId) -> Range<usize> {
        self.node(id).leaves.clone()
    }
}
