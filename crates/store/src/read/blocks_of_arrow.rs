//! The blocks of an Arrow file are looked through before they are read.
//!
//! The footer says where each block is and how long, and the library makes room for that; each packed buffer says what
//! it unpacks to; a column of nulls of any length takes no bytes. So all of that is added up first.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use arrow_ipc::convert::fb_to_schema;
use arrow_ipc::{Block, RecordBatch, root_as_footer, root_as_message};
use arrow_schema::Schema;

use super::limits::{self, CELLS_IN_COLUMNS, UNPACKED};
use super::refusal::Refusal;
use crate::error::Origin;

/// The sign at the end of a file, after the length of the footer.
const SIGN: &[u8; 6] = b"ARROW1";
/// What comes before the length of a message in files of today.
const CONTINUATION: [u8; 4] = [0xff; 4];

/// Checks every block of a file, of which so many columns are kept.
pub(super) fn check(origin: &Origin, file: &File, columns: usize) -> Result<(), Refusal> {
    let length = file.metadata()?.len();
    let mut file = file;
    let footer = footer(&mut file, length)?;
    let footer = root_as_footer(&footer).map_err(|_| Refusal::Damaged)?;
    let mut count = Count {
        origin,
        length,
        columns: columns.max(1) as u64,
        rows: 0,
        values: 0,
        unpacked: 0,
    };
    let dictionaries = footer.dictionaries().into_iter().flatten();
    for block in dictionaries.chain(footer.recordBatches().into_iter().flatten()) {
        count.add(&mut file, block)?;
    }
    Ok(())
}

/// The columns of a file, by its footer alone: no block is read for them.
pub(super) fn schema(mut file: &File) -> Result<Schema, Refusal> {
    let length = file.metadata()?.len();
    let footer = footer(&mut file, length)?;
    let footer = root_as_footer(&footer).map_err(|_| Refusal::Damaged)?;
    Ok(fb_to_schema(footer.schema().ok_or(Refusal::Damaged)?))
}

fn footer(file: &mut &File, length: u64) -> Result<Vec<u8>, Refusal> {
    let end = length.checked_sub(10).ok_or(Refusal::Damaged)?;
    let mut last = [0; 10];
    file.seek(SeekFrom::Start(end))?;
    file.read_exact(&mut last)?;
    let (footer_length, sign) = last.split_first_chunk().ok_or(Refusal::Damaged)?;
    let footer_length = u64::try_from(i32::from_le_bytes(*footer_length)).map_err(|_| Refusal::Damaged)?;
    let start = end.checked_sub(footer_length).filter(|_| sign == SIGN);
    read_at(file, start.ok_or(Refusal::Damaged)?, footer_length)
}

/// Bytes that are known to be within the file.
fn read_at(file: &mut &File, start: u64, length: u64) -> Result<Vec<u8>, Refusal> {
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    let read = file.take(length).read_to_end(&mut bytes)?;
    if read as u64 != length {
        return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
    }
    Ok(bytes)
}

/// What the blocks come to.
struct Count<'o> {
    origin: &'o Origin,
    length: u64,
    columns: u64,
    rows: u64,
    /// Values of dictionaries and nested columns, of which no more is read than of rows.
    values: u64,
    unpacked: u64,
}

impl Count<'_> {
    fn add(&mut self, file: &mut &File, block: &Block) -> Result<(), Refusal> {
        let start = unsigned(block.offset())?;
        let message = unsigned(block.metaDataLength().into())?;
        let body = unsigned(block.bodyLength())?;
        let body_start = start.checked_add(message).ok_or(Refusal::Damaged)?;
        if body_start.checked_add(body).is_none_or(|end| end > self.length) {
            return Err(Refusal::Damaged);
        }
        let message = read_at(file, start, message)?;
        let skipped = match message.get(..4) {
            Some(first) if first == CONTINUATION => 8,
            _ => 4,
        };
        let message = message.get(skipped..).ok_or(Refusal::Damaged)?;
        let message = root_as_message(message).map_err(|_| Refusal::Damaged)?;
        if let Some(batch) = message.header_as_record_batch() {
            self.rows = self.rows.saturating_add(unsigned(batch.length())?);
            self.add_batch(file, batch, body_start, body)
        } else if let Some(batch) = message
            .header_as_dictionary_batch()
            .and_then(|dictionary| dictionary.data())
        {
            self.values = self.values.saturating_add(unsigned(batch.length())?);
            self.add_batch(file, batch, body_start, body)
        } else {
            // The library says what it makes of it, and it makes no room.
            Ok(())
        }
    }

    fn add_batch(&mut self, file: &mut &File, batch: RecordBatch, start: u64, length: u64) -> Result<(), Refusal> {
        for node in batch.nodes().into_iter().flatten() {
            unsigned(node.null_count())?;
            // Columns of a batch are as long as it is; only nested ones have a length of their own.
            if node.length() != batch.length() {
                self.values = self.values.saturating_add(unsigned(node.length())?);
            }
        }
        let cells = self.rows.saturating_mul(self.columns).saturating_add(self.values);
        limits::check(self.origin, "cells declared", cells, CELLS_IN_COLUMNS.of(self.length))?;
        for buffer in batch.buffers().into_iter().flatten() {
            let (offset, size) = (unsigned(buffer.offset())?, unsigned(buffer.length())?);
            if offset.checked_add(size).is_none_or(|end| end > length) {
                return Err(Refusal::Damaged);
            }
            // Packed buffers begin with what they unpack to, or -1 if they are not.
            if batch.compression().is_some() && size >= 8 {
                let declared = read_at(file, start + offset, 8)?;
                let declared = declared.first_chunk().map_or(0, |bytes| i64::from_le_bytes(*bytes));
                self.unpacked = self.unpacked.saturating_add(u64::try_from(declared).unwrap_or(0));
                limits::check(self.origin, "unpacked bytes", self.unpacked, UNPACKED.of(self.length))?;
            }
        }
        Ok(())
    }
}

fn unsigned(number: i64) -> Result<u64, Refusal> {
    u64::try_from(number).map_err(|_| Refusal::Damaged)
}
