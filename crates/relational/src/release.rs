//! A [`Release`] is what clusters make of a database: the same tables, in which the rows of a node look alike.
//!
//! | courses: row | of | course | | released |
//! |---|---|---|---|---|
//! | 1 | S1 | Math | | Science |
//! | 2 | S1 | Physics | | Physics |
//! | 3 | S2 | CS | | Science |
//! | 4 | S2 | Physics | | Physics |
//! | 5 | S2 | Art | | removed: S1 has no third course |
//!
//! Invariant: all members of a cluster have the same tree of released quasi values, children as multisets, and a
//! released value covers the original one. Other columns, keys among them, are as they were.
//!
//! # Source
//! Nergiz and Clifton, *MultiRelational k-Anonymity*, 2008: definition 5, and definitions 8 (LM) and 9 (DM).
//!
//! Fixed by us: both measures are of the whole database. A removed cell loses 1, a person who is left out cannot be
//! told from anybody.

use hashbrown::HashMap;
use scumble_grouping::{Recoded, recode};
use scumble_table::{ColumnId, Mask, Released, ReleasedColumn};

use crate::axis::shape;
use crate::cluster::{Cluster, Clusters};
use crate::cost::Cost;
use crate::{Database, TableId};

/// The tables of a database, as clusters show them.
#[derive(Debug)]
pub struct Release<'r, 't> {
    database: &'r Database<'t>,
    clusters: &'r Clusters,
    tables: Vec<Shown>,
}

/// One table. Its nodes are numbered from cluster to cluster.
#[derive(Debug)]
struct Shown {
    /// The number of the first node of each cluster.
    first_node: Vec<u32>,
    /// The rows that are kept, ascending, each with its node.
    kept: Vec<(u32, u32)>,
    /// What each node shows, one per quasi column.
    quasi: Vec<Recoded>,
}

impl<'r, 't> Release<'r, 't> {
    /// What clusters make of the database that they were found in.
    pub fn new(database: &'r Database<'t>, clusters: &'r Clusters) -> Self {
        let tables = database
            .tables()
            .map(|table| Shown::new(database, clusters, table))
            .collect();
        Release {
            database,
            clusters,
            tables,
        }
    }

    /// The rows of a table that are kept, ascending.
    pub fn kept_rows(&self, table: TableId) -> impl ExactSizeIterator<Item = u32> {
        self.tables[table.0].kept.iter().map(|&(row, _)| row)
    }

    /// A table with the rows that are kept; `is_published` says which columns are written.
    pub fn table(&self, table: TableId, is_published: impl Fn(ColumnId) -> bool) -> Released {
        let shown = &self.tables[table.0];
        let mut original = self.database.table(table).clone();
        let mut keep = vec![false; original.rows()];
        shown.kept.iter().for_each(|&(row, _)| keep[row as usize] = true);
        original.retain_rows(&keep);
        let rows = original.rows();
        let quasi = self.database.quasi(table);
        let columns = original.into_columns().into_iter().enumerate().map(|(place, column)| {
            let id = ColumnId(place);
            match quasi.iter().position(|&(quasi, _)| quasi == id) {
                Some(axis) => shown.column(axis, column.name, is_published(id)),
                None => ReleasedColumn::new(column, &Mask::Exact, None, is_published(id)),
            }
        });
        Released::of_columns(rows, columns.collect())
    }

    /// LM, definition 8: what a quasi cell loses on average, from 0 to 1.
    pub fn loss(&self) -> f64 {
        let unit = self.database.unit();
        let kept = self.clusters.clusters().iter().map(|cluster| self.kept_cost(cluster));
        let kept = kept.fold(Cost::default(), |sum, cost| sum + cost);
        unit.mean(kept + unit.removed(self.database.cells() - kept.cells))
    }

