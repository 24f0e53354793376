//! Separated text: fields with a separator between them, one record per line, quotes around what needs them.
//!
//! The rules are those of the `csv` crate: a quote at the start of a field opens quotes, a doubled quote inside them
//! is one quote, a quote elsewhere is itself; `\n`, `\r\n` and `\r` end a record; blank lines are skipped. Fields are
//! handed on as slices of the block, which that crate would have to copy.

use memchr::{memchr, memchr3};

use super::blocks::{Block, Blocks, Dialect, Ends, closing_quote};
use super::file::FileSource;
use super::keep::{Keep, Worker};
use super::limits::{self, MOST_COLUMNS};
use super::opened::TableFile;
use super::parallel::parse_blocks;
use crate::Watch;
use crate::error::{Place, ReadError};

/// A file of separated text, past its header.
pub(super) struct Separated {
    source: FileSource,
    dialect: Dialect,
    block_size: usize,
    header: Vec<String>,
    blocks: Blocks,
}

impl Separated {
    pub fn open(source: FileSource, usual_separator: u8, block_size: usize) -> Result<Self, ReadError> {
        let dialect = dialect(&source, usual_separator)?;
        let mut file = Separated {
            blocks: Blocks::open(&source.path, Ends::Unquoted(dialect), block_size)?,
            source,
            dialect,
            block_size,
            header: Vec::new(),
        };
        file.header = file.read_header()?;
        Ok(file)
    }

    /// Takes the header off the file or, if names are given, checks that they fit the first record.
    fn read_header(&mut self) -> Result<Vec<String>, ReadError> {
        let path = &self.source.path;
        let mut block = Block::default();
        while self.blocks.next_into(&mut block)? {
            let mut records = Records::new(block.text(path)?, self.dialect);
            let mut fields = Vec::new();
            let mut add = |place: usize, field: &str| {
                // The others are only counted: a header of separators alone must not fill the memory.
                if place as u64 <= MOST_COLUMNS {
                    fields.push(field.to_owned());
                }
            };
            let Some(first) = records.next(&mut add) else {
                continue;
            };
            limits::check(&self.source.origin(), "columns", first.fields as u64, MOST_COLUMNS)?;
            let Some(names) = &self.source.names else {
                let end = records.position;
                self.blocks.put_back(&block, end);
                let cells = self.source.cells();
                return Ok(fields.iter().map(|field| cells.text(field).to_owned()).collect());
            };
            if first.fields != names.len() {
                return Err(ReadError::Names {
                    path: path.clone(),
                    place: Place::Line(block.line_at(first.start)),
                    found: first.fields,
                    names: names.len(),
                });
            }
            self.blocks.put_back(&block, first.start);
            return Ok(names.clone());
        }
        Err(ReadError::Empty { path: path.clone() })
    }
}

impl TableFile for Separated {
    fn header(&self) -> &[String] {
        &self.header
    }

    fn rows<'k>(&mut self, keep: &'k Keep<'k>, watch: &dyn Watch) -> Result<Vec<Worker<'k>>, ReadError> {
        let (path, dialect, expected) = (&self.source.path, self.dialect, self.header.len());
        parse_blocks(&mut self.blocks, keep, watch, |block, worker| {
            let mut records = Records::new(block.text(path)?, dialect);
            while let Some(record) = records.next(|column, field| worker.push(column, field)) {
                if record.fields != expected {
                    return Err(ReadError::Ragged {
                        path: path.clone(),
                        line: block.line_at(record.start),
                        found: record.fields,
                        expected,
                    });
                }
                worker.end_rows(1)?;
            }
            Ok(())
        })
    }

    fn locate(&mut self, rows: &[usize]) -> Result<Vec<Place>, ReadError> {
        let mut again = Separated::open(self.source.clone(), self.dialect.separator, self.block_size)?;
        again.blocks.locate(rows, |text| {
            let mut records = Records::new(text, self.dialect);
            std::iter::from_fn(|| records.next(|_, _| ()))
                .map(|record| record.start)
                .collect()
        })
    }
}

/// The signs of a source, checked: bytes that can be cut out of text without splitting a character.
fn dialect(source: &FileSource, usual_separator: u8) -> Result<Dialect, ReadError> {
    let checked = |sign: &'static str, byte: u8| {
        let path = source.path.clone();
        let fits = byte.is_ascii() && !matches!(byte, b'"' | b'\n' | b'\r');
        fits.then_some(byte).ok_or(ReadError::Sign { path, sign })
    };
    Ok(Dialect {
        separator: checked("separator", source.separator.unwrap_or(usual_separator))?,
        comment: source.comment.map(|byte| checked("comment", byte)).transpose()?,
    })
}

