//! What must hold of a reader of tables in a binary format, whatever the bytes.

use std::cell::OnceCell;
use std::fs;

use scumble_fault::{Blame, Fault};
use scumble_store::{FileSource, Unwatched};
use scumble_table::Reading;
use tempfile::TempDir;

/// Reads the bytes as a table in the format of an extension. A table that comes out is whole; a refusal is told, and is
/// the file's fault, not the system's.
pub fn read_whole(extension: &str, bytes: &[u8]) {
    FOLDER.with(|folder| {
        let folder = folder.get_or_init(|| tempfile::tempdir().expect("a folder for the file"));
        let path = folder.path().join(format!("fuzzed.{extension}"));
        fs::write(&path, bytes).expect("the file can be written");
        let read = FileSource::new(path).open(&Unwatched).and_then(|opened| {
            let everything = vec![Reading::Text; opened.header().len()];
            opened.read(&everything, false, &Unwatched)
        });
        match read {
            Ok(loaded) => {
                assert!(loaded.rows_read > 0 && loaded.rows_dropped == 0);
                assert_eq!(loaded.table.rows(), loaded.rows_read);
                assert_eq!(loaded.table.columns().len(), loaded.header.len());
                for column in loaded.table.columns() {
                    assert_eq!(column.codes().len(), loaded.rows_read);
                }
            }
            Err(error) => {
                assert!(!error.to_string().is_empty());
                assert_eq!(error.fault(), Fault::Input, "{error}");
            }
        }
    });
}

thread_local! {
    static FOLDER: OnceCell<TempDir> = const { OnceCell::new() };
}
