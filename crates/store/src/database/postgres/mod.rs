//! [`Postgres`]: a database of a PostgreSQL server.
//!
//! One transaction is open as long as the connection: read-only, and everything in it is as it was at its first
//! statement. Every cell comes as the text that PostgreSQL casts it to, with settings under which that text does not
//! depend on the server or the user:
//!
//! | type | cell |
//! |---|---|
//! | boolean | true |
//! | date, timestamptz | 2024-02-29, 2024-02-29 12:00:00+00 |
//! | double precision | 0.1, the shortest text that reads back the same |
//! | integer\[\] | {1,2} |
//! | bytea | \x00ff |
//!
//! Rows come in one stream, so memory holds only what is kept of them.

mod address;
mod catalog;
mod tls;
mod words;

use postgres::binary_copy::BinaryCopyOutIter;
use postgres::fallible_iterator::FallibleIterator;
use postgres::types::Type;
use postgres::{Client, Error, NoTls};

use self::address::{Address, Encryption};
use self::catalog::Found;
use self::tls::Tls;
use self::words::{is_lost, refusal, said_before_reading, said_while_reading};
use super::driver::{Cell, Driver, Met};
use super::rows_of::RowsOf;
use super::sql::{quoted, within};
use crate::error::{ConnectionError, ReadError, SelectFault, WhyRefused};
use scumble_table::TableSchema;

/// What holds for the whole connection. The last statement takes the picture of the data that all later ones see.
const BEGIN: &str = "START TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY;
    SET LOCAL DateStyle = 'ISO, YMD';
    SET LOCAL IntervalStyle = 'iso_8601';
    SET LOCAL TimeZone = 'UTC';
    SET LOCAL extra_float_digits = 1;
    SET LOCAL bytea_output = 'hex';
    SET LOCAL lc_monetary = 'C';
    SET LOCAL statement_timeout = 0;
    SET LOCAL idle_in_transaction_session_timeout = 0;
    SELECT 1";

/// A connection to a PostgreSQL server.
pub(super) struct Postgres {
    client: Client,
    tls: Option<Tls>,
    server: String,
}

impl Postgres {
    pub fn open(url: &str) -> Result<Self, ConnectionError> {
        let address = Address::parse(url, std::env::var("PGPASSWORD").ok())?;
        let server = address.server;
        let refused = |reason: WhyRefused| ConnectionError::Refused {
            server: server.clone(),
            reason,
        };
        let tls = match &address.encryption {
            Encryption::None => None,
            Encryption::Checked { roots } => Some(Tls::new(roots.as_deref()).map_err(refused)?),
        };
        let client = match &tls {
            None => address.config.connect(NoTls),
            Some(tls) => address.config.connect(tls.clone()),
        };
        let mut client = client.map_err(|error| refused(WhyRefused::Said(refusal(&error))))?;
        let begun = client.batch_execute(BEGIN);
        begun.map_err(|error| refused(WhyRefused::Said(refusal(&error))))?;
        Ok(Postgres { client, tls, server })
    }

    fn find(&mut self, table: &str) -> Result<Option<Found>, ConnectionError> {
        let found = catalog::find(&mut self.client, table);
        found.map_err(|error| self.not_told(&error))
    }

    fn found(&mut self, table: &str) -> Result<Found, ConnectionError> {
        let missing = || ConnectionError::NoTable {
            table: table.to_owned(),
        };
        self.find(table)?.ok_or_else(missing)
    }

    fn not_told(&self, error: &Error) -> ConnectionError {
        let reason = said_while_reading(error);
        self.lost(error).unwrap_or(ConnectionError::Schema { reason })
    }

    fn lost(&self, error: &Error) -> Option<ConnectionError> {
        is_lost(error).then(|| ConnectionError::Lost {
            server: self.server.clone(),
        })
    }