/// Walks the records of a block.
struct Records<'b> {
    text: &'b str,
    dialect: Dialect,
    /// Where the next record begins, or blank lines before it.
    position: usize,
    /// The text of a quoted field with quotes in it.
    unquoted: String,
}

struct Record {
    start: usize,
    fields: usize,
}

impl<'b> Records<'b> {
    fn new(text: &'b str, dialect: Dialect) -> Self {
        Records {
            text,
            dialect,
            position: 0,
            unquoted: String::new(),
        }
    }

    /// Gives the fields of the next record to `each`, with their places; `None` at the end of the block.
    #[inline]
    fn next(&mut self, mut each: impl FnMut(usize, &str)) -> Option<Record> {
        let start = self.skip_to_record()?;
        let mut position = start;
        let mut fields = 0;
        loop {
            let (field, end) = field(self.text, position, self.dialect.separator, &mut self.unquoted);
            each(fields, field);
            fields += 1;
            position = end + 1;
            if self.text.as_bytes().get(end) != Some(&self.dialect.separator) {
                break;
            }
        }
        self.position = position.min(self.text.len());
        Some(Record { start, fields })
    }

    /// Skips line ends and comments.
    fn skip_to_record(&mut self) -> Option<usize> {
        let bytes = self.text.as_bytes();
        loop {
            let byte = *bytes.get(self.position)?;
            if matches!(byte, b'\n' | b'\r') {
                self.position += 1;
            } else if Some(byte) == self.dialect.comment {
                self.position += memchr(b'\n', &bytes[self.position..])?;
            } else {
                return Some(self.position);
            }
        }
    }
}

/// The field that begins at `start`, and where it ends: at a separator, a line end or the end of the text.
#[inline]
fn field<'f>(text: &'f str, start: usize, separator: u8, unquoted: &'f mut String) -> (&'f str, usize) {
    if text.as_bytes().get(start) == Some(&b'"') {
        return quoted_field(text, start, separator, unquoted);
    }
    let end = field_end(text, start, separator);
    (&text[start..end], end)
}

fn field_end(text: &str, from: usize, separator: u8) -> usize {
    memchr3(separator, b'\n', b'\r', &text.as_bytes()[from..]).map_or(text.len(), |length| from + length)
}

