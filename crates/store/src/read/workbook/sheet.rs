//! A [`Sheet`] of a workbook, as the cells that are filled.
//!
//! Invariant: nothing is laid out that the file does not hold. A cell far away, or one that is repeated over a whole
//! sheet, takes as much memory as any other, and a text that a thousand cells share is held once.

use std::{collections::HashMap, ops::Range, sync::Arc};

use calamine::{Cell, Data, DataRef, ExcelDateTime};

use super::super::file::FileSource;
use crate::Watch;
use crate::error::ReadError;

/// The filled cells of a sheet.
#[derive(Debug, Default)]
pub(in super::super) struct Sheet {
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
pub(in super::super) struct SheetRow {
    /// The number of the first, from 0.
    pub number: u32,
    /// How many there are.
    pub times: u32,
    cells: Range<usize>,
}

/// Cells one after another that are all alike.
#[derive(Clone, Copy, Debug)]
pub(super) struct Filled {
    row: u32,
    column: u32,
    times: u32,
    /// The place among the texts.
    text: u32,
}

/// A formula that failed, in place of a text.
const FAILED: u32 = u32::MAX;

/// What a cell shows.
pub(in super::super) enum Shown<'s> {
    Nothing,
    Text(&'s str),
    /// The formula failed.
    Failed,
}

impl Sheet {
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
pub(super) struct Filling {
    pub cells: Vec<Filled>,
    /// Rows that stand for several, with how many.
    pub repeated: HashMap<u32, u32>,
    texts: Vec<Arc<str>>,
    known: HashMap<Arc<str>, u32>,
    /// Where texts that the workbook shares are: looking them up by what they say would read a long one for each cell.
    shared: HashMap<(usize, usize), u32>,
}

/// How many cells are filled between two looks at the watcher.
const CELLS_PER_LOOK: usize = 1 << 12;

impl Filling {
    /// Stops if the watcher asks for it.
    pub fn look(&self, source: &FileSource, watch: &dyn Watch) -> Result<(), ReadError> {
        if self.cells.len().is_multiple_of(CELLS_PER_LOOK) && watch.should_stop() {
            return Err(ReadError::Interrupted {
                origin: source.origin(),
            });
        }
        Ok(())
    }

    /// Fills a cell, unless there is nothing to show.
    pub fn fill(&mut self, row: u32, column: u32, times: u32, data: &Data) {
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
    pub fn fill_one(&mut self, cell: Cell<DataRef>) {
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

    pub fn finish(mut self) -> Sheet {
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
