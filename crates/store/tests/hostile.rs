//! Files that declare, unpack or repeat far more than their bytes hold are refused, or read, in little memory.
//!
//! Each is read by a process of its own, so that the most memory it had can be seen.

#[path = "../../../fuzz/bodies/container.rs"]
mod container;

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use arrow_array::{ArrayRef, DictionaryArray, Int32Array, Int64Array, NullArray, RecordBatch, StringArray};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions};
use parquet::arrow::ArrowWriter;
use parquet::file::properties::WriterProperties;
use scumble_store::{FileSource, Loaded, ReadError, Unwatched};
use scumble_table::Reading;
use tempfile::TempDir;

/// Names the file for [`read_the_named_file`].
const NAME: &str = "HOSTILE_FILE";

/// What reading a file came to.
struct Outcome {
    /// The number of rows, or the message.
    told: Result<usize, String>,
    /// The most memory it took, in MiB.
    most: u64,
}

/// Not a test: the process in which a file is read.
#[test]
#[ignore = "is run by the others"]
fn read_the_named_file() {
    let Some(path) = std::env::var_os(NAME) else { return };
    match read_all(&FileSource::new(PathBuf::from(path)), Reading::Text) {
        Ok(loaded) => println!("\nrows {}", loaded.rows_read),
        Err(error) => println!("\nrefused {error}"),
    }
}

fn read_all(source: &FileSource, reading: Reading) -> Result<Loaded, ReadError> {
    let opened = source.open(&Unwatched)?;
    let readings = vec![reading; opened.header().len()];
    opened.read(&readings, false, &Unwatched)
}

/// Reads a file in a process of its own.
fn read_apart(path: &Path) -> Outcome {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "read_the_named_file", "--ignored", "--nocapture"])
        .env(NAME, path)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut most = 0;
    while child.try_wait().unwrap().is_none() {
        most = most.max(peak(child.id()).unwrap_or(0));
        std::thread::sleep(Duration::from_millis(2));
    }
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "the reading process died");
    let text = String::from_utf8(output.stdout).unwrap();
    let line = |start: &str| {
        text.lines()
            .find_map(|line| line.strip_prefix(start))
            .map(str::to_owned)
    };
    let told = match line("rows ") {
        Some(rows) => Ok(rows.parse().unwrap()),
        None => Err(line("refused ").expect("the process tells what it read")),
    };
    Outcome {
        told,
        most: most / 1024,
    }
}