/// A field that begins with a quote. Text after its closing quote belongs to it, as it is.
fn quoted_field<'f>(text: &'f str, start: usize, separator: u8, unquoted: &'f mut String) -> (&'f str, usize) {
    // Blocks end outside quotes, so there is a closing quote.
    let closing = closing_quote(text.as_bytes(), start + 1).unwrap_or(text.len());
    let inner = &text[start + 1..closing];
    let after = (closing + 1).min(text.len());
    let end = field_end(text, after, separator);
    if end == after && !inner.contains('"') {
        return (inner, end);
    }
    unquoted.clear();
    unquoted.push_str(&inner.replace("\"\"", "\""));
    unquoted.push_str(&text[after..end]);
    (unquoted, end)
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use proptest::prelude::*;

    use super::super::opened::Loaded;
    use super::*;
    use crate::Unwatched;
    use scumble_table::Reading;

    fn read(source: &FileSource, block_size: usize, threads: usize) -> Result<Loaded, ReadError> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("threads");
        pool.install(|| {
            let opened = source.open_in_blocks(block_size, &Unwatched)?;
            let as_text = vec![Reading::Text; opened.header().len()];
            opened.read(&as_text, false, &Unwatched)
        })
    }

    /// Text as it is, with names for the columns so that no header is taken off.
    fn plain_source(path: &Path, columns: usize) -> FileSource {
        FileSource {
            names: Some((0..columns).map(|column| format!("c{column}")).collect()),
            comment: Some(b'|'),
            trim: false,
            ..FileSource::new(path)
        }
    }

    fn cells(loaded: &Loaded) -> Vec<Vec<String>> {
        let columns = loaded.table.columns();
        let cell = |row: usize, column: &scumble_table::Column| {
            // The empty cell is the missing value.
            column
                .dictionary()
                .value(column.codes().at(row))
                .unwrap_or_default()
                .to_owned()
        };
        (0..loaded.table.rows())
            .map(|row| columns.iter().map(|column| cell(row, column)).collect())
            .collect()
    }

    /// The obvious reading: the `csv` crate over the whole text, which must end with a line end: a comment at the
    /// very end would come back as a row.
    fn plain_cells(text: &str) -> Vec<Vec<String>> {
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .comment(Some(b'|'))
            .from_reader(text.as_bytes());
        let records = reader.records().map(|record| record.expect("text"));
        records
            .map(|record| record.iter().map(str::to_owned).collect())
            .collect()
    }

    /// A text ends inside quotes exactly if a record put after it is swallowed.
    fn ends_in_quotes(text: &str) -> bool {
        plain_cells(&format!("{text}\nX\n"))
            .last()
            .is_none_or(|last| last != &["X"])
    }

    const SIGNS: &str = "[ab\"\",,\n\r| é]";

    fn any_text() -> impl Strategy<Value = String> {
        proptest::collection::vec(SIGNS, 0..30).prop_map(|signs| signs.concat())
    }

    /// Rows of one width, quoted where they must be and sometimes where they need not.
    fn tidy_text() -> impl Strategy<Value = String> {
        let field = (proptest::collection::vec(SIGNS, 0..4), any::<bool>()).prop_map(|(signs, quote)| {
            let text = signs.concat();
            let quote = quote || text.is_empty() || text.contains([',', '"', '\n', '\r', '|']);
            if quote {
                format!("\"{}\"", text.replace('"', "\"\""))
            } else {
                text
            }
        });
        let line_end = prop_oneof![Just("\n"), Just("\r\n"), Just("\r"), Just("\n\n"), Just("\n|,\"\n")];
        (1..4usize).prop_flat_map(move |columns| {
            let row = (proptest::collection::vec(field.clone(), columns), line_end.clone());
            let rows = proptest::collection::vec(row.prop_map(|(fields, end)| fields.join(",") + end), 1..8);
            rows.prop_map(|rows| rows.concat())
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        /// Wherever blocks are cut and on any number of threads, the cells are those of the `csv` crate.
        #[test]
        fn blocks_agree_with_a_plain_reading(
            text in prop_oneof![any_text(), tidy_text()],
            block_size in 1..12usize,
            threads in 1..4usize,
        ) {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("t.csv");
            fs::write(&path, &text).unwrap();
            let expected = plain_cells(&format!("{text}\n"));
            let width = expected.first().map_or(1, Vec::len);
            let ragged = expected.iter().map(Vec::len).find(|&fields| fields != width);
            let read = read(&plain_source(&path, width), block_size, threads);
            match (read, ragged) {
                (Err(ReadError::OpenQuote { .. }), _) => prop_assert!(ends_in_quotes(&text)),
                (Err(ReadError::Ragged { found, expected, .. }), Some(fields)) => {
                    prop_assert_eq!((found, expected), (fields, width));
                }
                (Err(ReadError::Empty { .. }), _) => prop_assert!(expected.is_empty()),
                // Rows that end with carriage returns alone are cut nowhere.
                (Err(ReadError::LongRow { limit, .. }), _) => prop_assert!(text.contains('\r') && text.len() > limit),
                (Ok(loaded), None) => prop_assert_eq!(cells(&loaded), expected),
                (read, _) => prop_assert!(false, "{:?} for {:?}", read, expected),
            }
        }
    }

    #[test]
    fn the_number_of_threads_does_not_show() {
        const BLOCK: usize = 1000;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.csv");
        let row = |row: u32| format!("{},\"a\n{}\",{}\n", row % 97, row % 7, row.wrapping_mul(2654435761));
        let text: String = std::iter::once("x,y,z\n".to_owned())
            .chain((0..5000).map(row))
            .collect();
        fs::write(&path, &text).unwrap();
        let source = FileSource::new(&path);
        let one = read(&source, BLOCK, 1).unwrap();
        for threads in [2, 3, 8] {
            assert_eq!(read(&source, BLOCK, threads).unwrap().table, one.table);
        }
        // Of several bad rows, the first is reported.
        fs::write(&path, text.replace("42,\"", "42,,\"")).unwrap();
        for threads in [1, 2, 8] {
            let message = read(&source, BLOCK, threads).unwrap_err().to_string();
            assert!(message.contains("t.csv:86: 4 fields where 3 are expected"), "{message}");
        }
    }

    #[test]
    fn a_row_without_end_is_refused_before_it_fills_the_memory() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.csv");
        fs::write(&path, format!("a,b\n1,\"{}", "2\n".repeat(1000))).unwrap();
        let refusal = read(&FileSource::new(&path), 16, 1).unwrap_err();
        assert!(
            matches!(
                refusal,
                ReadError::LongRow {
                    line: 2,
                    limit: 1024,
                    ..
                }
            ),
            "{refusal}"
        );
    }
}
