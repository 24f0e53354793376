//! Auditing a released file: every requirement recounted from what a reader sees.

use std::path::Path;

use scumble_privacy::{Anonymity, Requirement, Template, recount};
use scumble_store::{Loaded, Reading, Source, Watch, read};
use scumble_table::{ColumnId, Mask, Released, Table};
use serde::Serialize;

use crate::error::Error;
use crate::policy::{Policy, Require, RequireAnonymity, Role};

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
    pub bound: u64,
    /// What was found; `None` if the release lacks columns to count it by.
    pub level: Option<u64>,
    /// Columns that the release lacks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lacking: Vec<String>,
    /// Whether it holds. What cannot be counted does not.
    pub holds: bool,
}

impl AuditReport {
    /// Whether everything holds.
    pub fn holds(&self) -> bool {
        self.identifiers.is_empty() && self.require.iter().all(|template| template.holds)
    }
}

/// Recounts the requirement of a policy on a released file, which may be of any tool.
pub fn audit_file(released: &Path, policy: &Policy, watch: &dyn Watch) -> Result<AuditReport, Error> {
    policy.check_available()?;
    let everything = |header: &[String]| Ok::<_, Error>(vec![Reading::Text; header.len()]);
    let Loaded { table, .. } = read(&Source::new(released), false, everything, watch)?;
    let rows = table.rows();
    let identifiers = policy.columns.iter().filter(|column| column.role == Role::Identifier);
    let identifiers = identifiers
        .map(|column| column.name.get_ref())
        .filter(|name| table.find(name).is_some());
    let identifiers = identifiers.cloned().collect();
    let bound: Vec<(&RequireAnonymity, Result<Template, Vec<String>>)> = policy
        .require
        .iter()
        .filter_map(|require| match require.get_ref() {
            Require::Anonymity(anonymity) => Some((anonymity, bind(anonymity, &table))),
            Require::Confidence(_) => None,
        })
        .collect();
    let requirement = Requirement {
        templates: bound.iter().filter_map(|(_, bound)| bound.clone().ok()).collect(),
    };
    let masks = vec![(Mask::Exact, None, true); table.columns().len()];
    let mut findings = recount(&Released::new(table, &masks, None), &requirement).into_iter();
    let require = bound.into_iter().map(|(anonymity, bound)| {
        let finding = bound.is_ok().then(|| findings.next()).flatten();
        AuditedTemplate {
            template: anonymity.to_string(),
            bound: anonymity.k,
            level: finding.as_ref().map(|finding| finding.level),
            holds: finding.is_some_and(|finding| finding.holds),
            lacking: bound.err().unwrap_or_default(),
        }
    });
    Ok(AuditReport {
        rows,
        require: require.collect(),
        identifiers,
    })
}

/// The template on the columns of the release, or the columns that it lacks.
fn bind(anonymity: &RequireAnonymity, table: &Table) -> Result<Template, Vec<String>> {
    let find = |names: &[String]| {
        names
            .iter()
            .filter_map(|name| table.find(name))
            .collect::<Vec<ColumnId>>()
    };
    let lacking: Vec<String> = anonymity
        .of
        .iter()
        .chain(&anonymity.per)
        .filter(|name| table.find(name).is_none())
        .cloned()
        .collect();
    if !lacking.is_empty() {
        return Err(lacking);
    }
    Ok(Template::Anonymity(Anonymity {
        k: anonymity.k,
        of: find(&anonymity.of),
        per: find(&anonymity.per),
    }))
}
