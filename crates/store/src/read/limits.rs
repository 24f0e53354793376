//! What a file may make of itself: how much is unpacked, declared or repeated before it is refused.
//!
//! Invariant: memory follows the bytes of a file, or is below a constant that any machine has. A few bytes can declare
//! a sheet of 17 thousand million cells, a page of 2 GiB or a text that is repeated for every row; whoever reads such a
//! file must get an error and not an abort. What real tables need is far below every limit here.

use crate::error::{Origin, ReadError};

const MIB: u64 = 1 << 20;

/// So much always, and so much more for every byte of the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Allowance {
    always: u64,
    per_byte: u64,
}

impl Allowance {
    /// What a file of so many bytes may come to.
    pub const fn of(self, bytes: u64) -> u64 {
        self.always.saturating_add(self.per_byte.saturating_mul(bytes))
    }
}

/// What packed text, pages of Parquet or buffers of Arrow may unpack to, in bytes. Tables of text pack to a tenth,
/// very regular ones to a hundredth.
pub(super) const UNPACKED: Allowance = Allowance {
    always: 256 * MIB,
    per_byte: 256,
};

/// What the parts of a workbook may unpack to, in bytes. Sheets pack to a tenth or a thirtieth, and are held in memory.
#[cfg(feature = "excel")]
pub(super) const UNPACKED_WORKBOOK: Allowance = Allowance {
    always: 64 * MIB,
    per_byte: 64,
};

/// How many cells a file of columns may have: a cell that is like the one before it can take less than a bit.
pub(super) const CELLS_IN_COLUMNS: Allowance = Allowance {
    always: 1 << 26,
    per_byte: 64,
};

/// How many cells a file of rows may have. A cell that is there takes a byte or more; those that are not (absent keys
/// of JSON, blanks of a sheet) take none, so that they need a limit.
pub(super) const CELLS_IN_ROWS: Allowance = Allowance {
    always: 1 << 26,
    per_byte: 4,
};

/// How many cells of a sheet of the old format may be laid out, by how many are filled: the library that reads it lays
/// out the whole rectangle between the outermost cells.
#[cfg(feature = "excel")]
pub(super) const LAID_OUT: Allowance = Allowance {
    always: 1 << 22,
    per_byte: 4,
};

/// How many columns a table may have: each takes some hundred bytes before there is a row.
pub(super) const MOST_COLUMNS: u64 = 1 << 20;

/// How many columns a sheet may have: as many as the programs that make sheets know.
#[cfg(feature = "excel")]
pub(super) const MOST_COLUMNS_OF_SHEET: u64 = 1 << 14;

/// How many bytes of text are made of a part of the rows at a time. A value that is stored once may stand in every row,
/// so that the number of rows alone bounds nothing.
pub(super) const TEXT_AT_A_TIME: u64 = 256 * MIB;

/// The refusal of what is above a limit.
pub(super) fn check(origin: &Origin, what: &'static str, found: u64, limit: u64) -> Result<(), ReadError> {
    if found <= limit {
        return Ok(());
    }
    Err(ReadError::TooLarge {
        origin: origin.clone(),
        what,
        found,
        limit,
    })
}
