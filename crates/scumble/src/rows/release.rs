//! From a decision to a release: masked, audited, certified.

use rayon::prelude::*;
use scumble_bind::{Plan, check_unique, is_nearly_unique};
use scumble_policy::{Policy, Taxonomies};
use scumble_privacy::{Audited, Failed, Promises, audit_while};
use scumble_progress::{Interrupted, Running, Stage, Watch};
use scumble_report::Certificate;
use scumble_table::{ColumnId, ReleasedColumn, Table};

use super::apart::Apart;
use super::certify::certify;
use super::decide::decide;
use super::decision::Decision;
use super::inputs::RowsInputs;
use super::pictures::{Before, before_masking};
use crate::compared::ComparedVersion;
use crate::cover::Cover;
use crate::error::Error;
use crate::errors::{PastError, ReleaseError, SearchError};
use crate::ledger::Newest;
use crate::loss::loss_per_group;
use crate::search::Search;
use crate::shortfall::shortfalls;

/// Rows, and how they become a release.
pub(crate) struct RowsFound {
    inputs: RowsInputs,
    pub decision: Decision,
    by: FoundBy,
}

/// Rows that passed their audit, with all there is to say of them.
pub(crate) struct RowsRelease {
    pub policy: Policy,
    pub taxonomies: Taxonomies,
    pub plan: Plan,
    pub decision: Decision,
    pub audited: Audited,
    pub certificate: Certificate,
    pub cover: Cover,
    pub versions: Vec<ComparedVersion>,
    /// The columns before masking, as far as the page speaks of them.
    pub before: Vec<Before>,
    pub rows_before: u64,
    /// The data, if it is kept to be compared with.
    pub data: Option<Table>,
    /// Whether a ledger told of the past.
    pub knows_past: bool,
}

impl RowsFound {
    /// Looks for a release.
    ///
    /// # Errors
    /// A requirement that cannot be met, a search that was stopped.
    pub fn search(inputs: RowsInputs, asked: &Search, watch: &dyn Watch) -> Result<RowsFound, Error> {
        let mut decision = decide(&inputs, asked, watch)?;
        if let Some(left_out) = &decision.left_out
            && left_out.iter().all(|&out| out)
        {
            let rows = inputs.table.rows();
            return Err(SearchError::NothingReleased { rows }.into());
        }
        let is_coarser = Stage::Masking.run(watch, |work| {
            work.go_on()?;
            let is_coarser = decision.justify(&inputs);
            work.go_on()?;
            Ok::<_, Error>(is_coarser)
        })?;
        let by = match (&asked.mask, is_coarser) {
            (Some(_), _) => FoundBy::Certificate,
            (None, true) => FoundBy::Coarsening,
            (None, false) => FoundBy::Search,
        };
        Ok(RowsFound { inputs, decision, by })
    }

