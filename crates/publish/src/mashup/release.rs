//! From what all told each other to files: the release is put together, audited, and written aside.

use std::collections::BTreeMap;

use scumble_mashup::{Coded, Digest, MaskedColumn};
use scumble_privacy::{Audited, History, audit};
use scumble_report::{Certificate, CertifiedMask};
use scumble_store::{Aside, ReleasePart, Watch, write_release};
use scumble_table::{Labels, Mask, Released, ReleasedColumn, Taxonomy};

use crate::agreement::Agreement;
use crate::error::Error;
use crate::flow::{Decision, Recoding, certify, shortfalls, write_json};
use crate::formulas::FormulaReport;
use crate::join::Cover;
use crate::plan::{Plan, Warning};

/// All that is known of the release.
pub(super) struct Parts<'p> {
    pub agreement: &'p Agreement,
    pub plan: &'p Plan<'p>,
    pub records: usize,
    /// By place among the quasi columns.
    pub masked: Vec<MaskedColumn>,
    /// By place in the joined table.
    pub plain: BTreeMap<usize, Coded>,
    pub class: Option<Coded>,
}

/// A release that passed its audit.
pub(super) struct Passed<'p> {
    agreement: &'p Agreement,
    plan: &'p Plan<'p>,
    audited: Audited,
    decision: Decision<'p>,
}

impl<'p> Parts<'p> {
    /// Recounts the release.
    pub fn audit(self) -> Result<Passed<'p>, Error> {
        let Plan { columns, .. } = self.plan;
        let mut released = Vec::new();
        let mut masks: Vec<(Mask, Option<&Taxonomy>, bool)> = Vec::new();
        for ((place, column), at) in columns.iter().enumerate().zip(self.plan.places_among_quasi()) {
            let masked = at.map(|at| &self.masked[at]);
            let mask = masked.map_or(Ok(Mask::Exact), |masked| {
                read_mask(&column.name, masked, column.taxonomy)
            })?;
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
            masks.push((mask, column.taxonomy, true));
        }
        let settings = &self.agreement.policy.release;
        let released = Released::of_columns(self.records, released).with_formulas_as_text(settings.formulas_as_text());
        let requirement = &self.plan.requirement;
        let audited = audit(released, requirement, &[], &History::default()).map_err(|failed| {
            let levels = failed.findings.iter().map(|finding| (finding.level, finding.holds));
            Error::AuditFailed(shortfalls(self.plan, levels))
        })?;
        let method = &self.agreement.policy.method;
        Ok(Passed {
            agreement: self.agreement,
            plan: self.plan,
            audited,
            decision: Decision {
                objective: Some(method.objective),
                steps: method.steps,
                ..Decision::by(Recoding::Masks(masks))
            },
        })
    }
}

fn read_mask(column: &str, masked: &MaskedColumn, taxonomy: Option<&Taxonomy>) -> Result<Mask, Error> {
    let fits = |reason: String| Error::MaskDoesNotFit {
        column: column.to_owned(),
        reason,
    };
    let written: Option<CertifiedMask> =
        serde_json::from_str(&masked.mask).map_err(|_| fits("what was told of it is no mask".to_owned()))?;
    let mask = written.map_or(Ok(Mask::Exact), |mask| mask.read(taxonomy));
    mask.map_err(|error| fits(error.to_string()))
}

impl Passed<'_> {
    /// Writes the release aside. Returns what there is to say of formulas in it, too, and the digest of what was written.
    pub fn write(&self, aside: &Aside, watch: &dyn Watch) -> Result<(Certificate, Option<Warning>, Digest), Error> {
        let Passed {
            audited,
            decision,
            plan,
            ..
        } = self;
        let policy = &self.agreement.policy;
        let certificate = certify(policy, plan, decision, audited, &Cover::default(), 0, 0);
        let file = ReleasePart::Released(policy.release.format);
        let mut formulas = FormulaReport::default();
        let found = write_release(
            audited,
            policy.release.order,
            policy.release.format,
            aside.file(file)?,
            watch,
        )?;
        formulas.add(file, found);
        formulas.write(aside)?;
        write_json(aside, ReleasePart::Certificate, &certificate)?;
        let mut hasher = blake3::Hasher::new();
        for written in [file, ReleasePart::Certificate] {
            let path = aside.path(written);
            let written = std::fs::File::open(&path).and_then(|file| hasher.update_reader(file).map(|_| ()));
            written.map_err(|reason| Error::Open { path, reason })?;
        }
        let warning = formulas.warning(&policy.release);
        Ok((certificate, warning, *hasher.finalize().as_bytes()))
    }

    /// Each template with its level, in words.
    pub fn levels(&self) -> Vec<String> {
        let found = self.plan.requirement.templates.iter().zip(self.audited.findings());
        found
            .map(|(template, finding)| self.plan.describe_level(template, finding.level))
            .collect()
    }
}
