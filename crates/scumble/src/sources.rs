//! Where the rows of a policy are read from.

use std::path::Path;

use scumble_policy::{Data, DatabaseRows, Place, Policy, Problems, RowsAt, quoted, suggestion};
use scumble_progress::{Unwatched, Watch};
use scumble_store::{Cells, Connection, DatabaseSource, FileSource, ReadError, ReleasePart, RowsOf, Source};
use scumble_table::{Reading, Table, TableSchema};

use crate::error::Error;

/// What the file of a table may end with, if a policy does not name it.
const EXTENSIONS: [&str; 6] = ["csv", "parquet", "tsv", "jsonl", "arrow", "xlsx"];

/// The database that data is in, if it is in one. Nothing is opened yet.
pub(crate) fn database_of(data: &Data) -> Option<Connection> {
    match &data.at {
        Place::File(_) | Place::Folder(_) => None,
        Place::Sqlite(file) => Some(Connection::sqlite(file.get_ref())),
        Place::Postgres(url) => Some(Connection::postgres(url.get_ref())),
    }
}

/// Where the rows of a policy over one table are.
///
/// # Errors
/// A table that the database does not have, with its line and those that it has; a database of which no rows are named.
pub(crate) fn checked_source(policy: &Policy) -> Result<Source, Error> {
    let data = &policy.data;
    if let Some((connection, rows)) = database_of(data).zip(data.rows.as_ref()) {
        described(policy, &connection, rows)?;
        return Ok(database_source(data, connection, rows));
    }
    if let Place::File(file) = &data.at {
        let extension = file.get_ref().extension().unwrap_or_default();
        if DATABASES.iter().any(|known| extension == *known) {
            let mut problems = Problems::new(policy.source());
            let message = "the data is a SQLite database, and nothing says which of its rows";
            let help = "add `table = \"people\"` or `query = \"select ...\"` to [data]".to_owned();
            problems.at(file.span(), message, Some(help));
            problems.none_or(())?;
        }
    }
    Ok(file_source(data).into())
}

/// What the file of a SQLite database usually ends with.
const DATABASES: [&str; 3] = ["db", "sqlite", "sqlite3"];

/// What the database says of a table; nothing of a query.
///
/// # Errors
/// A table that is not there, with those that are.
pub(crate) fn described(
    policy: &Policy,
    connection: &Connection,
    rows: &DatabaseRows,
) -> Result<Option<TableSchema>, Error> {
    let DatabaseRows::Table(name) = rows else {
        return Ok(None);
    };
    if let Some(schema) = connection.describe(name.get_ref()).map_err(ReadError::from)? {
        return Ok(Some(schema));
    }
    let known = connection.tables().map_err(ReadError::from)?;
    let mut problems = Problems::new(policy.source());
    let message = format!("the database has no table {}", quoted(name.get_ref()));
    let help = suggestion(name.get_ref(), known.iter().map(String::as_str));
    problems.at(name.span(), message, Some(help));
    Err(problems.into())
}

/// Where the rows of a policy over one table are.
pub(crate) fn data_source(data: &Data) -> Source {
    match database_of(data).zip(data.rows.as_ref()) {
        Some((connection, rows)) => database_source(data, connection, rows),
        None => file_source(data).into(),
    }
}

/// The file of a policy, and what must be known to read it; of a database only how cells are read.
pub(crate) fn file_source(data: &Data) -> FileSource {
    FileSource {
        path: data.file().map_or_else(Default::default, Path::to_owned),
        names: data.names.clone(),
        separator: data.separator,
        comment: data.comment,
        trim: data.trim,
        marks: data.missing_marks.clone(),
        sheet: data.sheet.clone(),
        formulas_as_text: false,
    }
}

/// Rows of a database.
pub(crate) fn database_source(data: &Data, connection: Connection, rows: &DatabaseRows) -> Source {
    let rows = match rows {
        DatabaseRows::Table(table) => RowsOf::Table(table.get_ref().clone()),
        DatabaseRows::Query(query) => RowsOf::Query(query.get_ref().clone()),
    };
    let cells = Cells {
        trim: data.trim,
        marks: data.missing_marks.clone(),
        formulas_as_text: false,
    };
    let source = DatabaseSource {
        connection,
        rows,
        cells,
    };
    source.into()
}

/// The file of a table, and what must be known to read it; of a table of a database only how cells are read.
pub(crate) fn table_source(policy: &Policy, from: &RowsAt) -> FileSource {
    let mut source = file_source(&policy.data);
    match from {
        RowsAt::File(file) => source.path = file.get_ref().clone(),
        RowsAt::Named(name) => {
            // A name may have a point in it, so the ending is added and takes the place of nothing.
            let file = |extension| {
                let mut file = name.get_ref().clone().into_os_string();
                file.push(".");
                file.push(extension);
                std::path::PathBuf::from(file)
            };
            let found = EXTENSIONS.into_iter().map(file).find(|file| file.exists());
            source.path = found.unwrap_or_else(|| file("csv"));
        }
        RowsAt::Database(_) => {}
    }
    source
}

/// The file of a released table.
pub(crate) fn table_file_name(policy: &Policy, table: &str) -> String {
    let file = ReleasePart::Table(table, policy.release.format);
    file.path().to_string_lossy().into_owned()
}

/// The names of the columns of a file.
pub(crate) fn header_of(source: &FileSource) -> Result<Vec<String>, ReadError> {
    Ok(source.open(&Unwatched)?.header().to_vec())
}

/// A file as its readers see it: every cell as text.
pub(crate) fn read_text(source: &FileSource, watch: &dyn Watch) -> Result<Table, ReadError> {
    let opened = source.open(watch)?;
    let readings = vec![Reading::Text; opened.header().len()];
    Ok(opened.read(&readings, false, watch)?.table)
}
