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
#[derive(Clone, Debug)]
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

/// The nodes of one table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nodes<'t> {
    members: usize,
    ends_of_children: &'t [u32],
    rows: &'t [u32],
    /// The cells, node by node and axis by axis.
    pub(crate) words: &'t [u64],
    lists: &'t [u32],
    /// How many quasi cells each node has, its subtree included.
    pub(crate) below: &'t [u64],
}

impl<'t> Nodes<'t> {
    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.below.len()
    }

    /// Those under a node of the parent table.
    #[inline]
    pub(crate) fn children(&self, parent: u32) -> Range<u32> {
        let start = parent
            .checked_sub(1)
            .map_or(0, |before| self.ends_of_children[before as usize]);
        start..self.ends_of_children[parent as usize]
    }

    /// The row of each member that a node stands for.
    pub(crate) fn rows(&self, node: u32) -> &'t [u32] {
        &self.rows[node as usize * self.members..][..self.members]
    }

    /// The cell of a node on one of as many axes.
    pub(crate) fn cell(&self, width: usize, node: u32, axis: usize) -> Cell<'t> {
        Cell {
            word: self.words[node as usize * width + axis],
            lists: self.lists,
        }
    }

    /// The cells of a node, of as many axes.
    pub(crate) fn cells(&self, width: usize, node: u32) -> impl Iterator<Item = Cell<'t>> + use<'t> {
        let words = self.words[node as usize * width..][..width].iter();
        let lists = self.lists;
        words.map(move |&word| Cell { word, lists })
    }
}

impl Layer {
    /// What a node and one of another tree lose, without what is below them.
    pub(crate) fn loss_of_nodes(&self, nodes: &Nodes, node: u32, others: &Nodes, other: u32) -> u64 {
        if let Some(grid) = self.grid() {
            return grid.loss(nodes.words[node as usize], others.words[other as usize]);
        }
        let width = self.axes.len();
        let cells = nodes.cells(width, node).zip(others.cells(width, other));
        let losses = self
            .axes
            .iter()
            .zip(cells)
            .map(|(axis, (a, b))| axis.loss_of_both(a, b));
        losses.sum()
    }
}

impl Tree {
    /// The rows of one person.
    pub(crate) fn of(database: &Database, person: u32) -> Tree {
        let mut tree = Tree::with_room(database, 1, database.rows_of_a_person());
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

    /// Without a node, but with room for some. Tables follow, then [`count_cells`](Tree::count_cells).
    pub(crate) fn with_room(database: &Database, members: usize, nodes: usize) -> Tree {
        let tables = database.layers().len();
        Tree {
            members,
            tables: Vec::with_capacity(tables),
            ends_of_children: Vec::with_capacity(nodes + tables),
            rows: Vec::with_capacity(nodes * members),
            words: Vec::with_capacity(nodes),
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
                    let first = self.tables[child].first_node;
                    children.map(|node| self.below[(first + node) as usize]).sum::<u64>()
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

    /// How many nodes all tables have.
    pub(crate) fn len(&self) -> usize {
        self.below.len()
    }

    /// How many quasi cells it has.
    pub(crate) fn size(&self) -> u64 {
        self.below[0]
    }

    /// How many quasi cells a node has, its subtree included.
    pub(crate) fn cells_below(&self, table: usize, node: u32) -> u64 {
        self.below[(self.tables[table].first_node + node) as usize]
    }

    /// A table of it.
    pub(crate) fn table(&self, table: usize) -> Nodes<'_> {
        let place = &self.tables[table];
        let nodes = place.first_node as usize..(place.first_node + place.nodes) as usize;
        let next = self.tables.get(table + 1);
        let words = next.map_or(self.words.len(), |next| next.first_word as usize);
        let ends = next.map_or(self.ends_of_children.len(), |next| next.first_end as usize);
        Nodes {
            members: self.members,
            ends_of_children: &self.ends_of_children[place.first_end as usize..ends],
            rows: &self.rows[nodes.start * self.members..nodes.end * self.members],
            words: &self.words[place.first_word as usize..words],
            lists: &self.lists,
            below: &self.below[nodes],
        }
    }

    /// The nodes of a table.
    pub(crate) fn nodes(&self, table: usize) -> Range<u32> {
        0..self.tables[table].nodes
    }

    /// The nodes of a table under a node of its parent.
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

    /// What the members lose in the cells that are kept, and how many these are.
    pub(crate) fn kept(&self, database: &Database) -> (u128, u64) {
        let mut lost = 0;
        for (table, layer) in database.layers().iter().enumerate() {
            let nodes = self.table(table);
            for node in 0..nodes.len() as u32 {
                let cells = layer.axes.iter().zip(nodes.cells(layer.axes.len(), node));
                lost += cells.map(|(axis, cell)| u128::from(axis.loss(cell))).sum::<u128>();
            }
        }
        (lost * self.members as u128, self.size() * self.members as u64)
    }
}
