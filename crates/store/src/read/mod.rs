//! Reading: from a file of any known format, or the rows of a database, to a [`Table`] of codes, in one pass over the
//! data.
//!
//! A file is opened as far as its header, the caller's plan says what to keep of each column, and only that is
//! kept. Values are checked on the dictionary, so each distinct value once, and all bad values of a file are
//! reported together.

mod batches;
mod blocks;
mod check;
mod columnar;
mod error;
mod excel;
mod format;
mod guard;
mod json_lines;
mod keep;
mod lengths;
mod limits;
mod pages;
mod parallel;
mod separated;
mod workbook;

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
};

use scumble_progress::{Amount, Running, Stage};
use scumble_table::{Column, ColumnId, Reading, Table, with_codes};

pub use error::{ColumnProblem, Fault, Place, ReadError};
pub use format::Format;

pub(crate) use check::{NameFault, name_fault};
pub(crate) use keep::{Keep, Worker};

use self::{
    blocks::BLOCK_SIZE,
    check::{check_header, check_values},
    columnar::Columnar,
    excel::Excel,
    format::{Compression, formats_of},
    json_lines::JsonLines,
    separated::Separated,
};
use crate::formula::from_text;
use crate::{Unwatched, Watch};

/// A file, and what must be known to read it.
#[derive(Clone, Debug)]
pub struct Source {
    /// The file; its extension tells the [`Format`].
    pub path: PathBuf,
    /// The names of the columns, for separated text or a sheet without a header.
    pub names: Option<Vec<String>>,
    /// What separates fields of separated text; a tab in `.tsv` and a comma elsewhere unless given.
    pub separator: Option<u8>,
    /// What begins a line of separated text that is a comment.
    pub comment: Option<u8>,
    /// Whether blanks around a value are not part of it; they are not unless this is unset.
    pub trim: bool,
    /// The texts that mean missing, beside the empty one, which always does.
    pub marks: Vec<String>,
    /// The sheet of a workbook; the first unless given.
    pub sheet: Option<String>,
    /// Whether what a spreadsheet would take for a formula was written as text, and is to be read as what it was.
    pub formulas_as_text: bool,
}

impl Source {
    /// A file with everything else as it usually is.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Source {
            path: path.into(),
            names: None,
            separator: None,
            comment: None,
            trim: true,
            marks: Vec::new(),
            sheet: None,
            formulas_as_text: false,
        }
    }

    fn cells(&self) -> Cells {
        Cells {
            trim: self.trim,
            marks: self.marks.clone(),
            formulas_as_text: self.formulas_as_text,
        }
    }

    /// The name that a field of the header stands for.
    fn name(&self, field: &str) -> String {
        let written = if self.trim { field.trim_ascii() } else { field };
        let name = if self.formulas_as_text {
            from_text(written)
        } else {
            written
        };
        name.to_owned()
    }
}

/// What of a cell is its value.
#[derive(Clone, Debug)]
pub struct Cells {
    /// Whether blanks around a value are not part of it.
    pub trim: bool,
    /// The texts that mean missing, beside the empty one, which always does.
    pub marks: Vec<String>,
    /// Whether formulas were written as text.
    pub formulas_as_text: bool,
}

impl Cells {
    /// The value that a cell stands for; `None` if it is missing.
    #[inline]
    pub fn value<'c>(&self, cell: &'c str) -> Option<&'c str> {
        let written = if self.trim { cell.trim_ascii() } else { cell };
        let value = if self.formulas_as_text {
            from_text(written)
        } else {
            written
        };
        (!value.is_empty() && !self.marks.iter().any(|mark| mark == value)).then_some(value)
    }
}

/// What became of a file, or of a table of a database.
#[derive(Debug)]
pub struct Loaded {
    /// The kept columns, in file order.
    pub table: Table,
    /// The names of all columns of the file.
    pub header: Vec<String>,
    /// How many rows the file has.
    pub rows_read: usize,
    /// How many of them were dropped because a kept value is missing.
    pub rows_dropped: usize,
    /// The size of the file; of a database, that of the kept cells as text.
    pub bytes_read: u64,
}

/// Reads a file. `plan` sees the header and says how to read each column; with `drop_missing`, rows in which a kept
/// value is missing are dropped, after all values have been checked.
///
/// The result is the same on any number of threads.
///
/// # Panics
/// If the plan has not one [`Reading`] per column.
pub fn read<'t, E: From<ReadError>>(
    source: &Source,
    drop_missing: bool,
    plan: impl FnOnce(&[String]) -> Result<Vec<Reading<'t>>, E>,
    watch: &dyn Watch,
) -> Result<Loaded, E> {
    read_in_blocks(source, drop_missing, plan, watch, BLOCK_SIZE)
}

/// The names of the columns of a file.
pub fn header(source: &Source) -> Result<Vec<String>, ReadError> {
    Ok(open(source, &Unwatched, BLOCK_SIZE)?.header().to_vec())
}

/// [`read`], with the size of a block of text as an argument, so that tests can cut anywhere.
fn read_in_blocks<'t, E: From<ReadError>>(
    source: &Source,
    drop_missing: bool,
    plan: impl FnOnce(&[String]) -> Result<Vec<Reading<'t>>, E>,
    watch: &dyn Watch,
    block_size: usize,
) -> Result<Loaded, E> {
    let bytes_read = size_of(&source.path)?;
    let reading = Running::begin(watch, Stage::Reading, Some(Amount::Bytes(bytes_read)));
    let mut file = open(source, watch, block_size)?;
    let named = Named {
        origin: source.path.display().to_string(),
        no_rows: ReadError::NoRows {
            path: source.path.clone(),
        },
        most_cells: most_cells(source, bytes_read)?,
    };
    let loaded = read_rows(&mut *file, named, source.cells(), drop_missing, plan, watch)?;
    reading.done();
    Ok(Loaded { bytes_read, ..loaded })
}

