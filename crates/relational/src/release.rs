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
//! released value covers the original one. Keys are numbers from 1 that say which row belongs to which, and nothing else.
//! Other columns are as they were.
//!
//! # Source
//! Nergiz and Clifton, *MultiRelational k-Anonymity*, 2008: definition 5, and definitions 8 (LM) and 9 (DM).
//!
//! Fixed by us: both measures are of the whole database. A removed cell loses 1, a person who is left out cannot be
//! told from anybody.

use hashbrown::HashMap;
use rayon::prelude::*;
use scumble_grouping::{Recoded, recode};
use scumble_table::{Column, ColumnId, Mask, Released, ReleasedColumn, with_codes};

use crate::arrange::{Content, arrange};
use crate::axis::shape;
use crate::cluster::{Cluster, Clusters};
use crate::{Database, TableId};

/// The tables of a database, as clusters show them.
#[derive(Debug)]
pub struct Release<'r, 't> {
    database: &'r Database<'t>,
    clusters: &'r Clusters,
    tables: Vec<Shown>,
}

/// The order of the rows of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// By what the rows and those below them show, so that it tells nothing else.
    Sorted,
    /// As in the input, which may itself tell who is who; for experiments.
    Input,
}

/// A table as it is published.
#[derive(Debug)]
pub struct PublishedTable {
    /// What a reader sees.
    pub release: Released,
    /// Of which row of the original each of its rows is.
    pub rows: Vec<u32>,
}

/// What became of the rows and quasi cells of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// Rows in the original.
    pub rows: u64,
    /// Rows in the release.
    pub kept: u64,
    /// Each quasi column, in the order of the relation.
    pub columns: Vec<KeptColumn>,
}

