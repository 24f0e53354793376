//! The tables of a release of rows, as files.

use scumble_progress::Watch;
use scumble_store::{Aside, ReleasePart, write_columns, write_release};
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
}
