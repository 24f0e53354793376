//! Sources of every kind: opened as far as their header, then read.

mod counting;

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

use arrow_array::types::{Int8Type, Int32Type};
use arrow_array::{
    ArrayRef, BinaryArray, BooleanArray, Date32Array, Decimal128Array, DictionaryArray, Float32Array, Float64Array,
    Int64Array, LargeStringArray, ListArray, NullArray, RecordBatch, RunArray, StringArray, StringViewArray,
    TimestampMicrosecondArray, UInt8Array,
};
use arrow_ipc::writer::FileWriter;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use proptest::collection::vec;
use proptest::prelude::*;
use scumble_fault::{Blame, Fault};
use scumble_store::{
    BatchSource, Cells, Connection, DatabaseSource, FileSource, Loaded, Opened, Origin, ReadError, RowsOf, Source,
    Unwatched, Watch,
};
use scumble_table::Reading;
use tempfile::TempDir;

use counting::Counting;

fn as_text(opened: Opened) -> Result<Loaded, ReadError> {
    let readings = vec![Reading::Text; opened.header().len()];
    opened.read(&readings, false, &Unwatched)
}

fn load(source: impl Into<Source>) -> Result<Loaded, ReadError> {
    as_text(source.into().open(&Unwatched)?)
}

fn in_memory(batches: &[RecordBatch]) -> BatchSource {
    BatchSource::new(batches[0].schema(), batches.to_vec())
}

fn put_arrow(path: &Path, batches: &[RecordBatch]) {
    let mut writer = FileWriter::try_new(File::create(path).unwrap(), &batches[0].schema()).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap();
}

fn put_parquet(path: &Path, batches: &[RecordBatch]) {
    let mut writer = ArrowWriter::try_new(File::create(path).unwrap(), batches[0].schema(), None).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.close().unwrap();
}

/// The rows of one batch: a number, a fraction and a text, of which columns of many types are made.
type Cell = (Option<i16>, Option<f64>, Option<String>);

/// Columns of every type that has a text form and that both kinds of file can hold.
fn batch(cells: &[Cell]) -> RecordBatch {
    let numbers = || cells.iter().map(|(number, ..)| *number);
    let floats = || cells.iter().map(|(_, float, _)| *float);
    let texts = || cells.iter().map(|(.., text)| text.as_deref());
    let moment = |number: i16| i64::from(number) * 86_400_123_456;
    let moments = || TimestampMicrosecondArray::from_iter(numbers().map(|number| number.map(moment)));
    let decimals = Decimal128Array::from_iter(numbers().map(|number| number.map(i128::from)));
    let columns: Vec<(&str, ArrayRef)> = vec![
        (
            "int",
            Arc::new(Int64Array::from_iter(numbers().map(|number| number.map(i64::from)))),
        ),
        (
            "small",
            Arc::new(UInt8Array::from_iter(
                numbers().map(|number| number.map(|number| number as u8)),
            )),
        ),
        (
            "bool",
            Arc::new(BooleanArray::from_iter(
                numbers().map(|number| number.map(|number| number > 0)),
            )),
        ),
        (
            "date",
            Arc::new(Date32Array::from_iter(numbers().map(|number| number.map(i32::from)))),
        ),
        ("moment", Arc::new(moments())),
        ("zoned", Arc::new(moments().with_timezone("+02:00"))),
        ("decimal", Arc::new(decimals.with_precision_and_scale(9, 2).unwrap())),
        ("float", Arc::new(Float64Array::from_iter(floats()))),
        (
            "half",
            Arc::new(Float32Array::from_iter(
                floats().map(|float| float.map(|float| float as f32)),
            )),
        ),
        ("text", Arc::new(StringArray::from_iter(texts()))),
        ("long", Arc::new(LargeStringArray::from_iter(texts()))),
        ("view", Arc::new(StringViewArray::from_iter(texts()))),
        (
            "bytes",
            Arc::new(BinaryArray::from_iter(texts().map(|text| text.map(str::as_bytes)))),
        ),
        ("words", Arc::new(DictionaryArray::<Int8Type>::from_iter(texts()))),
        ("nothing", Arc::new(NullArray::new(cells.len()))),
    ];
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, array)| (name, array, true))).unwrap()
}

