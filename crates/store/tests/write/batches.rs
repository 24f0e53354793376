use std::collections::HashSet;

use arrow_array::{Array, RecordBatch, UInt32Array, cast::AsArray, types::UInt32Type};
use arrow_schema::DataType;
use proptest::collection::vec;
use proptest::prelude::*;
use scumble_privacy::{
    Audited, EntityDemand, History, LookupTable, ReleasedDatabase, ReleasedTable, audit, audit_entities,
};
use scumble_store::{
    BatchSource, Cells as CellRules, FileSource, FormulaCells, ReleaseBatches, Source, Unwatched, Watch, WriteError,
    columns_batches, lookup_batches, release_batches, table_batches, write_columns, write_lookup, write_release,
    write_table,
};
use scumble_table::{ColumnId, Labels, Mask, Released, ReleasedColumn};
use scumble_table::{Reading, ReleaseFormat, RowOrder};

use crate::tables::{Cells, Plain, hardly_anything, tables};

const CSV: ReleaseFormat = ReleaseFormat::Csv;

/// The names and the cells of a written CSV file, as a plain reader has them: an empty cell is missing.
fn of_csv(bytes: &[u8]) -> (Vec<String>, Cells) {
    let mut reader = ::csv::Reader::from_reader(bytes);
    let names = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let cell = |cell: &str| (!cell.is_empty()).then(|| cell.to_owned());
    let rows = reader.records().map(|row| row.unwrap().iter().map(cell).collect());
    (names, rows.collect())
}

/// The names and the cells of batches, which must be dictionaries of which every value is shown somewhere.
fn of_batches(given: &ReleaseBatches) -> (Vec<String>, Cells) {
    let fields = given.schema.fields().iter();
    let texts = DataType::Dictionary(Box::new(DataType::UInt32), Box::new(DataType::Utf8));
    assert!(
        fields
            .clone()
            .all(|field| *field.data_type() == texts && field.is_nullable())
    );
    for column in 0..given.schema.fields().len() {
        let mut shown = HashSet::new();
        for batch in &given.batches {
            shown.extend(keys(batch, column).iter().flatten());
        }
        let values = given.batches.first().map_or(0, |batch| dictionary(batch, column).len());
        assert_eq!(shown.len(), values, "a value that no row shows");
    }
    let names = fields.map(|field| field.name().clone()).collect();
    (names, given.batches.iter().flat_map(rows_of).collect())
}

fn keys(batch: &RecordBatch, column: usize) -> &UInt32Array {
    batch.column(column).as_dictionary::<UInt32Type>().keys()
}

fn dictionary(batch: &RecordBatch, column: usize) -> Vec<&str> {
    let values = batch.column(column).as_dictionary::<UInt32Type>().values();
    values
        .as_string::<i32>()
        .iter()
        .map(|value| value.expect("a text"))
        .collect()
}

fn rows_of(batch: &RecordBatch) -> Cells {
    let dictionaries: Vec<Vec<&str>> = (0..batch.num_columns())
        .map(|column| dictionary(batch, column))
        .collect();
    let cell = |row: usize, column: usize| {
        let keys = keys(batch, column);
        keys.is_valid(row)
            .then(|| dictionaries[column][keys.value(row) as usize].to_owned())
    };
    let row = |row| (0..batch.num_columns()).map(|column| cell(row, column)).collect();
    (0..batch.num_rows()).map(row).collect()
}

#[track_caller]
fn assert_same(
    given: Result<ReleaseBatches, WriteError>,
    write: impl FnOnce(&mut Vec<u8>) -> Result<Vec<FormulaCells>, WriteError>,
) {
    let mut bytes = Vec::new();
    match (given, write(&mut bytes)) {
        (Ok(given), Ok(formulas)) => {
            assert_eq!(of_batches(&given), of_csv(&bytes));
            assert_eq!(given.formulas, formulas);
            assert!(given.batches.iter().all(|batch| batch.schema() == given.schema));
        }
        (Err(WriteError::NoColumns), Err(WriteError::NoColumns)) => {}
        (given, written) => panic!("{given:?}, but {written:?}"),
    }
}

