//! From what all told each other to files: the release is put together, audited, and written aside.

use std::collections::{BTreeMap, BTreeSet};

use scumble_bind::Plan;
use scumble_mashup::{Coded, Digest, MaskedColumn};
use scumble_policy::{Agreement, Taxonomies};
use scumble_progress::{Stage, Watch};
use scumble_report::{Certificate, Level};
use scumble_store::{Aside, ReleasePart};
use scumble_table::{ColumnId, Labels, Mask, Released, ReleasedColumn};

use crate::audit::ReleaseFile;
use crate::error::Error;
use crate::errors::{ReleaseError, TextError};
use crate::files::write_json;
use crate::rows::{Decision, Recoding, RowsRelease};
use crate::shortfall::shortfalls;
use crate::warning::Warning;

use super::terms::read_mask;

/// How far levels that are sums of rounded figures may be off, as a share, if they are added up in another order.
const ROUNDING: f64 = 1e-9;

/// All that is known of the release.
pub(super) struct Parts<'p> {
    pub agreement: &'p Agreement,
    pub plan: &'p Plan,
    pub records: usize,
    /// By place among the quasi columns.
    pub masked: Vec<MaskedColumn>,
    /// By place in the joined table.
    pub plain: BTreeMap<usize, Coded>,
    pub class: Option<Coded>,
}

/// A release that passed its audit.
pub(super) struct Passed(RowsRelease);

impl Parts<'_> {
    /// Puts the release together, and recounts it.
    pub fn audit(self, taxonomies: &Taxonomies, watch: &dyn Watch) -> Result<Passed, Error> {
        let Plan { columns, .. } = self.plan;
        let mut released = Vec::new();
        let mut masks: Vec<Mask> = Vec::new();
        for ((place, column), at) in columns.iter().enumerate().zip(self.plan.places_among_quasi()) {
            let masked = at.map(|at| &self.masked[at]);
            let mask = masked.map_or(Some(Mask::Exact), |masked| read_mask(&masked.mask, column.taxonomy()));
            let mask = mask.expect("a mask that cannot be read is refused when it is told");
            let class = self
                .class
                .as_ref()
                .filter(|_| self.plan.class.is_some_and(|id| id.0 == place));
            let cells = masked.map(|masked| &masked.cells).or(self.plain.get(&place)).or(class);
            let Coded { texts, of_record } = cells.expect("every column of an agreement is published");
            let penalty = masked.map_or(0.0, |masked| masked.penalty);
            let is_masked = !matches!(mask, Mask::Exact);
            released.push(ReleasedColumn::told(
                &column.name,
                is_masked,
                Labels::from_iter(texts.iter().map(Option::as_deref)),
                of_record,
                penalty,
            ));
            masks.push(mask);
        }
        let released = Released::of_columns(self.records, released);
        let policy = &self.agreement.policy;
        let decision = Decision {
            objective: Some(policy.method.objective),
            steps: policy.method.steps,
            ..Decision::by(Recoding::Masks(masks))
        };
        let release = RowsRelease::of_parties(policy, taxonomies, self.plan, decision, released, watch)?;
        Ok(Passed(release))
    }
}

impl Passed {
    /// What goes out with it.
    pub fn certificate(&self) -> &Certificate {
        &self.0.certificate
    }

    /// Each template with its level, in words.
    pub fn levels(&self) -> Vec<String> {
        self.0.levels()
    }

    /// Writes the release aside. Returns what there is to say of formulas in it, too, and the digest of what was written.
    pub fn write(&self, aside: &Aside, watch: &dyn Watch) -> Result<(Option<Warning>, Digest), Error> {
        let formulas = self.0.write_tables(aside, watch)?;
        formulas.write(aside)?;
        write_json(aside, ReleasePart::Certificate, self.certificate())?;
        let mut hasher = blake3::Hasher::new();
        let settings = &self.0.policy.release;
        for written in [ReleasePart::Released(settings.format), ReleasePart::Certificate] {
            let path = aside.path(written);
            let written = std::fs::File::open(&path).and_then(|file| hasher.update_reader(file).map(|_| ()));
            written.map_err(TextError::opening(&path))?;
        }
        Ok((formulas.warning(settings), *hasher.finalize().as_bytes()))
    }

    /// Audits the files that were set aside as `scumble audit` does: from their bytes, which say nothing of how they were made.
    /// A column that they do not hold as it was told, if what they hold is not what the certificate says.
    ///
    /// # Errors
    /// If they cannot be read, or hold every column as it was told and yet something else than is certified.
    pub fn recount_from_file(&self, aside: &Aside, watch: &dyn Watch) -> Result<Option<ColumnId>, Error> {
        let (policy, taxonomies, certificate) = (&self.0.policy, &self.0.taxonomies, self.certificate());
        let path = aside.path(ReleasePart::Released(policy.release.format));
        let file = ReleaseFile::read(&path, policy, taxonomies, watch)?;
        let report = file.report(&Stage::Auditing.run(watch, |work| file.recount(work))?);
        let is_certified = report.require.len() == certificate.require.len()
            && report
                .require
                .iter()
                .zip(&certificate.require)
                .all(|(found, certified)| {
                    found.holds && found.level.is_some_and(|level| is_same(level, certified.level))
                });
        if report.rows as u64 == certificate.rows.published && is_certified {
            return Ok(None);
        }
        let told = self.0.audited.release().columns().iter().zip(file.release.columns());
        let texts = |column: &ReleasedColumn| -> BTreeSet<Option<String>> {
            column.labels().iter().map(|label| label.map(str::to_owned)).collect()
        };
        let differing = told.enumerate().find(|(_, (told, read))| texts(told) != texts(read));
        match differing {
            Some((column, _)) => Ok(Some(ColumnId(column))),
            None => {
                let found = report.require.iter();
                let levels = found.map(|found| (found.level.map_or(f64::NAN, Level::number), found.holds));
                Err(ReleaseError::AuditFailed(shortfalls(&self.0.plan, levels)).into())
            }
        }
    }
}

/// Whether two levels are one, but for how they were added up.
fn is_same(found: Level, certified: Level) -> bool {
    match (found, certified) {
        (Level::Measure(found), Level::Measure(certified)) => {
            (found - certified).abs() <= ROUNDING * found.abs().max(certified.abs())
        }
        _ => found == certified,
    }
}
