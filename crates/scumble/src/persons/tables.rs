//! The tables of a release about persons, as files, and of which row of the data each of their rows is.

use std::io::Write;

use scumble_progress::Watch;
use scumble_store::{Aside, ReleasePart, WriteError, write_lookup, write_table};

use super::release::PersonsRelease;
use crate::error::Error;
use crate::formulas::FormulaReport;

impl PersonsRelease {
    /// Writes all tables, and tells where they have formulas.
    pub fn write_tables(&self, aside: &Aside, watch: &dyn Watch) -> Result<FormulaReport, Error> {
        let (format, audited) = (self.policy.release.format, &self.audited);
        let mut formulas = FormulaReport::default();
        for (place, table) in audited.tables().iter().enumerate() {
            let part = ReleasePart::Table(&table.name, format);
            formulas.add(part, write_table(audited, place, format, aside.file(part)?, watch)?);
        }
        for (place, lookup) in audited.lookups().iter().enumerate() {
            let part = ReleasePart::Table(&lookup.name, format);
            formulas.add(part, write_lookup(audited, place, format, aside.file(part)?, watch)?);
        }
        Ok(formulas)
    }

    /// Writes of which row of the data each released row is, for every table.
    pub fn write_rows(&self, aside: &Aside) -> Result<(), Error> {
        let tables = self.audited.tables().iter().zip(&self.rows_of);
        tables
            .into_iter()
            .try_for_each(|(table, rows)| write_rows(aside, &table.name, rows))
    }
}

/// Writes of which row of the data, counted from 1, each released row is. The audit of the files looks it up.
fn write_rows(aside: &Aside, table: &str, rows: &[u32]) -> Result<(), Error> {
    let own = ReleasePart::Rows(table);
    let mut file = std::io::BufWriter::new(aside.file(own)?);
    let mut write = || -> std::io::Result<()> {
        writeln!(file, "row_of_the_data")?;
        rows.iter().try_for_each(|row| writeln!(file, "{}", row + 1))?;
        file.flush()
    };
    write().map_err(|source| {
        let path = aside.path(own);
        Error::from(WriteError::Io { path, source })
    })
}
