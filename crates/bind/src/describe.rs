//! Templates in words, for messages and for the certificate.
//!
//! | template | in words |
//! |---|---|
//! | 4-anonymity on {job, sex} | `anonymity 4 of job, sex` |
//! | at most 0.75 of HIV in every group on {job} | `confidence 0.75 about disease (HIV) of job` |
//! | 4-anonymity of matches on {job, zip} and the zip of an earlier release | `anonymity 4 of job, zip, clinic2024.zip per join` |
//! | entropy 3-diversity of diseases for any two columns | `diversity 3 (entropy) about disease of any 2 of job, sex, age` |

use std::collections::BTreeMap;

use scumble_privacy::{
    Demand, Distance, Diversity, Finding, JoinDemand, Joined, Per, Place, SecretValues, Sense, THIS, Template,
};
use scumble_report::{CertifiedSecrets, CertifiedTemplate, Level};
use scumble_table::{ColumnId, Interval, SensitiveRange, SensitiveRanges};

use crate::plan::Plan;
use scumble_policy::{JOIN_WORD, THIS_WORD, counted, list};

impl Plan {
    /// A template in words: `anonymity 4 of job, sex`.
    pub fn describe(&self, template: &Template) -> String {
        let bound = template.bound();
        format!("{} {bound} {}", template.kind(), self.details(template))
    }

