//! Where the tables of a policy are read from: files, a database, or what the caller gives.
//!
//! Invariant: all of them are open as far as their headers before the policy is bound to any, and none is opened twice.

use std::collections::BTreeMap;

use scumble_policy::{DatabaseRows, Place, Policy, Problems, RowsAt, quoted, suggestion};
use scumble_progress::Watch;
use scumble_store::{Connection, Opened, ReadError, Source, TableSchema};

use crate::error::Error;
use crate::sources::{database_source, table_source};

/// A table that is open as far as its header.
pub(crate) struct OpenTable {
    pub opened: Opened,
    /// What the database says of it: nothing of a query, and nothing if there is no database.
    pub schema: Option<TableSchema>,
}

/// All tables of a policy, in its order.
pub(crate) struct OpenTables {
    pub tables: Vec<OpenTable>,
    pub lookups: Vec<OpenTable>,
}

impl OpenTables {
    /// Opens all tables; those that are given by name, wherever the policy says that they are.
    ///
    /// # Errors
    /// A table that is not there or cannot be opened.
    pub fn open(policy: &Policy, given: &BTreeMap<String, Source>, watch: &dyn Watch) -> Result<OpenTables, Error> {
        let desk = Desk {
            policy,
            given,
            connection: match &policy.data.at {
                Place::File(_) | Place::Folder(_) => None,
                Place::Sqlite(file) => Some(Connection::sqlite(file.get_ref())),
                Place::Postgres(url) => Some(Connection::postgres(url.get_ref())),
            },
        };
        let tables = policy.tables().iter();
        let tables = tables.map(|table| desk.open(table.name.get_ref(), &table.from, watch));
        let lookups = policy.lookups().iter();
        let lookups = lookups.map(|lookup| desk.open(lookup.name.get_ref(), &lookup.from, watch));
        Ok(OpenTables {
            tables: tables.collect::<Result<_, Error>>()?,
            lookups: lookups.collect::<Result<_, Error>>()?,
        })
    }
}

struct Desk<'p> {
    policy: &'p Policy,
    given: &'p BTreeMap<String, Source>,
    connection: Option<Connection>,
}

impl Desk<'_> {
    fn open(&self, name: &str, from: &RowsAt, watch: &dyn Watch) -> Result<OpenTable, Error> {
        if let Some(source) = self.given.get(name) {
            return Ok(OpenTable {
                opened: source.open(watch)?,
                schema: source.describe()?,
            });
        }
        let (Some(connection), RowsAt::Database(rows)) = (&self.connection, from) else {
            return Ok(OpenTable {
                opened: table_source(self.policy, from).open(watch)?,
                schema: None,
            });
        };
        let schema = self.describe(connection, rows)?;
        let source = database_source(&self.policy.data, connection.clone(), rows);
        Ok(OpenTable {
            opened: source.open(watch)?,
            schema,
        })
    }

    /// What the database says of a table.
    ///
    /// # Errors
    /// A table that is not there, with those that are.
    fn describe(&self, connection: &Connection, rows: &DatabaseRows) -> Result<Option<TableSchema>, Error> {
        let DatabaseRows::Table(name) = rows else {
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
}

/// What was read, or `None` if there was no row.
pub(super) fn some_rows<T>(loaded: Result<T, ReadError>) -> Result<Option<T>, Error> {
    match loaded {
        Err(ReadError::NoRows { .. }) => Ok(None),
        loaded => Ok(Some(loaded?)),
    }
}