    /// The columns of a query, if it is one SELECT.
    fn columns_of_query(&mut self, rows: &RowsOf, query: &str) -> Result<Vec<String>, ConnectionError> {
        let not_select = |reason: SelectFault| ConnectionError::NotSelect {
            rows: rows.to_string(),
            reason,
        };
        let refused = |client: &Self, error: &Error, reason| client.lost(error).unwrap_or_else(|| not_select(reason));
        let prepared = self.client.prepare(query);
        let statement =
            prepared.map_err(|error| refused(self, &error, SelectFault::Said(said_before_reading(&error))))?;
        // Only a SELECT can stand within another.
        let prepared = self.client.prepare(&format!("SELECT * FROM {}", within(query)));
        prepared.map_err(|error| refused(self, &error, SelectFault::OtherStatement))?;
        if !statement.params().is_empty() {
            return Err(not_select(SelectFault::Parameters));
        }
        let columns = statement.columns().iter();
        Ok(columns.map(|column| column.name().to_owned()).collect())
    }

    fn not_given(&self, rows: &RowsOf, error: &Error, reason: impl Fn(&Error) -> String) -> ConnectionError {
        self.lost(error).unwrap_or_else(|| ConnectionError::Rows {
            rows: rows.to_string(),
            reason: reason(error),
        })
    }
}

impl Driver for Postgres {
    fn header(&mut self, rows: &RowsOf) -> Result<Vec<String>, ConnectionError> {
        match rows {
            RowsOf::Query(query) => self.columns_of_query(rows, query),
            RowsOf::Table(table) => {
                let table = self.found(table)?;
                let columns = catalog::columns(&mut self.client, &table);
                columns.map_err(|error| self.not_told(&error))
            }
        }
    }

    fn describe(&mut self, table: &str) -> Result<Option<TableSchema>, ConnectionError> {
        let Some(found) = self.find(table)? else {
            return Ok(None);
        };
        let schema = catalog::describe(&mut self.client, &found);
        schema.map(Some).map_err(|error| self.not_told(&error))
    }

    fn tables(&mut self) -> Result<Vec<String>, ConnectionError> {
        let tables = catalog::tables(&mut self.client);
        tables.map_err(|error| self.not_told(&error))
    }

    fn cells(
        &mut self,
        rows: &RowsOf,
        columns: &[(usize, &str)],
        each: &mut dyn FnMut(Met) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        let from = match rows {
            RowsOf::Table(table) => format!("{} AS q", self.found(table)?.sql()),
            RowsOf::Query(query) => within(query),
        };
        let texts: Vec<String> = columns
            .iter()
            .map(|(_, name)| format!("q.{}::text", quoted(name)))
            .collect();
        let texts = if texts.is_empty() {
            "NULL::text".to_owned()
        } else {
            texts.join(", ")
        };
        let select = format!("SELECT {texts} FROM {from}");
        // Asked first, so that what is wrong with the statement is said before a cell is read.
        if let Err(error) = self.client.prepare(&select) {
            return Err(self.not_given(rows, &error, said_before_reading).into());
        }
        let copied = copy(&mut self.client, &select, columns, each);
        copied.map_err(|failure| match failure {
            Failure::Ours(error) => error,
            Failure::Theirs(error) => self.not_given(rows, &error, said_while_reading).into(),
        })
    }

    fn stopper(&self) -> Box<dyn Fn() + Send> {
        let token = self.client.cancel_token();
        let tls = self.tls.clone();
        Box::new(move || {
            // If the server cannot be told, the next rows end it.
            let _ = match &tls {
                None => token.cancel_query(NoTls),
                Some(tls) => token.cancel_query(tls.clone()),
            };
        })
    }
}

enum Failure {
    Ours(ReadError),
    Theirs(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Theirs(error)
    }
}

fn copy(
    client: &mut Client,
    select: &str,
    columns: &[(usize, &str)],
    each: &mut dyn FnMut(Met) -> Result<(), ReadError>,
) -> Result<(), Failure> {
    let stream = client.copy_out(&format!("COPY ({select}) TO STDOUT (FORMAT binary)"))?;
    let mut rows = BinaryCopyOutIter::new(stream, &vec![Type::TEXT; columns.len().max(1)]);
    while let Some(row) = rows.next()? {
        for (place, &(column, _)) in columns.iter().enumerate() {
            let cell = match row.try_get::<Option<&str>>(place) {
                Ok(Some(text)) => Cell::Text(text),
                Ok(None) => Cell::Missing,
                // A server without encoding may give any bytes.
                Err(_) => Cell::Bytes,
            };
            each(Met::Cell(column, cell)).map_err(Failure::Ours)?;
        }
        each(Met::Row).map_err(Failure::Ours)?;
    }
    Ok(())
}
