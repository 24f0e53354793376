//! Where the tables of a policy are read from: files, a database, or what the caller gives.
//!
//! Invariant: all of them are open as far as their headers before the policy is bound to any, and none is opened twice.

use std::collections::BTreeMap;

use scumble_bind::TableHead;
use scumble_policy::{Policy, RowsAt};
use scumble_progress::Watch;
use scumble_store::{Connection, Opened, ReadError, Source};
use scumble_table::TableSchema;

use crate::error::Error;
use crate::sources::{database_of, database_source, described, table_source};

/// A table that is open as far as its header.
pub(crate) struct OpenTable {
    pub opened: Opened,
    /// What the database says of it: nothing of a query, and nothing if there is no database.
    pub schema: Option<TableSchema>,
}

impl OpenTable {
    /// What is known of it.
    pub fn head(&self) -> TableHead {
        TableHead {
            header: self.opened.header().to_vec(),
            schema: self.schema.clone(),
        }
    }
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
            connection: database_of(&policy.data),
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
        let schema = described(self.policy, connection, rows)?;
        let source = database_source(&self.policy.data, connection.clone(), rows);
        Ok(OpenTable {
            opened: source.open(watch)?,
            schema,
        })
    }
}

/// What was read, or `None` if there was no row.
pub(super) fn some_rows<T>(loaded: Result<T, ReadError>) -> Result<Option<T>, Error> {
    match loaded {
        Err(ReadError::NoRows { .. }) => Ok(None),
        loaded => Ok(Some(loaded?)),
    }
}
