//! [`DatabaseSource`]: rows of a database, as a source like any file.

use super::connection::Connection;
use super::rows::DatabaseRows;
use super::rows_of::RowsOf;
use crate::Watch;
use crate::error::ReadError;
use crate::read::{Cells, Opened};
use scumble_table::TableSchema;

/// Rows of a database, and what of their cells is a value.
#[derive(Clone, Debug)]
pub struct DatabaseSource {
    /// Where they are. Sources that share a connection are read as they were at one moment.
    pub connection: Connection,
    /// Which rows.
    pub rows: RowsOf,
    /// What of a cell is its value.
    pub cells: Cells,
}

impl DatabaseSource {
    /// Opens the database, if it is not open, and asks for the columns. What is not read later is not asked for.
    ///
    /// # Errors
    /// A database that does not open, a table that is not there, a query that is not one SELECT, columns that cannot be
    /// told apart.
    pub fn open(&self, _watch: &dyn Watch) -> Result<Opened, ReadError> {
        let header = self.connection.with(|driver| driver.header(&self.rows))?;
        let key = self.describe()?.map(|schema| schema.key).unwrap_or_default();
        let rows = DatabaseRows::new(self.connection.clone(), self.rows.clone(), header, key);
        // What a database sends was stored as cells.
        Opened::new(Box::new(rows), self.rows.origin(), self.cells.clone(), u64::MAX, None)
    }

    /// What the database says of the table; `None` of a query, and of a table that is not there.
    ///
    /// # Errors
    /// A database that does not open.
    pub fn describe(&self) -> Result<Option<TableSchema>, ReadError> {
        match &self.rows {
            RowsOf::Table(table) => Ok(self.connection.describe(table)?),
            RowsOf::Query(_) => Ok(None),
        }
    }
}
