//! [`ReadError`]: why a file, a table of a database or record batches did not become a table.
//!
//! Every message names the [`Origin`] and, where there is one, the line or row; then what is wrong; then what to change.
//! No message holds a cell of the file: a refusal must not publish what a release would hide.

use std::{fmt, io, path::PathBuf};

use scumble_fault::Blame;
use scumble_table::Range;

use super::{ConnectionError, Origin};

/// Why a file or table could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The system did not let us read.
    #[error("{}: cannot be read: {}; check the path and its permissions", path.display(), source.kind())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// An extension that names no format.
    #[error(
        "{}: unknown extension; known are {} (these also with .gz or .zst), {}",
        path.display(), text.join(", "), others.join(", ")
    )]
    UnknownFormat {
        /// The file.
        path: PathBuf,
        /// The extensions of text, which may be packed.
        text: Vec<&'static str>,
        /// Those of other formats.
        others: Vec<&'static str>,
    },
    /// A format that this build leaves out.
    #[error("{}: this build does not read {format} files; build it with the cargo feature `{feature}`", path.display())]
    NotBuilt {
        /// The file.
        path: PathBuf,
        /// What it is.
        format: &'static str,
        /// What to build with.
        feature: &'static str,
    },
    /// A separator or comment sign that text cannot be split by.
    #[error("{}: the {sign} must be one ASCII character other than a quote or a line end", path.display())]
    Sign {
        /// The file.
        path: PathBuf,
        /// `separator` or `comment`.
        sign: &'static str,
    },
    /// No header and no rows.
    #[error("{}: the file is empty; it needs a header and at least one row", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// A header and no rows.
    #[error("{}", no_rows(origin))]
    NoRows {
        /// Where there are none.
        origin: Origin,
    },
    /// Rows, of which each lacks a value and was dropped.
    #[error(
        "{origin}: each of its {rows} rows lacks a value, so `missing = \"drop\"` leaves none; fill in values, or read a \
         missing one as a value (`missing = \"value\"`)"
    )]
    AllDropped {
        /// The file or table.
        origin: Origin,
        /// How many rows it has.
        rows: usize,
    },
    /// A row with more or fewer fields than the header.
    #[error(
        "{}:{line}: {found} fields where {expected} are expected; check the separator, and quote values that contain it",
        path.display()
    )]
    Ragged {
        /// The file.
        path: PathBuf,
        /// Where the row begins.
        line: usize,
        /// How many fields the row has.
        found: usize,
        /// How many the header has.
        expected: usize,
    },
    /// Bytes that are not text.
    #[error("{}:{line}:{column}: not UTF-8; save the file as UTF-8", path.display())]
    NotUtf8 {
        /// The file.
        path: PathBuf,
        /// The line.
        line: usize,
        /// Which character of the line, counted from 1.
        column: usize,
    },
    /// A quote that is never closed.
    #[error("{}:{line}: a quote in the row that begins here is never closed; close it, or double a quote inside quotes", path.display())]
    OpenQuote {
        /// The file.
        path: PathBuf,
        /// Where the row begins.
        line: usize,
    },
    /// A row so long that a quote must be open.
    #[error("{}:{line}: the row that begins here is longer than {} MiB; close its quote, or check the line ends", path.display(), limit >> 20)]
    LongRow {
        /// The file.
        path: PathBuf,
        /// Where the row begins.
        line: usize,
        /// The longest row allowed, in bytes.
        limit: usize,
    },
    /// Two columns with one name. They are told by number: in a file without header, the name would be a cell.
    #[error(
        "{origin}: columns {first} and {second} have the same name; rename one{}",
        or_names(origin)
    )]
    RepeatedName {
        /// Where.
        origin: Origin,
        /// The first of them, counted from 1.
        first: usize,
        /// The second.
        second: usize,
    },
    /// A column without a name.
    #[error("{origin}: column {column} has no name; {}{}", give_it_one(origin), or_names(origin))]
    EmptyName {
        /// Where.
        origin: Origin,
        /// Which column, counted from 1.
        column: usize,
    },
    /// `names` that are not as many as the fields of the file.
    #[error("{}: {found} fields, but `names` gives {names}; name every column of the file", place.of(path.display()))]
    Names {
        /// The file.
        path: PathBuf,
        /// The first row.
        place: Place,
        /// How many fields the first row has.
        found: usize,
        /// How many names were given.
        names: usize,
    },
    /// Values that do not fit what their column is said to be: everything of the file at once.
    #[error("{}", problems.iter().map(|problem| problem.message(origin)).collect::<Vec<_>>().join("\n"))]
    Columns {
        /// The file or table.
        origin: Origin,
        /// At least one problem, in column order.
        problems: Vec<ColumnProblem>,
    },
    /// A line that is not one JSON object.
    #[error("{}:{line}: not a JSON object; write one object per line", path.display())]
    NotAnObject {
        /// The file.
        path: PathBuf,
        /// The line.
        line: usize,
    },
    /// A key that the first object lacks.
    #[error("{}:{line}: the key `{key}` is not in the first object; the first object must name every column", path.display())]
    UnknownKey {
        /// The file.
        path: PathBuf,
        /// The line.
        line: usize,
        /// The key.
        key: String,
    },
    /// A key given twice.
    #[error("{}:{line}: the key `{key}` is given twice; keep one", path.display())]
    RepeatedKey {
        /// The file.
        path: PathBuf,
        /// The line.
        line: usize,
        /// The key.
        key: String,
    },
    /// A list or an object where a value should be.
    #[error("{}:{line}: column `{column}` holds a list or an object; flatten it to plain values", path.display())]
    Nested {
        /// The file.
        path: PathBuf,
        /// The line.
        line: usize,
        /// The column.
        column: String,
    },
    /// A column of a type that has no text form.
    #[error("{origin}: column `{column}` has the type {kind}, which cannot be read as text; convert or leave it out")]
    ColumnType {
        /// The file or batches.
        origin: Origin,
        /// The column.
        column: String,
        /// The type in the words of Arrow.
        kind: String,
    },
    /// A sheet that the workbook lacks.
    #[error("{}: there is no such sheet; the sheets are {}", path.display(), known.join(", "))]
    UnknownSheet {
        /// The file.
        path: PathBuf,
        /// The sheets of the workbook.
        known: Vec<String>,
    },
    /// A formula that failed.
    #[error("{}: column `{column}` holds a formula error; correct the formula or empty the cell", place.of(path.display()))]
    Formula {
        /// The file.
        path: PathBuf,
        /// The row of the sheet.
        place: Place,
        /// The column.
        column: String,
    },
    /// Bytes that are not what the extension says.
    #[error("{}: not a readable {format} file; check that it is whole and its extension is right", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What it should be.
        format: &'static str,
    },
    /// A file that unpacks or declares itself to more than its bytes can mean.
    #[error(
        "{origin}: {what}: {found}, where at most {limit} are read from a file of its size; if it is meant so, write it as CSV"
    )]
    TooLarge {
        /// The file.
        origin: Origin,
        /// What there is too much of.
        what: &'static str,
        /// How much there is, or how much was met before reading stopped.
        found: u64,
        /// The most that is read.
        limit: u64,
    },
    /// A record batch that is not what the schema says.
    #[error("the record batches: batch {batch} has other columns or types than the schema; give batches of one schema")]
    BatchSchema {
        /// Which batch, counted from 1.
        batch: usize,
    },
    /// The watcher asked to stop.
    #[error("{origin}: interrupted")]
    Interrupted {
        /// The file or table.
        origin: Origin,
    },
    /// A database could not be read.
    #[error(transparent)]
    Connection(#[from] ConnectionError),
}

