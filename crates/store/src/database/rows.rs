//! [`DatabaseRows`]: rows of a database on their way to a table, as those of any file.

use scumble_progress::{Amount, Event};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use scumble_table::Table;

use super::connection::Connection;
use super::driver::{Cell, Met};
use super::order::{in_order, order_of_rows};
use super::rows_of::RowsOf;
use crate::Watch;
use crate::error::{ConnectionError, ReadError};
use crate::read::{Keep, TableFile, Worker};
use scumble_table::Reading;

/// How many rows go into a block of codes.
const ROWS_PER_BLOCK: usize = 1 << 14;

/// How often a database that gives no row yet is asked to stop, if it should.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// Some rows of a database, with their header.
pub(super) struct DatabaseRows {
    connection: Connection,
    rows: RowsOf,
    header: Vec<String>,
    /// The columns that decide the order of the rows, before all others.
    key: Vec<String>,
    /// The kept columns: their place in the header, and whether they are read as ids.
    kept: Vec<(usize, bool)>,
    bytes: u64,
    /// Cells that are no text: row, as it was given, and place in the header.
    not_text: Vec<(u32, usize)>,
}

impl DatabaseRows {
    pub fn new(connection: Connection, rows: RowsOf, header: Vec<String>, key: Vec<String>) -> Self {
        DatabaseRows {
            connection,
            rows,
            header,
            key,
            kept: Vec::new(),
            bytes: 0,
            not_text: Vec::new(),
        }
    }

    /// The places of the kept columns of the key in the table.
    fn key_places(&self) -> Vec<usize> {
        let place = |name: &String| self.kept.iter().position(|&(column, _)| self.header[column] == *name);
        self.key.iter().filter_map(place).collect()
    }

    /// The first cell that is no text, in the order of the rows.
    fn first_not_text(&self, order: &[u32]) -> Option<ConnectionError> {
        let column_of = |row: &u32| {
            let cell = self.not_text.binary_search_by_key(row, |&(row, _)| row).ok()?;
            Some(self.not_text[cell].1)
        };
        if self.not_text.is_empty() {
            return None;
        }
        let mut rows = order.iter().enumerate();
        let (row, column) = rows.find_map(|(place, row)| Some((place + 1, column_of(row)?)))?;
        Some(ConnectionError::NotText {
            rows: self.rows.to_string(),
            row,
            column: self.header[column].clone(),
        })
    }
}

impl TableFile for DatabaseRows {
    fn header(&self) -> &[String] {
        &self.header
    }

    fn rows<'k>(&mut self, keep: &'k Keep<'k>, watch: &dyn Watch) -> Result<Vec<Worker<'k>>, ReadError> {
        let is_of_ids = |reading: &Reading| matches!(reading, Reading::Ids);
        self.kept = keep
            .kept()
            .map(|(place, _, reading)| (place, is_of_ids(reading)))
            .collect();
        let columns: Vec<(usize, &str)> = keep.kept().map(|(place, name, _)| (place, name)).collect();
        let mut taken = Taken::new(&self.rows, keep, watch);
        let outcome = self.connection.with(|driver| {
            stoppable(driver.stopper(), watch, || {
                driver.cells(&self.rows, &columns, &mut |met| taken.take(met))
            })
        });
        // What a database says when it was made to stop does not matter.
        outcome.map_err(|error| {
            if watch.should_stop() {
                taken.interrupted()
            } else {
                error
            }
        })?;
        taken.end_block();
        self.bytes = taken.bytes;
        self.not_text = taken.not_text;
        Ok(vec![taken.worker])
    }

    fn settle(&mut self, table: Table) -> Result<Table, ReadError> {
        let order = order_of_rows(&table, &self.key_places());
        if let Some(error) = self.first_not_text(&order) {
            return Err(error.into());
        }
        let ids: Vec<bool> = self.kept.iter().map(|&(_, is_of_ids)| is_of_ids).collect();
        Ok(in_order(table, &order, &ids))
    }

    fn kept_bytes(&self) -> u64 {
        self.bytes
    }
}

/// What was taken of the rows so far.
struct Taken<'k, 'w> {
    rows: &'w RowsOf,
    worker: Worker<'k>,
    watch: &'w dyn Watch,
    count: usize,
    bytes: u64,
    told_bytes: u64,
    not_text: Vec<(u32, usize)>,
}

impl<'k, 'w> Taken<'k, 'w> {
    fn new(rows: &'w RowsOf, keep: &'k Keep<'k>, watch: &'w dyn Watch) -> Self {
        Taken {
            rows,
            worker: keep.worker(),
            watch,
            count: 0,
            bytes: 0,
            told_bytes: 0,
            not_text: Vec::new(),
        }
    }

    fn take(&mut self, met: Met) -> Result<(), ReadError> {
        match met {
            Met::Cell(column, Cell::Text(text)) => {
                self.bytes += text.len() as u64;
                self.worker.push(column, text);
            }
            Met::Cell(column, Cell::Missing) => self.worker.push_missing(column),
            Met::Cell(column, Cell::Bytes) => {
                // A row has a number below the limit that is checked at its end.
                if self.not_text.last().is_none_or(|&(row, _)| row != self.count as u32) {
                    self.not_text.push((self.count as u32, column));
                }
                self.worker.push_missing(column);
            }
            Met::Row => self.end_row()?,
        }
        Ok(())
    }

    fn end_row(&mut self) -> Result<(), ReadError> {
        self.worker.end_rows(1)?;
        self.count += 1;
        if self.count >= u32::MAX as usize {
            let rows = self.rows.to_string();
            return Err(ConnectionError::TooManyRows { rows }.into());
        }
        if self.count.is_multiple_of(ROWS_PER_BLOCK) {
            if self.watch.should_stop() {
                return Err(self.interrupted());
            }
            self.end_block();
        }
        Ok(())
    }

    fn end_block(&mut self) {
        self.worker.end_block(self.count.div_ceil(ROWS_PER_BLOCK));
        let by = Amount::Bytes(self.bytes - self.told_bytes);
        self.watch.event(&Event::Advanced { by });
        self.told_bytes = self.bytes;
    }

    fn interrupted(&self) -> ReadError {
        ReadError::Interrupted {
            origin: self.rows.origin(),
        }
    }
}

/// Does work that may wait for a database; while it waits, someone else looks whether it should stop.
fn stoppable<T>(stop: Box<dyn Fn() + Send>, watch: &dyn Watch, work: impl FnOnce() -> T) -> T {
    thread::scope(|scope| {
        let (working, done) = mpsc::channel::<()>();
        scope.spawn(move || {
            while done.recv_timeout(LOOK_AGAIN) == Err(RecvTimeoutError::Timeout) {
                if watch.should_stop() {
                    stop();
                }
            }
        });
        let outcome = work();
        drop(working);
        outcome
    })
}
