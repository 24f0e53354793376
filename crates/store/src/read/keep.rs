//! [`Keep`] says what of a file is kept; [`Worker`]s keep it.
//!
//! Every format ends here: cells go into the [`Encoder`] of their column, and the workers' codes are merged into a
//! [`Table`] that does not show how many workers there were.

use std::sync::atomic::{AtomicU64, Ordering};

use arrow_array::StringArray;
use rayon::prelude::*;
use scumble_table::{Codes, Column, Encoder, Table};

use super::cells::Cells;
use super::limits;
use crate::error::{Origin, ReadError};
use scumble_table::Reading;

/// What is kept of a file, and what its cells mean.
pub(crate) struct Keep<'t> {
    /// Every column of the file.
    columns: Vec<(String, Reading<'t>)>,
    cells: Cells,
    /// What messages call the rows.
    origin: Origin,
    /// How many cells may be kept.
    most_cells: u64,
    kept_cells: AtomicU64,
}

/// How many cells a worker keeps before it tells the others. Counting each row at once would make them wait.
const CELLS_AT_A_TIME: u64 = 1 << 20;

impl<'t> Keep<'t> {
    /// `most_cells` is how many the file may have; see [`limits`].
    pub fn new(cells: Cells, header: &[String], readings: &[Reading<'t>], origin: Origin, most_cells: u64) -> Self {
        assert_eq!(
            header.len(),
            readings.len(),
            "there is a reading for every column of the header"
        );
        Keep {
            columns: header.iter().cloned().zip(readings.iter().copied()).collect(),
            cells,
            origin,
            most_cells,
            kept_cells: AtomicU64::new(0),
        }
    }

    /// The kept columns: their place in the file, name and reading.
    pub fn kept(&self) -> impl Iterator<Item = (usize, &str, &Reading<'t>)> {
        let columns = self.columns.iter().enumerate();
        let kept = columns.filter(|(_, (_, reading))| !matches!(reading, Reading::Skip));
        kept.map(|(place, (name, reading))| (place, name.as_str(), reading))
    }

    /// The value that a cell stands for; `None` if it is missing.
    #[inline]
    fn value<'c>(&self, cell: &'c str) -> Option<&'c str> {
        self.cells.value(cell)
    }

    /// A worker that has kept nothing yet.
    pub fn worker(&self) -> Worker<'_> {
        let encoder = |(_, reading): &(String, Reading)| match reading {
            Reading::Skip => None,
            Reading::Text | Reading::Number { .. } | Reading::Leaves(_) => Some(Encoded::default()),
            Reading::Ids => Some(Encoded {
                encoder: Encoder::of_ids(),
                ..Encoded::default()
            }),
        };
        Worker {
            keep: self,
            columns: self.columns.iter().map(encoder).collect(),
            cells_per_row: self.kept().count() as u64,
            uncounted: 0,
            rows: 0,
        }
    }

    /// One table of what all workers kept.
    pub fn merge(&self, workers: Vec<Worker>) -> Table {
        let rows = workers.iter().map(|worker| worker.rows).sum();
        let mut parts: Vec<Vec<_>> = self.kept().map(|_| Vec::new()).collect();
        for worker in workers {
            for (part, column) in parts.iter_mut().zip(worker.columns.into_iter().flatten()) {
                part.push((column.encoder, column.blocks));
            }
        }
        let kept: Vec<_> = self.kept().zip(parts).collect();
        let columns = kept
            .into_par_iter()
            .with_max_len(1)
            .map(|((_, name, reading), parts)| Column::merge(name, reading.order(), parts))
            .collect();
        Table::new(rows, columns)
    }
}

/// One worker's part of every kept column.
pub(crate) struct Worker<'k> {
    keep: &'k Keep<'k>,
    /// One per column of the file, `None` where it is skipped.
    columns: Vec<Option<Encoded>>,
    cells_per_row: u64,
    /// Cells that the others do not know of.
    uncounted: u64,
    rows: usize,
}

#[derive(Default)]
struct Encoded {
    encoder: Encoder,
    /// Codes with the place of their block.
    blocks: Vec<(usize, Codes)>,
}

impl Worker<'_> {
    /// Adds a cell of this column; cells beyond the last column fall away.
    #[inline]
    pub fn push(&mut self, column: usize, cell: &str) {
        if let Some(Some(encoded)) = self.columns.get_mut(column) {
            encoded.encoder.push(self.keep.value(cell));
        }
    }

    /// Adds a missing cell of this column.
    pub fn push_missing(&mut self, column: usize) {
        if let Some(Some(encoded)) = self.columns.get_mut(column) {
            encoded.encoder.push(None);
        }
    }

    /// Adds cells to every kept column, several columns at once; `arrays` holds one per kept column.
    pub fn push_columns(&mut self, arrays: &[StringArray]) {
        let keep = self.keep;
        let columns: Vec<&mut Encoded> = self.columns.iter_mut().flatten().collect();
        columns.into_par_iter().zip(arrays).for_each(|(column, array)| {
            for cell in array {
                column.encoder.push(cell.and_then(|cell| keep.value(cell)));
            }
        });
    }

    /// Counts rows of which every cell has been added.
    ///
    /// # Errors
    /// If the file has more cells than its bytes can mean.
    #[inline]
    pub fn end_rows(&mut self, rows: usize) -> Result<(), ReadError> {
        self.rows += rows;
        self.uncounted += self.cells_per_row.saturating_mul(rows as u64);
        if self.uncounted < CELLS_AT_A_TIME {
            return Ok(());
        }
        let Keep {
            origin,
            most_cells,
            kept_cells,
            ..
        } = self.keep;
        let more = std::mem::take(&mut self.uncounted);
        let all = kept_cells.fetch_add(more, Ordering::Relaxed).saturating_add(more);
        limits::check(origin, "cells", all, *most_cells)
    }

    /// Ends the block with this place in the file.
    pub fn end_block(&mut self, place: usize) {
        for column in self.columns.iter_mut().flatten() {
            column.blocks.push((place, column.encoder.take_block()));
        }
    }
}
