//! [`Sqlite`]: a file of tables.
//!
//! The file is opened read-only, and one transaction is open as long as it is, so all tables are read as they were when
//! it was opened. Any cell may hold any type: whole numbers and reals are written so that they read back the same, text
//! stays as it is, and bytes are no text.

use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Error, ErrorCode, OpenFlags, Row, Statement};

use super::driver::{Cell, Driver, Met};
use super::rows_of::RowsOf;
use super::sql::{quoted, within};
use crate::error::{ConnectionError, ReadError, SelectFault};
use scumble_table::{Reference, TableSchema};

/// A SQLite file that is open.
pub(super) struct Sqlite {
    path: PathBuf,
    connection: Connection,
}

impl Sqlite {
    pub fn open(path: &Path) -> Result<Self, ConnectionError> {
        // Opened once for the system's word on it: SQLite only says that it cannot.
        let opened = File::open(path).and_then(|file| file.metadata());
        let io = |source| ConnectionError::Io {
            path: path.into(),
            source,
        };
        if opened.map_err(io)?.is_dir() {
            return Err(io(ErrorKind::IsADirectory.into()));
        }
        let refused = |error: Error| match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => io(ErrorKind::ResourceBusy.into()),
            // A database that is being written needs files beside it, which cannot be opened or made.
            Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => {
                io(ErrorKind::PermissionDenied.into())
            }
            _ => ConnectionError::NotSqlite { path: path.into() },
        };
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).map_err(refused)?;
        // The transaction begins with the first reading.
        let begin = "BEGIN; SELECT count(*) FROM sqlite_schema;";
        connection.execute_batch(begin).map_err(refused)?;
        Ok(Sqlite {
            path: path.into(),
            connection,
        })
    }

    /// The table or view of this name, as it was made; SQLite does not tell capitals from small letters.
    fn find(&self, table: &str) -> Result<Option<String>, ConnectionError> {
        let sql = "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name = ?1 COLLATE NOCASE";
        let names = self.texts(sql, table)?;
        Ok(names.into_iter().next().and_then(|[name]| name))
    }

    fn found(&self, table: &str) -> Result<String, ConnectionError> {
        let missing = || ConnectionError::NoTable {
            table: table.to_owned(),
        };
        self.find(table)?.ok_or_else(missing)
    }

    /// The primary key of a table.
    fn key(&self, table: &str) -> Result<Vec<String>, ConnectionError> {
        let sql = "SELECT name FROM pragma_table_xinfo(?1) WHERE pk > 0 ORDER BY pk";
        let names = self.texts(sql, table)?;
        Ok(names.into_iter().filter_map(|[name]| name).collect())
    }

    /// The foreign keys of a table, in the order in which it declares them.
    fn references(&self, table: &str) -> Result<Vec<Reference>, ConnectionError> {
        let sql = "SELECT id, \"table\", \"from\", \"to\" FROM pragma_foreign_key_list(?1) ORDER BY id DESC, seq";
        let mut references: Vec<(String, Reference)> = Vec::new();
        for [id, parent, from, to] in self.texts(sql, table)? {
            let id = id.unwrap_or_default();
            if references.last().is_none_or(|(last, _)| *last != id) {
                let reference = Reference {
                    columns: Vec::new(),
                    table: parent.unwrap_or_default(),
                    to: Vec::new(),
                };
                references.push((id, reference));
            }
            if let Some((_, reference)) = references.last_mut() {
                reference.columns.extend(from);
                reference.to.extend(to);
            }
        }
        references
            .into_iter()
            .map(|(_, reference)| self.resolved(reference))
            .collect()
    }

    /// A reference with table and columns as they were made. One that names no columns refers to the primary key.
    fn resolved(&self, mut reference: Reference) -> Result<Reference, ConnectionError> {
        let Some(parent) = self.find(&reference.table)? else {
            return Ok(reference);
        };
        let key = self.key(&parent)?;
        if reference.to.is_empty() {
            reference.to.clone_from(&key);
        }
        let columns = self.texts("SELECT name FROM pragma_table_xinfo(?1)", &parent)?;
        let columns: Vec<String> = columns.into_iter().filter_map(|[name]| name).collect();
        for to in &mut reference.to {
            if let Some(column) = columns.iter().find(|column| column.eq_ignore_ascii_case(to)) {
                to.clone_from(column);
            }
        }
        reference.table = parent;
        Ok(reference.in_order_of(&key))
    }

    /// What a statement about the table `table` gives, as text.
    fn texts<const N: usize>(&self, sql: &str, table: &str) -> Result<Vec<[Option<String>; N]>, ConnectionError> {
        let read = || -> rusqlite::Result<Vec<[Option<String>; N]>> {
            let mut statement = self.connection.prepare(sql)?;
            let mut rows = if statement.parameter_count() > 0 {
                statement.query([table])?
            } else {
                statement.query([])?
            };
            let mut texts = Vec::new();
            while let Some(row) = rows.next()? {
                let mut cells = [const { None }; N];
                for (place, cell) in cells.iter_mut().enumerate() {
                    *cell = name_at(row, place)?;
                }
                texts.push(cells);
            }
            Ok(texts)
        };
        read().map_err(|error| ConnectionError::Schema {
            reason: code_of(&error).to_owned(),
        })
    }

    /// A statement that is one SELECT.
    fn select(&self, rows: &RowsOf, query: &str) -> Result<Statement<'_>, ConnectionError> {
        let not_select = |reason: SelectFault| ConnectionError::NotSelect {
            rows: rows.to_string(),
            reason,
        };
        let prepared = self.connection.prepare(query);
        let statement = prepared.map_err(|error| not_select(SelectFault::Said(said_before_reading(&error))))?;
        // Only a SELECT can stand within another.
        let within = format!("SELECT * FROM {}", within(query));
        if self.connection.prepare(&within).is_err() {
            return Err(not_select(SelectFault::OtherStatement));
        }
        if statement.parameter_count() > 0 {
            return Err(not_select(SelectFault::Parameters));
        }
        Ok(statement)
    }

    fn prepare(&self, rows: &RowsOf, columns: Option<&[(usize, &str)]>) -> Result<Statement<'_>, ConnectionError> {
        let table = match rows {
            RowsOf::Query(query) => return self.select(rows, query),
            RowsOf::Table(table) => quoted(&self.found(table)?),
        };
        let columns = match columns {
            None => "*".to_owned(),
            Some([]) => "NULL".to_owned(),
            Some(columns) => {
                let names = columns.iter().map(|(_, name)| quoted(name));
                names.collect::<Vec<_>>().join(", ")
            }
        };
        let sql = format!("SELECT {columns} FROM {table}");
        self.connection.prepare(&sql).map_err(|error| ConnectionError::Rows {
            rows: rows.to_string(),
            reason: said_before_reading(&error),
        })
    }

    /// What SQLite says of a cell may quote it, so only its code is passed on.
    fn failed(&self, rows: &RowsOf, error: &Error) -> ConnectionError {
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => ConnectionError::NotSqlite {
                path: self.path.clone(),
            },
            _ => ConnectionError::Rows {
                rows: rows.to_string(),
                reason: code_of(error).to_owned(),
            },
        }
    }
}

