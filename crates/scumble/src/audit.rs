//! Auditing a released file: every requirement recounted from what a reader sees.
//!
//! The policy is bound to the columns of the release, followed by those of its own that the release lacks. A template
//! that speaks of one of the latter cannot be counted, and what cannot be counted does not hold. What a method promises
//! beside the templates, the loss of every group, is recounted too.

use std::collections::HashSet;
use std::path::Path;

use scumble_attack::{ShownColumns, SingledOut, singled_out};
use scumble_privacy::{
    Finding, History, LossPerGroup, Population, Requirement, Sense, THIS, Template, recount_loss, recount_while,
};
use scumble_progress::{Interrupted, Stage, Watch, Work};
use scumble_report::{Certificate, Level};
use scumble_store::{Ledger, Loaded};
use scumble_table::Reading;
use scumble_table::{ColumnId, Mask, Released, Table};
use serde::Serialize;

use crate::apart::{ReleasedFiles, by_group};
use crate::certificate::{CertificateBeside, can_be_of};
use crate::compared::{ComparedVersion, Newcomers};
use crate::earlier::read_earlier;
use crate::error::Error;
use crate::ledger::{Newest, Past, ReadVersion, is_same_file, read_version};
use crate::load::{load, plan_of};
use crate::loss::loss_per_group;
use crate::population::read_people;
use crate::released::{Said, source_of_release};
use crate::sources::data_source;
use crate::texts::read_taxonomies;
use scumble_bind::Plan;
use scumble_bind::{Holds, unite};
use scumble_policy::{GROUP, Policy, Role, Taxonomies};

/// What an audit found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AuditReport {
    /// Rows in the release.
    pub rows: usize,
    /// Each template of the policy.
    pub require: Vec<AuditedTemplate>,
    /// What groups lose, where the method of the policy bounds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loss_per_group: Option<AuditedLoss>,
    /// Identifiers that the release holds, though none may be published.
    pub identifiers: Vec<String>,
    /// Columns that the release holds, though the policy does not list them and so does not publish them.
    pub unlisted: Vec<String>,
    /// Rows that stand out on the columns published as they are, and on all together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub singled_out: Option<SingledOut>,
    /// What it tells together with each earlier version of its columns in the ledger.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub versions: Vec<AuditedVersion>,
    /// Whether everything holds.
    pub holds: bool,
}

/// An earlier version of the same columns, and what it tells together with the release.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AuditedVersion {
    /// What was found.
    #[serde(flatten)]
    pub compared: ComparedVersion,
    /// Whether it would be published beside that version.
    pub holds: bool,
}

/// The ledger to audit a release with.
#[derive(Clone, Copy, Debug)]
pub struct AuditLedger<'o> {
    /// Its folder.
    pub folder: &'o Path,
    /// What to do about people who came or left.
    pub newcomers: Newcomers,
}

/// What a group may lose, and what was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AuditedLoss {
    /// At most.
    pub bound: f64,
    /// Of the group that lost most; `None` if it cannot be counted.
    pub level: Option<f64>,
    /// Columns that the release lacks, or of which neither policy nor data say what their values may be.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lacking: Vec<String>,
    /// Whether it holds. What cannot be counted does not.
    pub holds: bool,
}

/// A template and what was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AuditedTemplate {
    /// The template in words.
    pub template: String,
    /// What it demands.
    pub bound: Level,
    /// What was found; `None` if it cannot be counted.
    pub level: Option<Level>,
    /// Columns that the release lacks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lacking: Vec<String>,
    /// Whether it holds. What cannot be counted does not.
    pub holds: bool,
    /// Which levels are good.
    #[serde(skip)]
    pub sense: Sense,
}

impl AuditedLoss {
    /// What was found, in words, rounded to the worse side.
    pub fn written(&self) -> String {
        match self.level {
            Some(level) => Level::Measure(level).written(Sense::AtMost),
            None => format!(
                "cannot be counted without what the values of {} may be; give a `range` or a `taxonomy`, or put the data \
                 where the policy says",
                self.lacking.join(", ")
            ),
        }
    }
}

impl AuditReport {
    /// The same beside earlier versions of its columns.
    fn beside(mut self, versions: Vec<AuditedVersion>) -> AuditReport {
        self.holds &= versions.iter().all(|version| version.holds);
        self.versions = versions;
        self
    }
}

