//! A [`Connection`] reads tables from a database, all of them as they were at one moment.
//!
//! | students | sid (key) | gpa |
//! |---|---|---|
//! | stored | S10 | NULL |
//! | | S2 | 3.5 |
//!
//! is read as the file `sid,gpa`, `S2,3.5`, `S10,` would be: every cell as text, NULL as a missing one, rows in the
//! [`order`] of their key. The rows then go the way of those of any file.
//!
//! Invariant: nothing is written, everything is read in one read-only transaction, and the same data gives the same
//! table, however the database stores it.

mod error;
mod order;
mod postgres;
mod rows;
mod schema;
mod sqlite;

use std::path::Path;

use scumble_progress::{Running, Stage};

pub use error::ConnectionError;
pub use schema::{Reference, RowsOf, TableSchema};

use self::{postgres::Postgres, rows::DatabaseRows, schema::check_names, sqlite::Sqlite};
use crate::Watch;
use crate::read::{Cells, Loaded, Named, ReadError, read_rows};
use scumble_table::Reading;

/// A database that is open for reading.
pub struct Connection {
    database: Box<dyn Database + Send>,
}

impl Connection {
    /// Opens a SQLite file.
    ///
    /// # Errors
    /// A file that is not there, or is no SQLite database.
    pub fn open_sqlite(path: &Path) -> Result<Self, ConnectionError> {
        Ok(Connection {
            database: Box::new(Sqlite::open(path)?),
        })
    }

    /// Connects to a PostgreSQL database: `postgres://user:password@host:port/name`. A URL without password takes that
    /// of the environment variable `PGPASSWORD`.
    ///
    /// The connection is encrypted if the URL asks for it: `sslmode=require`, `verify-ca` and `verify-full` all check
    /// the server's certificate, against the authorities that the system trusts or those of the file `sslrootcert`.
    ///
    /// # Errors
    /// A URL that is not understood, a server that does not answer or refuses. No message holds the password.
    pub fn open_postgres(url: &str) -> Result<Self, ConnectionError> {
        Ok(Connection {
            database: Box::new(Postgres::open(url)?),
        })
    }

    /// The names of the columns of some rows.
    ///
    /// # Errors
    /// A table that is not there, a query that is not one SELECT, columns that cannot be told apart.
    pub fn header(&mut self, rows: &RowsOf) -> Result<Vec<String>, ConnectionError> {
        let header = self.database.header(rows)?;
        check_names(rows, &header)?;
        Ok(header)
    }

    /// What the database says of a table or view. `None` if it has none of this name.
    ///
    /// A name is a name and not SQL: it needs no quotes. A PostgreSQL table outside the search path is `schema.table`.
    pub fn describe(&mut self, table: &str) -> Result<Option<TableSchema>, ConnectionError> {
        self.database.describe(table)
    }

    /// The tables and views, by name.
    pub fn tables(&mut self) -> Result<Vec<String>, ConnectionError> {
        self.database.tables()
    }

    /// Reads rows as [`read`](fn@crate::read) reads those of a file: `plan` sees the header and says how to read each
    /// column, and what is skipped is not asked for.
    ///
    /// # Panics
    /// If the plan has not one [`Reading`] per column.
    pub fn read<'t, E: From<ReadError>>(
        &mut self,
        rows: &RowsOf,
        cells: &Cells,
        drop_missing: bool,
        plan: impl FnOnce(&[String]) -> Result<Vec<Reading<'t>>, E>,
        watch: &dyn Watch,
    ) -> Result<Loaded, E> {
        let reading = Running::begin(watch, Stage::Reading, None);
        let header = self.header(rows).map_err(ReadError::from)?;
        let key = self.key(rows).map_err(ReadError::from)?;
        let mut file = DatabaseRows::new(&mut *self.database, rows, header, key);
        let named = Named {
            origin: rows.to_string(),
            no_rows: ConnectionError::NoRows { rows: rows.to_string() }.into(),
            // What a database sends was stored as cells.
            most_cells: u64::MAX,
        };
        let loaded = read_rows(&mut file, named, cells.clone(), drop_missing, plan, watch)?;
        reading.done();
        Ok(Loaded {
            bytes_read: file.bytes(),
            ..loaded
        })
    }

    fn key(&mut self, rows: &RowsOf) -> Result<Vec<String>, ConnectionError> {
        let RowsOf::Table(table) = rows else {
            return Ok(Vec::new());
        };
        Ok(self.describe(table)?.map(|schema| schema.key).unwrap_or_default())
    }
}

/// What a kind of database must do.
trait Database {
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

    /// Something that makes [`Database::cells`] fail soon, from another thread.
    fn stopper(&self) -> Box<dyn Fn() + Send>;
}

/// What is met while reading rows.
enum Met<'c> {
    /// A cell of the column at this place of the header.
    Cell(usize, Cell<'c>),
    /// The end of a row.
    Row,
}

enum Cell<'c> {
    Text(&'c str),
    Missing,
    /// Bytes that are no text.
    Bytes,
}
