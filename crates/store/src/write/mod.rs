//! Writing a release: the published columns of an audited table.
//!
//! Invariant: in sorted order the bytes follow from the multiset of released rows alone. The order of the input, the
//! rows left out and the number of threads do not show.

mod csv;
mod error;
mod parquet;
mod rows;

use std::io;

use scumble_privacy::Audited;

pub use error::WriteError;

use crate::Watch;
use rows::Rows;

/// The order in which the rows of a release are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowOrder {
    /// By the released values, column by column: an order that tells nothing.
    Sorted,
    /// As in the input, which may itself tell who is who; for experiments.
    Input,
}

/// The file format of a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReleaseFormat {
    /// Text, one line per row.
    Csv,
    /// Columns, compressed.
    Parquet,
}

impl ReleaseFormat {
    /// Every format.
    pub const ALL: [ReleaseFormat; 2] = [ReleaseFormat::Csv, ReleaseFormat::Parquet];

    /// The name of the released file in this format.
    pub fn file_name(self) -> &'static str {
        match self {
            ReleaseFormat::Csv => "released.csv",
            ReleaseFormat::Parquet => "released.parquet",
        }
    }
}

/// Writes the published columns of a release. Takes an [`Audited`] one, so an unaudited one cannot be written.
///
/// `out` is given large pieces and needs no buffer of its own.
pub fn write_release(
    audited: &Audited,
    order: RowOrder,
    format: ReleaseFormat,
    out: impl io::Write + Send,
    watch: &dyn Watch,
) -> Result<(), WriteError> {
    watch.started("writing the release", None);
    let rows = Rows::new(audited.release(), order)?;
    match format {
        ReleaseFormat::Csv => csv::write(&rows, out, watch),
        ReleaseFormat::Parquet => parquet::write(&rows, out, watch),
    }
}