/// Recounts the requirement of a policy on a released file, which may be of any tool.
///
/// With a ledger, the releases before it are joined, too, and earlier versions of its columns are compared as they are
/// when it is published.
pub fn audit_file(
    released: &Path,
    policy: &Policy,
    ledger: Option<&AuditLedger>,
    watch: &dyn Watch,
) -> Result<AuditReport, Error> {
    let taxonomies = read_taxonomies(policy)?;
    let past = past(released, policy, &taxonomies, ledger.map(|ledger| ledger.folder))?;
    let policy = &policy.after(&past.joined);
    let mut release = ReleaseFile::read(released, policy, &taxonomies, watch)?;
    if !release.bound_loss(policy, &taxonomies, None) {
        let data = data_at_hand(policy, &taxonomies, watch)?;
        release.bound_loss(policy, &taxonomies, data.as_ref());
    }
    let findings = Stage::Auditing.run(watch, |work| release.recount(work))?;
    let report = release.report(&findings);
    if let Some(ledger) = ledger.filter(|_| !past.versions.is_empty()) {
        let certificate = certificate_by_ledger(released, ledger.folder, report.rows)?;
        let newest = Newest {
            policy,
            plan: &release.plan,
            taxonomies: &taxonomies,
            release: &read_version(&source_of_release(released, Some(Said::by(policy))), policy, watch)?,
            certificate: certificate.as_ref(),
        };
        let versions = past.versions.into_iter();
        let versions = versions.map(|version| ReadVersion::read(version, policy, watch));
        let versions = versions.collect::<Result<Vec<_>, Error>>()?;
        let compared = newest.compare(&versions, watch)?.into_iter();
        let versions = compared.map(|compared| AuditedVersion {
            holds: compared.holds(ledger.newcomers),
            compared,
        });
        return Ok(report.beside(versions.collect()));
    }
    Ok(report)
}

/// What is certified of how a release was masked: by its entry in the ledger, else beside it. A certificate that cannot be
/// of this file says nothing, and then nothing is taken to be masked as it was before.
fn certificate_by_ledger(released: &Path, ledger: &Path, rows: usize) -> Result<Option<Certificate>, Error> {
    let entries = Ledger::read(ledger)?;
    let mut own = entries.as_slice().iter();
    let certificate = match own.find(|entry| is_same_file(&entry.file, released)) {
        Some(entry) if entries.check_file(entry).is_ok() => serde_json::from_value(entry.certificate.clone()).ok(),
        Some(_) => None,
        None => return Ok(CertificateBeside::of(released).of_rows(rows)),
    };
    Ok(certificate.filter(|certificate| can_be_of(certificate, rows)))
}

/// The data of a policy, if it is where the policy says.
fn data_at_hand(policy: &Policy, taxonomies: &Taxonomies, watch: &dyn Watch) -> Result<Option<Table>, Error> {
    if policy.data.file().is_some_and(|file| !file.exists()) {
        return Ok(None);
    }
    let (_, Loaded { table, .. }) = load(policy, &data_source(&policy.data), taxonomies, watch)?;
    Ok(Some(table))
}

/// What was published before a release: all that its ledger has before its entry, or all if it has none.
pub(crate) fn past(
    released: &Path,
    policy: &Policy,
    taxonomies: &Taxonomies,
    ledger: Option<&Path>,
) -> Result<Past, Error> {
    let Some(ledger) = ledger else {
        return Ok(Past::default());
    };
    let entries = Ledger::read(ledger)?;
    // All that the release has is out, whatever the policy lists.
    let policy = &policy.with_all_columns();
    let header = ReleasedFiles::new(released, Some(policy)).main_header()?;
    let all = entries.as_slice();
    let own = all.iter().position(|entry| is_same_file(&entry.file, released));
    Past::of(policy, &header, taxonomies, &entries, &all[..own.unwrap_or(all.len())])
}

