//! Giving a release away: the published columns of an audited table, as a file or as record batches.
//!
//! Invariant: in sorted order the bytes follow from the multiset of released rows alone. The order of the input, the
//! rows left out and the number of threads do not show.

mod batches;
mod beside;
mod csv;
mod error;
mod formulas;
#[cfg(feature = "parquet")]
mod parquet;
mod part;
mod rows;

use std::io;

use scumble_privacy::Audited;
use scumble_table::{ColumnId, ReleaseFormat, RowOrder};

pub use batches::ReleaseBatches;
pub use beside::secrets_beside;
pub use error::WriteError;
pub use formulas::{FormulaCells, RowNumbers};

use crate::Watch;
use part::Part;

/// Writes the published columns of a release, and tells where the file has formulas. Takes an [`Audited`] one, so an
/// unaudited one cannot be written.
///
/// `out` is given large pieces and needs no buffer of its own.
pub fn write_release(
    audited: &Audited,
    order: RowOrder,
    format: ReleaseFormat,
    out: impl io::Write + Send,
    watch: &dyn Watch,
) -> Result<Vec<FormulaCells>, WriteError> {
    Part::of_release(audited, order).write(format, out, watch)
}

/// Writes some columns of a release, in this order, as a table of their own. One that is not published is passed over.
pub fn write_columns(
    audited: &Audited,
    columns: &[ColumnId],
    order: RowOrder,
    format: ReleaseFormat,
    out: impl io::Write + Send,
    watch: &dyn Watch,
) -> Result<Vec<FormulaCells>, WriteError> {
    Part::of_columns(audited, columns, order).write(format, out, watch)
}

/// Writes a table of a database that was audited, its rows in the order that they have.
pub fn write_table(
    audited: &Audited,
    table: usize,
    format: ReleaseFormat,
    out: impl io::Write + Send,
    watch: &dyn Watch,
) -> Result<Vec<FormulaCells>, WriteError> {
    Part::of_table(audited, table).write(format, out, watch)
}

/// Writes a look-up of a database that was audited, its rows in the order that they have.
pub fn write_lookup(
    audited: &Audited,
    lookup: usize,
    format: ReleaseFormat,
    out: impl io::Write + Send,
    watch: &dyn Watch,
) -> Result<Vec<FormulaCells>, WriteError> {
    Part::of_lookup(audited, lookup).write(format, out, watch)
}

/// The published columns of a release as record batches: the rows and cells that [`write_release`] writes to CSV.
///
/// # Errors
/// No column that is published, a watcher that asks to stop.
pub fn release_batches(audited: &Audited, order: RowOrder, watch: &dyn Watch) -> Result<ReleaseBatches, WriteError> {
    Part::of_release(audited, order).batches(watch)
}

/// Some columns of a release as record batches: the rows and cells that [`write_columns`] writes to CSV.
///
/// # Errors
/// No column that is published, a watcher that asks to stop.
pub fn columns_batches(
    audited: &Audited,
    columns: &[ColumnId],
    order: RowOrder,
    watch: &dyn Watch,
) -> Result<ReleaseBatches, WriteError> {
    Part::of_columns(audited, columns, order).batches(watch)
}

/// A table of a database that was audited as record batches: the rows and cells that [`write_table`] writes to CSV.
///
/// # Errors
/// No column that is published, a watcher that asks to stop.
pub fn table_batches(audited: &Audited, table: usize, watch: &dyn Watch) -> Result<ReleaseBatches, WriteError> {
    Part::of_table(audited, table).batches(watch)
}

/// A look-up of a database that was audited as record batches: the rows and cells that [`write_lookup`] writes to CSV.
///
/// # Errors
/// No column that is published, a watcher that asks to stop.
pub fn lookup_batches(audited: &Audited, lookup: usize, watch: &dyn Watch) -> Result<ReleaseBatches, WriteError> {
    Part::of_lookup(audited, lookup).batches(watch)
}
