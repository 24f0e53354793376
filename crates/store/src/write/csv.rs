//! CSV: a header, then one line per row, quoted where RFC 4180 asks for it; a missing value is an empty cell. What a
//! spreadsheet would take for a formula may be written as text.
//!
//! Every value is quoted once, not once per row, and a row equal to the one before it is copied whole. Blocks of rows
//! become text on all threads while the blocks before them are written.

use std::{borrow::Cow, io, ops::Range};

use rayon::prelude::*;
use scumble_progress::{Amount, Running};
use scumble_table::{Dictionary, Texts};

use super::error::WriteError;
use super::rows::Rows;
use crate::formula::as_text;

/// Cells that become text as one task: small enough that their ranks stay in the cache.
const BLOCK_CELLS: usize = 1 << 15;

/// Blocks in memory per thread, half of them becoming text and half being written.
const BLOCKS_PER_THREAD: usize = 8;

pub(super) fn write(
    rows: &Rows,
    formulas_as_text: bool,
    mut out: impl io::Write + Send,
    writing: &Running,
) -> Result<(), WriteError> {
    let lines = Lines::new(rows, formulas_as_text);
    let block_rows = (BLOCK_CELLS / rows.columns().len()).max(1);
    let blocks: Vec<Range<usize>> = (0..rows.count())
        .step_by(block_rows)
        .map(|start| start..rows.count().min(start + block_rows))
        .collect();

    let mut ready = vec![lines.header()];
    let mut rows_ready = 0;
    let mut next = Vec::new();
    for turn in blocks.chunks(rayon::current_num_threads() * BLOCKS_PER_THREAD / 2) {
        writing.work().go_on()?;
        next.resize_with(turn.len(), Vec::new);
        let (written, ()) = rayon::join(
            || write_all(&mut out, &ready),
            || {
                let pairs = turn.par_iter().zip(&mut next);
                pairs.for_each(|(block, text)| lines.format(block.clone(), text));
            },
        );
        written?;
        writing.advance(Amount::Rows(rows_ready as u64));
        rows_ready = turn.iter().map(Range::len).sum();
        std::mem::swap(&mut ready, &mut next);
    }
    write_all(&mut out, &ready)?;
    writing.advance(Amount::Rows(rows_ready as u64));
    Ok(out.flush()?)
}

fn write_all(out: &mut impl io::Write, texts: &[Vec<u8>]) -> io::Result<()> {
    texts.iter().try_for_each(|text| out.write_all(text))
}

/// Makes text of rows.
struct Lines<'r> {
    rows: &'r Rows<'r>,
    /// Per column and rank the cell as written, with the separator or line end after it.
    cells: Vec<Texts>,
    formulas_as_text: bool,
}

impl<'r> Lines<'r> {
    fn new(rows: &'r Rows, formulas_as_text: bool) -> Self {
        let columns = rows.columns();
        let cells = columns
            .par_iter()
            .enumerate()
            .map(|(column, published)| {
                let place = Place::new(column, columns.len(), formulas_as_text);
                cells(&published.values, place)
            })
            .collect();
        Lines {
            rows,
            cells,
            formulas_as_text,
        }
    }

    fn header(&self) -> Vec<u8> {
        let columns = self.rows.columns();
        let mut line = String::new();
        for (column, published) in columns.iter().enumerate() {
            let place = Place::new(column, columns.len(), self.formulas_as_text);
            push_cell(&mut line, published.name, place);
        }
        // At the start of a file it would be taken for the mark of the encoding.
        if line.starts_with('\u{feff}') {
            let name = columns[0].name;
            line = format!("\"{name}\"{}", &line[name.len()..]);
        }
        line.into_bytes()
    }

    /// Replaces `text` by the lines of these rows.
    fn format(&self, block: Range<usize>, text: &mut Vec<u8>) {
        let width = self.cells.len();
        let mut ranks = vec![0; width * block.len()];
        for column in 0..width {
            let show = |row, rank| ranks[row * width + column] = rank;
            self.rows.ranks(column, block.clone(), show);
        }
        text.clear();
        let mut last: &[u32] = &[];
        let mut last_line = 0..0;
        for row in ranks.chunks_exact(width) {
            let start = text.len();
            if row == last {
                text.extend_from_within(last_line);
            } else {
                for (cells, &rank) in self.cells.iter().zip(row) {
                    text.extend_from_slice(cells.at(rank as usize).as_bytes());
                }
            }
            last = row;
            last_line = start..text.len();
        }
    }
}

/// What surrounds a cell.
#[derive(Clone, Copy)]
struct Place {
    end: char,
    /// Whether the cell is the whole line, which must not be blank: readers skip blank lines.
    alone: bool,
    /// Whether what a spreadsheet would take for a formula is written as text.
    formulas_as_text: bool,
}

impl Place {
    fn new(column: usize, columns: usize, formulas_as_text: bool) -> Self {
        Place {
            end: if column + 1 == columns { '\n' } else { ',' },
            alone: columns == 1,
            formulas_as_text,
        }
    }
}

/// The cells of a column, by rank.
fn cells(values: &Dictionary, place: Place) -> Texts {
    let mut cells = Texts::default();
    let mut cell = String::new();
    for rank in 0..values.len() as u32 {
        cell.clear();
        push_cell(&mut cell, values.value(rank).unwrap_or_default(), place);
        cells.push(&cell);
    }
    cells
}

fn push_cell(line: &mut String, value: &str, place: Place) {
    let value = if place.formulas_as_text {
        as_text(value)
    } else {
        Cow::Borrowed(value)
    };
    let special = |byte| matches!(byte, b',' | b'"' | b'\r' | b'\n');
    if value.bytes().any(special) || (place.alone && value.is_empty()) {
        line.push('"');
        line.push_str(&value.replace('"', "\"\""));
        line.push('"');
    } else {
        line.push_str(&value);
    }
    line.push(place.end);
}
