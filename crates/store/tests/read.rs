//! Reading files of every format, as a caller does it.

mod counting;

use std::{fs, io::Write, path::Path, sync::Arc};

use arrow_array::{ArrayRef, Float64Array, Int32Array, RecordBatch, StringArray};
use scumble_fault::{Blame, Fault};
use scumble_store::{FileSource, Loaded, ReadError, Unwatched, Watch};
use scumble_table::Reading;
use scumble_table::{Range, Taxonomy};
use tempfile::TempDir;

use counting::Counting;

const MISSING: &str = "-";

/// A folder with one file in it.
struct Sample {
    folder: TempDir,
    source: FileSource,
}

fn sample(name: &str, content: impl AsRef<[u8]>) -> Sample {
    let sample = empty_sample(name);
    fs::write(&sample.source.path, content).unwrap();
    sample
}

fn empty_sample(name: &str) -> Sample {
    let folder = tempfile::tempdir().unwrap();
    let source = FileSource::new(folder.path().join(name));
    Sample { folder, source }
}

impl Sample {
    fn with(mut self, change: impl FnOnce(&mut FileSource)) -> Self {
        change(&mut self.source);
        self
    }

    fn path(&self) -> &Path {
        &self.source.path
    }

    fn read_as(&self, drop_missing: bool, readings: &[Reading]) -> Result<Loaded, ReadError> {
        self.source.open(&Unwatched)?.read(readings, drop_missing, &Unwatched)
    }

    fn load(&self) -> Result<Loaded, ReadError> {
        let opened = self.source.open(&Unwatched)?;
        let as_text = vec![Reading::Text; opened.header().len()];
        opened.read(&as_text, false, &Unwatched)
    }

    fn header(&self) -> Vec<String> {
        self.source.open(&Unwatched).unwrap().header().to_vec()
    }

    /// The message of the refusal, with the file's name only.
    fn message(&self, outcome: Result<Loaded, ReadError>) -> String {
        let folder = format!("{}/", self.folder.path().display());
        outcome.expect_err("a refusal").to_string().replace(&folder, "")
    }

    fn refusal(&self) -> String {
        self.message(self.load())
    }
}

/// The rows of a table, `-` where a value is missing.
fn rows(loaded: &Loaded) -> Vec<Vec<&str>> {
    let columns = loaded.table.columns().iter();
    let row = |row: usize| {
        columns
            .clone()
            .map(move |c| c.dictionary().value(c.codes().at(row)).unwrap_or(MISSING))
    };
    (0..loaded.table.rows()).map(|at| row(at).collect()).collect()
}

fn names(names: &[&str]) -> Option<Vec<String>> {
    Some(names.iter().map(|name| name.to_string()).collect())
}

fn jobs() -> Taxonomy {
    let node = |label: &str, parent| (label.to_owned(), parent);
    Taxonomy::from_parents(&[node("ANY", None), node("Engineer", Some(0)), node("Lawyer", Some(0))]).expect("a tree")
}

#[test]
fn cells_are_trimmed_and_empty_ones_are_missing() {
    let sample = sample("t.csv", "job , age\nLawyer, 38\n\"\",\" 35 \"\n");
    let loaded = sample.load().unwrap();
    assert_eq!(loaded.header, ["job", "age"]);
    assert_eq!(rows(&loaded), [["Lawyer", "38"], [MISSING, "35"]]);
    assert_eq!((loaded.rows_read, loaded.rows_dropped, loaded.bytes_read), (2, 0, 31));
    assert_eq!(sample.header(), ["job", "age"]);
}

#[test]
fn untrimmed_cells_keep_their_blanks() {
    let sample = sample("t.csv", "a,b\n x ,\n").with(|source| {
        source.trim = false;
        source.marks.clear();
    });
    assert_eq!(rows(&sample.load().unwrap()), [[" x ", "-"]]);
}

#[test]
fn a_byte_order_mark_and_windows_line_ends_are_no_part_of_the_data() {
    let sample = sample("t.csv", "\u{feff}job,age\r\nLawyer,38\r\n");
    let loaded = sample.load().unwrap();
    assert_eq!(loaded.header, ["job", "age"]);
    assert_eq!(rows(&loaded), [["Lawyer", "38"]]);
}

