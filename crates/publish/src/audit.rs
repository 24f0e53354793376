//! Auditing a released file: every requirement recounted from what a reader sees.
//!
//! The policy is bound to the columns of the release, followed by those of its own that the release lacks. A template
//! that speaks of one of the latter cannot be counted, and what cannot be counted does not hold.

use std::path::Path;

use scumble_privacy::{Demand, Population, Requirement, Sense, Template, recount};
use scumble_report::Level;
use scumble_store::{Loaded, Reading, Source, Watch, read};
use scumble_table::{ColumnId, Mask, Released};
use serde::Serialize;

use crate::error::Error;
use crate::plan::Plan;
use crate::policy::{Policy, Role};
use crate::population::read_people;

/// What an audit found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AuditReport {
    /// Rows in the release.
    pub rows: usize,
    /// Each template of the policy.
    pub require: Vec<AuditedTemplate>,
    /// Identifiers that the release holds, though none may be published.
    pub identifiers: Vec<String>,
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

impl AuditReport {
    /// Whether everything holds.
    pub fn holds(&self) -> bool {
        self.identifiers.is_empty() && self.require.iter().all(|template| template.holds)
    }
}

/// Recounts the requirement of a policy on a released file, which may be of any tool.
pub fn audit_file(released: &Path, policy: &Policy, watch: &dyn Watch) -> Result<AuditReport, Error> {
    let taxonomies = policy.taxonomies()?;
    let mut plan = None;
    let bind = |header: &[String]| -> Result<_, Error> {
        let bound = policy.plan(&with_lacking(header, policy), &taxonomies)?;
        Ok(readings(plan.insert(bound), header, policy))
    };
    let Loaded { table, header, .. } = read(&Source::new(released), false, bind, watch)?;
    let plan = plan.expect("reading asks for the plan before it reads a row");
    let people = read_people(policy, &plan, watch)?;
    let people: Vec<Population> = people.iter().map(|people| people.covered(&plan, &table)).collect();
    let masks = vec![(Mask::Exact, None, true); table.columns().len()];
    let release = Released::new(table, &masks, None);
    let identifiers = header.into_iter().filter(|name| {
        let column = policy.column(name);
        column.is_some_and(|column| column.role == Role::Identifier)
    });
    let templates = plan.requirement.templates.iter();
    Ok(AuditReport {
        rows: release.rows(),
        require: templates
            .map(|template| recount_one(template, &plan, &release, &people))
            .collect(),
        identifiers: identifiers.collect(),
    })
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

fn recount_one(template: &Template, plan: &Plan, release: &Released, people: &[Population]) -> AuditedTemplate {
    let lacking: Vec<String> = columns_of(template)
        .filter(|id| id.0 >= release.columns().len())
        .map(|id| plan.columns[id.0].name.clone())
        .collect();
    let alone = Requirement {
        templates: vec![template.clone()],
    };
    let finding = lacking
        .is_empty()
        .then(|| recount(release, &alone, people))
        .and_then(|mut found| found.pop());
    AuditedTemplate {
        template: plan.describe(template),
        bound: Level::of(template, template.bound()),
        level: finding.as_ref().map(|finding| Level::of(template, finding.level)),
        holds: finding.is_some_and(|finding| finding.holds),
        lacking,
        sense: template.sense(),
    }
}

/// All columns that a template speaks of.
fn columns_of(template: &Template) -> impl Iterator<Item = ColumnId> {
    let further: Vec<ColumnId> = match &template.demand {
        Demand::Anonymity { per, .. } => per.clone(),
        Demand::KMap { .. } => Vec::new(),
        Demand::Confidence { about, .. } => about.iter().map(|secrets| secrets.column).collect(),
        Demand::Diversity { about, .. }
        | Demand::Closeness { about, .. }
        | Demand::DeltaDisclosure { about, .. }
        | Demand::BetaLikeness { about, .. } => vec![*about],
        Demand::Personal { about, guarding, .. } => vec![*about, *guarding],
    };
    template.of.columns.iter().copied().chain(further)
}
