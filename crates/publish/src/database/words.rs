//! What must hold of persons, in words, for messages, the page and the certificate.
//!
//! | demand | in words |
//! |---|---|
//! | 5 students show the same in all tables | `anonymity 5 of students` |
//! | two grades in every group of rows | `diversity 2 (distinct) about courses.grade` |
//! | F for at most half of the persons of a group | `confidence 0.5 about courses.grade (F)` |

use std::collections::BTreeMap;

use scumble_privacy::{EntityDemand, Finding, Sense};
use scumble_report::{CertifiedSecrets, CertifiedTemplate, Level};

use super::bind::Schema;
use crate::error::Shortfall;
use scumble_bind::{factor, measure_word, nearest_bound};
use scumble_policy::{Policy, SecretDemand, SecretPolicy, list};

/// A demand with its words.
pub(super) struct Described {
    pub demand: EntityDemand,
    /// What it is of or about.
    details: String,
    about: BTreeMap<String, CertifiedSecrets>,
}

/// The demands of a policy, in their order: anonymity, then what is asked of secrets.
pub(super) fn described(policy: &Policy, schema: &Schema, demands: Vec<EntityDemand>) -> Vec<Described> {
    let persons = format!("of {}", schema.tables[0].name);
    let secrets = policy.secrets_of_persons().into_iter().map(|secret| {
        let column = format!("{}.{}", schema.tables[secret.table].name, secret.column.get_ref());
        (
            secret_words(&secret, &column),
            BTreeMap::from([(column, certified(&secret))]),
        )
    });
    let words = std::iter::once((persons, BTreeMap::new())).chain(secrets);
    let described = demands.into_iter().zip(words);
    described
        .map(|(demand, (details, about))| Described { demand, details, about })
        .collect()
}

fn secret_words(secret: &SecretPolicy, column: &str) -> String {
    match &secret.demand {
        SecretDemand::Confidence { values: None, .. } => format!("about {column}"),
        SecretDemand::Confidence {
            values: Some(values), ..
        } => format!(
            "about {column} ({})",
            list(values.iter().map(|value| value.get_ref().as_str()))
        ),
        SecretDemand::Diversity(measure) => {
            let factor = factor(measure).map_or_else(String::new, |c| format!(", c {c}"));
            format!("({}{factor}) about {column}", measure_word(measure))
        }
    }
}

fn certified(secret: &SecretPolicy) -> CertifiedSecrets {
    match &secret.demand {
        SecretDemand::Confidence {
            values: Some(values), ..
        } => CertifiedSecrets::Listed(values.iter().map(|value| value.get_ref().clone()).collect()),
        SecretDemand::Confidence { values: None, .. } | SecretDemand::Diversity(_) => CertifiedSecrets::every(),
    }
}

impl Described {
    /// `anonymity 5 of students`.
    pub fn words(&self) -> String {
        let template = self.demand.template();
        format!("{} {} {}", template.kind(), template.bound(), self.details)
    }

    /// `anonymity of students: 6 (at least 5)`.
    pub fn level_words(&self, level: f64) -> String {
        let template = self.demand.template();
        let level = Level::of(&template, level).written(template.sense());
        let keeps = match template.sense() {
            Sense::AtLeast => "at least",
            Sense::AtMost => "at most",
        };
        format!(
            "{} {}: {level} ({keeps} {})",
            template.kind(),
            self.details,
            template.bound()
        )
    }

    /// What failed.
    pub fn shortfall(&self, finding: &Finding) -> Shortfall {
        let template = self.demand.template();
        Shortfall {
            template: self.words(),
            level: Level::of(&template, finding.level).written(template.sense()),
            nearest: nearest_bound(&template, finding.level),
            final_for_finer: true,
        }
    }

    /// As the certificate says it; `of` is every quasi column of every table.
    pub fn certify(&self, of: &[String], finding: &Finding) -> CertifiedTemplate {
        let template = self.demand.template();
        let (measure, c) = match &self.demand {
            EntityDemand::Diversity { measure, .. } => (Some(measure_word(measure).to_owned()), factor(measure)),
            EntityDemand::Anonymity { .. } | EntityDemand::Confidence { .. } => (None, None),
        };
        CertifiedTemplate {
            kind: template.kind().to_owned(),
            part_of: None,
            of: of.to_vec(),
            any: None,
            per: Vec::new(),
            population: None,
            about: self.about.clone(),
            guarding: None,
            measure,
            c,
            distance: None,
            bound: Level::of(&template, template.bound()),
            level: Level::of(&template, finding.level),
            holds: finding.holds,
        }
    }
}
