//! [`Part`]: one table of what was audited, on its way out. Only an audited release has parts, so nothing else can be
//! given away.

use scumble_progress::{Amount, Running, Stage};
use std::io;

use scumble_privacy::Audited;
use scumble_table::{ColumnId, ReleaseFormat, Released, ReleasedColumn, RowOrder};

use super::batches::{ReleaseBatches, batches};
use super::csv;
use super::error::WriteError;
use super::formulas::{FormulaCells, formulas};
#[cfg(feature = "parquet")]
use super::parquet;
use super::rows::Rows;
use crate::Watch;

/// Columns of a release, and the order of its rows.
pub(super) struct Part<'a> {
    release: &'a Released,
    columns: Vec<&'a ReleasedColumn>,
    order: RowOrder,
}

impl<'a> Part<'a> {
    /// All columns.
    pub fn of_release(audited: &'a Audited, order: RowOrder) -> Self {
        let release = audited.release();
        Part {
            release,
            columns: release.columns().iter().collect(),
            order,
        }
    }

    /// Some columns, in this order.
    pub fn of_columns(audited: &'a Audited, columns: &[ColumnId], order: RowOrder) -> Self {
        let release = audited.release();
        Part {
            release,
            columns: columns.iter().map(|id| &release.columns()[id.0]).collect(),
            order,
        }
    }

    /// A table of several. Its rows have their order already.
    pub fn of_table(audited: &'a Audited, table: usize) -> Self {
        Part::as_it_is(&audited.tables()[table].release)
    }

    /// A look-up of several tables. Its rows have their order already.
    pub fn of_lookup(audited: &'a Audited, lookup: usize) -> Self {
        Part::as_it_is(&audited.lookups()[lookup].release)
    }

    fn as_it_is(release: &'a Released) -> Self {
        Part {
            release,
            columns: release.columns().iter().collect(),
            order: RowOrder::Input,
        }
    }

    fn rows(&self, watch: &dyn Watch) -> Result<Rows<'a>, WriteError> {
        Stage::Sorting.run(watch, |work| {
            Rows::new(&self.columns, self.release.rows(), self.order, work)
        })
    }

    /// Where cells are left that a spreadsheet would take for formulas.
    fn formulas(&self, rows: &Rows) -> Vec<FormulaCells> {
        if self.release.are_formulas_text() {
            Vec::new()
        } else {
            formulas(rows)
        }
    }

    pub fn write(
        &self,
        format: ReleaseFormat,
        out: impl io::Write + Send,
        watch: &dyn Watch,
    ) -> Result<Vec<FormulaCells>, WriteError> {
        let rows = self.rows(watch)?;
        let writing = Running::begin(watch, Stage::Writing, Some(Amount::Rows(rows.count() as u64)));
        match format {
            ReleaseFormat::Csv => csv::write(&rows, self.release.are_formulas_text(), out, &writing)?,
            #[cfg(feature = "parquet")]
            ReleaseFormat::Parquet => parquet::write(&rows, out, &writing)?,
            #[cfg(not(feature = "parquet"))]
            ReleaseFormat::Parquet => {
                return Err(WriteError::NotBuilt {
                    format: "Parquet",
                    feature: "parquet",
                });
            }
        }
        writing.done();
        Ok(self.formulas(&rows))
    }

    pub fn batches(&self, watch: &dyn Watch) -> Result<ReleaseBatches, WriteError> {
        let rows = self.rows(watch)?;
        let (schema, batches) = batches(&rows, self.release.are_formulas_text(), watch)?;
        Ok(ReleaseBatches {
            schema,
            batches,
            formulas: self.formulas(&rows),
        })
    }
}