/// A released file as it was read: quasi columns as labels.
pub(crate) struct ReleaseFile {
    /// The policy, bound to the columns of the release and those that it lacks.
    pub plan: Plan,
    /// The released rows; all columns are shown as they are read.
    pub release: Released,
    /// The column with the number of the group, if secrets are apart.
    group: Option<ColumnId>,
    people: Vec<Population>,
    /// The earlier releases.
    pub history: History,
    /// The bound on what groups lose, or the columns for want of which it cannot be counted.
    loss: Option<(f64, Result<LossPerGroup, Vec<String>>)>,
    identifiers: Vec<String>,
    unlisted: Vec<String>,
}

impl ReleaseFile {
    /// Reads a released file and the populations that templates compare with.
    pub fn read(
        path: &Path,
        policy: &Policy,
        taxonomies: &Taxonomies,
        watch: &dyn Watch,
    ) -> Result<ReleaseFile, Error> {
        // A release may hold more than it should, and what it holds is there to be known.
        let (asked, policy) = (policy, &policy.with_all_columns());
        let files = ReleasedFiles::new(path, Some(policy));
        let header = files.header()?;
        let mut plan = plan_of(policy, &with_lacking(&header, policy), taxonomies)?;
        let mut table = files.read(&header, &readings(&plan, &header, policy), watch)?;
        unite(&policy.columns, &mut table, Holds::Labels);
        if let Some(certificate) = CertificateBeside::of(path).of_rows(table.rows()) {
            let unmasked = certificate.columns.iter().filter(|column| column.mask.is_none());
            plan = plan.showing_as_they_are(unmasked.map(|column| &*column.name));
        }
        let earlier = read_earlier(policy, &plan, watch)?;
        let (plan, history) = plan.with_history(policy, table.rows(), earlier)?;
        plan.check_doubts(policy, &table, &history)?;
        let people = read_people(policy, &plan, watch)?;
        let people = people.iter().map(|people| people.covered(&plan, &table)).collect();
        let masks = vec![(Mask::Exact, None, true); table.columns().len()];
        let is_identifier = |name: &&String| {
            policy
                .column(name)
                .is_some_and(|column| column.role == Role::Identifier)
        };
        let is_added = |name: &str| files.are_apart() && name == GROUP;
        let is_unlisted = |name: &&String| asked.column(name).is_none() && !asked.publishes(name) && !is_added(name);
        Ok(ReleaseFile {
            group: table.find(GROUP).filter(|_| files.are_apart()),
            release: Released::new(table, &masks, None),
            plan,
            people,
            history,
            loss: None,
            identifiers: header.iter().filter(is_identifier).cloned().collect(),
            unlisted: header.iter().filter(is_unlisted).cloned().collect(),
        })
    }

    /// Takes up what groups may lose, if the method of the policy bounds that. Whether it can be counted, or is not bounded:
    /// it may need the data.
    pub fn bound_loss(&mut self, policy: &Policy, taxonomies: &Taxonomies, data: Option<&Table>) -> bool {
        let lacks = |id: &ColumnId| id.0 >= self.release.columns().len();
        let bound = loss_per_group(policy, &self.plan, taxonomies, data).and_then(|bound| {
            let columns = bound.iter().flat_map(|bound| &bound.columns);
            let lacking = columns.map(|(id, _)| id).filter(|id| lacks(id));
            let lacking: Vec<String> = lacking.map(|id| self.plan.columns[id.0].name.clone()).collect();
            if lacking.is_empty() { Ok(bound) } else { Err(lacking) }
        });
        let at_most = policy.method.loss_at_most();
        self.loss = at_most.and_then(|at_most| Some((at_most, bound.transpose()?)));
        self.loss.as_ref().is_none_or(|(_, bound)| bound.is_ok())
    }

    fn audited_loss(&self) -> Option<AuditedLoss> {
        let (at_most, bound) = self.loss.as_ref()?;
        let found = bound.as_ref().map(|bound| recount_loss(&self.release, bound));
        Some(AuditedLoss {
            bound: *at_most,
            level: found.ok().map(|found| found.level),
            holds: found.is_ok_and(|found| found.holds),
            lacking: bound.as_ref().err().cloned().unwrap_or_default(),
        })
    }

