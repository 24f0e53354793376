//! Where the rows of a policy are read from.

use std::path::Path;

use scumble_policy::{Data, DatabaseRows, Place, Policy, RowsAt};
use scumble_progress::{Unwatched, Watch};
use scumble_store::{Cells, Connection, DatabaseSource, FileSource, ReadError, ReleasePart, RowsOf, Source};
use scumble_table::{Reading, Table};

/// What the file of a table may end with, if a policy does not name it.
const EXTENSIONS: [&str; 6] = ["csv", "parquet", "tsv", "jsonl", "arrow", "xlsx"];

/// Where the rows of a policy over one table are.
pub(crate) fn data_source(data: &Data) -> Source {
    let connection = match &data.at {
        Place::File(_) | Place::Folder(_) => None,
        Place::Sqlite(file) => Some(Connection::sqlite(file.get_ref())),
        Place::Postgres(url) => Some(Connection::postgres(url.get_ref())),
    };
    match connection.zip(data.rows.as_ref()) {
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
