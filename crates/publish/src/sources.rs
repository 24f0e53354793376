//! Where the rows of a policy are read from.

use std::path::Path;

use scumble_policy::{Data, Policy, RowsAt};
use scumble_store::{ReleasePart, Source};

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
