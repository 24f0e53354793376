//! A [`Database`] is tables that hang together as one tree: every row belongs to one person.
//!
//! | students | courses: of row | | books: of row |
//! |---|---|---|---|
//! | 1 | 1 | | 1 |
//! | 2 | 1 | | 3 |
//! | | 2 | | 3 |
//!
//! Student 1 has courses 1 and 2, student 2 has course 3 and its books 2 and 3.
//!
//! Invariant: tables are in an order with every parent before its children, the table of persons first; the children of
//! a row lie side by side, in the order of their rows.

use rayon::prelude::*;
use scumble_grouping::Scale;
use scumble_table::{ColumnId, Table};

use crate::DatabaseError;
use crate::axis::{Axis, Grid};
use crate::cost::Unit;
use crate::keys::Keys;
use crate::off_scale::OffScale;
use crate::schema::{Relation, parents_first};

/// Which table of a database, parents before their children; that of persons is the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableId(pub usize);

impl TableId {
    /// The table of persons.
    pub const PERSONS: TableId = TableId(0);
}

/// Tables whose keys have become row numbers, and whose quasi columns have become axes.
#[derive(Debug)]
pub struct Database<'t> {
    relations: Vec<Relation<'t>>,
    layers: Vec<Layer>,
    unit: Unit,
}

/// One table, as a search sees it.
#[derive(Debug)]
pub(crate) struct Layer {
    pub(crate) parent: Option<usize>,
    pub(crate) children: Vec<usize>,
    pub(crate) axes: Vec<Axis>,
    /// The codes of the quasi columns, row by row.
    cells: Vec<u32>,
    /// Where the children of each row of the parent begin and end in `rows`. Persons are children of no row.
    starts: Vec<u32>,
    rows: Vec<u32>,
}

impl<'t> Database<'t> {
    /// Checks that the relations hang together as one tree, and every row of them.
    ///
    /// # Panics
    /// If a column is none of its table.
    pub fn new(relations: Vec<Relation<'t>>) -> Result<Self, DatabaseError> {
        let order = parents_first(&relations)?;
        let relations: Vec<Relation> = order.iter().map(|&(place, _)| relations[place].clone()).collect();
        let keys: Vec<Keys> = in_order(relations.par_iter().map(Keys::new).collect())?;
        let layer = |(relation, &(_, parent)): (&Relation, &(usize, Option<usize>))| {
            let mut layer = Layer::new(relation)?;
            if let (Some(parent), Some(link)) = (parent, relation.foreign_keys.first()) {
                layer.hang_off(parent, &relations[parent], &keys[parent].resolve(relation, link)?);
            }
            Ok(layer)
        };
        let mut layers: Vec<Layer> = in_order(relations.par_iter().zip(&order).map(layer).collect())?;
        for child in 1..layers.len() {
            if let Some(parent) = layers[child].parent {
                layers[parent].children.push(child);
            }
        }
        let denominators = layers.iter().flat_map(|layer| &layer.axes).map(Axis::denominator);
        let unit = Unit::of(denominators, most_cells(&layers, &relations));
        layers
            .iter_mut()
            .flat_map(|layer| &mut layer.axes)
            .for_each(|axis| axis.count_in(unit));
        Ok(Database {
            relations,
            layers,
            unit,
        })
    }

    /// All tables, parents before their children.
    pub fn tables(&self) -> impl DoubleEndedIterator<Item = TableId> + use<> {
        (0..self.relations.len()).map(TableId)
    }

    /// The table with this name.
    pub fn find(&self, name: &str) -> Option<TableId> {
        self.relations
            .iter()
            .position(|relation| relation.name == name)
            .map(TableId)
    }

    /// The name of a table.
    pub fn name(&self, table: TableId) -> &str {
        &self.relations[table.0].name
    }

    /// The rows of a table.
    pub fn table(&self, table: TableId) -> &'t Table {
        self.relations[table.0].table
    }

    /// The quasi columns of a table.
    pub fn quasi(&self, table: TableId) -> &[(ColumnId, Scale<'t>)] {
        &self.relations[table.0].quasi
    }

    /// The columns of the key of a table.
    pub fn key(&self, table: TableId) -> &[ColumnId] {
        &self.relations[table.0].key
    }

    /// What a table hangs off, and by which of its columns; `None` for the table of persons.
    pub fn parent(&self, table: TableId) -> Option<(TableId, &[ColumnId])> {
        let link = self.relations[table.0].foreign_keys.first()?;
        let parent = self.layers[table.0].parent?;
        Some((TableId(parent), &link.columns))
    }

    /// How many persons there are.
    pub fn persons(&self) -> usize {
        self.table(TableId::PERSONS).rows()
    }

    pub(crate) fn layers(&self) -> &[Layer] {
        &self.layers
    }

    pub(crate) fn unit(&self) -> Unit {
        self.unit
    }

    /// How many rows of all tables a person has on average, rounded up.
    pub(crate) fn rows_of_a_person(&self) -> usize {
        let rows: usize = self.relations.iter().map(|relation| relation.table.rows()).sum();
        rows.div_ceil(self.persons().max(1))
    }

    /// How many quasi cells there are.
    pub(crate) fn cells(&self) -> u64 {
        self.layers.iter().map(|layer| layer.cells.len() as u64).sum()
    }
}