/// A batch in parts, which share its dictionaries: files of Arrow hold one per column.
fn cut(batch: &RecordBatch, at: &[proptest::sample::Index]) -> Vec<RecordBatch> {
    let mut ends: Vec<usize> = at.iter().map(|at| at.index(batch.num_rows() + 1)).collect();
    ends.push(batch.num_rows());
    ends.sort_unstable();
    let mut start = 0;
    let part = |end| {
        let part = batch.slice(start, end - start);
        start = end;
        part
    };
    ends.into_iter().map(part).collect()
}

fn any_cell() -> impl Strategy<Value = Cell> {
    let float = prop_oneof![any::<f64>(), (-9..9i32).prop_map(|tenths| f64::from(tenths) / 10.0)];
    let text = vec("[a1 ?'=,\"é\n]", 0..4).prop_map(|signs| signs.concat());
    (
        any::<Option<i16>>(),
        proptest::option::of(float),
        proptest::option::of(text),
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn batches_in_memory_become_the_table_of_a_file_of_them(
        cells in vec(any_cell(), 0..60),
        cuts in vec(any::<proptest::sample::Index>(), 0..4),
        marked in any::<bool>(),
        trim in any::<bool>(),
        drop_missing in any::<bool>(),
        skipped in vec(any::<bool>(), 15),
    ) {
        let batches = cut(&batch(&cells), &cuts);
        let folder = tempfile::tempdir().unwrap();
        let (arrow, parquet) = (folder.path().join("t.arrow"), folder.path().join("t.parquet"));
        put_arrow(&arrow, &batches);
        put_parquet(&parquet, &batches);
        let cells = Cells { trim, marks: Vec::from_iter(marked.then(|| "?".to_owned())), formulas_as_text: false };
        let readings: Vec<Reading> = skipped.iter().map(|&skip| if skip { Reading::Skip } else { Reading::Text }).collect();
        let read = |source: Source| source.open(&Unwatched).unwrap().read(&readings, drop_missing, &Unwatched);
        let of_file = |path: &Path| {
            let source = FileSource { trim, marks: cells.marks.clone(), ..FileSource::new(path) };
            read(source.into())
        };
        let of_memory = read(BatchSource { cells: cells.clone(), ..in_memory(&batches) }.into());
        for of_file in [of_file(&arrow), of_file(&parquet)] {
            match (&of_memory, of_file) {
                (Ok(memory), Ok(file)) => {
                    prop_assert_eq!(&memory.table, &file.table);
                    prop_assert_eq!(&memory.header, &file.header);
                    prop_assert_eq!((memory.rows_read, memory.rows_dropped), (file.rows_read, file.rows_dropped));
                }
                (Err(ReadError::NoRows { .. }), Err(ReadError::NoRows { .. }))
                | (Err(ReadError::AllDropped { .. }), Err(ReadError::AllDropped { .. })) => {}
                (memory, file) => prop_assert!(false, "{memory:?}, but {file:?}"),
            }
        }
    }
}

#[test]
fn runs_of_equal_values_are_read_as_many_cells() {
    let values = StringArray::from(vec![Some("a"), None, Some("b")]);
    let runs = RunArray::<Int32Type>::try_new(&vec![2, 3, 6].into(), &values).unwrap();
    let batch = RecordBatch::try_from_iter([("x", Arc::new(runs) as ArrayRef)]).unwrap();
    let loaded = load(in_memory(&[batch.slice(1, 4), batch])).unwrap();
    let column = &loaded.table.columns()[0];
    let cells: Vec<Option<&str>> = column
        .codes()
        .iter()
        .map(|code| column.dictionary().value(code))
        .collect();
    let (a, b) = (Some("a"), Some("b"));
    assert_eq!(cells, [a, None, b, b, a, a, None, b, b, b]);
}

fn texts(names: &[&str], cells: &[&str]) -> RecordBatch {
    let array: ArrayRef = Arc::new(StringArray::from(cells.to_vec()));
    let fields: Vec<Field> = names
        .iter()
        .map(|name| Field::new(*name, DataType::Utf8, true))
        .collect();
    RecordBatch::try_new(Arc::new(Schema::new(fields)), vec![array; names.len()]).unwrap()
}

#[test]
fn batches_that_are_no_table_are_refused_without_a_cell() {
    let told = |source: BatchSource| load(source).unwrap_err().to_string();
    let person = texts(&["name"], &["hiv-positive"]);
    assert_eq!(
        told(BatchSource::new(person.schema(), Vec::new())),
        "the record batches have no rows; there must be at least one"
    );
    let other = texts(&["nam"], &["x"]);
    assert_eq!(
        told(BatchSource::new(person.schema(), vec![person.clone(), other])),
        "the record batches: batch 2 has other columns or types than the schema; give batches of one schema"
    );
    assert_eq!(
        told(in_memory(&[texts(&["a", "b", "a"], &["x"])])),
        "the record batches: columns 1 and 3 have the same name; rename one"
    );
    assert_eq!(
        told(in_memory(&[texts(&["a", ""], &["x"])])),
        "the record batches: column 2 has no name; give it one"
    );
    let lists: ArrayRef = Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>([Some([Some(1)])]));
    let message = told(in_memory(&[RecordBatch::try_from_iter([("visits", lists)]).unwrap()]));
    assert!(
        message.starts_with("the record batches: column `visits` has the type List("),
        "{message}"
    );
    let bytes: ArrayRef = Arc::new(BinaryArray::from(vec![&[0xff_u8][..]]));
    assert_eq!(
        told(in_memory(&[RecordBatch::try_from_iter([("photo", bytes)]).unwrap()])),
        "the record batches: column `photo` has the type Binary, which cannot be read as text; convert or leave it out"
    );
    let batches = [texts(&["age"], &["1", "2"]), texts(&["age"], &["3", "hiv-positive"])];
    let opened = in_memory(&batches).open(&Unwatched).unwrap();
    let error = opened
        .read(&[Reading::Number { range: None }], false, &Unwatched)
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the record batches: row 4: column `age`: text instead of a number in 1 row (row 4); correct it, mark it as \
         missing, or do not call the column continuous"
    );
}

