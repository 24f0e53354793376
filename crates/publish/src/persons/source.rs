//! Where the tables of a policy are read from: files, or a database.

use scumble_store::{Connection, Loaded, ReadError, Source, TableSchema, Unwatched, Watch};

use scumble_policy::{DatabaseRows, Place, Policy, Problems, RowsAt, quoted, suggestion};
use scumble_table::Reading;

use crate::error::Error;
use crate::sources::{database_source, table_source};

/// Files, or a database that was opened.
pub(crate) struct Tables<'p> {
    policy: &'p Policy,
    connection: Option<Connection>,
}

impl<'p> Tables<'p> {
    /// Opens the database of a policy, if its tables are in one.
    pub fn open(policy: &'p Policy) -> Result<Self, Error> {
        let connection = match &policy.data.at {
            Place::File(_) | Place::Folder(_) => None,
            Place::Sqlite(file) => Some(Connection::sqlite(file.get_ref())),
            Place::Postgres(url) => Some(Connection::postgres(url.get_ref())),
        };
        if let Some(connection) = &connection {
            connection.open().map_err(ReadError::from)?;
        }
        Ok(Tables { policy, connection })
    }

    fn source(&self, from: &RowsAt) -> Source {
        match (&self.connection, from) {
            (Some(connection), RowsAt::Database(rows)) => database_source(&self.policy.data, connection.clone(), rows),
            (None, _) | (_, RowsAt::File(_) | RowsAt::Named(_)) => table_source(self.policy, from).into(),
        }
    }

    /// The names of the columns of a table.
    pub fn header(&mut self, from: &RowsAt) -> Result<Vec<String>, Error> {
        Ok(self.source(from).open(&Unwatched)?.header().to_vec())
    }

    /// What the database says of a table: nothing of a query, and nothing if there is no database.
    ///
    /// # Errors
    /// A table that is not there, with those that are.
    pub fn describe(&mut self, from: &RowsAt) -> Result<Option<TableSchema>, Error> {
        let (Some(connection), RowsAt::Database(DatabaseRows::Table(name))) = (&self.connection, from) else {
            return Ok(None);
        };
        if let Some(schema) = connection.describe(name.get_ref()).map_err(ReadError::from)? {
            return Ok(Some(schema));
        }
        let known = connection.tables().map_err(ReadError::from)?;
        let mut problems = Problems::new(self.policy.source());
        let message = format!("the database has no table {}", quoted(name.get_ref()));
        let help = suggestion(name.get_ref(), known.iter().map(String::as_str));
        problems.at(name.span(), message, Some(help));
        Err(Error::Policy(problems))
    }

    /// Reads a table. `None` if it has no rows.
    pub fn read(&mut self, from: &RowsAt, reading: &[Reading], watch: &dyn Watch) -> Result<Option<Loaded>, Error> {
        some_rows(self.source(from).open(watch)?.read(reading, false, watch))
    }
}

/// What was read, or `None` if there was no row.
pub(super) fn some_rows<T>(loaded: Result<T, ReadError>) -> Result<Option<T>, Error> {
    match loaded {
        Err(ReadError::NoRows { .. }) => Ok(None),
        loaded => Ok(Some(loaded?)),
    }
}
