//! Where the rows of a policy are read from.

use std::path::Path;

use scumble_policy::{Data, DatabaseRows, Place, Policy, RowsAt};
use scumble_store::{Cells, Connection, ReadError, ReleasePart, RowsOf, Source, header};

/// What the file of a table may end with, if a policy does not name it.
const EXTENSIONS: [&str; 6] = ["csv", "parquet", "tsv", "jsonl", "arrow", "xlsx"];

/// The file of a policy, and what must be known to read it.
pub(crate) fn data_source(data: &Data) -> Source {
    Source {
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

/// The database that the rows of a policy over one table are in, and which they are, if they are in one.
///
/// # Errors
/// A database that does not open.
pub(crate) fn data_in_database(data: &Data) -> Result<Option<(Connection, RowsOf)>, ReadError> {
    let connection = open_database(&data.at)?;
    Ok(connection.zip(data.rows.as_ref().map(database_rows)))
}

/// Opens a database; a file or folder is none.
///
/// # Errors
/// A database that does not open.
pub(crate) fn open_database(at: &Place) -> Result<Option<Connection>, ReadError> {
    let connection = match at {
        Place::File(_) | Place::Folder(_) => return Ok(None),
        Place::Sqlite(file) => Connection::open_sqlite(file.get_ref()),
        Place::Postgres(url) => Connection::open_postgres(url.get_ref()),
    };
    Ok(Some(connection?))
}

/// What a policy asks of a database.
pub(crate) fn database_rows(rows: &DatabaseRows) -> RowsOf {
    match rows {
        DatabaseRows::Table(table) => RowsOf::Table(table.get_ref().clone()),
        DatabaseRows::Query(query) => RowsOf::Query(query.get_ref().clone()),
    }
}

/// How cells of a database are read.
pub(crate) fn data_cells(data: &Data) -> Cells {
    Cells {
        trim: data.trim,
        marks: data.missing_marks.clone(),
        formulas_as_text: false,
    }
}

/// The names of the columns of the data of a policy over one table.
///
/// # Errors
/// Data that does not open.
pub(crate) fn data_header(data: &Data) -> Result<Vec<String>, ReadError> {
    match data_in_database(data)? {
        Some((mut connection, rows)) => Ok(connection.header(&rows)?),
        None => header(&data_source(data)),
    }
}

/// The file of a table, and what must be known to read it; of a table of a database only how cells are read.
pub(crate) fn table_source(policy: &Policy, from: &RowsAt) -> Source {
    let mut source = data_source(&policy.data);
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
