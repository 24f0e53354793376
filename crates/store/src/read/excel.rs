//! A sheet of a workbook as a table: its first row is the header, unless names are given; blank rows are skipped.
//!
//! A workbook has one kind of number, so `37.0` is 37; dates and times are written as ISO 8601. Rows are told by
//! their number in the sheet.

use super::file::{FileSource, size_of};
use super::keep::{Keep, Worker};
use super::limits::{self, CELLS_IN_ROWS, MOST_COLUMNS_OF_SHEET};
use super::opened::TableFile;
use super::workbook::{Sheet, SheetRow, Shown, read_sheet};
use crate::Watch;
use crate::error::{Place, ReadError};

/// How many rows go into a block of codes.
const ROWS_PER_BLOCK: usize = 1 << 14;

/// A sheet in memory, past its header.
pub(super) struct Excel {
    source: FileSource,
    header: Vec<String>,
    sheet: Sheet,
    /// How many rows at the top are no rows of the table: 1 for a header, else 0.
    above: usize,
}

impl Excel {
    pub fn open(source: FileSource, watch: &dyn Watch) -> Result<Self, ReadError> {
        let sheet = read_sheet(&source, watch)?;
        let most = CELLS_IN_ROWS.of(size_of(&source.path)?);
        let cells = sheet.row_count().saturating_mul(sheet.width() as u64);
        let origin = source.origin();
        limits::check(&origin, "columns", sheet.width() as u64, MOST_COLUMNS_OF_SHEET)?;
        limits::check(&origin, "cells", cells, most)?;
        let mut file = Excel {
            source,
            header: Vec::new(),
            sheet,
            above: 0,
        };
        file.header = file.take_header()?;
        Ok(file)
    }

    /// Takes the header off the rows or, if names are given, checks that they fit the first row.
    fn take_header(&mut self) -> Result<Vec<String>, ReadError> {
        let path = &self.source.path;
        let Some(first) = self.sheet.rows.first() else {
            return Err(ReadError::Empty { path: path.clone() });
        };
        match &self.source.names {
            None => {
                let cells = self.source.cells();
                let mut header = Vec::with_capacity(self.sheet.width());
                let take = |_, shown: Shown| {
                    header.push(match shown {
                        Shown::Text(text) => cells.text(text).to_owned(),
                        Shown::Nothing | Shown::Failed => String::new(),
                    });
                    Ok::<_, ReadError>(())
                };
                self.sheet.each_cell(first, take)?;
                self.above = 1;
                Ok(header)
            }
            Some(names) if names.len() == self.sheet.width() => Ok(names.clone()),
            Some(names) => Err(ReadError::Names {
                path: path.clone(),
                place: Place::Row(first.number as usize + 1),
                found: self.sheet.width(),
                names: names.len(),
            }),
        }
    }

    /// The rows of the table with their numbers in the sheet.
    fn numbered(&self) -> impl Iterator<Item = (usize, &SheetRow)> {
        let rows = self.sheet.rows.iter();
        let numbered = rows.flat_map(|row| (0..row.times).map(move |time| (row.number as usize + time as usize, row)));
        numbered.skip(self.above)
    }

    fn keep_row(&self, number: usize, row: &SheetRow, worker: &mut Worker) -> Result<(), ReadError> {
        self.sheet.each_cell(row, |column, shown| {
            match shown {
                Shown::Text(text) => worker.push(column, text),
                Shown::Nothing => worker.push_missing(column),
                Shown::Failed => {
                    return Err(ReadError::Formula {
                        path: self.source.path.clone(),
                        place: Place::Row(number + 1),
                        column: self.header[column].clone(),
                    });
                }
            }
            Ok(())
        })?;
        worker.end_rows(1)
    }
}

impl TableFile for Excel {
    fn header(&self) -> &[String] {
        &self.header
    }

    fn rows<'k>(&mut self, keep: &'k Keep<'k>, watch: &dyn Watch) -> Result<Vec<Worker<'k>>, ReadError> {
        let mut worker = keep.worker();
        let mut blocks = 0;
        for (place, (number, row)) in self.numbered().enumerate() {
            if place > 0 && place % ROWS_PER_BLOCK == 0 {
                if watch.should_stop() {
                    return Err(ReadError::Interrupted {
                        origin: self.source.origin(),
                    });
                }
                worker.end_block(blocks);
                blocks += 1;
            }
            self.keep_row(number, row, &mut worker)?;
        }
        worker.end_block(blocks);
        Ok(vec![worker])
    }

    fn locate(&mut self, rows: &[usize]) -> Result<Vec<Place>, ReadError> {
        let mut wanted = rows.iter().copied().peekable();
        let mut places = Vec::new();
        for (place, (number, _)) in self.numbered().enumerate() {
            if wanted.next_if_eq(&place).is_some() {
                places.push(Place::Row(number + 1));
            }
        }
        Ok(places)
    }
}
