//! Where the rows of a policy are read from.

use scumble_policy::{Data, DatabasePolicy, RowsFrom};
use scumble_progress::{Unwatched, Watch};
use scumble_store::{FileSource, ReadError, ReleasePart};
use scumble_table::{Reading, Table};

/// What the file of a table may end with, if a policy does not name it.
const EXTENSIONS: [&str; 6] = ["csv", "parquet", "tsv", "jsonl", "arrow", "xlsx"];

/// The file of a policy, and what must be known to read it.
pub(crate) fn data_source(data: &Data) -> FileSource {
    FileSource {
        path: data.file.get_ref().clone(),
        names: data.names.clone(),
        separator: data.separator,
        comment: data.comment,
        trim: data.trim,
        marks: data.missing_marks.clone(),
        sheet: data.sheet.clone(),
        formulas_as_text: false,
    }
}

/// The file of a table, and what must be known to read it; of a table of a database only how cells are read.
pub(crate) fn table_source(policy: &DatabasePolicy, from: &RowsFrom) -> FileSource {
    let mut source = data_source(&policy.cells);
    match from {
        RowsFrom::File(file) => source.path = file.get_ref().clone(),
        RowsFrom::Named(name) => {
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
        RowsFrom::Table(_) | RowsFrom::Query(_) => {}
    }
    source
}

/// The file of a released table.
pub(crate) fn table_file_name(policy: &DatabasePolicy, table: &str) -> String {
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