/// The test part of the Adult data: a comment first, blanks after commas, `?` for missing, a blank last line.
#[test]
fn adult_reads_with_names_comment_and_mark() {
    let sample = sample(
        "adult.test",
        "|1x3 Cross validator\n25, Private, Male\n38, ?, Female\n\n",
    );
    let path = sample.path().with_extension("data");
    fs::rename(sample.path(), &path).unwrap();
    let sample = sample.with(|source| {
        source.path = path;
        source.names = names(&["age", "workclass", "sex"]);
        source.comment = Some(b'|');
        source.marks.push("?".into());
    });
    assert_eq!(
        rows(&sample.load().unwrap()),
        [["25", "Private", "Male"], ["38", MISSING, "Female"]]
    );
}

#[test]
fn german_reads_with_blanks_between_fields() {
    let sample = sample("german.data", "A11 6 A34 1\nA12 48 A32 2\n").with(|source| {
        source.names = names(&["status", "duration", "history", "class"]);
        source.separator = Some(b' ');
    });
    assert_eq!(
        rows(&sample.load().unwrap()),
        [["A11", "6", "A34", "1"], ["A12", "48", "A32", "2"]]
    );
}

#[test]
fn tabs_separate_a_tsv() {
    let sample = sample("t.tsv", "job\tage\nLawyer, tax\t38\n");
    assert_eq!(rows(&sample.load().unwrap()), [["Lawyer, tax", "38"]]);
}

#[test]
fn packed_text_reads_like_plain_text() {
    let text = "job,age\nLawyer,38\n";
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(text.as_bytes()).unwrap();
    let packed = [
        ("t.csv.gz", gzip.finish().unwrap()),
        ("t.csv.zst", zstd::encode_all(text.as_bytes(), 1).unwrap()),
    ];
    for (name, bytes) in packed {
        assert_eq!(
            rows(&sample(name, &bytes).load().unwrap()),
            [["Lawyer", "38"]],
            "{name}"
        );
        let torn = sample(name, &bytes[..bytes.len() - 6]);
        let format = if name.ends_with("gz") { "gzip" } else { "zstd" };
        let expected =
            format!("{name}: not a readable {format} file; check that it is whole and its extension is right");
        assert_eq!(torn.refusal(), expected);
    }
}

/// Jobs, ages with one missing, and shares, as typed columns.
fn batch() -> RecordBatch {
    let jobs: ArrayRef = Arc::new(StringArray::from(vec![Some("Lawyer"), Some(" "), None]));
    let ages: ArrayRef = Arc::new(Int32Array::from(vec![Some(38), None, Some(35)]));
    let shares: ArrayRef = Arc::new(Float64Array::from(vec![0.5, 1.25, 3.0]));
    RecordBatch::try_from_iter_with_nullable([("job", jobs, true), ("age", ages, true), ("share", shares, true)])
        .unwrap()
}

const BATCH_ROWS: [[&str; 3]; 3] = [
    ["Lawyer", "38", "0.5"],
    [MISSING, MISSING, "1.25"],
    [MISSING, "35", "3.0"],
];

#[test]
fn parquet_columns_become_text() {
    let sample = empty_sample("t.parquet");
    let file = fs::File::create(sample.path()).unwrap();
    let mut writer = parquet::arrow::ArrowWriter::try_new(file, batch().schema(), None).unwrap();
    writer.write(&batch()).unwrap();
    writer.close().unwrap();
    assert_eq!(sample.header(), ["job", "age", "share"]);
    assert_eq!(rows(&sample.load().unwrap()), BATCH_ROWS);

    let ages = [
        Reading::Skip,
        Reading::Number {
            range: Range::new(0.0, 36.0).ok(),
        },
        Reading::Skip,
    ];
    let expected =
        "t.parquet: row 1: column `age`: a number outside [0, 36] in 1 row (row 1); correct it or widen the range";
    assert_eq!(sample.message(sample.read_as(false, &ages)), expected);
}

