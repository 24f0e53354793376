//! A [`Tree`] is what some persons have in common: at first the rows of one, later the representative of a cluster.
//!
//! | table | nodes | children of node | stands for rows |
//! |---|---|---|---|
//! | students | 0 | | 1 of the first member, 2 of the second |
//! | courses | 0, 1 | students 0: both | 1 and 4, 2 and 5 |
//! | books | 0 | courses 0: none; courses 1: node 0 | 3 and 4 |
//!
//! Nodes are kept table by table in flat arrays, not as pointers.
//!
//! Invariant: a node stands for one row of every member, and these rows have the same place in the tree of their
//! person: the rows of its parent are the parents of its rows. Its cells cover those of its rows.

use std::ops::Range;

use crate::Database;
use crate::database::Layer;

/// The nodes of every table, and how many persons they stand for.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    members: usize,
    layers: Vec<Nodes>,
}

/// The nodes of one table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Nodes {
    /// How many there are.
    len: u32,
    /// Where the children of each node of the parent table end; they begin where those of the node before it end.
    ends_of_children: Vec<u32>,
    /// For each node, one row per member.
    rows: Vec<u32>,
    /// For each node and axis, where its codes end.
    ends: Vec<u32>,
    codes: Vec<u32>,
    /// How many quasi cells each node has, its subtree included.
    below: Vec<u64>,
}

impl Tree {
    /// The rows of one person.
    pub(crate) fn of(database: &Database, person: u32) -> Tree {
        let mut layers: Vec<Nodes> = Vec::with_capacity(database.layers().len());
        for layer in database.layers() {
            let mut nodes = Nodes::default();
            match layer.parent {
                None => nodes.add_children(layer, &[person]),
                Some(parent) => {
                    let parents = &layers[parent].rows;
                    parents
                        .iter()
                        .for_each(|&row| nodes.add_children(layer, layer.children_of(row)));
                }
            }
            layers.push(nodes);
        }
        Tree::new(database, 1, layers)
    }

    /// From the nodes of every table.
    pub(crate) fn new(database: &Database, members: usize, layers: Vec<Nodes>) -> Tree {
        let mut tree = Tree { members, layers };
        tree.count_cells(database);
        tree
    }

    /// Children come after their parents, so that from the last table on all below is counted.
    fn count_cells(&mut self, database: &Database) {
        for (table, layer) in database.layers().iter().enumerate().rev() {
            let below = self.nodes(table).map(|node| {
                let deeper = layer.children.iter().map(|&child| {
                    let children = self.children(child, node);
                    children
                        .map(|node| self.layers[child].below[node as usize])
                        .sum::<u64>()
                });
                layer.axes.len() as u64 + deeper.sum::<u64>()
            });
            self.layers[table].below = below.collect();
        }
    }

    /// How many persons have it in common.
    pub(crate) fn members(&self) -> usize {
        self.members
    }

    /// The nodes of a table.
    pub(crate) fn nodes(&self, table: usize) -> Range<u32> {
        0..self.layers[table].len
    }

    /// The nodes of a table under a node of its parent.
    pub(crate) fn children(&self, table: usize, parent: u32) -> Range<u32> {
        let ends = &self.layers[table].ends_of_children;
        let start = parent.checked_sub(1).map_or(0, |before| ends[before as usize]);
        start..ends[parent as usize]
    }

    /// The row of each member that a node stands for.
    pub(crate) fn rows(&self, table: usize, node: u32) -> &[u32] {
        &self.layers[table].rows[node as usize * self.members..][..self.members]
    }

    /// How many quasi cells a node and all below it have.
    pub(crate) fn cells_below(&self, table: usize, node: u32) -> u64 {
        self.layers[table].below[node as usize]
    }

    /// The codes of the cells of a node, axis by axis.
    pub(crate) fn cells(&self, table: usize, width: usize, node: u32) -> impl Iterator<Item = &[u32]> {
        let Nodes { ends, codes, .. } = &self.layers[table];
        let first = node as usize * width;
        (first..first + width).map(move |cell| {
            let start = if cell == 0 { 0 } else { ends[cell - 1] };
            &codes[start as usize..ends[cell] as usize]
        })
    }
}

impl Nodes {
    /// The children of the next parent: one node for each row.
    fn add_children(&mut self, layer: &Layer, rows: &[u32]) {
        for &row in rows {
            self.add(&[row], &[]);
            for &code in layer.cells(row) {
                self.add_cell(|codes| codes.push(code));
            }
        }
        self.end_children();
    }

    /// A node with its rows. Its cells follow, axis by axis.
    pub(crate) fn add(&mut self, rows: &[u32], more_rows: &[u32]) {
        self.len += 1;
        self.rows.extend(rows);
        self.rows.extend(more_rows);
    }

    /// The next cell of the last node.
    pub(crate) fn add_cell(&mut self, fill: impl FnOnce(&mut Vec<u32>)) {
        fill(&mut self.codes);
        self.ends.push(self.codes.len() as u32);
    }

    /// The last child of the next parent has been added.
    pub(crate) fn end_children(&mut self) {
        self.ends_of_children.push(self.len);
    }
}