/// What messages call rows, and the one for none.
pub(crate) struct Named {
    pub origin: String,
    pub no_rows: ReadError,
    /// How many cells there may be.
    pub most_cells: u64,
}

/// How many cells a file may have.
fn most_cells(source: &Source, bytes: u64) -> Result<u64, ReadError> {
    let allowance = match formats_of(&source.path)? {
        // Every cell of separated text takes a byte, of the text if not of the file, and those are counted.
        (Format::Csv | Format::Tsv, _) => return Ok(u64::MAX),
        (Format::JsonLines, Compression::None) | (Format::Excel, _) => limits::CELLS_IN_ROWS,
        (Format::JsonLines, Compression::Gzip | Compression::Zstd) | (Format::Parquet | Format::Arrow, _) => {
            limits::CELLS_IN_COLUMNS
        }
    };
    Ok(allowance.of(bytes))
}

/// The one way from rows to a table, wherever they are. Bytes are the caller's to count.
pub(crate) fn read_rows<'t, E: From<ReadError>>(
    file: &mut dyn TableFile,
    named: Named,
    cells: Cells,
    drop_missing: bool,
    plan: impl FnOnce(&[String]) -> Result<Vec<Reading<'t>>, E>,
    watch: &dyn Watch,
) -> Result<Loaded, E> {
    let header = file.header().to_vec();
    let keep = Keep::new(cells, &header, plan(&header)?, &named.origin, named.most_cells);
    let workers = file.rows(&keep, watch)?;
    let mut table = keep.merge(workers);
    let rows_read = table.rows();
    if rows_read == 0 {
        return Err(named.no_rows.into());
    }
    table = file.settle(table)?;
    check_values(&named.origin, &keep, &table, |rows| file.locate(rows))?;
    if drop_missing {
        drop_rows_with_missing(&mut table, &keep);
        if table.rows() == 0 {
            let origin = named.origin;
            return Err(ReadError::AllDropped {
                origin,
                rows: rows_read,
            }
            .into());
        }
    }
    Ok(Loaded {
        rows_dropped: rows_read - table.rows(),
        table,
        header,
        rows_read,
        bytes_read: 0,
    })
}

/// A file that is open and has a header, whatever its format; or rows of a database.
pub(crate) trait TableFile {
    /// The names of its columns.
    fn header(&self) -> &[String];

    /// Reads all rows.
    fn rows<'k>(&mut self, keep: &'k Keep<'k>, watch: &dyn Watch) -> Result<Vec<Worker<'k>>, ReadError>;

    /// Where some rows are, given by ascending numbers from 0. May be fewer if the file has changed.
    fn locate(&mut self, rows: &[usize]) -> Result<Vec<Place>, ReadError>;

    /// Puts the rows into their order: that of the file, unless there is none.
    fn settle(&mut self, table: Table) -> Result<Table, ReadError> {
        Ok(table)
    }
}

fn open<'s>(source: &'s Source, watch: &'s dyn Watch, block_size: usize) -> Result<Box<dyn TableFile + 's>, ReadError> {
    let (format, _) = formats_of(&source.path)?;
    let file: Box<dyn TableFile> = match format {
        Format::Csv => Box::new(Separated::open(source, b',', watch, block_size)?),
        Format::Tsv => Box::new(Separated::open(source, b'\t', watch, block_size)?),
        Format::JsonLines => Box::new(JsonLines::open(source, watch, block_size)?),
        Format::Parquet => Box::new(Columnar::open_parquet(source)?),
        Format::Arrow => Box::new(Columnar::open_arrow(source)?),
        Format::Excel => Box::new(Excel::open(source)?),
    };
    let origin = source.path.display().to_string();
    limits::check(&origin, "columns", file.header().len() as u64, limits::MOST_COLUMNS)?;
    check_header(&source.path, file.header())?;
    Ok(file)
}

fn open_file(path: &Path) -> Result<File, ReadError> {
    File::open(path).map_err(|source| ReadError::Io {
        path: path.into(),
        source,
    })
}

fn size_of(path: &Path) -> Result<u64, ReadError> {
    let metadata = fs::metadata(path);
    metadata.map(|metadata| metadata.len()).map_err(|source| ReadError::Io {
        path: path.into(),
        source,
    })
}

/// Drops the rows that lack a value. What is left is as if they had never been there: a word that is gone may have been
/// the one that kept numbers from being in the order of numbers.
fn drop_rows_with_missing(table: &mut Table, kept: &Keep) {
    let mut keep = vec![true; table.rows()];
    for column in table.columns() {
        let Some(missing) = column.dictionary().missing() else {
            continue;
        };
        with_codes!(
            column.codes(),
            |codes| for (keep, &code) in keep.iter_mut().zip(codes) {
                *keep &= code as usize != missing as usize;
            }
        );
    }
    let had_numbers: Vec<bool> = has_numbers(table).collect();
    table.retain_rows(&keep);
    let now_has_numbers: Vec<bool> = has_numbers(table).collect();
    let orders = kept.kept().map(|(.., reading)| reading.order());
    for (place, order) in orders.enumerate() {
        if had_numbers[place] != now_has_numbers[place] {
            Column::unite(&mut [table.column_mut(ColumnId(place))], order);
        }
    }
}

/// Of each column, whether all its values are numbers.
fn has_numbers(table: &Table) -> impl Iterator<Item = bool> {
    let columns = table.columns().iter();
    columns.map(|column| column.dictionary().numbers().is_some())
}
