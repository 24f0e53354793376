//! Where the tables of a policy are read from: files, or a database.

use scumble_store::{
    Cells, Connection, DatabaseSource, Loaded, ReadError, RowsOf, Source, TableSchema, Unwatched, Watch,
};

use scumble_policy::{DatabasePolicy, Problems, RowsFrom, TablesAt, quoted, suggestion};
use scumble_table::Reading;

use crate::error::Error;
use crate::sources::table_source;

/// Files, or a database that was opened.
pub(crate) struct Tables<'p> {
    policy: &'p DatabasePolicy,
    connection: Option<Connection>,
}

impl<'p> Tables<'p> {
    /// Opens the database of a policy, if its tables are in one.
    pub fn open(policy: &'p DatabasePolicy) -> Result<Self, Error> {
        let connection = match &policy.at {
            TablesAt::Files => None,
            TablesAt::Sqlite(file) => Some(Connection::sqlite(file.get_ref())),
            TablesAt::Postgres(url) => Some(Connection::postgres(url.get_ref())),
        };
        if let Some(connection) = &connection {
            connection.open().map_err(ReadError::from)?;
        }
        Ok(Tables { policy, connection })
    }

    fn source(&self, from: &RowsFrom) -> Source {
        let Some(connection) = &self.connection else {
            return table_source(self.policy, from).into();
        };
        let rows = DatabaseSource {
            connection: connection.clone(),
            rows: rows_of(from),
            cells: Cells {
                trim: self.policy.cells.trim,
                marks: self.policy.cells.missing_marks.clone(),
                formulas_as_text: false,
            },
        };
        rows.into()
    }

    /// The names of the columns of a table.
    pub fn header(&mut self, from: &RowsFrom) -> Result<Vec<String>, Error> {
        Ok(self.source(from).open(&Unwatched)?.header().to_vec())
    }

    /// What the database says of a table: nothing of a query, and nothing if there is no database.
    ///
    /// # Errors
    /// A table that is not there, with those that are.
    pub fn describe(&mut self, from: &RowsFrom) -> Result<Option<TableSchema>, Error> {
        let (Some(connection), RowsFrom::Table(name)) = (&self.connection, from) else {
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
    pub fn read(&mut self, from: &RowsFrom, reading: &[Reading], watch: &dyn Watch) -> Result<Option<Loaded>, Error> {
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

fn rows_of(from: &RowsFrom) -> RowsOf {
    match from {
        RowsFrom::File(file) | RowsFrom::Named(file) => RowsOf::Table(file.get_ref().display().to_string()),
        RowsFrom::Table(table) => RowsOf::Table(table.get_ref().clone()),
        RowsFrom::Query(query) => RowsOf::Query(query.get_ref().clone()),
    }
}
