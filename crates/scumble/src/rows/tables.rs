//! The tables of a release of rows, as files.

use scumble_progress::Watch;
use scumble_store::{
    Aside, ReleaseBatches, ReleasePart, columns_batches, release_batches, write_columns, write_release,
};
use scumble_table::RowOrder;

use super::release::RowsRelease;
use crate::error::Error;
use crate::formulas::FormulaReport;

impl RowsRelease {
    /// Writes the table, or both, and tells where they have formulas. Secrets are always sorted: they must not be in the
    /// order of the people.
    pub fn write_tables(&self, aside: &Aside, watch: &dyn Watch) -> Result<FormulaReport, Error> {
        let (order, format) = (self.policy.release.order, self.policy.release.format);
        let audited = &self.audited;
        let mut formulas = FormulaReport::default();
        let part = ReleasePart::Released(format);
        let file = aside.file(part)?;
        let Some(apart) = self.decision.recoding.apart() else {
            formulas.add(part, write_release(audited, order, format, file, watch)?);
            return Ok(formulas);
        };
        formulas.add(
            part,
            write_columns(audited, &apart.people(), order, format, file, watch)?,
        );
        let part = ReleasePart::Secrets(format);
        let file = aside.file(part)?;
        let secrets = apart.secrets();
        formulas.add(
            part,
            write_columns(audited, &secrets, RowOrder::Sorted, format, file, watch)?,
        );
        Ok(formulas)
    }

    /// The table in memory, or both, by name.
    ///
    /// # Errors
    /// A watcher that asks to stop.
    pub fn batches(&self, watch: &dyn Watch) -> Result<Vec<(String, ReleaseBatches)>, Error> {
        let (order, audited) = (self.policy.release.order, &self.audited);
        let Some(apart) = self.decision.recoding.apart() else {
            return Ok(vec![(RELEASED.to_owned(), release_batches(audited, order, watch)?)]);
        };
        let people = columns_batches(audited, &apart.people(), order, watch)?;
        let secrets = columns_batches(audited, &apart.secrets(), RowOrder::Sorted, watch)?;
        Ok(vec![(RELEASED.to_owned(), people), (SECRETS.to_owned(), secrets)])
    }
}

/// What the tables are called in memory: as their files, without an ending.
const RELEASED: &str = "released";
const SECRETS: &str = "released-secrets";