/// The most memory that a process had so far, in KiB.
fn peak(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

struct Desk(TempDir);

impl Desk {
    fn new() -> Self {
        Desk(tempfile::tempdir().unwrap())
    }

    fn put(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }
}

/// The file is refused with a message that has this in it, in so many MiB at most.
#[track_caller]
fn refused(path: &Path, message: &str, most: u64) {
    let outcome = read_apart(path);
    let told = outcome.told.expect_err("a refusal");
    assert!(told.contains(message), "{told}");
    assert!(outcome.most < most, "{} MiB", outcome.most);
}

#[test]
fn a_sheet_takes_the_memory_of_its_cells_and_not_of_its_corners() {
    let far = br#"<worksheet><dimension ref="A1:XFD1048576"/><sheetData>
        <row r="1"><c r="A1" t="str"><v>a</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>
        </sheetData></worksheet>"#;
    let desk = Desk::new();
    let path = desk.put("far.xlsx", &container::xlsx(far, None, None));
    assert!(std::fs::metadata(&path).unwrap().len() < 1500);
    refused(&path, "column 2 has no name", 100);
}

#[test]
fn a_wide_sheet_of_hardly_any_cells_is_refused() {
    let mut sheet = String::from("<worksheet><sheetData><row>");
    (0..16_384).for_each(|_| sheet.push_str("<c><v>1</v></c>"));
    sheet.push_str("</row>");
    (0..100_000).for_each(|_| sheet.push_str("<row><c><v>1</v></c></row>"));
    sheet.push_str("</sheetData></worksheet>");
    let desk = Desk::new();
    let path = desk.put("wide.xlsx", &container::xlsx(sheet.as_bytes(), None, None));
    refused(&path, "cells: 1638416384, where at most", 150);
}

#[test]
fn a_workbook_that_unpacks_to_far_more_than_its_bytes_is_refused() {
    let mut sheet = b"<worksheet><sheetData>".to_vec();
    sheet.extend(b"<row><c><v>1</v></c></row>".repeat(6_000_000));
    let desk = Desk::new();
    for (name, bytes) in [
        ("bomb.xlsx", container::xlsx(&sheet, None, None)),
        ("bomb.ods", container::ods(&sheet)),
        ("bomb.xlsb", container::xlsb(&sheet)),
    ] {
        let path = desk.put(name, &bytes);
        assert!(bytes.len() < 1_000_000, "{} bytes", bytes.len());
        refused(&path, "unpacked bytes:", 50);
    }
}

/// A text of a million letters that each of a million cells shows.
#[test]
fn a_text_that_many_cells_share_is_held_once() {
    let mut sheet = String::from("<worksheet><sheetData><row><c t=\"str\"><v>a</v></c></row>");
    (0..2_000).for_each(|_| sheet.push_str("<row><c t=\"s\"><v>0</v></c></row>"));
    sheet.push_str("</sheetData></worksheet>");
    let texts = format!("<sst><si><t>{}</t></si></sst>", "x".repeat(1_000_000));
    let desk = Desk::new();
    let path = desk.put(
        "shared.xlsx",
        &container::xlsx(sheet.as_bytes(), Some(texts.as_bytes()), None),
    );
    let outcome = read_apart(&path);
    assert_eq!(outcome.told, Ok(2_000));
    assert!(outcome.most < 100, "{} MiB", outcome.most);
}

fn document(rows: &str) -> Vec<u8> {
    let content = format!("<d><table:table table:name=\"S\">{rows}</table:table></d>");
    container::ods(content.as_bytes())
}

#[test]
fn repeated_cells_of_a_document_are_counted_before_they_are_made() {
    let desk = Desk::new();
    let text = "<table:table-cell office:value-type=\"string\" office:string-value=\"a\"";
    let sheet = |rows: u32, columns: u32| {
        document(&format!(
            "<table:table-row table:number-rows-repeated=\"{rows}\">{text} table:number-columns-repeated=\"{columns}\"/>\
             </table:table-row>"
        ))
    };
    refused(
        &desk.put("many.ods", &sheet(1_000_000, 16_384)),
        "cells: 16384000000, where at most",
        50,
    );
    refused(&desk.put("wide.ods", &sheet(1, u32::MAX)), "columns: 4294967295", 50);
    let mut source = FileSource::new(desk.put("few.ods", &sheet(70_000, 2)));
    source.names = Some(vec!["a".to_owned(), "b".to_owned()]);
    assert_eq!(read_all(&source, Reading::Text).unwrap().rows_read, 70_000);
}

#[test]
fn blanks_of_a_document_are_counted_before_they_are_made() {
    let cell = "<table:table-row><table:table-cell office:value-type=\"string\"><text:p><text:s text:c=\"4000000000\"/>\
                </text:p></table:table-cell></table:table-row>";
    let desk = Desk::new();
    refused(
        &desk.put("blanks.ods", &document(cell)),
        "bytes of text: 4000000000",
        50,
    );
}

/// A record of the old format.
fn record(kind: u16, data: &[u8]) -> Vec<u8> {
    [&kind.to_le_bytes()[..], &(data.len() as u16).to_le_bytes(), data].concat()
}

/// A workbook of the old format with one sheet of these records, and with shared texts.
fn legacy(texts: &[u8], sheet: &[Vec<u8>]) -> Vec<u8> {
    let begin = |kind: u16| record(0x0809, &[&[0, 6][..], &kind.to_le_bytes(), &[0; 12]].concat());
    let globals = |place: u32| {
        let bound = [&place.to_le_bytes()[..], &[0, 0, 1, 0, b'S']].concat();
        [begin(5), record(0x0085, &bound), texts.to_vec(), record(0x000a, &[])].concat()
    };
    let place = globals(0).len() as u32;
    let stream = [globals(place), begin(0x10), sheet.concat(), record(0x000a, &[])].concat();
    container::compound("Workbook", &stream)
}

fn number_at(row: u16, column: u16) -> Vec<u8> {
    let mut data = [row.to_le_bytes(), column.to_le_bytes(), [0; 2]].concat();
    data.extend(1.5f64.to_le_bytes());
    record(0x0203, &data)
}

#[test]
fn an_old_workbook_is_counted_before_it_is_laid_out() {
    let desk = Desk::new();
    let near = [number_at(0, 0), number_at(1, 0), number_at(2, 0)];
    assert_eq!(read_apart(&desk.put("near.xls", &legacy(&[], &near))).told, Ok(2));
    let far = [number_at(0, 0), number_at(65_535, 65_535)];
    refused(
        &desk.put("far.xls", &legacy(&[], &far)),
        "cells laid out: 4294967296",
        50,
    );
    let dimensions = [
        &0u32.to_le_bytes()[..],
        &u32::MAX.to_le_bytes(),
        &[0, 0, 255, 255, 0, 0],
    ]
    .concat();
    let vast = [record(0x0200, &dimensions), number_at(0, 0)];
    refused(
        &desk.put("vast.xls", &legacy(&[], &vast)),
        "not a readable workbook",
        50,
    );
}

#[test]
fn an_old_workbook_copies_no_text_more_often_than_its_bytes_allow() {
    let text = [
        &[1, 0, 0, 0, 1, 0, 0, 0][..],
        &8000u16.to_le_bytes(),
        &[0],
        &[b'x'; 8000],
    ]
    .concat();
    let shows = |row: u16| record(0x00fd, &[&row.to_le_bytes()[..], &[0; 8]].concat());
    let rows: Vec<Vec<u8>> = (0..60_000).map(shows).collect();
    let desk = Desk::new();
    let path = desk.put("shared.xls", &legacy(&record(0x00fc, &text), &rows));
    refused(&path, "bytes of text: 1440000000", 60);
}

#[test]
fn a_chain_of_sectors_that_leads_back_to_itself_is_refused() {
    let mut file = legacy(&[], &[number_at(0, 0), number_at(1, 0)]);
    // The stream begins at sector 2; the second entry after it leads back, and the stream says that it is endless.
    file[512 + 4 * 3..512 + 4 * 4].copy_from_slice(&2u32.to_le_bytes());
    file[1024 + 128 + 120..1024 + 128 + 124].copy_from_slice(&u32::MAX.to_le_bytes());
    let desk = Desk::new();
    refused(&desk.put("circle.xls", &file), "not a readable workbook", 50);
}

#[test]
fn packed_text_that_unpacks_to_far_more_than_its_bytes_is_refused() {
    let desk = Desk::new();
    for (name, row) in [("bomb.csv.zst", "1,2,3,4,5,6,7\n"), ("bomb.jsonl.zst", "{\"a\":1}\n")] {
        // A cell of a MiB in each row, so that the rows are few.
        let mut zstd = zstd::Encoder::new(Vec::new(), 1).unwrap();
        zstd.write_all(row.as_bytes()).unwrap();
        let long = row.replace('1', &"1".repeat(1 << 20));
        (0..300).for_each(|_| zstd.write_all(long.as_bytes()).unwrap());
        let bytes = zstd.finish().unwrap();
        assert!(bytes.len() < 100_000, "{} bytes", bytes.len());
        refused(&desk.put(name, &bytes), "unpacked bytes:", 200);
    }
}

#[test]
fn absent_keys_are_cells_too() {
    let mut text = String::from("{");
    (0..10_000).for_each(|key| write!(text, "\"k{key}\":1,").unwrap());
    text.push_str("\"last\":1}\n");
    text.push_str(&"{}\n".repeat(10_000));
    let desk = Desk::new();
    refused(&desk.put("wide.jsonl", text.as_bytes()), "cells:", 900);
}

fn arrow_file(batch: &RecordBatch, compression: Option<CompressionType>) -> Vec<u8> {
    let options = IpcWriteOptions::default().try_with_compression(compression).unwrap();
    let mut bytes = Vec::new();
    let mut writer = FileWriter::try_new_with_options(&mut bytes, &batch.schema(), options).unwrap();
    writer.write(batch).unwrap();
    writer.finish().unwrap();
    drop(writer);
    bytes
}

fn one_column(array: impl arrow_array::Array + 'static) -> RecordBatch {
    RecordBatch::try_from_iter([("a", Arc::new(array) as ArrayRef)]).unwrap()
}

#[test]
fn a_column_of_nulls_is_as_long_as_the_file_allows() {
    let desk = Desk::new();
    let bytes = arrow_file(&one_column(NullArray::new(1 << 40)), None);
    assert!(bytes.len() < 1000);
    refused(&desk.put("nulls.arrow", &bytes), "cells declared: 1099511627776", 50);
}

#[test]
fn a_packed_buffer_that_unpacks_to_far_more_than_the_file_is_refused() {
    let desk = Desk::new();
    let zeros = one_column(Int64Array::from(vec![0; 40_000_000]));
    let bytes = arrow_file(&zeros, Some(CompressionType::ZSTD));
    assert!(bytes.len() < 100_000);
    refused(&desk.put("zeros.arrow", &bytes), "unpacked bytes: 320000000", 50);
}

/// A text of a million letters in every row: as one array of texts it would take more than two thousand million bytes, which
/// no such array holds.
#[test]
fn a_value_that_stands_in_every_row_is_read_a_few_rows_at_a_time() {
    const ROWS: usize = 2_500;
    let text = "x".repeat(1 << 20);
    let desk = Desk::new();
    let keys = Int32Array::from(vec![0; ROWS]);
    let values = StringArray::from(vec![text.as_str()]);
    let batch = one_column(DictionaryArray::new(keys, Arc::new(values)));
    let mut parquet = Vec::new();
    // Writers give up a dictionary beyond a MiB, unless told otherwise.
    let properties = WriterProperties::builder().set_dictionary_page_size_limit(4 << 20);
    let mut writer = ArrowWriter::try_new(&mut parquet, batch.schema(), Some(properties.build())).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    for (name, bytes) in [("rows.arrow", arrow_file(&batch, None)), ("rows.parquet", parquet)] {
        assert!(bytes.len() < 3 << 20, "{} bytes", bytes.len());
        let outcome = read_apart(&desk.put(name, &bytes));
        assert_eq!(outcome.told, Ok(ROWS), "{name}");
        assert!(outcome.most < 900, "{name}: {} MiB", outcome.most);
    }
}

#[test]
fn a_header_of_separators_alone_is_counted_and_not_kept() {
    let desk = Desk::new();
    let path = desk.put("wide.csv", ",".repeat(4 << 20).as_bytes());
    refused(&path, "columns: 4194305", 300);
}

/// 100,000 names are compared with a table of names, not with each other.
#[test]
fn a_long_header_is_checked_in_no_time() {
    let names: Vec<String> = (0..100_000)
        .map(|column| format!("a-column-with-a-long-name-{column}"))
        .collect();
    let row = vec!["1"; names.len()].join(",");
    let desk = Desk::new();
    let path = desk.put("wide.csv", format!("{}\n{row}\n", names.join(",")).as_bytes());
    let start = Instant::now();
    assert_eq!(read_all(&FileSource::new(path), Reading::Skip).unwrap().rows_read, 1);
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

/// Texts after a list of their lengths, with missing ones among them, in many pages of both versions.
#[test]
fn texts_that_follow_their_lengths_are_read() {
    use parquet::basic::Encoding::{DELTA_BYTE_ARRAY, DELTA_LENGTH_BYTE_ARRAY};
    use parquet::file::properties::WriterVersion::{PARQUET_1_0, PARQUET_2_0};
    let desk = Desk::new();
    let cells: Vec<Option<String>> = (0..5000)
        .map(|row: usize| (!row.is_multiple_of(7)).then(|| format!("a name {}", row * row % 1013)))
        .collect();
    let texts: ArrayRef = Arc::new(StringArray::from(cells.clone()));
    let batch = RecordBatch::try_from_iter_with_nullable([("name", texts, true)]).unwrap();
    for (encoding, version) in [DELTA_BYTE_ARRAY, DELTA_LENGTH_BYTE_ARRAY]
        .into_iter()
        .flat_map(|encoding| [(encoding, PARQUET_1_0), (encoding, PARQUET_2_0)])
    {
        let properties = WriterProperties::builder()
            .set_dictionary_enabled(false)
            .set_encoding(encoding)
            .set_writer_version(version)
            .set_data_page_row_count_limit(700)
            .set_write_batch_size(100);
        let mut bytes = Vec::new();
        let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), Some(properties.build())).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        let source = FileSource::new(desk.put("names.parquet", &bytes));
        let table = read_all(&source, Reading::Text).unwrap().table;
        let column = &table.columns()[0];
        let read: Vec<Option<&str>> = column
            .codes()
            .iter()
            .map(|code| column.dictionary().value(code))
            .collect();
        assert_eq!(
            read,
            cells.iter().map(Option::as_deref).collect::<Vec<_>>(),
            "{encoding}"
        );
    }
}

/// A page of some hundred bytes that says it has far more lengths than values; the library would make room for all of them.
#[test]
fn a_page_with_more_lengths_than_values_is_refused() {
    let desk = Desk::new();
    let bytes = include_bytes!("../../../fuzz/corpus/parquet/more-lengths-than-values");
    refused(&desk.put("lengths.parquet", bytes), "", 50);
}
