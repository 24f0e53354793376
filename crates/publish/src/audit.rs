//! Auditing a released file: every requirement recounted from what a reader sees.
//!
//! The policy is bound to the columns of the release, followed by those of its own that the release lacks. A template
//! that speaks of one of the latter cannot be counted, and what cannot be counted does not hold. What a method promises
//! beside the templates, the loss of every group, is recounted too.

use std::path::Path;

use scumble_privacy::{
    Finding, History, LossPerGroup, Population, Requirement, Sense, THIS, Template, recount, recount_loss,
};
use scumble_report::Level;
use scumble_store::{Ledger, Loaded, Reading, Source, Watch, header};
use scumble_table::{ColumnId, Mask, Released, Table};
use serde::Serialize;

use crate::apart::{ReleasedFiles, by_group};
use crate::earlier::read_earlier;
use crate::error::Error;
use crate::ledger::{Past, is_same_file};
use crate::load::load;
use crate::loss::loss_per_group;
use crate::plan::Plan;
use crate::policy::{GROUP, Policy, Role, Taxonomies};
use crate::population::read_people;

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
    /// Whether everything holds.
    pub fn holds(&self) -> bool {
        let loss_holds = self.loss_per_group.as_ref().is_none_or(|loss| loss.holds);
        self.identifiers.is_empty() && loss_holds && self.require.iter().all(|template| template.holds)
    }
}

/// Recounts the requirement of a policy on a released file, which may be of any tool.
///
/// With a ledger, the releases before it are joined, too.
pub fn audit_file(
    released: &Path,
    policy: &Policy,
    ledger: Option<&Path>,
    watch: &dyn Watch,
) -> Result<AuditReport, Error> {
    let taxonomies = policy.taxonomies()?;
    let past = past(released, policy, &taxonomies, ledger)?;
    let policy = &policy.after(&past.joined);
    let mut release = ReleaseFile::read(released, policy, &taxonomies, watch)?;
    if !release.bound_loss(policy, &taxonomies, None) {
        let data = data_at_hand(policy, &taxonomies, watch)?;
        release.bound_loss(policy, &taxonomies, data.as_ref());
    }
    let findings = release.recount();
    Ok(release.report(&findings))
}

/// The data of a policy, if it is where the policy says.
fn data_at_hand(policy: &Policy, taxonomies: &Taxonomies, watch: &dyn Watch) -> Result<Option<Table>, Error> {
    let source = policy.data.source();
    if !source.path.exists() {
        return Ok(None);
    }
    let (_, Loaded { table, .. }) = load(policy, &source, taxonomies, watch)?;
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
    let header = header(&Source::new(released))?;
    let all = entries.as_slice();
    let own = all.iter().position(|entry| is_same_file(&entry.file, released));
    Past::of(policy, &header, taxonomies, &entries, &all[..own.unwrap_or(all.len())])
}

/// A released file as it was read: quasi columns as labels.
pub(crate) struct ReleaseFile<'t> {
    /// The policy, bound to the columns of the release and those that it lacks.
    pub plan: Plan<'t>,
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
}

impl<'t> ReleaseFile<'t> {
    /// Reads a released file and the populations that templates compare with.
    pub fn read(
        path: &Path,
        policy: &Policy,
        taxonomies: &'t Taxonomies,
        watch: &dyn Watch,
    ) -> Result<ReleaseFile<'t>, Error> {
        let mut plan = None;
        let bind = |header: &[String]| -> Result<_, Error> {
            let bound = policy.plan(&with_lacking(header, policy), taxonomies)?;
            Ok(readings(plan.insert(bound), header, policy))
        };
        let files = ReleasedFiles::new(path, Some(policy));
        let (table, header) = files.read(bind, watch)?;
        let mut plan = plan.expect("reading asks for the plan before it reads a row");
        let earlier = read_earlier(policy, &plan, watch)?;
        let history = plan.history(policy, table.rows(), earlier)?;
        let people = read_people(policy, &plan, watch)?;
        let people = people.iter().map(|people| people.covered(&plan, &table)).collect();
        let masks = vec![(Mask::Exact, None, true); table.columns().len()];
        let is_identifier = |name: &String| {
            policy
                .column(name)
                .is_some_and(|column| column.role == Role::Identifier)
        };
        Ok(ReleaseFile {
            group: table.find(GROUP).filter(|_| files.are_apart()),
            release: Released::new(table, &masks, None),
            plan,
            people,
            history,
            loss: None,
            identifiers: header.into_iter().filter(is_identifier).collect(),
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
    pub fn recount(&self) -> Vec<Option<Finding>> {
        let finding = |template: &Template| {
            let counts = self.lacking(template).is_empty();
            let alone = Requirement {
                templates: vec![self.counted(template)],
            };
            counts
                .then(|| recount(&self.release, &alone, &self.people, &self.history))
                .and_then(|mut found| found.pop())
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
        AuditReport {
            rows: self.release.rows(),
            require: templates.map(audited).collect(),
            loss_per_group: self.audited_loss(),
            identifiers: self.identifiers.clone(),
        }
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
    let listed = policy.columns.iter().map(|column| column.name.get_ref());
    let lacking = listed.filter(|name| !header.contains(name));
    header.iter().chain(lacking).cloned().collect()
}

/// How to read the columns of the release: as the policy says, but for quasi columns, which hold labels.
fn readings<'t>(plan: &Plan<'t>, header: &[String], policy: &Policy) -> Vec<Reading<'t>> {
    let is_quasi = |name: &str| policy.column(name).is_some_and(|column| column.role == Role::Quasi);
    let columns = header.iter().zip(&plan.reading);
    columns
        .map(|(name, reading)| if is_quasi(name) { Reading::Text } else { *reading })
        .collect()
}

/// All columns that a template speaks of.
fn columns_of(template: &Template) -> impl Iterator<Item = ColumnId> {
    template.of.columns.iter().copied().chain(template.counted())
}