#[test]
fn arrow_columns_become_text() {
    let sample = empty_sample("t.arrow");
    let file = fs::File::create(sample.path()).unwrap();
    let mut writer = arrow_ipc::writer::FileWriter::try_new(file, &batch().schema()).unwrap();
    writer.write(&batch()).unwrap();
    writer.write(&batch()).unwrap();
    writer.finish().unwrap();
    assert_eq!(rows(&sample.load().unwrap()), [BATCH_ROWS, BATCH_ROWS].concat());
    let shares = [Reading::Skip, Reading::Skip, Reading::Text];
    assert_eq!(rows(&sample.read_as(false, &shares).unwrap())[5], ["3.0"]);
}

#[test]
fn a_column_of_lists_has_no_text() {
    use arrow_array::{ListArray, types::Int32Type};
    let lists: ArrayRef = Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>([Some([Some(1)])]));
    let sample = empty_sample("t.arrow");
    let batch = RecordBatch::try_from_iter([("visits", lists)]).unwrap();
    let mut writer =
        arrow_ipc::writer::FileWriter::try_new(fs::File::create(sample.path()).unwrap(), &batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    writer.finish().unwrap();
    let refusal = sample.refusal();
    assert!(
        refusal.starts_with("t.arrow: column `visits` has the type List("),
        "{refusal}"
    );
    assert!(
        refusal.ends_with(", which cannot be read as text; convert or leave it out"),
        "{refusal}"
    );
    assert_eq!(sample.read_as(false, &[Reading::Skip]).unwrap().rows_read, 1);
}

#[test]
fn json_lines_take_their_columns_from_the_first_object() {
    let lines = r#"{"job": "Lawyer \u00e9", "age": 38, "rate": 1.50, "sick": true}

{"age": 3e2, "job": null}
"#;
    let sample = sample("t.jsonl", lines);
    let loaded = sample.load().unwrap();
    assert_eq!(loaded.header, ["job", "age", "rate", "sick"]);
    assert_eq!(
        rows(&loaded),
        [["Lawyer é", "38", "1.50", "true"], [MISSING, "3e2", MISSING, MISSING]]
    );
}

#[test]
fn a_sheet_is_read_as_it_looks() {
    use rust_xlsxwriter::{ExcelDateTime, Format, Formula, Workbook};
    let sample = empty_sample("t.xlsx");
    let mut workbook = Workbook::new();
    workbook.add_worksheet().set_name("notes").unwrap();
    let sheet = workbook.add_worksheet().set_name("people").unwrap();
    let date = Format::new().set_num_format("yyyy-mm-dd");
    let moment = Format::new().set_num_format("yyyy-mm-dd hh:mm:ss");
    sheet.write_row(1, 0, ["job", "age", "born", "seen"]).unwrap();
    sheet.write(2, 0, "Lawyer").unwrap();
    sheet.write(2, 1, 38).unwrap();
    sheet
        .write_with_format(2, 2, ExcelDateTime::from_ymd(1987, 3, 9).unwrap(), &date)
        .unwrap();
    let seen = ExcelDateTime::from_ymd(2024, 12, 31)
        .unwrap()
        .and_hms(8, 30, 5)
        .unwrap();
    sheet.write_with_format(2, 3, seen, &moment).unwrap();
    sheet.write(4, 1, 35.5).unwrap();
    workbook.save(sample.path()).unwrap();

    assert_eq!(
        sample.refusal(),
        "t.xlsx: the file is empty; it needs a header and at least one row"
    );
    let sample = sample.with(|source| source.sheet = Some("people".into()));
    let loaded = sample.load().unwrap();
    assert_eq!(loaded.header, ["job", "age", "born", "seen"]);
    assert_eq!(
        rows(&loaded),
        [
            ["Lawyer", "38", "1987-03-09", "2024-12-31T08:30:05"],
            [MISSING, "35.5", MISSING, MISSING]
        ]
    );
    let ages = [
        Reading::Skip,
        Reading::Number {
            range: Range::new(36.0, 99.0).ok(),
        },
        Reading::Skip,
        Reading::Skip,
    ];
    let expected =
        "t.xlsx: row 5: column `age`: a number outside [36, 99] in 1 row (row 5); correct it or widen the range";
    assert_eq!(sample.message(sample.read_as(false, &ages)), expected);

    let lost = sample.with(|source| source.sheet = Some("staff".into()));
    assert_eq!(
        lost.refusal(),
        "t.xlsx: there is no such sheet; the sheets are notes, people"
    );

    let formula = empty_sample("f.xlsx");
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet();
    sheet.write(0, 0, "age").unwrap();
    sheet.write(1, 0, Formula::new("=1/0").set_result("#DIV/0!")).unwrap();
    workbook.save(formula.path()).unwrap();
    let expected = "f.xlsx: row 2: column `age` holds a formula error; correct the formula or empty the cell";
    assert_eq!(formula.refusal(), expected);
}

