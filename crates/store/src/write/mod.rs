//! Writing a release: the published columns of an audited table.
//!
//! Invariant: in sorted order the bytes follow from the multiset of released rows alone. The order of the input, the
//! rows left out and the number of threads do not show.

mod csv;
mod error;
mod formulas;
mod parquet;
mod rows;

use std::io;
use std::path::{Path, PathBuf};

use scumble_privacy::{Audited, AuditedDatabase};
use scumble_progress::{Amount, Running, Stage};
use scumble_table::{ColumnId, ReleaseFormat, Released, ReleasedColumn, RowOrder};

pub use error::WriteError;
pub use formulas::{FormulaCells, RowNumbers};

use crate::Watch;
use rows::Rows;

/// The file beside a released one that holds the sensitive columns, where they are published apart.
pub fn secrets_beside(released: &Path) -> PathBuf {
    let name = released.file_name().unwrap_or_default().to_string_lossy();
    // All of the extension: `released.csv.gz` has two.
    let (stem, extension) = name.split_at(name.find('.').unwrap_or(name.len()));
    released.with_file_name(format!("{stem}-secrets{extension}"))
}

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
    let columns: Vec<&ReleasedColumn> = audited.release().columns().iter().collect();
    write(audited.release(), &columns, order, format, out, watch)
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
    let release = audited.release();
    let columns: Vec<&ReleasedColumn> = columns.iter().map(|id| &release.columns()[id.0]).collect();
    write(release, &columns, order, format, out, watch)
}

/// Writes a table of a database that was audited, its rows in the order that they have.
pub fn write_table(
    audited: &AuditedDatabase,
    table: usize,
    format: ReleaseFormat,
    out: impl io::Write + Send,
    watch: &dyn Watch,
) -> Result<Vec<FormulaCells>, WriteError> {
    write_as_it_is(&audited.tables()[table].release, format, out, watch)
}

/// Writes a look-up of a database that was audited, its rows in the order that they have.
pub fn write_lookup(
    audited: &AuditedDatabase,
    lookup: usize,
    format: ReleaseFormat,
    out: impl io::Write + Send,
    watch: &dyn Watch,
) -> Result<Vec<FormulaCells>, WriteError> {
    write_as_it_is(&audited.lookups()[lookup].release, format, out, watch)
}

fn write_as_it_is(
    release: &Released,
    format: ReleaseFormat,
    out: impl io::Write + Send,
    watch: &dyn Watch,
) -> Result<Vec<FormulaCells>, WriteError> {
    let columns: Vec<&ReleasedColumn> = release.columns().iter().collect();
    write(release, &columns, RowOrder::Input, format, out, watch)
}

fn write(
    release: &Released,
    columns: &[&ReleasedColumn],
    order: RowOrder,
    format: ReleaseFormat,
    out: impl io::Write + Send,
    watch: &dyn Watch,
) -> Result<Vec<FormulaCells>, WriteError> {
    let rows = Stage::Sorting.run(watch, |work| Rows::new(columns, release.rows(), order, work))?;
    let are_text = release.are_formulas_text();
    let writing = Running::begin(watch, Stage::Writing, Some(Amount::Rows(rows.count() as u64)));
    match format {
        ReleaseFormat::Csv => csv::write(&rows, are_text, out, &writing)?,
        ReleaseFormat::Parquet => parquet::write(&rows, out, &writing)?,
    }
    writing.done();
    Ok(if are_text {
        Vec::new()
    } else {
        formulas::formulas(&rows)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_secrets_lie_beside_the_release_under_its_name() {
        for format in ReleaseFormat::ALL {
            let beside = secrets_beside(&Path::new("out").join(format.file_name()));
            assert_eq!(beside, Path::new("out").join(format.secrets_file_name()));
        }
        assert_eq!(secrets_beside(Path::new("r.csv.gz")), Path::new("r-secrets.csv.gz"));
    }
}