impl Blame for ReadError {
    fn fault(&self) -> scumble_fault::Fault {
        match self {
            ReadError::Io { source, .. } => scumble_fault::Fault::of_opening(source),
            ReadError::Interrupted { .. } => scumble_fault::Fault::Interrupted,
            ReadError::Connection(error) => error.fault(),
            ReadError::UnknownFormat { .. }
            | ReadError::NotBuilt { .. }
            | ReadError::Sign { .. }
            | ReadError::Empty { .. }
            | ReadError::NoRows { .. }
            | ReadError::AllDropped { .. }
            | ReadError::Ragged { .. }
            | ReadError::NotUtf8 { .. }
            | ReadError::OpenQuote { .. }
            | ReadError::LongRow { .. }
            | ReadError::RepeatedName { .. }
            | ReadError::EmptyName { .. }
            | ReadError::Names { .. }
            | ReadError::Columns { .. }
            | ReadError::NotAnObject { .. }
            | ReadError::UnknownKey { .. }
            | ReadError::RepeatedKey { .. }
            | ReadError::Nested { .. }
            | ReadError::ColumnType { .. }
            | ReadError::UnknownSheet { .. }
            | ReadError::Formula { .. }
            | ReadError::Damaged { .. }
            | ReadError::TooLarge { .. }
            | ReadError::BatchSchema { .. } => scumble_fault::Fault::Input,
        }
    }
}