    /// What is found for each template; `None` if it speaks of a column that the release lacks.
    pub fn recount(&self, work: Work) -> Result<Vec<Option<Finding>>, Interrupted> {
        let recounted = work
            .phase("recounting templates", 0.0..1.0)
            .count(self.plan.requirement.templates.len());
        let finding = |template: &Template| {
            let counts = self.lacking(template).is_empty();
            let alone = Requirement {
                templates: vec![self.counted(template)],
            };
            let found = if counts {
                recount_while(&self.release, &alone, &self.people, &self.history, work.silent())?.pop()
            } else {
                None
            };
            recounted.go_on(1)?;
            Ok(found)
        };
        self.plan.requirement.templates.iter().map(finding).collect()
    }

    /// What was found, in words.
    pub fn report(&self, findings: &[Option<Finding>]) -> AuditReport {
        let templates = self.plan.requirement.templates.iter().zip(findings);
        let audited = |(template, finding): (&Template, &Option<Finding>)| AuditedTemplate {
            template: self.plan.describe(template),
            bound: Level::of(template, template.bound()),
            level: finding.as_ref().map(|finding| Level::of(template, finding.level)),
            holds: finding.as_ref().is_some_and(|finding| finding.holds),
            lacking: self.lacking(template),
            sense: template.sense(),
        };
        let require: Vec<AuditedTemplate> = templates.map(audited).collect();
        let loss_per_group = self.audited_loss();
        let columns_hold = self.identifiers.is_empty() && self.unlisted.is_empty();
        let loss_holds = loss_per_group.as_ref().is_none_or(|loss| loss.holds);
        AuditReport {
            holds: columns_hold && loss_holds && require.iter().all(|template| template.holds),
            rows: self.release.rows(),
            require,
            loss_per_group,
            identifiers: self.identifiers.clone(),
            unlisted: self.unlisted.clone(),
            singled_out: self.singled_out(),
            versions: Vec::new(),
        }
    }

    /// Rows that stand out on the columns published as they are, and on all together.
    pub fn singled_out(&self) -> Option<SingledOut> {
        singled_out(&self.release, &self.shown_columns(), self.plan.group_asked())
    }

    /// How the columns that the release has are shown.
    fn shown_columns(&self) -> ShownColumns {
        let mut shown = self.plan.shown_columns(self.group.is_some());
        let is_there = |id: &ColumnId| id.0 < self.release.columns().len() && Some(*id) != self.group;
        for columns in [&mut shown.as_they_are, &mut shown.masked, &mut shown.secrets] {
            columns.retain(is_there);
        }
        shown
    }

    /// The template as it is counted.
    fn counted(&self, template: &Template) -> Template {
        match self.group {
            Some(group) => by_group(template, group),
            None => template.clone(),
        }
    }

    /// The columns of a template that the release lacks.
    pub fn lacking(&self, template: &Template) -> Vec<String> {
        // What matches what is decided by the join columns, whatever the template is about.
        let join_columns = template.joined().map(|_| self.history.join_columns(THIS));
        let all = columns_of(template).chain(join_columns.into_iter().flatten());
        let mut lacking: Vec<ColumnId> = all.filter(|id| id.0 >= self.release.columns().len()).collect();
        lacking.sort_unstable();
        lacking.dedup();
        lacking
            .into_iter()
            .map(|id| self.plan.columns[id.0].name.clone())
            .collect()
    }
}

/// The columns of the release, and after them those that the policy lists and the release lacks.
fn with_lacking(header: &[String], policy: &Policy) -> Vec<String> {
    let has: HashSet<&String> = header.iter().collect();
    let listed = policy.columns.iter().map(|column| column.name.get_ref());
    let lacking = listed.filter(|name| !has.contains(name));
    header.iter().chain(lacking).cloned().collect()
}

/// How to read the columns of the release: as the policy says, but for quasi columns, which hold labels.
fn readings<'p>(plan: &'p Plan, header: &[String], policy: &Policy) -> Vec<Reading<'p>> {
    let is_quasi = |name: &str| policy.column(name).is_some_and(|column| column.role == Role::Quasi);
    let columns = header.iter().zip(plan.columns.reading());
    columns
        .map(|(name, reading)| if is_quasi(name) { Reading::Text } else { reading })
        .collect()
}

/// All columns that a template speaks of.
fn columns_of(template: &Template) -> impl Iterator<Item = ColumnId> {
    template.of.columns.iter().copied().chain(template.counted())
}