    /// DM, definition 9: for each person, how many cannot be told from them, added up.
    pub fn discernibility(&self) -> u64 {
        let looks = self.looks();
        let mut alike = vec![0; looks.len()];
        for (&look, cluster) in looks.iter().zip(self.clusters.clusters()) {
            alike[look as usize] += cluster.members().len() as u64;
        }
        let released: u64 = alike.iter().map(|persons| persons * persons).sum();
        released + self.clusters.left_out().len() as u64 * self.database.persons() as u64
    }

    /// What the members of a cluster lose.
    fn kept_cost(&self, cluster: &Cluster) -> Cost {
        let tree = cluster.tree();
        let mut cost = Cost::default();
        for (table, layer) in self.database.layers().iter().enumerate() {
            for node in tree.nodes(table) {
                let cells = tree.cells(table, layer.axes.len(), node);
                let lost: u128 = layer.axes.iter().zip(cells).map(|(axis, cell)| axis.loss(cell)).sum();
                cost.lost += lost * tree.members() as u128;
            }
            cost.cells += tree.nodes(table).len() as u64 * (layer.axes.len() * tree.members()) as u64;
        }
        cost
    }

    /// A number for each cluster: two that look the same have the same.
    fn looks(&self) -> Vec<u32> {
        let mut looks: Vec<Vec<u32>> = vec![Vec::new(); self.tables.len()];
        // Children come after their parents, so from the last table on the looks of all children are known.
        for table in self.database.tables().rev() {
            let mut numbers: HashMap<Vec<u32>, u32> = HashMap::new();
            let mut own = Vec::new();
            for (cluster, place) in self.clusters.clusters().iter().zip(0..) {
                for node in cluster.nodes(table) {
                    let look = self.look(table, cluster, place, node, &looks);
                    let next = numbers.len() as u32;
                    own.push(*numbers.entry(look).or_insert(next));
                }
            }
            looks[table.0] = own;
        }
        looks.swap_remove(TableId::PERSONS.0)
    }

    /// The labels of a node, and the looks of its children as multisets.
    fn look(&self, table: TableId, cluster: &Cluster, place: usize, node: u32, looks: &[Vec<u32>]) -> Vec<u32> {
        let shown = &self.tables[table.0];
        let number = (shown.first_node[place] + node) as usize;
        let mut look: Vec<u32> = shown.quasi.iter().map(|column| column.label_of_group[number]).collect();
        for &child in &self.database.layers()[table.0].children {
            let first = self.tables[child].first_node[place];
            let children = cluster.children(TableId(child), node);
            let mut below: Vec<u32> = children
                .map(|child_node| looks[child][(first + child_node) as usize])
                .collect();
            below.sort_unstable();
            look.push(below.len() as u32);
            look.extend(below);
        }
        look
    }
}

impl Shown {
    fn new(database: &Database, clusters: &Clusters, table: TableId) -> Shown {
        let mut nodes: Vec<Vec<u32>> = Vec::new();
        let mut first_node = Vec::with_capacity(clusters.clusters().len());
        for cluster in clusters.clusters() {
            first_node.push(nodes.len() as u32);
            nodes.extend(cluster.nodes(table).map(|node| cluster.rows(table, node).to_vec()));
        }
        let rows = nodes.iter().zip(0..);
        let mut kept: Vec<(u32, u32)> = rows
            .flat_map(|(rows, node)| rows.iter().map(move |&row| (row, node)))
            .collect();
        kept.sort_unstable();
        let quasi = database.quasi(table).iter();
        let quasi = quasi.map(|&(column, scale)| recode(database.table(table).column(column), shape(scale), &nodes));
        Shown {
            first_node,
            kept,
            quasi: quasi.collect(),
        }
    }

    fn column(&self, axis: usize, name: String, published: bool) -> ReleasedColumn {
        let Recoded {
            labels,
            label_of_group,
            penalty,
        } = &self.quasi[axis];
        let label_of_row: Vec<u32> = self
            .kept
            .iter()
            .map(|&(_, node)| label_of_group[node as usize])
            .collect();
        let mut column = ReleasedColumn::told(name, true, labels.clone(), &label_of_row, *penalty);
        column.published = published;
        column
    }
}