/// What became of the cells of a quasi column in the rows that are kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeptColumn {
    /// Cells that show their value.
    pub exact: u64,
    /// Cells that may stand for several.
    pub generalized: u64,
    /// What a kept cell loses on average, from 0 to 1.
    pub loss: f64,
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

    /// The database that it is of.
    pub fn database(&self) -> &'r Database<'t> {
        self.database
    }

    /// The rows of a table that are kept, ascending.
    pub fn kept_rows(&self, table: TableId) -> impl ExactSizeIterator<Item = u32> {
        self.tables[table.0].kept.iter().map(|&(row, _)| row)
    }

    /// The tables as they are published, parents before their children; `is_published` says which columns are written.
    pub fn tables(&self, order: Order, is_published: impl Fn(TableId, ColumnId) -> bool) -> Vec<PublishedTable> {
        let rows = match order {
            Order::Input => self
                .database
                .tables()
                .map(|table| self.kept_rows(table).collect())
                .collect(),
            Order::Sorted => self.sorted(&is_published),
        };
        let numbers = self.numbers(&rows);
        let tables = self.database.tables().zip(rows);
        tables
            .map(|(table, rows)| PublishedTable {
                release: self.table(table, &rows, &numbers, |column| is_published(table, column)),
                rows,
            })
            .collect()
    }

    /// The rows of each table, in an order that tells nothing.
    fn sorted(&self, is_published: &impl Fn(TableId, ColumnId) -> bool) -> Vec<Vec<u32>> {
        let contents = self.database.tables().map(|table| {
            let columns = (0..self.database.table(table).columns().len()).map(ColumnId);
            let shown = columns.filter(|&column| is_published(table, column) && !self.is_key(table, column));
            self.content(table, &shown.collect::<Vec<_>>())
        });
        arrange(self.database, &contents.collect::<Vec<_>>())
    }

    /// What the kept rows of a table show in some columns, as numbers that follow the order of the values.
    fn content(&self, table: TableId, columns: &[ColumnId]) -> Content {
        let shown = &self.tables[table.0];
        let mut cells = vec![0; shown.kept.len() * columns.len()];
        for (place, &column) in columns.iter().enumerate() {
            let cells = cells.iter_mut().skip(place).step_by(columns.len());
            match self.axis_of(table, column) {
                Some(axis) => {
                    let ranks = ranks(&shown.quasi[axis].labels);
                    let labels = &shown.quasi[axis].label_of_group;
                    let nodes = cells.zip(&shown.kept);
                    nodes.for_each(|(cell, &(_, node))| *cell = ranks[labels[node as usize] as usize]);
                }
                None => with_codes!(self.database.table(table).column(column).codes(), |codes| {
                    let rows = cells.zip(&shown.kept);
                    rows.for_each(|(cell, &(row, _))| *cell = u32::from(codes[row as usize]));
                }),
            }
        }
        Content {
            rows: self.kept_rows(table).collect(),
            cells,
        }
    }

    /// For each table and column of its key, what each kept row has in it, by row: its own number, or what its parent has.
    fn numbers(&self, rows: &[Vec<u32>]) -> Vec<Vec<Vec<u32>>> {
        let mut numbers: Vec<Vec<Vec<u32>>> = Vec::with_capacity(rows.len());
        for (table, rows) in self.database.tables().zip(rows) {
            let mut own = vec![0; self.database.table(table).rows()];
            rows.iter()
                .zip(1..)
                .for_each(|(&row, number)| own[row as usize] = number);
            let key = self.database.key(table).iter();
            let of_key = key.map(|&column| self.from_parent(table, column, &numbers).unwrap_or_else(|| own.clone()));
            numbers.push(of_key.collect());
        }
        numbers
    }

    /// What each row of a table has in a column of its foreign key, by row; `None` if the column is not of it.
    fn from_parent(&self, table: TableId, column: ColumnId, numbers: &[Vec<Vec<u32>>]) -> Option<Vec<u32>> {
        let (parent, columns) = self.database.parent(table)?;
        let part = columns.iter().position(|&part| part == column)?;
        let of_parent = &numbers[parent.0][part];
        let layer = &self.database.layers()[table.0];
        let mut found = vec![0; self.database.table(table).rows()];
        for (&number, parent_row) in of_parent.iter().zip(0..) {
            let children = layer.children_of(parent_row).iter();
            children.for_each(|&row| found[row as usize] = number);
        }
        Some(found)
    }

    fn is_key(&self, table: TableId, column: ColumnId) -> bool {
        let foreign = self
            .database
            .parent(table)
            .is_some_and(|(_, columns)| columns.contains(&column));
        foreign || self.database.key(table).contains(&column)
    }

    fn axis_of(&self, table: TableId, column: ColumnId) -> Option<usize> {
        let quasi = self.database.quasi(table).iter();
        quasi.map(|&(quasi, _)| quasi).position(|quasi| quasi == column)
    }

    /// A table with these rows, and keys of these numbers.
    fn table(
        &self,
        table: TableId,
        rows: &[u32],
        numbers: &[Vec<Vec<u32>>],
        is_published: impl Fn(ColumnId) -> bool,
    ) -> Released {
        let shown = &self.tables[table.0];
        let column = |(place, column): (usize, &Column)| {
            let id = ColumnId(place);
            let mut released = if let Some(axis) = self.axis_of(table, id) {
                shown.column(axis, &column.name, rows)
            } else if let Some(found) = self.from_parent(table, id, numbers) {
                numbered(&column.name, rows, &found)
            } else if let Some(part) = self.database.key(table).iter().position(|&key| key == id) {
                numbered(&column.name, rows, &numbers[table.0][part])
            } else {
                let codes = column.codes().pick(rows);
                let picked = Column::new(&column.name, column.dictionary().clone(), codes);
                ReleasedColumn::new(picked, &Mask::Exact, None, true)
            };
            released.published = is_published(id);
            released
        };
        let columns = self.database.table(table).columns().iter().enumerate();
        Released::of_columns(rows.len(), columns.map(column).collect())
    }

    /// What became of the rows and quasi cells of a table.
    pub fn kept(&self, table: TableId) -> Kept {
        let layer = &self.database.layers()[table.0];
        let shown = &self.tables[table.0];
        let mut generalized = vec![0; layer.axes.len()];
        for cluster in self.clusters.clusters() {
            let (tree, members) = (cluster.tree(), cluster.members().len() as u64);
            for node in cluster.nodes(table) {
                let cells = tree.cells(table.0).of(layer.axes.len(), node);
                let cells = generalized.iter_mut().zip(layer.axes.iter().zip(cells));
                cells.for_each(|(generalized, (axis, cell))| *generalized += members * u64::from(!axis.is_exact(cell)));
            }
        }
        let kept = shown.kept.len() as u64;
        let columns = generalized.into_iter().zip(&shown.quasi);
        let columns = columns.map(|(generalized, recoded)| KeptColumn {
            exact: kept - generalized,
            generalized,
            loss: recoded.penalty,
        });
        Kept {
            rows: self.database.table(table).rows() as u64,
            kept,
            columns: columns.collect(),
        }
    }

    /// LM, definition 8: what a quasi cell loses on average, from 0 to 1.
    pub fn loss(&self) -> f64 {
        let unit = self.database.unit();
        let kept = self
            .clusters
            .clusters()
            .iter()
            .map(|cluster| cluster.tree().kept(self.database));
        let (lost, cells) = kept.fold((0, 0), |sum, kept| (sum.0 + kept.0, sum.1 + kept.1));
        let all = self.database.cells();
        unit.mean(lost + u128::from(unit.whole()) * u128::from(all - cells), all)
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

    /// What some of the kept rows show in a quasi column.
    fn column(&self, axis: usize, name: &str, rows: &[u32]) -> ReleasedColumn {
        let Recoded {
            labels,
            label_of_group,
            penalty,
        } = &self.quasi[axis];
        let last = self.kept.last().map_or(0, |&(row, _)| row as usize + 1);
        let mut label_of = vec![0; last];
        let kept = self.kept.iter();
        kept.for_each(|&(row, node)| label_of[row as usize] = label_of_group[node as usize]);
        let label_of_row: Vec<u32> = rows.iter().map(|&row| label_of[row as usize]).collect();
        ReleasedColumn::told(name, true, labels.clone(), &label_of_row, *penalty)
    }
}

/// A column of numbers from 1.
fn numbered(name: &str, rows: &[u32], number_of: &[u32]) -> ReleasedColumn {
    let places: Vec<u32> = rows.iter().map(|&row| number_of[row as usize] - 1).collect();
    let last = places.iter().max().map_or(0, |&place| place + 1);
    let labels = (1..=last).into_par_iter().map(|number| Some(number.to_string()));
    ReleasedColumn::told(name, false, labels.collect(), &places, 0.0)
}

/// The place of each label in their order.
fn ranks(labels: &[Option<String>]) -> Vec<u32> {
    let mut order: Vec<usize> = (0..labels.len()).collect();
    order.sort_by_key(|&label| &labels[label]);
    let mut ranks = vec![0; labels.len()];
    order.into_iter().zip(0..).for_each(|(label, rank)| ranks[label] = rank);
    ranks
}
