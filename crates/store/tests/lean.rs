//! A build without features says what to build with; what it reads without is read.
#![cfg(not(any(
    feature = "excel",
    feature = "parquet",
    feature = "postgres",
    feature = "sqlite",
    feature = "zstd"
)))]

use std::fs;
use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch};
use scumble_privacy::{Demand, History, QuasiIdentifier, Requirement, Template, audit};
use scumble_store::{
    BatchSource, Connection, FileSource, ReadError, Source, Unwatched, WriteError, release_batches, write_release,
};
use scumble_table::{Mask, Released, Table};
use scumble_table::{Reading, ReleaseFormat, RowOrder};

fn load(source: impl Into<Source>) -> Result<Table, ReadError> {
    let opened = source.into().open(&Unwatched)?;
    let as_text = vec![Reading::Text; opened.header().len()];
    Ok(opened.read(&as_text, false, &Unwatched)?.table)
}

#[test]
fn a_format_that_is_left_out_is_told_with_its_feature() {
    let folder = tempfile::tempdir().unwrap();
    let refused = [
        ("t.parquet", "Parquet", "parquet"),
        ("t.feather", "Arrow", "parquet"),
        ("t.ods", "workbook", "excel"),
        ("t.csv.zst", "zstd", "zstd"),
    ];
    for (name, format, feature) in refused {
        let path = folder.path().join(name);
        fs::write(&path, "a\n1\n").unwrap();
        let message = load(FileSource::new(&path)).unwrap_err().to_string();
        let expected =
            format!("{name}: this build does not read {format} files; build it with the cargo feature `{feature}`");
        assert!(message.ends_with(&expected), "{message}");
    }
    let told = |connection: Connection| connection.open().unwrap_err().to_string();
    assert_eq!(
        told(Connection::sqlite("t.sqlite")),
        "this build does not read SQLite databases; build it with the cargo feature `sqlite`"
    );
    assert_eq!(
        told(Connection::postgres("postgres://localhost/t")),
        "this build does not read PostgreSQL databases; build it with the cargo feature `postgres`"
    );
}

#[test]
fn text_and_batches_are_read_and_given_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.csv");
    fs::write(&path, "a\n3\n1\n").unwrap();
    let numbers: ArrayRef = Arc::new(Int64Array::from(vec![3, 1]));
    let batch = RecordBatch::try_from_iter([("a", numbers)]).unwrap();
    let table = load(BatchSource::new(batch.schema(), vec![batch])).unwrap();
    assert_eq!(table, load(FileSource::new(&path)).unwrap());

    let every_row_is_one = Template {
        of: QuasiIdentifier::all(Vec::new()),
        demand: Demand::Anonymity { k: 1, per: Vec::new() },
    };
    let requirement = Requirement {
        templates: vec![every_row_is_one],
    };
    let released = Released::new(table, &[(Mask::Exact, None, true)], None);
    let audited = audit(released, &requirement, &[], &History::default()).unwrap();
    let given = release_batches(&audited, RowOrder::Sorted, &Unwatched).unwrap();
    assert_eq!(given.batches[0].num_rows(), 2);
    let mut bytes = Vec::new();
    write_release(&audited, RowOrder::Sorted, ReleaseFormat::Csv, &mut bytes, &Unwatched).unwrap();
    assert_eq!(bytes, b"a\n1\n3\n");
    let refused = write_release(
        &audited,
        RowOrder::Sorted,
        ReleaseFormat::Parquet,
        &mut bytes,
        &Unwatched,
    );
    assert!(matches!(refused, Err(WriteError::NotBuilt { feature: "parquet", .. })));
}