#[test]
fn skipped_columns_are_not_stored_and_not_checked() {
    let sample = sample("t.csv", "name,age\nAnn,38\nBob,35\n");
    let loaded = sample
        .read_as(false, &[Reading::Skip, Reading::Number { range: None }])
        .unwrap();
    assert_eq!(loaded.header, ["name", "age"]);
    assert_eq!(rows(&loaded), [["38"], ["35"]]);
}

#[test]
fn rows_with_a_missing_kept_value_are_dropped_when_asked() {
    let sample = sample("t.csv", "job,age,note\nLawyer,38,x\n,35,\nEngineer,,\nLawyer,31,\n");
    let readings = [Reading::Text, Reading::Text, Reading::Skip];
    let loaded = sample.read_as(true, &readings).unwrap();
    assert_eq!(rows(&loaded), [["Lawyer", "38"], ["Lawyer", "31"]]);
    assert_eq!((loaded.rows_read, loaded.rows_dropped), (4, 2));
    assert_eq!(sample.read_as(false, &readings).unwrap().table.rows(), 4);
}

#[test]
fn values_are_checked_before_rows_are_dropped() {
    let sample = sample("t.csv", "job,age\n,x\nLawyer,38\n");
    let outcome = sample.read_as(true, &[Reading::Text, Reading::Number { range: None }]);
    assert!(
        sample
            .message(outcome)
            .starts_with("t.csv:2: column `age`: text instead of a number in 1 row (line 2)")
    );
}

#[test]
fn all_problems_of_a_file_are_told_at_once_by_line() {
    let mut text = "job,age,\"note\"\n".to_owned();
    text += "Lawyer,38,\"two\nlines\"\n"; // lines 2 and 3
    text += "Pilot,n/a,\n"; // line 4
    text += "Baker,150,\nPilot,7,\nPilot,8,\nPilot,9,\nPilot,10,\n,,\n"; // lines 5 to 10
    let sample = sample("t.csv", text);
    let jobs = jobs();
    let ages = Reading::Number {
        range: Range::new(0.0, 120.0).ok(),
    };
    let message = sample.message(sample.read_as(false, &[Reading::Leaves(&jobs), ages, Reading::Text]));
    assert_eq!(
        message.lines().collect::<Vec<_>>(),
        [
            "t.csv:4: column `job`: 2 values that the taxonomy lacks in 6 rows (lines 4, 5, 6, 7, 8, …); \
             correct the data or add the missing leaves",
            "t.csv:4: column `age`: text instead of a number in 1 row (line 4); \
             correct it, mark it as missing, or do not call the column continuous",
            "t.csv:5: column `age`: a number outside [0, 120] in 1 row (line 5); correct it or widen the range",
        ]
    );
}

