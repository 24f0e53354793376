use std::fs::File;

use ::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use arrow_array::{Array, ArrayRef, RecordBatch, cast::AsArray};
use arrow_cast::cast;
use arrow_schema::DataType;
use proptest::prelude::*;
use scumble_privacy::{Audited, History, audit};
use scumble_store::{Unwatched, write_release};
use scumble_table::{Mask, Released};
use scumble_table::{ReleaseFormat, RowOrder};

use crate::tables::{Cells, Plain, hardly_anything, tables, written};

fn read_back(audited: &Audited) -> (Vec<DataType>, Cells) {
    let file: File = tempfile::tempfile().unwrap();
    write_release(audited, RowOrder::Sorted, ReleaseFormat::Parquet, &file, &Unwatched).unwrap();
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    let types = reader
        .schema()
        .fields()
        .iter()
        .map(|field| field.data_type().clone())
        .collect();
    let batches = reader.build().unwrap().map(|batch| cells(&batch.unwrap()));
    (types, batches.flatten().collect())
}

fn cells(batch: &RecordBatch) -> Cells {
    let texts = |column: &ArrayRef| cast(column, &DataType::Utf8).unwrap();
    let columns: Vec<_> = batch.columns().iter().map(texts).collect();
    let cell = |column: &dyn Array, row| {
        column
            .is_valid(row)
            .then(|| column.as_string::<i32>().value(row).to_owned())
    };
    (0..batch.num_rows())
        .map(|row| columns.iter().map(|column| cell(column, row)).collect())
        .collect()
}

/// Only what a number would give back to the letter is written as a number.
#[test]
fn plain_numbers_are_numbers_and_codes_are_text() {
    let plain = Plain::parse(&["1|1.5|01234|1e3|?", "-20|2|10000|7|?", "?|0.25|?|8|?"]);
    let (types, rows) = read_back(&plain.release());
    assert_eq!(
        types,
        [
            DataType::Int64,
            DataType::Float64,
            DataType::Utf8,
            DataType::Utf8,
            DataType::Utf8
        ]
    );
    let casted = Plain::parse(&["-20|2.0|10000|7|?", "1|1.5|01234|1e3|?", "?|0.25|?|8|?"]);
    assert_eq!(rows, casted.rows);
}

#[test]
fn a_masked_column_is_text_even_if_all_it_shows_are_numbers() {
    let plain = Plain::parse(&["1", "2"]);
    let mask = Mask::Suppress(vec![Some("1".into()), Some("2".into())]);
    let released = Released::new(plain.table(), &[(mask, None, true)], None);
    let (types, rows) = read_back(&audit(released, &hardly_anything(), &[], &History::default()).unwrap());
    assert_eq!(types, [DataType::Utf8]);
    assert_eq!(rows, plain.rows);
}

#[test]
fn the_number_of_threads_does_not_show() {
    let row = |row: u64| [row % 7, row % 1013, row].map(|cell| Some(format!("v{cell}"))).to_vec();
    let plain = Plain {
        width: 3,
        rows: (0..100_000).map(row).collect(),
    };
    let audited = plain.release();
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| written(&audited, RowOrder::Sorted, ReleaseFormat::Parquet))
    };
    assert!(on(1) == on(5));
    assert!(read_back(&audited).1 == plain.sorted().rows);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Read back in sorted order, so the order of the input does not show either.
    #[test]
    fn what_is_written_reads_back(plain in tables()) {
        let text_only = |row: &Vec<Option<String>>| row.iter().map(|c| c.as_ref().map(|c| format!("t{c}"))).collect();
        let plain = Plain { rows: plain.rows.iter().map(text_only).collect(), ..plain };
        prop_assert_eq!(read_back(&plain.release()).1, plain.sorted().rows);
    }
}
