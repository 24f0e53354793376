//! A sheet of a workbook: its first row is the header, unless names are given; blank rows are skipped.
//!
//! A workbook has one kind of number, so `37.0` is 37; dates and times are written as ISO 8601. Rows are told by
//! their number in the sheet.

use std::borrow::Cow;

use calamine::{Data, ExcelDateTime, Range, Reader, open_workbook_auto};

use super::{
    Place, ReadError, Source, TableFile,
    keep::{Keep, Worker},
    open_file,
};
use crate::Watch;

/// How many rows go into a block of codes.
const ROWS_PER_BLOCK: usize = 1 << 14;

/// A sheet in memory, past its header.
pub(super) struct Excel<'s> {
    source: &'s Source,
    header: Vec<String>,
    sheet: Range<Data>,
    /// The places of the rows in `sheet`.
    rows: Vec<usize>,
}

impl<'s> Excel<'s> {
    pub fn open(source: &'s Source) -> Result<Self, ReadError> {
        let sheet = read_sheet(source)?;
        let is_blank = |row: &[Data]| row.iter().all(|cell| *cell == Data::Empty);
        let rows = sheet
            .rows()
            .enumerate()
            .filter(|(_, row)| !is_blank(row))
            .map(|(place, _)| place)
            .collect();
        let mut file = Excel {
            source,
            header: Vec::new(),
            sheet,
            rows,
        };
        file.header = file.take_header()?;
        Ok(file)
    }

    /// Takes the header off the rows or, if names are given, checks that they fit the first row.
    fn take_header(&mut self) -> Result<Vec<String>, ReadError> {
        let path = &self.source.path;
        let Some(&first) = self.rows.first() else {
            return Err(ReadError::Empty { path: path.clone() });
        };
        let fields = &self.sheet[first];
        match &self.source.names {
            None => {
                let name = |field| text(field).map(|text| self.source.name(&text)).unwrap_or_default();
                let header = fields.iter().map(name).collect();
                self.rows.remove(0);
                Ok(header)
            }
            Some(names) if names.len() == fields.len() => Ok(names.clone()),
            Some(names) => Err(ReadError::Names {
                path: path.clone(),
                place: self.place(first),
                found: fields.len(),
                names: names.len(),
            }),
        }
    }

    fn place(&self, row: usize) -> Place {
        let first = self.sheet.start().map_or(0, |(row, _)| row as usize);
        Place::Row(first + row + 1)
    }

    fn keep_row(&self, row: usize, worker: &mut Worker) -> Result<(), ReadError> {
        for (column, cell) in self.sheet[row].iter().enumerate() {
            match text(cell) {
                Some(text) => worker.push(column, &text),
                None if matches!(cell, Data::Error(_)) => {
                    return Err(ReadError::Formula {
                        path: self.source.path.clone(),
                        place: self.place(row),
                        column: self.header[column].clone(),
                    });
                }
                None => worker.push_missing(column),
            }
        }
        worker.end_rows(1);
        Ok(())
    }
}

impl TableFile for Excel<'_> {
    fn header(&self) -> &[String] {
        &self.header
    }

    fn rows<'k>(&mut self, keep: &'k Keep<'k>, watch: &dyn Watch) -> Result<Vec<Worker<'k>>, ReadError> {
        let mut worker = keep.worker();
        for (place, rows) in self.rows.chunks(ROWS_PER_BLOCK).enumerate() {
            if watch.should_stop() {
                return Err(ReadError::Interrupted {
                    origin: self.source.path.display().to_string(),
                });
            }
            for &row in rows {
                self.keep_row(row, &mut worker)?;
            }
            worker.end_block(place);
        }
        Ok(vec![worker])
    }

    fn locate(&mut self, rows: &[usize]) -> Result<Vec<Place>, ReadError> {
        Ok(rows.iter().map(|&row| self.place(self.rows[row])).collect())
    }
}

fn read_sheet(source: &Source) -> Result<Range<Data>, ReadError> {
    let path = &source.path;
    // Opened once for the system's word on it: the workbook reader mixes that with its own failures.
    open_file(path)?;
    // What the reader says may quote a cell, so it is not passed on.
    let damaged = || ReadError::Damaged {
        path: path.clone(),
        format: "workbook",
    };
    let mut workbook = open_workbook_auto(path).map_err(|_| damaged())?;
    let known = workbook.sheet_names();
    let wanted = match &source.sheet {
        Some(sheet) => known.iter().find(|known| *known == sheet),
        None => known.first(),
    };
    let Some(wanted) = wanted.cloned() else {
        return Err(ReadError::UnknownSheet {
            path: path.clone(),
            known,
        });
    };
    workbook.worksheet_range(&wanted).map_err(|_| damaged())
}

/// A cell as text; `None` if it is empty or an error.
fn text(cell: &Data) -> Option<Cow<'_, str>> {
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
