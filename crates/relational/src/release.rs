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

use std::sync::Arc;

use rayon::prelude::*;
use scumble_table::{Column, ColumnId, Labels, Mask, Released, ReleasedColumn, ValueOrder};

use crate::arrange::{Content, arrange};
use crate::clusters::Clusters;
use crate::counting::Counting;
use crate::shown::{Kept, Shown};
use crate::{Database, TableId};

/// The tables of a database, as clusters show them.
#[derive(Debug)]
pub struct Release<'r, 't> {
    database: &'r Database<'t>,
    tables: Vec<Shown>,
    kept: Vec<Kept>,
    loss: f64,
    loss_on_kept: f64,
    discernibility: u64,
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

impl<'r, 't> Release<'r, 't> {
    /// What clusters make of the database that they were found in. They are not needed after that.
    pub fn new(database: &'r Database<'t>, clusters: &Clusters) -> Self {
        let tables = (0..database.layers().len()).into_par_iter();
        let tables: Vec<Shown> = tables
            .map(|table| Shown::new(database, clusters, TableId(table)))
            .collect();
        let counting = Counting {
            database,
            clusters,
            tables: &tables,
        };
        Release {
            database,
            kept: database.tables().map(|table| counting.kept(table)).collect(),
            loss: counting.loss(),
            loss_on_kept: counting.loss_on_kept(),
            discernibility: counting.discernibility(),
            tables,
        }
    }

    /// The database that it is of.
    pub fn database(&self) -> &'r Database<'t> {
        self.database
    }

    /// The rows of a table that are kept, ascending.
    pub fn kept_rows(&self, table: TableId) -> impl ExactSizeIterator<Item = u32> {
        self.tables[table.0].kept.iter().copied()
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
        let numerals = self.numerals(&rows);
        let tables = self.database.tables().zip(rows);
        tables
            .map(|(table, rows)| PublishedTable {
                release: self.table(table, &rows, (&numbers, &numerals), |column| {
                    is_published(table, column)
                }),
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
                    let rank = |row: u32| ranks[labels[shown.node_of[row as usize] as usize] as usize];
                    cells.zip(&shown.kept).for_each(|(cell, &row)| *cell = rank(row));
                }
                None => {
                    let column = self.database.table(table).column(column);
                    match in_order_without(column, &shown.kept) {
                        Some(picked) => cells.zip(picked.codes().iter()).for_each(|(cell, code)| *cell = code),
                        None => {
                            let codes = column.codes();
                            let rows = cells.zip(&shown.kept);
                            rows.for_each(|(cell, &row)| *cell = codes.at(row as usize));
                        }
                    }
                }
            }
        }
        Content {
            rows: self.kept_rows(table).collect(),
            cells,
        }
    }

    /// The numbers of all keys as texts, which all columns of keys share.
    fn numerals(&self, rows: &[Vec<u32>]) -> Arc<Labels> {
        let with_key = self.database.tables().zip(rows);
        let with_key = with_key.filter(|(table, _)| !self.database.key(*table).is_empty());
        let largest = with_key.map(|(_, rows)| rows.len()).max().unwrap_or(0);
        Arc::new((1..=largest).map(|number| Some(number.to_string())).collect())
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
            let of_key = key.map(|&column| {
                self.numbers_of_parent(table, column, &numbers)
                    .unwrap_or_else(|| own.clone())
            });
            numbers.push(of_key.collect());
        }
        numbers
    }

    /// What each row of a table has in a column of its foreign key, by row; `None` if the column is not of it.
    fn numbers_of_parent(&self, table: TableId, column: ColumnId, numbers: &[Vec<Vec<u32>>]) -> Option<Vec<u32>> {
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

    /// A table with these rows. Of its keys, numbers and their texts are known.
    fn table(
        &self,
        table: TableId,
        rows: &[u32],
        keys: (&[Vec<Vec<u32>>], &Arc<Labels>),
        is_published: impl Fn(ColumnId) -> bool,
    ) -> Released {
        let columns = self.database.table(table).columns().par_iter().enumerate();
        let columns = columns.map(|(place, column)| self.column(table, ColumnId(place), column, rows, keys));
        let mut columns: Vec<ReleasedColumn> = columns.collect();
        for (place, column) in columns.iter_mut().enumerate() {
            column.published = is_published(ColumnId(place));
        }
        Released::of_columns(rows.len(), columns)
    }

    fn column(
        &self,
        table: TableId,
        id: ColumnId,
        column: &Column,
        rows: &[u32],
        (numbers, numerals): (&[Vec<Vec<u32>>], &Arc<Labels>),
    ) -> ReleasedColumn {
        if let Some(axis) = self.axis_of(table, id) {
            self.tables[table.0].column(axis, &column.name, rows)
        } else if let Some(found) = self.numbers_of_parent(table, id, numbers) {
            numbered(&column.name, rows, &found, numerals)
        } else if let Some(part) = self.database.key(table).iter().position(|&key| key == id) {
            numbered(&column.name, rows, &numbers[table.0][part], numerals)
        } else {
            let picked = column.with_codes(column.codes().pick(rows));
            ReleasedColumn::new(picked, &Mask::Exact, None, true)
        }
    }

    /// What became of the rows and quasi cells of a table.
    pub fn kept(&self, table: TableId) -> &Kept {
        &self.kept[table.0]
    }

    /// LM, definition 8: what a quasi cell loses on average, from 0 to 1, of the domains of the data.
    pub fn loss(&self) -> f64 {
        self.loss
    }

    /// LM of the domains of the kept rows, which may be told to everybody: losses of the domains of the data would tell how
    /// far the removed rows reach.
    pub fn loss_on_kept(&self) -> f64 {
        self.loss_on_kept
    }

    /// DM, definition 9: for each person, how many cannot be told from them, added up.
    pub fn discernibility(&self) -> u64 {
        self.discernibility
    }
}

/// The kept rows of a column whose values are in another order without the rest: the one word among numbers may be gone,
/// and must not show in the order of rows.
fn in_order_without(column: &Column, kept: &[u32]) -> Option<Column> {
    if column.dictionary().numbers().is_some() || kept.len() == column.codes().len() {
        return None;
    }
    let picked = column.pick(kept, ValueOrder::Natural);
    let is_of_numbers = picked.dictionary().numbers().is_some();
    is_of_numbers.then_some(picked)
}

/// A column of numbers from 1.
fn numbered(name: &str, rows: &[u32], number_of: &[u32], numerals: &Arc<Labels>) -> ReleasedColumn {
    let places: Vec<u32> = rows.iter().map(|&row| number_of[row as usize] - 1).collect();
    ReleasedColumn::told(name, false, Arc::clone(numerals), &places, 0.0)
}

/// The place of each label in their order.
fn ranks(labels: &[Option<String>]) -> Vec<u32> {
    let mut order: Vec<usize> = (0..labels.len()).collect();
    order.sort_by_key(|&label| &labels[label]);
    let mut ranks = vec![0; labels.len()];
    order.into_iter().zip(0..).for_each(|(label, rank)| ranks[label] = rank);
    ranks
}