/// All results, or the first fault; which one is found first by some thread does not matter.
fn in_order<T>(results: Vec<Result<T, DatabaseError>>) -> Result<Vec<T>, DatabaseError> {
    results.into_iter().collect()
}

impl Layer {
    /// The table by itself, as that of persons is.
    fn new(relation: &Relation) -> Result<Layer, DatabaseError> {
        let axis = |&(column, scale): &(ColumnId, Scale)| {
            Axis::new(relation.table.column(column), scale).map_err(|off| not_on_scale(relation, column, &off))
        };
        let axes = relation.quasi.iter().map(axis).collect::<Result<Vec<Axis>, _>>()?;
        let mut cells = vec![0; relation.table.rows() * axes.len()];
        for (axis, &(column, _)) in relation.quasi.iter().enumerate() {
            let places = cells.iter_mut().skip(axis).step_by(axes.len());
            let codes = relation.table.column(column).codes().iter();
            places.zip(codes).for_each(|(place, code)| *place = code);
        }
        Ok(Layer {
            parent: None,
            children: Vec::new(),
            axes,
            cells,
            starts: Vec::new(),
            rows: Vec::new(),
        })
    }

    /// Gives each row its row of the parent. The rows of one parent come to lie side by side: a counting sort.
    fn hang_off(&mut self, place: usize, parent: &Relation, parent_rows: &[u32]) {
        let mut starts = vec![0; parent.table.rows() + 1];
        parent_rows.iter().for_each(|&row| starts[row as usize + 1] += 1);
        for row in 1..starts.len() {
            starts[row] += starts[row - 1];
        }
        let mut next = starts.clone();
        let mut rows = vec![0; parent_rows.len()];
        for (row, &parent_row) in (0..).zip(parent_rows) {
            let free = &mut next[parent_row as usize];
            rows[*free as usize] = row;
            *free += 1;
        }
        self.parent = Some(place);
        (self.starts, self.rows) = (starts, rows);
    }

    /// The rows that belong to a row of the parent, ascending.
    pub(crate) fn children_of(&self, row: u32) -> &[u32] {
        let row = row as usize;
        &self.rows[self.starts[row] as usize..self.starts[row + 1] as usize]
    }

    /// What its one column loses, if it has one of few codes in order.
    #[inline]
    pub(crate) fn grid(&self) -> Option<&Grid> {
        match &self.axes[..] {
            [axis] => axis.grid(),
            _ => None,
        }
    }

    /// The codes of a row, axis by axis.
    pub(crate) fn cells(&self, row: u32) -> &[u32] {
        let width = self.axes.len();
        &self.cells[row as usize * width..][..width]
    }
}

/// How many cells the person with most has. A row counts at least one, as in a bitmap.
fn most_cells(layers: &[Layer], relations: &[Relation]) -> u64 {
    cells_below(layers, relations, 0).into_iter().max().unwrap_or(0)
}

/// How many cells each row of a table has, with all below it.
fn cells_below(layers: &[Layer], relations: &[Relation], table: usize) -> Vec<u64> {
    let width = |table: usize| layers[table].axes.len().max(1) as u64;
    let mut cells = vec![width(table); relations[table].table.rows()];
    for &child in &layers[table].children {
        let layer = &layers[child];
        let deeper = (!layer.children.is_empty()).then(|| cells_below(layers, relations, child));
        for (row, cells) in (0..).zip(&mut cells) {
            let children = layer.children_of(row);
            *cells += match &deeper {
                Some(deeper) => children.iter().map(|&child| deeper[child as usize]).sum::<u64>(),
                None => children.len() as u64 * width(child),
            };
        }
    }
    cells
}

fn not_on_scale(relation: &Relation, column: ColumnId, off: &OffScale) -> DatabaseError {
    let mut codes = relation.table.column(column).codes().iter();
    DatabaseError::NotOnScale {
        table: relation.name.clone(),
        column: relation.column_name(column).to_owned(),
        // Loading gives a dictionary no values but those of its rows, so one of them holds it.
        row: codes.position(|code| code == off.code).unwrap_or(0) + 1,
        what: off.what,
    }
}
