//! [`Opened`]: a source past its header, on the way from rows to a [`Table`] of codes.
//!
//! What must be known before rows are read, the names of the columns, is known; how each of them is read is then the
//! caller's to say. Nothing is read twice: what opening had to parse (a sheet, the metadata of Parquet, the first block of
//! a text) is kept until the rows are read, which uses it up.
//!
//! Values are checked on the dictionary, so each distinct value once, and all bad values are reported together.

use scumble_progress::{Amount, Running, Stage};
use std::fmt;

use scumble_table::{Column, ColumnId, Table, with_codes};

use super::cells::Cells;
use super::check::{check_header, check_values};
use super::keep::{Keep, Worker};
use super::limits;
use crate::Watch;
use crate::error::{Origin, Place, ReadError};
use scumble_table::Reading;

/// A source that is open and has told its header.
pub struct Opened {
    rows: Box<dyn TableFile + Send>,
    origin: Origin,
    cells: Cells,
    /// How many cells there may be.
    most_cells: u64,
    size: Option<u64>,
}

impl fmt::Debug for Opened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut told = f.debug_struct("Opened");
        told.field("origin", &self.origin).field("header", &self.rows.header());
        told.finish_non_exhaustive()
    }
}

/// What became of a file, of a table of a database, or of record batches.
#[derive(Debug)]
pub struct Loaded {
    /// The kept columns, in file order.
    pub table: Table,
    /// The names of all columns of the file.
    pub header: Vec<String>,
    /// How many rows the file has.
    pub rows_read: usize,
    /// How many of them were dropped because a kept value is missing.
    pub rows_dropped: usize,
    /// The size of the file; of a database, that of the kept cells as text; of record batches, that of their arrays.
    pub bytes_read: u64,
}

/// Rows that are open and have a header, whatever they are.
pub(crate) trait TableFile {
    /// The names of the columns.
    fn header(&self) -> &[String];

    /// Reads all rows.
    fn rows<'k>(&mut self, keep: &'k Keep<'k>, watch: &dyn Watch) -> Result<Vec<Worker<'k>>, ReadError>;

    /// Where some rows are, given by ascending numbers from 0. May be fewer if the file has changed.
    fn locate(&mut self, rows: &[usize]) -> Result<Vec<Place>, ReadError> {
        Ok(rows.iter().map(|row| Place::Row(row + 1)).collect())
    }

    /// Puts the rows into their order: that in which they were read, unless there is none.
    fn settle(&mut self, table: Table) -> Result<Table, ReadError> {
        Ok(table)
    }

    /// How many bytes were kept, where only reading tells.
    fn kept_bytes(&self) -> u64 {
        0
    }
}

impl Opened {
    /// Takes rows whose header is known, and checks it. `size` is what there is to read, in bytes, if that is known.
    pub(crate) fn new(
        rows: Box<dyn TableFile + Send>,
        origin: Origin,
        cells: Cells,
        most_cells: u64,
        size: Option<u64>,
    ) -> Result<Self, ReadError> {
        limits::check(&origin, "columns", rows.header().len() as u64, limits::MOST_COLUMNS)?;
        check_header(&origin, rows.header())?;
        Ok(Opened {
            rows,
            origin,
            cells,
            most_cells,
            size,
        })
    }

    /// The names of the columns; no two are equal, and none is empty.
    pub fn header(&self) -> &[String] {
        self.rows.header()
    }

    /// What messages call it.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Reads the rows, each column as its reading says; with `drop_missing`, rows in which a kept value is missing are
    /// dropped, after all values have been checked.
    ///
    /// The result is the same on any number of threads.
    ///
    /// # Errors
    /// Rows that cannot be read, none at all, values that do not fit, a watcher that asks to stop.
    ///
    /// # Panics
    /// If there is not one [`Reading`] per column of the header.
    pub fn read(self, readings: &[Reading], drop_missing: bool, watch: &dyn Watch) -> Result<Loaded, ReadError> {
        let Opened {
            mut rows,
            origin,
            cells,
            most_cells,
            size,
        } = self;
        let reading = Running::begin(watch, Stage::Reading, size.map(Amount::Bytes));
        let header = rows.header().to_vec();
        let keep = Keep::new(cells, &header, readings, origin.clone(), most_cells);
        let workers = rows.rows(&keep, watch)?;
        let mut table = keep.merge(workers);
        let rows_read = table.rows();
        if rows_read == 0 {
            return Err(ReadError::NoRows { origin });
        }
        table = rows.settle(table)?;
        check_values(&origin, &keep, &table, |places| rows.locate(places))?;
        if drop_missing {
            drop_rows_with_missing(&mut table, &keep);
            if table.rows() == 0 {
                return Err(ReadError::AllDropped {
                    origin,
                    rows: rows_read,
                });
            }
        }
        reading.done();
        Ok(Loaded {
            rows_dropped: rows_read - table.rows(),
            table,
            header,
            rows_read,
            bytes_read: size.unwrap_or_else(|| rows.kept_bytes()),
        })
    }
}

/// Drops the rows that lack a value. What is left is as if they had never been there: a word that is gone may have been
/// the one that kept numbers from being in the order of numbers.
fn drop_rows_with_missing(table: &mut Table, kept: &Keep) {
    let mut keep = vec![true; table.rows()];
    for column in table.columns() {
        let Some(missing) = column.dictionary().missing() else {
            continue;
        };
        with_codes!(
            column.codes(),
            |codes| for (keep, &code) in keep.iter_mut().zip(codes) {
                *keep &= code as usize != missing as usize;
            }
        );
    }
    let had_numbers: Vec<bool> = has_numbers(table).collect();
    table.retain_rows(&keep);
    let now_has_numbers: Vec<bool> = has_numbers(table).collect();
    let orders = kept.kept().map(|(.., reading)| reading.order());
    for (place, order) in orders.enumerate() {
        if had_numbers[place] != now_has_numbers[place] {
            Column::unite(&mut [table.column_mut(ColumnId(place))], order);
        }
    }
}

/// Of each column, whether all its values are numbers.
fn has_numbers(table: &Table) -> impl Iterator<Item = bool> {
    let columns = table.columns().iter();
    columns.map(|column| column.dictionary().numbers().is_some())
}
