//! What must hold of the reader of separated text, whatever the bytes.

use std::cell::OnceCell;
use std::fs;

use scumble_fault::{Blame, Fault};
use scumble_store::{FileSource, Loaded, Unwatched};
use scumble_table::Reading;
use tempfile::TempDir;

/// Reads the bytes as a table, by the rules that the first byte picks. A table that comes out is whole, and a plain
/// reader finds the same cells in it; a refusal is told on one line or more, and is the file's fault, not the system's.
pub fn run(data: &[u8]) {
    let (rules, bytes) = data.split_first().map_or((0, data), |(&first, rest)| (first, rest));
    FOLDER.with(|folder| {
        let folder = folder.get_or_init(|| tempfile::tempdir().expect("a folder for the file"));
        let path = folder.path().join("fuzzed.csv");
        fs::write(&path, bytes).expect("the file can be written");
        let mut source = FileSource::new(path);
        source.separator = [None, Some(b';'), Some(b'\t'), Some(b' ')][usize::from(rules & 3)];
        source.trim = rules & 4 == 0;
        source.comment = (rules & 8 != 0).then_some(b'#');
        if rules & 16 != 0 {
            source.marks.push("?".to_owned());
        }
        let read = source.open(&Unwatched).and_then(|opened| {
            let everything = vec![Reading::Text; opened.header().len()];
            opened.read(&everything, false, &Unwatched)
        });
        match read {
            Ok(loaded) => check(&loaded, &source, bytes),
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

fn check(loaded: &Loaded, source: &FileSource, bytes: &[u8]) {
    assert_eq!(loaded.table.rows(), loaded.rows_read);
    assert!(loaded.rows_read > 0 && loaded.rows_dropped == 0);
    // A comment at the end of a text without a line end is an empty record to the `csv` crate; to us it is a comment.
    let mut bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).to_vec();
    bytes.push(b'\n');
    let mut plain = csv::ReaderBuilder::new();
    plain
        .delimiter(source.separator.unwrap_or(b','))
        .comment(source.comment);
    for (row, record) in plain.from_reader(bytes.as_slice()).records().enumerate() {
        let record = record.expect("what we read is well formed");
        assert_eq!(record.len(), loaded.table.columns().len());
        for (cell, column) in record.iter().zip(loaded.table.columns()) {
            let cell = if source.trim { cell.trim_ascii() } else { cell };
            let cell = Some(cell).filter(|cell| !cell.is_empty() && !source.marks.iter().any(|mark| mark == cell));
            assert_eq!(column.dictionary().value(column.codes().at(row)), cell);
        }
    }
}
