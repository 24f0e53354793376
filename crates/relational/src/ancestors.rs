//! [`Ancestors`] finds the closest node of a taxonomy over two codes.
//!
//! | codes of Math, Physics, CS, History | climbs from Math | leaves |
//! |---|---|---|
//! | Math to Math | Math | 1 |
//! | Math to CS | Science | 4 |
//! | Math to History | the root | 8 |
//!
//! Invariant: codes follow the order of the leaves, so a node covers a range of them, and the root all.

use scumble_table::{Column, Taxonomy};

use crate::off_scale::OffScale;

/// The nodes of a tree, to climb from a code until a node covers another.
#[derive(Debug)]
pub(crate) struct Ancestors {
    leaf_of_code: Vec<u32>,
    nodes: Vec<Ancestor>,
}

#[derive(Debug)]
struct Ancestor {
    /// The root is its own parent.
    parent: u32,
    /// The code after the last that it covers.
    end: u32,
    leaves: u64,
}

impl Ancestors {
    pub(crate) fn new(column: &Column, tree: &Taxonomy) -> Result<Ancestors, OffScale> {
        let leaf = |(text, code): (&str, u32)| {
            let node = tree.leaf(text).and_then(|_| tree.find(text));
            node.map(|node| node.0).ok_or(OffScale {
                code,
                what: "a value that is no leaf of its taxonomy",
            })
        };
        let leaf_of_code = column
            .dictionary()
            .texts()
            .iter()
            .zip(0..)
            .map(leaf)
            .collect::<Result<_, _>>()?;
        let spans = column.spans(tree);
        let ancestor = |node| Ancestor {
            parent: tree.parent(node).unwrap_or(node).0,
            end: spans[node.0 as usize].end,
            leaves: tree.leaves_under(node).len() as u64,
        };
        Ok(Ancestors {
            leaf_of_code,
            nodes: tree.nodes().map(ancestor).collect(),
        })
    }

    /// How many leaves the closest node over two codes has.
    pub(crate) fn leaves_over(&self, first: u32, last: u32) -> u64 {
        let mut node = &self.nodes[self.leaf_of_code[first as usize] as usize];
        // The root covers every code, so this ends there.
        while node.end <= last {
            node = &self.nodes[node.parent as usize];
        }
        node.leaves
    }
}
