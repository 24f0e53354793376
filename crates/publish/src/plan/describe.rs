//! Templates in words, for messages and for the certificate.
//!
//! | template | in words |
//! |---|---|
//! | 4-anonymity on {job, sex} | `anonymity 4 of job, sex` |
//! | at most 0.75 of HIV in every group on {job} | `confidence 0.75 about disease (HIV) of job` |
//! | entropy 3-diversity of diseases for any two columns | `diversity 3 (entropy) about disease of any 2 of job, sex, age` |

use std::collections::BTreeMap;

use scumble_privacy::{Demand, Distance, Diversity, Finding, SecretValues, Secrets, Sense, Template};
use scumble_report::{CertifiedSecrets, CertifiedTemplate, Level};
use scumble_table::ColumnId;

use super::Plan;
use crate::policy::list;

impl Plan<'_> {
    /// A template in words: `anonymity 4 of job, sex`.
    pub fn describe(&self, template: &Template) -> String {
        let bound = template.bound();
        format!("{} {bound} {}", template.kind(), self.details(template))
    }

    /// A template with its level, in words: `anonymity of job, sex: 16 (at least 4)`.
    pub(crate) fn describe_level(&self, template: &Template, level: f64) -> String {
        let (kind, details, bound) = (template.kind(), self.details(template), template.bound());
        let level = Level::of(template, level).written(template.sense());
        let keeps = match (&template.demand, template.sense()) {
            (Demand::DeltaDisclosure { .. }, _) => "below",
            (_, Sense::AtLeast) => "at least",
            (_, Sense::AtMost) => "at most",
        };
        format!("{kind} {details}: {level} ({keeps} {bound})")
    }

    /// All but the kind and the bound.
    fn details(&self, template: &Template) -> String {
        let of = self.known(template);
        let named = |about: &ColumnId| self.column_name(*about);
        match &template.demand {
            Demand::Anonymity { per, .. } if per.is_empty() => of,
            Demand::Anonymity { per, .. } => format!("{of} per {}", self.names(per)),
            Demand::KMap { population, .. } => format!("({}) {of}", self.population_name(*population)),
            Demand::Confidence { about, .. } => {
                let secrets: Vec<String> = about.iter().map(|secrets| self.secrets(secrets)).collect();
                format!("about {} {of}", secrets.join(", "))
            }
            Demand::Diversity { about, measure } => {
                let factor = factor(measure).map_or_else(String::new, |c| format!(", c {c}"));
                format!("({}{factor}) about {} {of}", measure_word(measure), named(about))
            }
            Demand::Closeness { about, distance, .. } => {
                format!("({}) about {} {of}", distance_word(distance), named(about))
            }
            Demand::DeltaDisclosure { about, .. } => format!("about {} {of}", named(about)),
            Demand::BetaLikeness { about, enhanced, .. } => {
                format!("({}) about {} {of}", likeness_word(*enhanced), named(about))
            }
            Demand::Personal { about, guarding, .. } => {
                format!("about {} guarding {} {of}", named(about), named(guarding))
            }
        }
    }

    /// What an adversary knows: `of job, sex` or `of any 2 of job, sex, age`.
    fn known(&self, template: &Template) -> String {
        let columns = self.names(&template.of.columns);
        match template.of.any {
            Some(any) => format!("of any {any} of {columns}"),
            None => format!("of {columns}"),
        }
    }

    fn column_name(&self, id: ColumnId) -> &str {
        &self.columns[id.0].name
    }

    fn names(&self, ids: &[ColumnId]) -> String {
        list(ids.iter().map(|&id| self.column_name(id)))
    }

    fn population_name(&self, population: usize) -> String {
        let name = self.populations[population].file.get_ref().file_name();
        name.unwrap_or_default().to_string_lossy().into_owned()
    }

    /// `disease (HIV, Flu)`, or the column alone for every value.
    fn secrets(&self, secrets: &Secrets) -> String {
        let column = self.column_name(secrets.column);
        match self.secret_words(secrets) {
            Some(words) => format!("{column} ({})", list(words.iter().map(String::as_str))),
            None => column.to_owned(),
        }
    }

    /// Each secret as one word: the value, or the node above all values of the set. `None` for every value.
    fn secret_words(&self, secrets: &Secrets) -> Option<Vec<String>> {
        let SecretValues::Sets(sets) = &secrets.values else {
            return None;
        };
        let taxonomy = self.columns[secrets.column.0].taxonomy;
        let node_of = |set: &[String]| {
            let taxonomy = taxonomy?;
            let start = taxonomy.leaf(set.first()?)?;
            let covers = start..start + set.len();
            let node = taxonomy.nodes().find(|&node| taxonomy.leaves_under(node) == covers)?;
            Some(taxonomy.label(node).to_owned())
        };
        let word = |set: &Vec<String>| match &set[..] {
            [value] => value.clone(),
            several => node_of(several).unwrap_or_else(|| several.join(", ")),
        };
        Some(sets.iter().map(word).collect())
    }

    /// Each template with what the audit found, as the certificate says it; those of which it found nothing are left out.
    pub(crate) fn certify<'f>(
        &self,
        findings: impl IntoIterator<Item = Option<&'f Finding>>,
    ) -> Vec<CertifiedTemplate> {
        let templates = self.requirement.templates.iter().zip(&self.part_of);
        let entries = templates.zip(findings).filter_map(|((template, part_of), finding)| {
            let finding = finding?;
            Some(CertifiedTemplate {
                part_of: part_of.clone(),
                level: Level::of(template, finding.level),
                holds: finding.holds,
                ..self.entry(template)
            })
        });
        entries.collect()
    }

    /// What a template demands.
    fn entry(&self, template: &Template) -> CertifiedTemplate {
        let name = |id: &ColumnId| self.column_name(*id).to_owned();
        let mut entry = CertifiedTemplate {
            kind: template.kind().to_owned(),
            part_of: None,
            of: template.of.columns.iter().map(name).collect(),
            any: template.of.any,
            per: Vec::new(),
            population: None,
            about: BTreeMap::new(),
            guarding: None,
            measure: None,
            c: None,
            distance: None,
            bound: Level::of(template, template.bound()),
            level: Level::Infinite,
            holds: false,
        };
        match &template.demand {
            Demand::Anonymity { per, .. } => entry.per = per.iter().map(name).collect(),
            Demand::KMap { population, .. } => entry.population = Some(self.population_name(*population)),
            Demand::Confidence { about, .. } => {
                let secrets = about.iter().map(|secrets| {
                    let words = self.secret_words(secrets).map(CertifiedSecrets::Listed);
                    (name(&secrets.column), words.unwrap_or_else(CertifiedSecrets::every))
                });
                entry.about = secrets.collect();
            }
            Demand::Diversity { measure, .. } => {
                entry.measure = Some(measure_word(measure).to_owned());
                entry.c = factor(measure);
            }
            Demand::Closeness { distance, .. } => entry.distance = Some(distance_word(distance).to_owned()),
            Demand::DeltaDisclosure { .. } => {}
            Demand::BetaLikeness { enhanced, .. } => entry.measure = Some(likeness_word(*enhanced).to_owned()),
            Demand::Personal { guarding, .. } => entry.guarding = Some(name(guarding)),
        }
        if let Some(about) = sensitive_column(&template.demand) {
            entry.about = BTreeMap::from([(name(&about), CertifiedSecrets::every())]);
        }
        entry
    }
}