#[test]
fn every_refusal_says_where_and_what_to_change() {
    let refusals: [(&str, &[u8], &str); 13] = [
        (
            "t.csv",
            b"",
            "t.csv: the file is empty; it needs a header and at least one row",
        ),
        (
            "t.csv",
            b"\n\n",
            "t.csv: the file is empty; it needs a header and at least one row",
        ),
        (
            "t.csv",
            b"a,b\n",
            "t.csv: the file has no rows; add at least one below the header",
        ),
        (
            "t.csv",
            b"a,b\n1,\"x\ny\"\n\n1,2,3\n",
            "t.csv:5: 3 fields where 2 are expected; check the separator, and quote values that contain it",
        ),
        (
            "t.csv",
            b"a,b\n1,2\n3,\xc3\xa9\xff\n",
            "t.csv:3:4: not UTF-8; save the file as UTF-8",
        ),
        (
            "t.csv",
            b"a,b\n1,2\n3,\"4\n5,6\n",
            "t.csv:3: a quote in the row that begins here is never closed; close it, or double a quote inside quotes",
        ),
        (
            "t.csv",
            b"a,b,a\n1,2,3\n",
            "t.csv: columns 1 and 3 have the same name; rename one, or give `names` if the file has no header",
        ),
        (
            "t.csv",
            b"a, \n1,2\n",
            "t.csv: column 2 has no name; name it in the header, or give `names` if the file has no header",
        ),
        (
            "t.jsonl",
            b"{\"a\": 1}\n\n[1]\n",
            "t.jsonl:3: not a JSON object; write one object per line",
        ),
        (
            "t.jsonl",
            b"{\"a\": 1}\n{\"b\": 1}\n",
            "t.jsonl:2: the key `b` is not in the first object; the first object must name every column",
        ),
        (
            "t.jsonl",
            b"{\"a\": 1}\n{\"a\": 1, \"a\": 2}\n",
            "t.jsonl:2: the key `a` is given twice; keep one",
        ),
        (
            "t.jsonl",
            b"{\"a\": {\"b\": 1}}\n",
            "t.jsonl:1: column `a` holds a list or an object; flatten it to plain values",
        ),
        (
            "t.parquet",
            b"a,b\n1,2\n",
            "t.parquet: not a readable Parquet file; check that it is whole and its extension is right",
        ),
    ];
    for (name, content, expected) in refusals {
        assert_eq!(sample(name, content).refusal(), expected);
    }
    let unnamed = sample("t.csv", "| no header\n1,2,3\n").with(|source| {
        source.names = names(&["a", "b"]);
        source.comment = Some(b'|');
    });
    assert_eq!(
        unnamed.refusal(),
        "t.csv:2: 3 fields, but `names` gives 2; name every column of the file"
    );
    let strange = sample("t.csv", "a\n1\n").with(|source| source.separator = Some(0xFF));
    let expected = "t.csv: the separator must be one ASCII character other than a quote or a line end";
    assert_eq!(strange.refusal(), expected);
    let expected = "t.doc: unknown extension; known are csv, tsv, txt, data, jsonl, ndjson (these also with .gz or .zst), \
                    parquet, arrow, ipc, feather, xlsx, xls, xlsb, ods";
    assert_eq!(sample("t.doc", "a").refusal(), expected);
}

#[test]
fn a_file_that_is_not_there_was_named_wrongly() {
    for name in ["t.csv", "t.jsonl", "t.parquet", "t.arrow", "t.xlsx"] {
        let sample = empty_sample(name);
        let error = sample.load().unwrap_err();
        assert_eq!(error.fault(), Fault::Input);
        let expected = format!("{name}: cannot be read: entity not found; check the path and its permissions");
        assert_eq!(sample.message(Err(error)), expected);
    }
    assert_eq!(sample("t.csv", "").load().unwrap_err().fault(), Fault::Input);
}

#[test]
fn what_the_system_refuses_is_the_environment() {
    let refused = ReadError::Io {
        path: "t.csv".into(),
        source: std::io::ErrorKind::PermissionDenied.into(),
    };
    assert_eq!(refused.fault(), Fault::Environment);
}

#[test]
fn a_watcher_may_stop_the_reading() {
    struct Impatient;
    impl Watch for Impatient {
        fn should_stop(&self) -> bool {
            true
        }
    }
    let sample = sample("t.csv", "a\n1\n");
    let opened = sample.source.open(&Impatient).unwrap();
    let outcome = opened.read(&[Reading::Text], false, &Impatient);
    assert_eq!(outcome.as_ref().unwrap_err().fault(), Fault::Interrupted);
    assert_eq!(sample.message(outcome), "t.csv: interrupted");
}

#[test]
fn a_watcher_sees_every_byte() {
    let watch = Counting::default();
    let sample = sample("t.csv", "a\n1\n");
    let opened = sample.source.open(&watch).unwrap();
    opened.read(&[Reading::Text], false, &watch).unwrap();
    assert_eq!((watch.total.into_inner(), watch.done.into_inner()), (4, 4));
}
