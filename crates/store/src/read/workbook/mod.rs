//! A [`Sheet`] of a workbook, as the cells that are filled.
//!
//! Invariant: nothing is laid out that the file does not hold. A cell far away, or one that is repeated over a whole
//! sheet, takes as much memory as any other, and a text that a thousand cells share is held once.

mod legacy;
mod open_document;
mod zipped;

use std::{collections::HashMap, fs::File, io::BufReader, ops::Range, path::Path, sync::Arc};

use calamine::{Cell, Data, DataRef, ExcelDateTime, Reader, Xlsb, Xlsx, XlsxError, open_workbook};

use super::{
    ReadError, Source,
    guard::{damaged, guarded},
    limits::UNPACKED_WORKBOOK,
    open_file, size_of,
};

/// The format in messages.
const FORMAT: &str = "workbook";

/// The filled cells of a sheet.
#[derive(Debug, Default)]
pub(super) struct Sheet {
    /// Ordered by row, then by column.
    cells: Vec<Filled>,
    /// The rows that have cells, in order.
    pub rows: Vec<SheetRow>,
    /// The columns from the first that has a cell to the last.
    columns: Range<u32>,
    texts: Vec<Arc<str>>,
}

/// Rows one after another that are all alike.
#[derive(Debug)]
pub(super) struct SheetRow {
    /// The number of the first, from 0.
    pub number: u32,
    /// How many there are.
    pub times: u32,
    cells: Range<usize>,
}

/// Cells one after another that are all alike.
#[derive(Clone, Copy, Debug)]
struct Filled {
    row: u32,
    column: u32,
    times: u32,
    /// The place among the texts.
    text: u32,
}

/// A formula that failed, in place of a text.
const FAILED: u32 = u32::MAX;

/// What a cell shows.
pub(super) enum Shown<'s> {
    Nothing,
    Text(&'s str),
    /// The formula failed.
    Failed,
}

impl Sheet {
    /// Reads the sheet that a source names, or the first.
    pub fn read(source: &Source) -> Result<Sheet, ReadError> {
        let path = &source.path;
        // Opened once for the system's word on it: the workbook readers mix that with their own failures.
        open_file(path)?;
        let most_unpacked = UNPACKED_WORKBOOK.of(size_of(path)?);
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        let legacy = extension == "xls";
        if !legacy {
            guarded(path, FORMAT, || zipped::check(path, most_unpacked))?;
        }
        guarded(path, FORMAT, || match extension.as_str() {
            "xls" => legacy::read(source),
            "xlsb" => read_xlsb(source),
            "ods" => open_document::read(source, most_unpacked),
            _ => read_xlsx(source),
        })
    }

    /// How many columns there are.
    pub fn width(&self) -> usize {
        self.columns.len()
    }

    /// How many rows there are that have cells.
    pub fn row_count(&self) -> u64 {
        self.rows.iter().map(|row| u64::from(row.times)).sum()
    }

    /// Gives each cell of a row to `each`, in the order of the columns, from 0.
    pub fn each_cell<E>(&self, row: &SheetRow, mut each: impl FnMut(usize, Shown) -> Result<(), E>) -> Result<(), E> {
        let mut next = self.columns.start;
        for cell in &self.cells[row.cells.clone()] {
            let (start, end) = (cell.column.max(next), cell.column.saturating_add(cell.times));
            for column in next..start {
                each(self.place(column), Shown::Nothing)?;
            }
            for column in start..end {
                let shown = match self.texts.get(cell.text as usize) {
                    Some(text) => Shown::Text(text),
                    None => Shown::Failed,
                };
                each(self.place(column), shown)?;
            }
            next = end.max(next);
        }
        for column in next..self.columns.end {
            each(self.place(column), Shown::Nothing)?;
        }
        Ok(())
    }

    fn place(&self, column: u32) -> usize {
        (column - self.columns.start) as usize
    }
}

/// A sheet while it is read.
#[derive(Default)]
struct Filling {
    cells: Vec<Filled>,
    /// Rows that stand for several, with how many.
    repeated: HashMap<u32, u32>,
    texts: Vec<Arc<str>>,
    known: HashMap<Arc<str>, u32>,
    /// Where texts that the workbook shares are: looking them up by what they say would read a long one for each cell.
    shared: HashMap<(usize, usize), u32>,
}

impl Filling {
    /// Fills a cell, unless there is nothing to show.
    fn fill(&mut self, row: u32, column: u32, times: u32, data: &Data) {
        let text = match text(data) {
            Some(text) => self.number(&text),
            None if matches!(data, Data::Error(_)) => FAILED,
            None => return,
        };
        self.cells.push(Filled {
            row,
            column,
            times,
            text,
        });
    }

    /// Fills a cell of a reader that goes from cell to cell.
    fn fill_one(&mut self, cell: Cell<DataRef>) {
        let (row, column) = cell.get_position();
        match cell.get_value() {
            DataRef::SharedString(text) => {
                let place = (text.as_ptr() as usize, text.len());
                let text = match self.shared.get(&place) {
                    Some(&known) => known,
                    None => {
                        let number = self.number(text);
                        self.shared.insert(place, number);
                        number
                    }
                };
                self.cells.push(Filled {
                    row,
                    column,
                    times: 1,
                    text,
                });
            }
            other => self.fill(row, column, 1, &Data::from(other.clone())),
        }
    }