    /// A template with its level, in words: `anonymity of job, sex: 16 (at least 4)`.
    pub fn describe_level(&self, template: &Template, level: f64) -> String {
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
                let secrets = about
                    .iter()
                    .map(|about| self.secrets(here(about.column), &about.values));
                format!("about {} {of}", secrets.collect::<Vec<_>>().join(", "))
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
            Demand::RangeDiversity { about, ranges, .. } => {
                format!("({}) about {} {of}", ranges_words(ranges), named(about))
            }
            Demand::Joined(joined) => self.joined_details(joined, &of),
        }
    }

    fn joined_details(&self, joined: &Joined, of: &str) -> String {
        match &joined.demand {
            JoinDemand::Anonymity { per, .. } => match &self.per_words(per)[..] {
                [] => of.to_owned(),
                words => format!("{of} per {}", list(words.iter().map(String::as_str))),
            },
            JoinDemand::Confidence { about, .. } => {
                let secrets = about.iter().map(|about| self.secrets(about.place, &about.values));
                format!("about {} {of}", secrets.collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// What is counted on the join; nothing for records of this table.
    fn per_words(&self, per: &Per) -> Vec<String> {
        match per {
            Per::Join => vec![JOIN_WORD.to_owned()],
            Per::Records { release: THIS } => Vec::new(),
            Per::Records { release } => vec![self.earlier[release - 1].name.clone()],
            Per::Columns(places) => places.iter().map(|&place| self.place_name(place)).collect(),
        }
    }

    /// What an adversary knows: `of job, sex` or `of any 2 of job, sex, age`.
    fn known(&self, template: &Template) -> String {
        let columns = self.of_words(template);
        let columns = list(columns.iter().map(String::as_str));
        match template.of.any {
            Some(any) => format!("of any {any} of {columns}"),
            None => format!("of {columns}"),
        }
    }

    /// The columns of the quasi-identifier, those of earlier releases last. Where one of them has a copy that is not among
    /// them, `this.zip` says that only this table's is.
    fn of_words(&self, template: &Template) -> Vec<String> {
        let elsewhere = template.joined().map_or(&[][..], |joined| &joined.of);
        let is_alone = |name: &str| template.joined().is_some() && self.has_copy_outside(name, elsewhere);
        let own = template.of.columns.iter().map(|&id| match self.column_name(id) {
            name if is_alone(name) => format!("{THIS_WORD}.{name}"),
            name => name.to_owned(),
        });
        own.chain(elsewhere.iter().map(|&place| self.place_name(place)))
            .collect()
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
    fn secrets(&self, place: Place, values: &SecretValues) -> String {
        let column = self.place_name(place);
        match self.secret_words(place, values) {
            Some(words) => format!("{column} ({})", list(words.iter().map(String::as_str))),
            None => column,
        }
    }

    /// Each secret as one word: the value, or the node above all values of the set. `None` for every value.
    fn secret_words(&self, place: Place, values: &SecretValues) -> Option<Vec<String>> {
        let SecretValues::Sets(sets) = values else {
            return None;
        };
        if place.release != THIS {
            // The word of the policy comes first, before the labels that say it.
            return Some(sets.iter().filter_map(|set| set.first().cloned()).collect());
        }
        let taxonomy = self.columns[place.column.0].taxonomy();
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
    pub fn certify<'f>(&self, findings: impl IntoIterator<Item = Option<&'f Finding>>) -> Vec<CertifiedTemplate> {
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
            of: self.of_words(template),
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
                let secrets = about.iter();
                entry.about = secrets
                    .map(|about| self.certified(here(about.column), &about.values))
                    .collect();
            }
            Demand::Diversity { measure, .. } => {
                entry.measure = Some(measure_word(measure).to_owned());
                entry.c = factor(measure);
            }
            Demand::Closeness { distance, .. } => entry.distance = Some(distance_word(distance).to_owned()),
            Demand::DeltaDisclosure { .. } => {}
            Demand::BetaLikeness { enhanced, .. } => entry.measure = Some(likeness_word(*enhanced).to_owned()),
            Demand::Personal { guarding, .. } => entry.guarding = Some(name(guarding)),
            Demand::RangeDiversity { ranges, .. } => entry.measure = Some(ranges_words(ranges)),
            Demand::Joined(joined) => match &joined.demand {
                JoinDemand::Anonymity { per, .. } => entry.per = self.per_words(per),
                JoinDemand::Confidence { about, .. } => {
                    let secrets = about.iter();
                    entry.about = secrets
                        .map(|about| self.certified(about.place, &about.values))
                        .collect();
                }
            },
        }
        if let Some(about) = sensitive_column(&template.demand) {
            entry.about = BTreeMap::from([(name(&about), CertifiedSecrets::every())]);
        }
        entry
    }

    /// A column and its secrets, as the certificate says them.
    fn certified(&self, place: Place, values: &SecretValues) -> (String, CertifiedSecrets) {
        let words = self.secret_words(place, values).map(CertifiedSecrets::Listed);
        (self.place_name(place), words.unwrap_or_else(CertifiedSecrets::every))
    }
}

/// A column of this table.
fn here(column: ColumnId) -> Place {
    Place { release: THIS, column }
}

/// The bounds that a level would keep, in words: `at most 3`. `None` if there are none.
pub fn nearest_bound(template: &Template, level: f64) -> Option<String> {
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
        Demand::Anonymity { .. } | Demand::KMap { .. } | Demand::Confidence { .. } | Demand::Joined(_) => None,
        Demand::Diversity { about, .. }
        | Demand::Closeness { about, .. }
        | Demand::DeltaDisclosure { about, .. }
        | Demand::BetaLikeness { about, .. }
        | Demand::Personal { about, .. }
        | Demand::RangeDiversity { about, .. } => Some(*about),
    }
}

/// The word of the policy.
pub fn measure_word(measure: &Diversity) -> &'static str {
    match measure {
        Diversity::Distinct { .. } => "distinct",
        Diversity::Entropy { .. } => "entropy",
        Diversity::Recursive { .. } => "recursive",
    }
}

/// The factor of recursive diversity.
pub fn factor(measure: &Diversity) -> Option<f64> {
    match measure {
        Diversity::Recursive { c, .. } => Some(*c),
        Diversity::Distinct { .. } | Diversity::Entropy { .. } => None,
    }
}

/// The word of the policy.
pub fn distance_word(distance: &Distance) -> &'static str {
    match distance {
        Distance::Equal => "equal",
        Distance::Ordered => "ordered",
        Distance::Taxonomy(_) => "taxonomy",
    }
}