/// Batches of one schema may differ in what else they say: metadata, and whether a cell may be missing.
#[test]
fn only_names_and_types_make_a_schema() {
    let plain = texts(&["x"], &["1"]);
    let field = Field::new("x", DataType::Utf8, false).with_metadata([("k".to_owned(), "v".to_owned())].into());
    let loaded = load(BatchSource::new(SchemaRef::new(Schema::new(vec![field])), vec![plain]));
    assert_eq!(loaded.unwrap().rows_read, 1);
}

#[test]
fn reading_batches_can_be_interrupted_and_is_seen() {
    let source = in_memory(&[texts(&["x"], &["1"]), texts(&["x"], &["2", "3"])]);
    let read = |watch: &Counting| source.open(watch).unwrap().read(&[Reading::Text], false, watch);
    let watch = Counting::default();
    read(&watch).unwrap();
    assert!(watch.total.load(std::sync::atomic::Ordering::Relaxed) > 0);
    assert_eq!(watch.total.into_inner(), watch.done.into_inner());
    let error = read(&Counting {
        stop: true,
        ..Counting::default()
    })
    .unwrap_err();
    assert_eq!(error.fault(), Fault::Interrupted);
    assert_eq!(error.to_string(), "the record batches: interrupted");
}

/// One batch may be the whole table.
#[test]
fn reading_stops_within_a_batch() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    struct Impatient(AtomicUsize);
    impl Watch for Impatient {
        fn should_stop(&self) -> bool {
            self.0.fetch_add(1, Ordering::Relaxed) == 1
        }
    }
    let numbers: ArrayRef = Arc::new(Int64Array::from_iter_values(0..100_000));
    let source = in_memory(&[RecordBatch::try_from_iter([("x", numbers)]).unwrap()]);
    let outcome = source
        .open(&Unwatched)
        .unwrap()
        .read(&[Reading::Text], false, &Impatient(AtomicUsize::new(0)));
    assert_eq!(outcome.unwrap_err().fault(), Fault::Interrupted);
    let skipped = source
        .open(&Unwatched)
        .unwrap()
        .read(&[Reading::Skip], false, &Unwatched);
    assert_eq!(skipped.unwrap().rows_read, 100_000);
    assert_eq!(load(source).unwrap().rows_read, 100_000);
}

