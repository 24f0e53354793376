//! Where the tables of a policy are read from: files, or a database.

use scumble_store::{Connection, ConnectionError, Loaded, ReadError, RowsOf, TableSchema, Watch, header, read};
use scumble_table::Reading;

use crate::error::Error;
use crate::sources::{data_cells, database_rows, open_database, table_source};
use scumble_policy::Problems;
use scumble_policy::{DatabaseRows, Policy, RowsAt, quoted, suggestion};

/// Files, or a database that was opened.
pub(super) struct Tables<'p> {
    policy: &'p Policy,
    connection: Option<Connection>,
}

impl<'p> Tables<'p> {
    /// Opens the database of a policy, if its tables are in one.
    pub fn open(policy: &'p Policy) -> Result<Self, Error> {
        let connection = open_database(&policy.data.at)?;
        Ok(Tables { policy, connection })
    }

    /// The names of the columns of a table.
    pub fn header(&mut self, from: &RowsAt) -> Result<Vec<String>, Error> {
        match (&mut self.connection, rows_of(from)) {
            (Some(connection), Some(rows)) => Ok(connection.header(&rows).map_err(ReadError::from)?),
            (None, _) | (_, None) => Ok(header(&table_source(self.policy, from))?),
        }
    }

    /// What the database says of a table: nothing of a query, and nothing if there is no database.
    ///
    /// # Errors
    /// A table that is not there, with those that are.
    pub fn describe(&mut self, from: &RowsAt) -> Result<Option<TableSchema>, Error> {
        let (Some(connection), RowsAt::Database(DatabaseRows::Table(name))) = (&mut self.connection, from) else {
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
        let plan = |_: &[String]| Ok::<_, ReadError>(reading.to_vec());
        let loaded = match (&mut self.connection, rows_of(from)) {
            (None, _) | (_, None) => read(&table_source(self.policy, from), false, plan, watch),
            (Some(connection), Some(rows)) => {
                let cells = data_cells(&self.policy.data);
                connection.read(&rows, &cells, false, plan, watch)
            }
        };
        some_rows(loaded)
    }
}

/// What was read, or `None` if there was no row.
pub(super) fn some_rows(loaded: Result<Loaded, ReadError>) -> Result<Option<Loaded>, Error> {
    match loaded {
        Err(ReadError::NoRows { .. } | ReadError::Connection(ConnectionError::NoRows { .. })) => Ok(None),
        loaded => Ok(Some(loaded?)),
    }
}

/// The rows of the database, if they are in it.
fn rows_of(from: &RowsAt) -> Option<RowsOf> {
    match from {
        RowsAt::File(_) | RowsAt::Named(_) => None,
        RowsAt::Database(rows) => Some(database_rows(rows)),
    }
}