/// The word of the policy.
pub fn likeness_word(enhanced: bool) -> &'static str {
    if enhanced { "enhanced" } else { "basic" }
}

/// What must not be learnt of sensitive values: `width 10`, `level 1`, `intervals [0, 4], [80, 99]`, or how many
/// values have a range of their own.
fn ranges_words(ranges: &SensitiveRanges) -> String {
    match ranges.range() {
        SensitiveRange::Width(width) => format!("width {width}"),
        SensitiveRange::Level(level) => format!("level {level}"),
        SensitiveRange::Intervals(intervals) => {
            let intervals: Vec<String> = intervals.iter().map(Interval::to_string).collect();
            format!("intervals {}", intervals.join(", "))
        }
        SensitiveRange::Table(pairs) => counted(pairs.len(), "value"),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use scumble_privacy::{JoinSecrets, QuasiIdentifier};

    use super::*;
    use scumble_table::{Domain, Forms};

    use crate::binding::bind;
    use crate::earlier::{PlannedEarlier, PlannedEarlierColumn};
    use scumble_policy::{OnDangling, Policy, Taxonomies};

    const PATIENTS: &str = "[data]\nfile = 'a.csv'\n[columns]\njob = { role = 'quasi' }\nzip = { role = 'quasi' }\n\
                            [[require]]\nanonymity = 4\n";

    /// What the certificate says of a template on {job} and the zip code and disease of a clinic.
    fn entry(demand: JoinDemand) -> CertifiedTemplate {
        let policy = Policy::parse(PATIENTS, "policy.toml", Path::new("")).unwrap();
        let taxonomies = Taxonomies::default();
        let mut plan = bind(&policy, &["job", "zip"].map(str::to_owned), &[], &taxonomies).unwrap();
        let column = |name: &str| PlannedEarlierColumn {
            name: name.to_owned(),
            forms: Forms::exact(Domain::Words),
            is_declared: false,
        };
        plan.earlier = vec![PlannedEarlier {
            name: "clinic".to_owned(),
            columns: vec![column("zip"), column("disease")],
            copies: vec!["zip".to_owned()],
            quasi: Vec::new(),
            recoded: Vec::new(),
            on_dangling: OnDangling::Error,
        }];
        let of = vec![clinic(0)];
        plan.entry(&Template {
            of: QuasiIdentifier::all(vec![ColumnId(0)]),
            demand: Demand::Joined(Joined { of, demand }),
        })
    }

    fn clinic(column: usize) -> Place {
        let column = ColumnId(column);
        Place { release: 1, column }
    }

    #[test]
    fn a_certificate_names_the_release_of_a_column() {
        let per = |per: Per| {
            let entry = entry(JoinDemand::Anonymity { k: 4, per });
            assert_eq!(
                (&entry.kind[..], &entry.of),
                ("anonymity", &vec!["job".to_owned(), "clinic.zip".to_owned()])
            );
            entry.per
        };
        assert!(per(Per::Records { release: THIS }).is_empty());
        assert_eq!(per(Per::Records { release: 1 }), ["clinic"]);
        assert_eq!(per(Per::Join), ["join"]);
        assert_eq!(
            per(Per::Columns(vec![here(ColumnId(1)), clinic(1)])),
            ["zip", "clinic.disease"]
        );
    }

    /// The word of the policy is told, not the labels of the release that say it.
    #[test]
    fn a_certificate_tells_a_secret_by_the_word_of_the_policy() {
        let labels = ["Viral", "HIV", "{Flu|HIV}"].map(str::to_owned);
        let secrets = |values: SecretValues| {
            let about = vec![JoinSecrets {
                place: clinic(1),
                values,
            }];
            let entry = entry(JoinDemand::Confidence { at_most: 0.5, about });
            entry.about["clinic.disease"].clone()
        };
        let viral = CertifiedSecrets::Listed(vec!["Viral".to_owned()]);
        assert_eq!(secrets(SecretValues::Sets(vec![labels.to_vec()])), viral);
        assert_eq!(secrets(SecretValues::Every), CertifiedSecrets::every());
    }
}