/// A table with cells and names that a spreadsheet would take for formulas.
fn with_formulas() -> impl Strategy<Value = Plain> {
    let marks = vec(
        proptest::sample::select(vec!["", "=1+1", "'=1+1", "@x", "-5", "\t=2", "'a"]),
        1..8,
    );
    (tables(), marks).prop_map(|(plain, marks)| {
        let mut number = 0;
        let mut marked = |cell: &Option<String>| {
            number += 1;
            cell.as_ref()
                .map(|cell| format!("{}{cell}", marks[number % marks.len()]))
        };
        let rows = plain.rows.iter().map(|row| row.iter().map(&mut marked).collect());
        Plain {
            rows: rows.collect(),
            width: plain.width,
        }
    })
}

fn audited(plain: &Plain, published: &[bool], left_out: &[bool], formulas_as_text: bool) -> Audited {
    let mask = |column: usize| (Mask::Exact, None, published[column % published.len()]);
    let masks: Vec<_> = (0..plain.width).map(mask).collect();
    let left_out: Vec<bool> = (0..plain.rows.len())
        .map(|row| left_out[row % left_out.len()])
        .collect();
    let released = Released::new(plain.table(), &masks, Some(&left_out)).with_formulas_as_text(formulas_as_text);
    audit(released, &hardly_anything(), &[], &History::default()).expect("every row is one")
}

proptest! {
    #[test]
    fn batches_hold_the_cells_of_the_written_file(
        plain in with_formulas(),
        published in vec(proptest::bool::weighted(0.8), 1..5),
        left_out in vec(proptest::bool::weighted(0.2), 1..5),
        formulas_as_text in any::<bool>(),
        picks in vec(any::<proptest::sample::Index>(), 1..6),
    ) {
        // Rows are left out only if one is left.
        let left_out = if left_out.contains(&false) { left_out } else { vec![false] };
        let audited = audited(&plain, &published, &left_out, formulas_as_text);
        let mut columns: Vec<ColumnId> = picks.iter().map(|pick| ColumnId(pick.index(plain.width))).collect();
        columns.dedup();
        for order in [RowOrder::Sorted, RowOrder::Input] {
            assert_same(
                release_batches(&audited, order, &Unwatched),
                |out| write_release(&audited, order, CSV, out, &Unwatched),
            );
            assert_same(
                columns_batches(&audited, &columns, order, &Unwatched),
                |out| write_columns(&audited, &columns, order, CSV, out, &Unwatched),
            );
        }
    }
}

/// Tables of a database that hold these cells: persons, numbered, and a look-up, numbered as well.
fn database(plain: &Plain, formulas_as_text: bool) -> Audited {
    let numbered = |plain: &Plain| {
        let rows = plain.rows.iter().enumerate();
        let rows = rows.map(|(number, row)| [&[Some(number.to_string())], &row[..]].concat());
        let plain = Plain {
            width: plain.width + 1,
            rows: rows.collect(),
        };
        let masks = vec![(Mask::Exact, None, true); plain.width];
        Released::new(plain.table(), &masks, None).with_formulas_as_text(formulas_as_text)
    };
    let persons = ReleasedTable {
        name: "persons".to_owned(),
        release: numbered(plain),
        key: vec![ColumnId(0)],
        parent: None,
        quasi: Vec::new(),
        refers: Vec::new(),
    };
    let lookup = LookupTable {
        name: "words".to_owned(),
        release: numbered(plain),
        key: ColumnId(0),
        refers: Vec::new(),
    };
    let released = ReleasedDatabase {
        tables: vec![persons],
        lookups: vec![lookup],
    };
    audit_entities(released, &[EntityDemand::Anonymity { k: 1 }], None).expect("everybody is one")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn batches_of_tables_and_lookups_hold_the_cells_of_their_files(plain in with_formulas(), formulas_as_text in any::<bool>()) {
        prop_assume!(!plain.rows.is_empty());
        let audited = database(&plain, formulas_as_text);
        assert_same(table_batches(&audited, 0, &Unwatched), |out| write_table(&audited, 0, CSV, out, &Unwatched));
        assert_same(lookup_batches(&audited, 0, &Unwatched), |out| write_lookup(&audited, 0, CSV, out, &Unwatched));
    }
}