    fn number(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.known.get(text) {
            return number;
        }
        let text: Arc<str> = text.into();
        // Each takes more than a byte of what was unpacked, and that is far below 4 thousand million.
        let number = self.texts.len() as u32;
        self.texts.push(Arc::clone(&text));
        self.known.insert(text, number);
        number
    }

    fn finish(mut self) -> Sheet {
        if !self.cells.is_sorted_by_key(Filled::place) {
            self.cells.sort_by_key(Filled::place);
        }
        // Of two in one place the later one counts; the sort left them in their order.
        self.cells.dedup_by(|later, earlier| {
            let same = later.place() == earlier.place();
            if same {
                *earlier = *later;
            }
            same
        });
        let columns = self
            .cells
            .iter()
            .map(|cell| cell.column..cell.column.saturating_add(cell.times));
        let outermost = |a: Range<u32>, b: Range<u32>| a.start.min(b.start)..a.end.max(b.end);
        let columns = columns.reduce(outermost).unwrap_or_default();
        let mut rows: Vec<SheetRow> = Vec::new();
        for (place, cell) in self.cells.iter().enumerate() {
            match rows.last_mut() {
                Some(row) if row.number == cell.row => row.cells.end = place + 1,
                _ => rows.push(SheetRow {
                    number: cell.row,
                    times: self.repeated.get(&cell.row).copied().unwrap_or(1),
                    cells: place..place + 1,
                }),
            }
        }
        Sheet {
            cells: self.cells,
            rows,
            columns,
            texts: self.texts,
        }
    }
}

impl Filled {
    fn place(&self) -> (u32, u32) {
        (self.row, self.column)
    }
}

/// The sheet that a source names among these, or the first.
fn wanted(source: &Source, known: Vec<String>) -> Result<String, ReadError> {
    let wanted = match &source.sheet {
        Some(sheet) => known.iter().find(|known| *known == sheet),
        None => known.first(),
    };
    match wanted {
        Some(wanted) => Ok(wanted.clone()),
        None => Err(ReadError::UnknownSheet {
            path: source.path.clone(),
            known,
        }),
    }
}

fn read_xlsx(source: &Source) -> Result<Sheet, ReadError> {
    let damaged = || damaged(&source.path, FORMAT);
    let mut workbook: Xlsx<BufReader<File>> = open_workbook(&source.path).map_err(|_| damaged())?;
    let name = wanted(source, workbook.sheet_names())?;
    let mut filling = Filling::default();
    let mut cells = match workbook.worksheet_cells_reader(&name) {
        Ok(cells) => cells,
        // A sheet of charts has no cells.
        Err(XlsxError::NotAWorksheet(_)) => return Ok(Sheet::default()),
        Err(_) => return Err(damaged()),
    };
    while let Some(cell) = cells.next_cell().map_err(|_| damaged())? {
        filling.fill_one(cell);
    }
    Ok(filling.finish())
}

fn read_xlsb(source: &Source) -> Result<Sheet, ReadError> {
    let damaged = || damaged(&source.path, FORMAT);
    let mut workbook: Xlsb<BufReader<File>> = open_workbook(&source.path).map_err(|_| damaged())?;
    let name = wanted(source, workbook.sheet_names())?;
    let mut filling = Filling::default();
    let mut cells = workbook.worksheet_cells_reader(&name).map_err(|_| damaged())?;
    while let Some(cell) = cells.next_cell().map_err(|_| damaged())? {
        filling.fill_one(cell);
    }
    Ok(filling.finish())
}

/// A cell as text; `None` if it is empty or an error.
fn text(cell: &Data) -> Option<std::borrow::Cow<'_, str>> {
    match cell {
        Data::Empty | Data::Error(_) => None,
        Data::String(text) | Data::DateTimeIso(text) | Data::DurationIso(text) => Some(text.into()),
        Data::Int(number) => Some(number.to_string().into()),
        Data::Float(number) => Some(number.to_string().into()),
        Data::Bool(bool) => Some(bool.to_string().into()),
        Data::DateTime(moment) => Some(iso_text(moment).into()),
    }
}

/// A date, a time of day or both: a workbook stores days as a number and the time as a fraction.
fn iso_text(moment: &ExcelDateTime) -> String {
    let (year, month, day, hour, minute, second, milli) = moment.to_ymd_hms_milli();
    let mut time = format!("{hour:02}:{minute:02}:{second:02}");
    if milli > 0 {
        time.push_str(&format!(".{milli:03}"));
    }
    let date = format!("{year:04}-{month:02}-{day:02}");
    match moment.as_f64() {
        days if moment.is_duration() => format!("PT{}S", (days * 86_400_000.0).round() / 1000.0),
        days if days < 1.0 => time,
        days if days.fract() == 0.0 => date,
        _ => format!("{date}T{time}"),
    }
}

/// The number that these bytes are, lowest first; `None` beyond the end.
fn number<const N: usize>(bytes: &[u8], at: usize) -> Option<u64> {
    let part = bytes.get(at..at.checked_add(N)?)?;
    Some(part.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
}

/// Kept apart from [`Path`] so that every reader says the same.
fn origin(path: &Path) -> String {
    path.display().to_string()
}
