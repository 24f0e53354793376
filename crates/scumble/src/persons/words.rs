//! What must hold of persons, in words, for messages, the page and the certificate.
//!
//! | demand | in words |
//! |---|---|
//! | 5 students show the same in all tables | `anonymity 5 of students` |
//! | two grades in every group of rows | `diversity 2 (distinct) about courses.grade` |
//! | F for at most half of the persons of a group | `confidence 0.5 about courses.grade (F)` |
//! | grades of every group of rows as in all | `closeness 0.2 (equal) about courses.grade` |

use std::collections::BTreeMap;

use scumble_privacy::{EntityDemand, Finding, Sense};
use scumble_report::{CertifiedSecrets, CertifiedTemplate, Level};

use crate::shortfall::Shortfall;
use scumble_bind::{TablesPlan, distance_word, factor, likeness_word, measure_word, nearest_bound};
use scumble_policy::{Policy, SecretDemand, SecretPolicy, list};

/// A demand with its words.
pub(super) struct Described {
    pub demand: EntityDemand,
    /// What it is of or about.
    details: String,
    about: BTreeMap<String, CertifiedSecrets>,
}

/// The demands of a policy, in their order: anonymity, then what is asked of secrets.
pub(super) fn described(policy: &Policy, plan: &TablesPlan, demands: Vec<EntityDemand>) -> Vec<Described> {
    let persons = &plan.tables[0].name;
    let secrets = policy.secrets_of_persons().into_iter().map(|secret| {
        let column = format!("{}.{}", plan.tables[secret.table].name, secret.column.get_ref());
        (column, listed(&secret))
    });
    // Anonymity is of the table of persons, and about nothing.
    let of_what = std::iter::once((persons.clone(), None)).chain(secrets);
    let described = demands.into_iter().zip(of_what).map(|(demand, (name, values))| {
        let details = details(&demand, &name, values.as_deref());
        let certified = values.map_or_else(CertifiedSecrets::every, CertifiedSecrets::Listed);
        Described {
            about: match &demand {
                EntityDemand::Anonymity { .. } => BTreeMap::new(),
                EntityDemand::Confidence { .. }
                | EntityDemand::Diversity { .. }
                | EntityDemand::Closeness { .. }
                | EntityDemand::DeltaDisclosure { .. }
                | EntityDemand::BetaLikeness { .. } => BTreeMap::from([(name, certified)]),
            },
            demand,
            details,
        }
    });
    described.collect()
}

/// The values that a policy lists one by one.
fn listed(secret: &SecretPolicy) -> Option<Vec<String>> {
    match &secret.demand {
        SecretDemand::Confidence { values, .. } => {
            let values = values.as_ref()?.iter();
            Some(values.map(|value| value.get_ref().clone()).collect())
        }
        SecretDemand::Diversity(_)
        | SecretDemand::Closeness { .. }
        | SecretDemand::DeltaDisclosure { .. }
        | SecretDemand::BetaLikeness { .. } => None,
    }
}

/// What a demand is of or about: a table, or a column with the values that are listed.
fn details(demand: &EntityDemand, name: &str, values: Option<&[String]>) -> String {
    match (demand, values) {
        (EntityDemand::Anonymity { .. }, _) => format!("of {name}"),
        (EntityDemand::Confidence { .. }, Some(values)) => {
            format!("about {name} ({})", list(values.iter().map(String::as_str)))
        }
        (EntityDemand::Confidence { .. } | EntityDemand::DeltaDisclosure { .. }, _) => format!("about {name}"),
        (EntityDemand::Diversity { measure, .. }, _) => {
            let factor = factor(measure).map_or_else(String::new, |c| format!(", c {c}"));
            format!("({}{factor}) about {name}", measure_word(measure))
        }
        (EntityDemand::Closeness { distance, .. }, _) => format!("({}) about {name}", distance_word(distance)),
        (EntityDemand::BetaLikeness { enhanced, .. }, _) => format!("({}) about {name}", likeness_word(*enhanced)),
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
        let keeps = match (&self.demand, template.sense()) {
            (EntityDemand::DeltaDisclosure { .. }, _) => "below",
            (_, Sense::AtLeast) => "at least",
            (_, Sense::AtMost) => "at most",
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
        let (measure, c, distance) = match &self.demand {
            EntityDemand::Diversity { measure, .. } => (Some(measure_word(measure)), factor(measure), None),
            EntityDemand::Closeness { distance, .. } => (None, None, Some(distance_word(distance))),
            EntityDemand::BetaLikeness { enhanced, .. } => (Some(likeness_word(*enhanced)), None, None),
            EntityDemand::Anonymity { .. } | EntityDemand::Confidence { .. } | EntityDemand::DeltaDisclosure { .. } => {
                (None, None, None)
            }
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
            measure: measure.map(str::to_owned),
            c,
            distance: distance.map(str::to_owned),
            bound: Level::of(&template, template.bound()),
            level: Level::of(&template, finding.level),
            holds: finding.holds,
        }
    }
}