/// The bounds that a level would keep, in words: `at most 3`. `None` if there are none.
pub(crate) fn nearest_bound(template: &Template, level: f64) -> Option<String> {
    let level = Level::of(template, level);
    if matches!(level, Level::Count(0) | Level::Infinite) {
        return None;
    }
    let which = match (&template.demand, template.sense()) {
        (Demand::DeltaDisclosure { .. }, _) => "above",
        (_, Sense::AtLeast) => "at most",
        (_, Sense::AtMost) => "at least",
    };
    Some(format!("{which} {}", level.written(template.sense())))
}

/// The column of a demand that is about all values of one.
fn sensitive_column(demand: &Demand) -> Option<ColumnId> {
    match demand {
        Demand::Anonymity { .. } | Demand::KMap { .. } | Demand::Confidence { .. } => None,
        Demand::Diversity { about, .. }
        | Demand::Closeness { about, .. }
        | Demand::DeltaDisclosure { about, .. }
        | Demand::BetaLikeness { about, .. }
        | Demand::Personal { about, .. } => Some(*about),
    }
}

fn measure_word(measure: &Diversity) -> &'static str {
    match measure {
        Diversity::Distinct { .. } => "distinct",
        Diversity::Entropy { .. } => "entropy",
        Diversity::Recursive { .. } => "recursive",
    }
}

fn factor(measure: &Diversity) -> Option<f64> {
    match measure {
        Diversity::Recursive { c, .. } => Some(*c),
        _ => None,
    }
}

fn distance_word(distance: &Distance) -> &'static str {
    match distance {
        Distance::Equal => "equal",
        Distance::Ordered => "ordered",
        Distance::Taxonomy(_) => "taxonomy",
    }
}

fn likeness_word(enhanced: bool) -> &'static str {
    if enhanced { "enhanced" } else { "basic" }
}
