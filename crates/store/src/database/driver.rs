//! [`Driver`]: what a kind of database must do.

use scumble_table::TableSchema;

use super::rows_of::RowsOf;
use crate::error::{ConnectionError, ReadError};

/// What a kind of database must do.
pub(super) trait Driver {
    /// The names of the columns.
    fn header(&mut self, rows: &RowsOf) -> Result<Vec<String>, ConnectionError>;

    fn describe(&mut self, table: &str) -> Result<Option<TableSchema>, ConnectionError>;

    fn tables(&mut self) -> Result<Vec<String>, ConnectionError>;

    /// Gives the cells of some columns to `each`, row by row, in any order of rows. Columns are given by their place in
    /// the header, ascending.
    fn cells(
        &mut self,
        rows: &RowsOf,
        columns: &[(usize, &str)],
        each: &mut dyn FnMut(Met) -> Result<(), ReadError>,
    ) -> Result<(), ReadError>;

    /// Something that makes [`Driver::cells`] fail soon, from another thread.
    fn stopper(&self) -> Box<dyn Fn() + Send>;
}

/// What is met while reading rows.
pub(super) enum Met<'c> {
    /// A cell of the column at this place of the header.
    Cell(usize, Cell<'c>),
    /// The end of a row.
    Row,
}

pub(super) enum Cell<'c> {
    Text(&'c str),
    Missing,
    /// Bytes that are no text.
    Bytes,
}