    /// Masks, recounts and certifies. The data is let go of, unless it is to be compared with.
    ///
    /// # Errors
    /// A release that does not pass.
    pub fn release(self, keeps_data: bool, watch: &dyn Watch) -> Result<RowsRelease, Error> {
        let RowsFound { inputs, decision, by } = self;
        let RowsInputs {
            policy,
            taxonomies,
            plan,
            table,
            rows_read,
            rows_dropped,
            populations,
            joined,
            versions,
            newcomers,
            ..
        } = inputs;
        let promises = Promises {
            requirement: decision.recoding.counted(&plan.requirement).into_owned(),
            loss_per_group: loss_per_group(&policy, &plan, &taxonomies, Some(&table))
                .map_err(ReleaseError::DomainUnknown)?,
            ..Promises::default()
        };
        let before = before_masking(&plan, &table);
        let rows_before = table.rows() as u64;
        let data = keeps_data.then(|| table.clone());
        let masking = Running::begin(watch, Stage::Masking, None);
        masking.work().go_on()?;
        let released = decision
            .recoding
            .release(&plan, table, decision.left_out.as_deref(), masking.work())?
            .with_formulas_as_text(policy.release.formulas_as_text());
        let masks = decision.recoding.with_columns(&plan);
        let people = populations.iter().map(|people| {
            masking.work().go_on()?;
            Ok(people.labelled(&masks, &released))
        });
        let people = people.collect::<Result<Vec<_>, Interrupted>>()?;
        masking.work().go_on()?;
        masking.done();
        let audited = Stage::Auditing.run(watch, |work| {
            audit_while(released, promises, &people, &joined.history, work)
        })?;
        let audited = audited.map_err(|failed| did_not_pass(&policy, &plan, by, &failed))?;
        // Without the rows left out, what is published may be nearer to unique than the data.
        check_unique(&policy, &plan, |id| {
            is_nearly_unique(&audited.release().columns()[id.0].as_read())
        })?;
        let rows_left_out = rows_read - rows_dropped - audited.release().rows();
        let cover = joined.cover;
        let certificate = certify(&policy, &plan, &decision, &audited, &cover, rows_left_out, rows_dropped);
        let mut release = RowsRelease {
            policy,
            taxonomies,
            plan,
            decision,
            audited,
            certificate,
            cover,
            versions: Vec::new(),
            before,
            rows_before,
            data,
            knows_past: newcomers.is_some(),
        };
        if !versions.is_empty() {
            release.versions = release.newest(&release.as_read(false)).compare(&versions, watch)?;
        }
        if !release
            .versions
            .iter()
            .all(|version| version.holds(newcomers.unwrap_or_default()))
        {
            return Err(PastError::Republication(release.versions).into());
        }
        Ok(release)
    }
}

impl RowsRelease {
    /// What a reader sees; all columns, or only those that are published.
    pub fn as_read(&self, only_published: bool) -> Table {
        let release = self.audited.release();
        let shown = |column: &&ReleasedColumn| column.published || !only_published;
        let columns = release.columns().par_iter().filter(shown).map(ReleasedColumn::as_read);
        Table::new(release.rows(), columns.collect())
    }

    fn newest<'a>(&'a self, release: &'a Table) -> Newest<'a> {
        Newest {
            policy: &self.policy,
            plan: &self.plan,
            taxonomies: &self.taxonomies,
            release,
            certificate: Some(&self.certificate),
        }
    }

    /// Each template with its level, in words: `anonymity of job, sex: 16 (at least 4)`.
    pub fn levels(&self) -> Vec<String> {
        let found = self.plan.requirement.templates.iter().zip(self.audited.findings());
        found
            .map(|(template, finding)| self.plan.describe_level(template, finding.level))
            .collect()
    }

    /// The column with the number of the group, if secrets are apart.
    pub fn group(&self) -> Option<ColumnId> {
        self.decision.recoding.apart().map(Apart::group)
    }
}

/// Where the masks of a release come from.
#[derive(Clone, Copy)]
pub(super) enum FoundBy {
    /// The search, which promised all templates.
    Search,
    /// The search, and then made coarser so that rows left out do not show. A coarser table keeps all templates but those
    /// that are not anti-monotone.
    Coarsening,
    /// Another release, whose certificate promises nothing of the join, nor of what a group loses; no row can be left out
    /// for either.
    Certificate,
}

/// Why a release is not written.
pub(super) fn did_not_pass(policy: &Policy, plan: &Plan, found: FoundBy, failed: &Failed) -> Error {
    let levels = failed.findings.iter().map(|finding| (finding.level, finding.holds));
    let shortfalls = shortfalls(plan, levels);
    let loss = failed.loss_per_group.filter(|loss| !loss.holds);
    let bound = policy.method.loss_at_most();
    match (loss.zip(bound), found) {
        (Some((loss, bound)), FoundBy::Certificate) => ReleaseError::MaskLosesTooMuch {
            level: loss.level,
            bound,
        }
        .into(),
        (Some((loss, bound)), FoundBy::Search | FoundBy::Coarsening) => ReleaseError::GroupLosesTooMuch {
            level: loss.level,
            bound,
        }
        .into(),
        (None, FoundBy::Certificate) if !plan.earlier.is_empty() => ReleaseError::MaskFails(shortfalls).into(),
        (None, FoundBy::Coarsening) => SearchError::CannotBeMet(shortfalls).into(),
        (None, FoundBy::Search | FoundBy::Certificate) => ReleaseError::AuditFailed(shortfalls).into(),
    }
}
