//! A [`Tree`] is what some persons have in common: at first the rows of one, later the representative of a cluster.
//!
//! | table | nodes | children of node | stands for rows |
//! |---|---|---|---|
//! | students | 0 | | 1 of the first member, 2 of the second |
//! | courses | 0, 1 | students 0: both | 1 and 4, 2 and 5 |
//! | books | 0 | courses 0: none; courses 1: node 0 | 3 and 4 |
//!
//! Nodes are kept table by table in flat arrays, which all tables share, not as pointers.
//!
//! Invariant: a node stands for one row of every member, and these rows have the same place in the tree of their
//! person: the rows of its parent are the parents of its rows. Its cells cover those of its rows.

use std::ops::Range;

use crate::Database;
use crate::axis::Cell;
use crate::database::Layer;

/// The nodes of every table, and how many persons they stand for.
#[derive(Debug)]
pub(crate) struct Tree {
    members: usize,
    tables: Vec<Place>,
    /// For each table, where the children of each node of the parent table end; they begin where those of the node
    /// before it end.
    ends_of_children: Vec<u32>,
    /// For each node, one row per member.
    rows: Vec<u32>,
    /// For each node and axis, its cell.
    words: Vec<u64>,
    /// The codes of large sets.
    lists: Vec<u32>,
    /// How many quasi cells each node has, its subtree included.
    below: Vec<u64>,
}

/// Where the nodes of one table are in the arrays of all.
#[derive(Clone, Copy, Debug)]
struct Place {
    nodes: u32,
    first_node: u32,
    first_word: u32,
    first_end: u32,
}

/// The cells of the nodes of one table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cells<'t> {
    /// Node by node and axis by axis.
    pub(crate) words: &'t [u64],
    /// The codes of large sets.
    lists: &'t [u32],
}

impl<'t> Cells<'t> {
    /// The cells of a node, of as many axes.
    pub(crate) fn of(self, width: usize, node: u32) -> impl Iterator<Item = Cell<'t>> {
        let words = self.words[node as usize * width..][..width].iter();
        words.map(move |&word| Cell {
            word,
            lists: self.lists,
        })
    }
}

impl Tree {
    /// The rows of one person.
    pub(crate) fn of(database: &Database, person: u32) -> Tree {
        let mut tree = Tree::of_members(database, 1);
        for layer in database.layers() {
            tree.begin_table();
            match layer.parent {
                None => tree.add_rows(layer, &[person]),
                Some(parent) => {
                    for node in tree.nodes(parent) {
                        let row = tree.rows(parent, node)[0];
                        tree.add_rows(layer, layer.children_of(row));
                    }
                }
            }
        }
        tree.count_cells(database);
        tree
    }

    /// Without a node. Tables follow, then [`count_cells`](Tree::count_cells).
    pub(crate) fn of_members(database: &Database, members: usize) -> Tree {
        Tree {
            members,
            tables: Vec::with_capacity(database.layers().len()),
            ends_of_children: Vec::new(),
            rows: Vec::new(),
            words: Vec::new(),
            lists: Vec::new(),
            below: Vec::new(),
        }
    }

    /// The next table. For each node of its parent, its nodes follow, and then their end.
    pub(crate) fn begin_table(&mut self) {
        let first_node = self.tables.last().map_or(0, |last| last.first_node + last.nodes);
        self.tables.push(Place {
            nodes: 0,
            first_node,
            first_word: self.words.len() as u32,
            first_end: self.ends_of_children.len() as u32,
        });
    }

    /// A node with its rows. Its cells follow, axis by axis.
    pub(crate) fn add(&mut self, rows: impl IntoIterator<Item = u32>) {
        if let Some(table) = self.tables.last_mut() {
            table.nodes += 1;
        }
        self.rows.extend(rows);
    }

    /// The next cell of the last node, whose codes may be appended to the lists.
    pub(crate) fn add_cell(&mut self, cell: impl FnOnce(&mut Vec<u32>) -> u64) {
        let word = cell(&mut self.lists);
        self.words.push(word);
    }

    /// The last child of the next parent has been added.
    pub(crate) fn end_children(&mut self) {
        self.ends_of_children
            .push(self.tables.last().map_or(0, |table| table.nodes));
    }

    /// The children of the next parent: one node for each row.
    fn add_rows(&mut self, layer: &Layer, rows: &[u32]) {
        for &row in rows {
            self.add([row]);
            for (axis, &code) in layer.axes.iter().zip(layer.cells(row)) {
                self.add_cell(|lists| axis.cell(code, lists));
            }
        }
        self.end_children();
    }

    /// Counts cells once all nodes are there. Children come after their parents, so that from the last table on all below
    /// is counted.
    pub(crate) fn count_cells(&mut self, database: &Database) {
        self.below = vec![0; self.tables.last().map_or(0, |last| last.first_node + last.nodes) as usize];
        for (table, layer) in database.layers().iter().enumerate().rev() {
            let first = self.tables[table].first_node;
            for node in self.nodes(table) {
                let below = layer.children.iter().map(|&child| {
                    let children = self.children(child, node);
                    children.map(|node| self.cells_below(child, node)).sum::<u64>()
                });
                self.below[(first + node) as usize] = layer.axes.len() as u64 + below.sum::<u64>();
            }
        }
    }

    /// How many persons have it in common.
    pub(crate) fn members(&self) -> usize {
        self.members
    }

    /// These persons, as rows of their table.
    pub(crate) fn persons(&self) -> &[u32] {
        // The first node is the one of the table of persons, which is the first.
        &self.rows[..self.members]
    }

    /// How many quasi cells it has.
    pub(crate) fn size(&self) -> u64 {
        self.below[0]
    }

    /// The nodes of a table.
    pub(crate) fn nodes(&self, table: usize) -> Range<u32> {
        0..self.tables[table].nodes
    }

    /// The nodes of a table under a node of its parent.
    #[inline]
    pub(crate) fn children(&self, table: usize, parent: u32) -> Range<u32> {
        let ends = &self.ends_of_children[self.tables[table].first_end as usize..];
        let start = parent.checked_sub(1).map_or(0, |before| ends[before as usize]);
        start..ends[parent as usize]
    }

    /// The row of each member that a node stands for.
    pub(crate) fn rows(&self, table: usize, node: u32) -> &[u32] {
        let node = (self.tables[table].first_node + node) as usize;
        &self.rows[node * self.members..][..self.members]
    }

    /// How many quasi cells a node and all below it have.
    #[inline]
    pub(crate) fn cells_below(&self, table: usize, node: u32) -> u64 {
        self.below[(self.tables[table].first_node + node) as usize]
    }

    /// The cells of a table.
    #[inline]
    pub(crate) fn cells(&self, table: usize) -> Cells<'_> {
        let start = self.tables[table].first_word as usize;
        let end = self
            .tables
            .get(table + 1)
            .map_or(self.words.len(), |next| next.first_word as usize);
        Cells {
            words: &self.words[start..end],
            lists: &self.lists,
        }
    }

    /// What the members lose in the cells that are kept, and how many these are.
    pub(crate) fn kept(&self, database: &Database) -> (u128, u64) {
        let mut lost = 0;
        for (table, layer) in database.layers().iter().enumerate() {
            for node in self.nodes(table) {
                let cells = layer.axes.iter().zip(self.cells(table).of(layer.axes.len(), node));
                lost += cells.map(|(axis, cell)| u128::from(axis.loss(cell))).sum::<u128>();
            }
        }
        (lost * self.members as u128, self.size() * self.members as u64)
    }
}