impl Driver for Sqlite {
    fn header(&mut self, rows: &RowsOf) -> Result<Vec<String>, ConnectionError> {
        let statement = self.prepare(rows, None)?;
        Ok(statement.column_names().map(str::to_owned).collect())
    }

    fn describe(&mut self, table: &str) -> Result<Option<TableSchema>, ConnectionError> {
        let Some(name) = self.find(table)? else {
            return Ok(None);
        };
        Ok(Some(TableSchema {
            key: self.key(&name)?,
            references: self.references(&name)?,
            name,
        }))
    }

    fn tables(&mut self) -> Result<Vec<String>, ConnectionError> {
        let sql =
            "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";
        let names = self.texts(sql, "")?;
        let mut names: Vec<String> = names.into_iter().filter_map(|[name]| name).collect();
        names.sort();
        Ok(names)
    }

    fn cells(
        &mut self,
        rows: &RowsOf,
        columns: &[(usize, &str)],
        each: &mut dyn FnMut(Met) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        let failed = |error: Error| ReadError::from(self.failed(rows, &error));
        let mut statement = self.prepare(rows, Some(columns))?;
        let is_query = matches!(rows, RowsOf::Query(_));
        let mut given = statement.query([]).map_err(failed)?;
        while let Some(row) = given.next().map_err(failed)? {
            for (place, &(column, _)) in columns.iter().enumerate() {
                // A query gives all its columns, a table those that were asked for.
                let cell = row.get_ref(if is_query { column } else { place }).map_err(failed)?;
                give(cell, column, each)?;
            }
            each(Met::Row)?;
        }
        Ok(())
    }

    fn stopper(&self) -> Box<dyn Fn() + Send> {
        let handle = self.connection.get_interrupt_handle();
        Box::new(move || handle.interrupt())
    }
}

fn give(cell: ValueRef, column: usize, each: &mut dyn FnMut(Met) -> Result<(), ReadError>) -> Result<(), ReadError> {
    let mut text = |text: &str| each(Met::Cell(column, Cell::Text(text)));
    match cell {
        ValueRef::Integer(number) => text(&number.to_string()),
        ValueRef::Real(number) => text(&number.to_string()),
        ValueRef::Text(bytes) => match std::str::from_utf8(bytes) {
            Ok(cell) => text(cell),
            Err(_) => each(Met::Cell(column, Cell::Bytes)),
        },
        ValueRef::Null => each(Met::Cell(column, Cell::Missing)),
        ValueRef::Blob(_) => each(Met::Cell(column, Cell::Bytes)),
    }
}

/// A name or number of the schema.
fn name_at(row: &Row, place: usize) -> rusqlite::Result<Option<String>> {
    Ok(match row.get_ref(place)? {
        ValueRef::Integer(number) => Some(number.to_string()),
        ValueRef::Text(text) => Some(String::from_utf8_lossy(text).into_owned()),
        _ => None,
    })
}

/// What SQLite says of a statement before it has read a cell.
fn said_before_reading(error: &Error) -> String {
    match error {
        Error::SqlInputError { msg, .. } | Error::SqliteFailure(_, Some(msg)) => msg.clone(),
        Error::MultipleStatement => "it has more than one statement".to_owned(),
        error => code_of(error).to_owned(),
    }
}

/// What the code of an error means.
fn code_of(error: &Error) -> &'static str {
    error.sqlite_error().map_or("the statement cannot be run", |error| {
        rusqlite::ffi::code_to_str(error.extended_code)
    })
}