/// More rows than a batch has, and the same on any number of threads.
#[test]
fn long_tables_come_in_several_batches_that_share_their_dictionaries() {
    let row = |row: u64| [row % 7, row % 1013, row].map(|cell| Some(format!("v{cell}"))).to_vec();
    let plain = Plain {
        width: 3,
        rows: (0..100_000).map(row).collect(),
    };
    let audited = plain.release();
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| release_batches(&audited, RowOrder::Sorted, &Unwatched).unwrap())
    };
    let given = on(1);
    assert_eq!(given.batches, on(5).batches);
    assert_eq!(given.batches.len(), 2);
    let values = |batch: &RecordBatch| batch.column(1).as_dictionary::<UInt32Type>().values().to_data();
    assert!(values(&given.batches[0]).ptr_eq(&values(&given.batches[1])));
    assert!(of_batches(&given).1 == plain.sorted().rows);
}

/// What is given out can be read again, as the written file can.
#[test]
fn batches_are_a_source_like_the_file_that_would_be_written() {
    let plain = Plain::parse(&["=1|x|?", "'=1| y |7", "?|x|10", "=1|x|9"]);
    let audited = audited(&plain, &[true], &[false], true);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("released.csv");
    let file = std::fs::File::create(&path).unwrap();
    write_release(&audited, RowOrder::Sorted, CSV, file, &Unwatched).unwrap();
    let given = release_batches(&audited, RowOrder::Sorted, &Unwatched).unwrap();
    let cells = CellRules {
        trim: false,
        marks: Vec::new(),
        formulas_as_text: true,
    };
    let of_memory = BatchSource {
        cells,
        ..BatchSource::new(given.schema, given.batches)
    };
    let of_file = FileSource {
        trim: false,
        formulas_as_text: true,
        ..FileSource::new(path)
    };
    let read = |source: Source| {
        let opened = source.open(&Unwatched).unwrap();
        opened.read(&[Reading::Text; 3], false, &Unwatched).unwrap().table
    };
    assert_eq!(read(of_memory.into()), read(of_file.into()));
}

/// The name of a column is a cell of the file, and may be a formula, too.
#[test]
fn names_are_those_of_the_written_file() {
    for formulas_as_text in [true, false] {
        let labels = Labels::from_iter([Some("=1"), None]);
        let column = ReleasedColumn::told("=name", true, labels, &[0, 1], 0.0);
        let released = Released::of_columns(2, vec![column]).with_formulas_as_text(formulas_as_text);
        let audited = audit(released, &hardly_anything(), &[], &History::default()).unwrap();
        let given = release_batches(&audited, RowOrder::Sorted, &Unwatched).unwrap();
        assert_eq!(
            given.schema.field(0).name(),
            if formulas_as_text { "'=name" } else { "=name" }
        );
        assert_eq!(given.formulas.len(), usize::from(!formulas_as_text));
        assert_same(Ok(given), |out| {
            write_release(&audited, RowOrder::Sorted, CSV, out, &Unwatched)
        });
    }
}

#[test]
fn a_release_without_rows_is_a_schema() {
    let plain = Plain { width: 2, rows: vec![] };
    let given = release_batches(&plain.release(), RowOrder::Sorted, &Unwatched).unwrap();
    assert_eq!(of_batches(&given), (vec!["0".to_owned(), "1".to_owned()], vec![]));
    assert!(given.batches.is_empty());
}

#[test]
fn giving_out_stops_when_asked() {
    struct Impatient;
    impl Watch for Impatient {
        fn should_stop(&self) -> bool {
            true
        }
    }
    let stopped = release_batches(&Plain::parse(&["a"]).release(), RowOrder::Sorted, &Impatient);
    assert!(matches!(stopped, Err(WriteError::Interrupted)));
}