/// A folder with the same small table as a file of every format.
fn files() -> (TempDir, Vec<FileSource>) {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("t.csv"), "job\nLawyer\nBaker\n").unwrap();
    fs::write(
        at("t.csv.zst"),
        zstd::encode_all(&b"job\nLawyer\nBaker\n"[..], 1).unwrap(),
    )
    .unwrap();
    fs::write(at("t.jsonl"), "{\"job\": \"Lawyer\"}\n{\"job\": \"Baker\"}\n").unwrap();
    let batch = texts(&["job"], &["Lawyer", "Baker"]);
    put_arrow(&at("t.arrow"), std::slice::from_ref(&batch));
    put_parquet(&at("t.parquet"), &[batch]);
    let mut workbook = rust_xlsxwriter::Workbook::new();
    workbook
        .add_worksheet()
        .write_column(0, 0, ["job", "Lawyer", "Baker"])
        .unwrap();
    workbook.save(at("t.xlsx")).unwrap();
    let names = ["t.csv", "t.csv.zst", "t.jsonl", "t.arrow", "t.parquet", "t.xlsx"];
    let sources = names.map(|name| FileSource::new(at(name)));
    (folder, sources.to_vec())
}

/// A file that is opened needs its name no more: what was parsed is kept, and the rest is read from where it was left.
#[cfg(unix)]
#[test]
fn what_was_opened_is_read_though_the_file_is_gone() {
    let (_folder, sources) = files();
    for source in sources {
        let opened = source.open(&Unwatched).unwrap();
        assert_eq!(opened.header(), ["job"]);
        fs::remove_file(&source.path).unwrap();
        assert_eq!(as_text(opened).unwrap().rows_read, 2, "{}", source.path.display());
    }
}

/// What is opened on one thread may be read on another.
#[test]
fn many_sources_are_opened_before_the_first_is_read() {
    let (folder, sources) = files();
    let database = folder.path().join("t.sqlite");
    let writer = rusqlite::Connection::open(&database).unwrap();
    writer
        .execute_batch("CREATE TABLE t (job); INSERT INTO t VALUES ('Lawyer'), ('Baker');")
        .unwrap();
    let connection = Connection::sqlite(&database);
    let rows = |rows: RowsOf| {
        Source::from(DatabaseSource {
            connection: connection.clone(),
            rows,
            cells: Cells::default(),
        })
    };
    let mut sources: Vec<Source> = sources.into_iter().map(Source::from).collect();
    sources.push(rows(RowsOf::Table("t".to_owned())));
    sources.push(rows(RowsOf::Query("SELECT job FROM t".to_owned())));
    sources.push(in_memory(&[texts(&["job"], &["Lawyer", "Baker"])]).into());
    let opened: Vec<Opened> = sources.iter().map(|source| source.open(&Unwatched).unwrap()).collect();
    for (opened, source) in opened.into_iter().zip(&sources) {
        assert_eq!(*opened.origin(), source.origin());
        let loaded = std::thread::spawn(|| as_text(opened).unwrap()).join().unwrap();
        let column = &loaded.table.columns()[0];
        let mut jobs: Vec<&str> = column.dictionary().texts().iter().collect();
        jobs.sort_unstable();
        assert_eq!(
            (jobs, loaded.rows_read),
            (vec!["Baker", "Lawyer"], 2),
            "{}",
            source.origin()
        );
    }
}