fn no_rows(origin: &Origin) -> String {
    match origin {
        Origin::File(_) => format!("{origin}: the file has no rows; add at least one below the header"),
        Origin::Table(_) | Origin::Query => format!("{origin} has no rows; there must be at least one"),
        Origin::Batches => format!("{origin} have no rows; there must be at least one"),
    }
}

fn give_it_one(origin: &Origin) -> &'static str {
    match origin {
        Origin::File(_) => "name it in the header",
        Origin::Table(_) | Origin::Query | Origin::Batches => "give it one",
    }
}

/// How else columns get names, or in a query how they get them at all.
fn or_names(origin: &Origin) -> &'static str {
    match origin {
        Origin::File(_) => ", or give `names` if the file has no header",
        Origin::Table(_) | Origin::Query => ", with AS",
        Origin::Batches => "",
    }
}

/// What is wrong with the values of one column.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnProblem {
    /// The column.
    pub column: String,
    /// What is wrong.
    pub fault: Fault,
    /// How many rows are concerned.
    pub rows: usize,
    /// The first of them, at most five, at least one.
    pub places: Vec<Place>,
}

/// How values do not fit their column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fault {
    /// Text in a column of numbers.
    NotANumber,
    /// Numbers outside the range of their column.
    OutsideRange(Range),
    /// Values that the taxonomy of their column lacks.
    NotALeaf {
        /// How many different ones.
        distinct: usize,
    },
}

/// Where a row is, in the words of its format, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A line of a text file, where the row begins.
    Line(usize),
    /// A row of any other.
    Row(usize),
}

impl ColumnProblem {
    fn message(&self, origin: &Origin) -> String {
        let ColumnProblem {
            column,
            fault,
            rows,
            places,
        } = self;
        let first = places
            .first()
            .map_or_else(|| origin.to_string(), |place| place.of(origin));
        let rows = Counted(*rows, "row");
        let places = self.listed_places();
        match fault {
            Fault::NotANumber => format!(
                "{first}: column `{column}`: text instead of a number in {rows} ({places}); \
                 correct it, mark it as missing, or do not call the column continuous"
            ),
            Fault::OutsideRange(range) => format!(
                "{first}: column `{column}`: a number outside {} in {rows} ({places}); correct it or widen the range",
                range.whole()
            ),
            Fault::NotALeaf { distinct } => format!(
                "{first}: column `{column}`: {} that the taxonomy lacks in {rows} ({places}); \
                 correct the data or add the missing leaves",
                Counted(*distinct, "value")
            ),
        }
    }

    fn listed_places(&self) -> String {
        let numbers = self
            .places
            .iter()
            .map(|&(Place::Line(number) | Place::Row(number))| number.to_string());
        let unit = match self.places.first() {
            Some(Place::Line(_)) => "line",
            Some(Place::Row(_)) | None => "row",
        };
        let plural = if self.rows == 1 { "" } else { "s" };
        let more = if self.rows > self.places.len() { ", …" } else { "" };
        format!("{unit}{plural} {}{more}", numbers.collect::<Vec<_>>().join(", "))
    }
}

impl Place {
    /// The place with its file or table, as messages begin.
    fn of(self, origin: impl fmt::Display) -> String {
        match self {
            Place::Line(line) => format!("{origin}:{line}"),
            Place::Row(row) => format!("{origin}: row {row}"),
        }
    }
}

/// A number with its noun: `1 row`, `2 rows`.
struct Counted(usize, &'static str);

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}{}", self.0, self.1, if self.0 == 1 { "" } else { "s" })
    }
}