#[test]
fn a_sheet_stops_opening_when_asked_to() {
    struct Impatient;
    impl Watch for Impatient {
        fn should_stop(&self) -> bool {
            true
        }
    }
    let (_folder, sources) = files();
    let error = sources.last().unwrap().open(&Impatient).unwrap_err();
    assert_eq!(error.fault(), Fault::Interrupted, "{error}");
}

#[test]
fn only_a_table_of_a_database_tells_its_keys() {
    let (folder, sources) = files();
    let path = folder.path().join("t.sqlite");
    let writer = rusqlite::Connection::open(&path).unwrap();
    writer
        .execute_batch("CREATE TABLE t (id INTEGER PRIMARY KEY, boss REFERENCES t);")
        .unwrap();
    let connection = Connection::sqlite(&path);
    let rows = |rows: RowsOf| {
        Source::from(DatabaseSource {
            connection: connection.clone(),
            rows,
            cells: Cells::default(),
        })
    };
    let table = rows(RowsOf::Table("T".to_owned())).describe().unwrap().unwrap();
    assert_eq!((table.name.as_str(), table.key), ("t", vec!["id".to_owned()]));
    assert_eq!(table.references[0].to, ["id"]);
    assert_eq!(
        rows(RowsOf::Query("SELECT * FROM t".to_owned())).describe().unwrap(),
        None
    );
    assert_eq!(Source::from(sources[0].clone()).describe().unwrap(), None);
    let batches = in_memory(&[texts(&["id"], &["1"])]);
    assert_eq!(Source::from(batches).describe().unwrap(), None);
}

/// To name a database opens nothing, and what is printed of it holds no password.
#[test]
fn a_source_can_be_named_before_it_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("later.sqlite");
    let connection = Connection::sqlite(&path);
    assert!(connection.open().is_err() && !path.exists());
    let writer = rusqlite::Connection::open(&path).unwrap();
    writer
        .execute_batch("CREATE TABLE t (x); INSERT INTO t VALUES (1);")
        .unwrap();
    let rows = RowsOf::Table("t".to_owned());
    let source = DatabaseSource {
        connection,
        rows,
        cells: Cells::default(),
    };
    assert_eq!(load(source).unwrap().rows_read, 1);

    let connection = Connection::postgres("postgres://ann:secret@db.invalid/school");
    let source = DatabaseSource {
        connection,
        rows: RowsOf::Query("SELECT 'secret'".to_owned()),
        cells: Cells::default(),
    };
    let source = Source::from(source);
    assert_eq!(source.origin(), Origin::Query);
    assert!(!format!("{:?}", source.origin()).contains("secret"));
    let Source::Database(rows) = &source else {
        unreachable!("it was made of one")
    };
    assert!(!format!("{:?}", rows.connection).contains("secret"));
}

/// Copies of a connection are one: whoever opened it first fixed the moment for all.
#[test]
fn copies_of_a_connection_see_one_moment() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.sqlite");
    let writer = rusqlite::Connection::open(&path).unwrap();
    writer.pragma_update(None, "journal_mode", "wal").unwrap();
    writer
        .execute_batch("CREATE TABLE t (x); INSERT INTO t VALUES (1);")
        .unwrap();
    let connection = Connection::sqlite(&path);
    let read = |connection: &Connection| {
        let rows = RowsOf::Table("t".to_owned());
        let source = DatabaseSource {
            connection: connection.clone(),
            rows,
            cells: Cells::default(),
        };
        load(source).unwrap().rows_read
    };
    let copy = connection.clone();
    connection.open().unwrap();
    writer.execute_batch("INSERT INTO t VALUES (2)").unwrap();
    assert_eq!((read(&copy), read(&connection)), (1, 1));
    assert_eq!(read(&Connection::sqlite(&path)), 2);
}
