//! A policy as [`Facts`]: every setting that decides what is published, as TOML, with its defaults written out.
//!
//! Invariant: two texts that ask the same of a table make the same facts, and [`Facts::to_toml`] is a text that asks
//! it. Where the data is, where the release goes and what was published before are no facts of the table.

use std::path::Path;

use scumble_privacy::Diversity;
use scumble_table::SensitiveRange;
use toml_writer::ToTomlKey;

use crate::column::{ALIKE, ColumnKind, ColumnPolicy, FORMS};
use crate::data::{Data, Missing};
use crate::earlier::JOIN_WORD;
use crate::method::{Approach, CENTRES, COSTS, Gathering, Method, NEAREST, Opening, WEIGHED};
use crate::policy::Policy;
use crate::release::{FORMATS, Formulas, Release, UNLISTED, Unlisted};
use crate::require::{About, AboutValues, Counting, DISTANCES, Kind, LIKENESSES, Of, Require};
use crate::words::word_of;
use crate::written::{Setting, WritePath, inline, lines, number, relative, text, texts};

/// What a policy asks of a table, section by section.
pub struct Facts {
    /// How cells are read.
    pub data: Vec<Setting>,
    /// The columns in tie order, by name.
    pub columns: Vec<(String, Vec<Setting>)>,
    /// What must hold, one list per section.
    pub require: Vec<Vec<Setting>>,
    /// How to search.
    pub method: Vec<Setting>,
    /// What to write.
    pub release: Vec<Setting>,
}

impl Policy {
    /// What the policy asks of a table; paths are written relative to `folder`.
    pub fn facts(&self, folder: &Path) -> Facts {
        let path = |path: &Path| text(&relative(path, folder));
        let columns = self.columns.iter();
        let columns = columns.map(|column| (column.name.get_ref().clone(), of_column(column, &path)));
        let require = self.require.iter();
        let require = require.map(|section| of_require(section.get_ref(), &path));
        Facts {
            data: of_data(&self.data),
            columns: columns.collect(),
            require: require.collect(),
            method: of_method(&self.method),
            release: of_release(&self.release),
        }
    }
}

impl Facts {
    /// A policy that asks this of the table in a file.
    pub fn to_toml(&self, file: &str) -> String {
        let columns = self.columns.iter();
        let columns = columns.map(|(name, settings)| column_line(name, settings));
        let mut document = format!("[data]\nfile = {}\n{}", text(file), lines(&self.data));
        document.push_str("\n[columns]\n");
        document.extend(columns);
        for section in &self.require {
            document.push_str(&format!("\n[[require]]\n{}", lines(section)));
        }
        document.push_str(&format!("\n[method]\n{}", lines(&self.method)));
        document.push_str(&format!("\n[release]\n{}", lines(&self.release)));
        document
    }
}

/// What is said of a column, on a line.
pub(crate) fn column_line(name: &str, settings: &[Setting]) -> String {
    let settings = settings.iter().map(|(key, value)| (key, value));
    format!("{} = {}\n", name.to_toml_key(), inline(settings))
}

pub(crate) fn of_data(data: &Data) -> Vec<Setting> {
    vec![
        ("missing", text(word_of(data.missing, &Missing::WORDS))),
        ("missing_marks", texts(&data.missing_marks)),
        ("trim", data.trim.to_string()),
    ]
}

pub(crate) fn of_release(release: &Release) -> Vec<Setting> {
    let mut settings = vec![("format", text(word_of(release.format, &FORMATS)))];
    // What is not said is not told: agreements that do not speak of it are the same as before.
    if release.formulas != Formulas::Report {
        settings.push(("formulas", text(release.formulas.word())));
    }
    if release.unlisted != Unlisted::LeaveOut {
        settings.push(("unlisted", text(word_of(release.unlisted, &UNLISTED))));
    }
    settings
}

pub(crate) fn of_column(column: &ColumnPolicy, path: &WritePath) -> Vec<Setting> {
    let mut settings = vec![("role", text(column.role.word()))];
    match &column.kind {
        ColumnKind::Categorical { taxonomy } => {
            settings.push(("type", text("categorical")));
            settings.extend(taxonomy.as_ref().map(|file| ("taxonomy", path(file.get_ref()))));
        }
        ColumnKind::Continuous { range } => {
            settings.push(("type", text("continuous")));
            settings.extend(range.map(|range| {
                let whole = range.whole();
                ("range", format!("[{:?}, {:?}]", whole.from, whole.to))
            }));
        }
    }
    let form = column.form.as_ref();
    settings.extend(form.map(|form| ("form", text(word_of(*form.get_ref(), &FORMS)))));
    settings.extend(column.alike.map(|alike| ("alike", text(word_of(alike, &ALIKE)))));
    let ranges = column.sensitive_ranges.as_ref();
    settings.extend(ranges.map(|ranges| ("sensitive_ranges", of_sensitive_ranges(ranges.get_ref()))));
    settings.extend(column.unique.then(|| ("unique", true.to_string())));
    settings
}

fn of_sensitive_ranges(ranges: &SensitiveRange) -> String {
    match ranges {
        SensitiveRange::Width(width) => number(*width),
        SensitiveRange::Level(level) => level.to_string(),
        SensitiveRange::Intervals(intervals) => texts(intervals.iter().map(ToString::to_string)),
        SensitiveRange::Table(pairs) => inline(pairs.iter().map(|(value, range)| (value, text(range)))),
    }
}

fn of_require(require: &Require, path: &WritePath) -> Vec<Setting> {
    let mut settings = of_kind(&require.kind, path);
    settings.push(("of", of_quasi_identifier(&require.of)));
    settings
}

/// The columns that an adversary knows, those of earlier releases aside.
pub(crate) fn of_quasi_identifier(of: &Of) -> String {
    let columns = texts(&of.columns);
    match of.any {
        Some(any) => inline([("any", any.to_string()), ("columns", columns)]),
        None => columns,
    }
}

pub(crate) fn of_kind(kind: &Kind, path: &WritePath) -> Vec<Setting> {
    match kind {
        Kind::Anonymity { k, per } => {
            let mut settings = vec![("anonymity", k.to_string())];
            settings.extend(of_counting(per).map(|per| ("per", per)));
            settings
        }
        Kind::KMap { k, population } => vec![("k-map", k.to_string()), ("population", path(population.get_ref()))],
        Kind::Confidence { at_most, about } => vec![("confidence", number(*at_most)), ("about", of_secrets(about))],
        Kind::AlphaK { alpha, k, about } => vec![
            ("alpha", number(*alpha)),
            ("k", k.to_string()),
            ("about", of_secrets(about)),
        ],
        Kind::Diversity { measure, about } => {
            let mut settings = of_diversity(measure);
            settings.push(("about", text(about)));
            settings
        }
        Kind::PSensitive { p, k, about } => {
            vec![
                ("p-sensitive", p.to_string()),
                ("k", k.to_string()),
                ("about", text(about)),
            ]
        }
        Kind::Closeness {
            at_most,
            distance,
            about,
        } => vec![
            ("closeness", number(*at_most)),
            ("distance", text(word_of(*distance, &DISTANCES))),
            ("about", text(about)),
        ],
        Kind::DeltaDisclosure { below, about } => vec![("delta-disclosure", number(*below)), ("about", text(about))],
        Kind::BetaLikeness {
            at_most,
            enhanced,
            about,
        } => vec![
            ("beta-likeness", number(*at_most)),
            ("kind", text(word_of(*enhanced, &LIKENESSES))),
            ("about", text(about)),
        ],
        Kind::Personal {
            at_most,
            about,
            guarding,
        } => vec![
            ("personal", number(*at_most)),
            ("about", text(about)),
            ("guarding", text(guarding)),
        ],
        Kind::RangeDiversity { at_most, about } => vec![("range-diversity", number(*at_most)), ("about", text(about))],
    }
}

/// What is counted instead of records.
fn of_counting(per: &Counting) -> Option<String> {
    match per {
        Counting::Records => None,
        Counting::Join => Some(text(JOIN_WORD)),
        Counting::RecordsOf(release) => Some(text(release.get_ref())),
        Counting::Columns(names) => Some(texts(names.iter().map(|name| name.get_ref()))),
    }
}

fn of_diversity(measure: &Diversity) -> Vec<Setting> {
    match measure {
        Diversity::Distinct { l } => vec![("diversity", l.to_string()), ("kind", text("distinct"))],
        Diversity::Entropy { l } => vec![("diversity", number(*l)), ("kind", text("entropy"))],
        Diversity::Recursive { c, l } => vec![
            ("diversity", l.to_string()),
            ("kind", text("recursive")),
            ("c", number(*c)),
        ],
    }
}

/// Columns with their secrets, each value with its bound.
fn of_secrets(about: &[About]) -> String {
    inline(about.iter().map(|About { column, values }| {
        let values = match values {
            AboutValues::Every => text("*"),
            AboutValues::Listed(listed) => {
                inline(listed.iter().map(|(value, bound)| (value.get_ref(), number(*bound))))
            }
        };
        (column.get_ref(), values)
    }))
}

pub(crate) fn of_method(method: &Method) -> Vec<Setting> {
    let mut settings = vec![("name", text(method.approach.word()))];
    if method.approach == Approach::Refine {
        settings.push(("objective", text(method.objective_word())));
        settings.push(("weigh", text(word_of(method.weigh, &WEIGHED))));
    }
    settings.extend(of_approach(method.approach));
    if says_budget(method) {
        settings.push(("rows_suppressed_at_most", number(method.rows_suppressed_at_most)));
    }
    settings.push(("seed", method.seed.to_string()));
    settings.extend(method.steps.map(|steps| ("steps", steps.to_string())));
    settings
}

/// Whether a method has a row budget that can be said. Without one, upc leaves out as many rows as it must, and persons
/// are never left out by number.
fn says_budget(method: &Method) -> bool {
    let usual = match method.approach {
        Approach::Persons(_) => 0.0,
        Approach::Gather(Gathering::Upc { .. }) => 1.0,
        Approach::Refine | Approach::FullDomain(_) | Approach::Gather(_) | Approach::Anatomy => return true,
    };
    method.rows_suppressed_at_most != usual
}

/// The settings that are an approach's own.
fn of_approach(approach: Approach) -> Vec<Setting> {
    let rows = |key, rows: Option<usize>| rows.map(|rows| (key, rows.to_string()));
    let share = |key, share: Option<f64>| share.map(|share| (key, number(share)));
    let word = |key, word| Some((key, text(word)));
    let settings = match approach {
        Approach::Refine
        | Approach::Anatomy
        | Approach::Gather(Gathering::Local | Gathering::KMember | Gathering::KMemberP) => vec![],
        Approach::FullDomain(cost) => vec![word("objective", word_of(cost, &COSTS))],
        Approach::Gather(Gathering::Toc {
            utility_weight,
            threshold,
            subspace,
            nearest,
        }) => vec![
            share("utility_weight", Some(utility_weight)),
            share("threshold", threshold),
            rows("subspace", subspace),
            word("nearest", word_of(nearest, &NEAREST)),
        ],
        Approach::Gather(Gathering::Upc { loss_at_most, subspace }) => {
            vec![share("loss_at_most", Some(loss_at_most)), rows("subspace", subspace)]
        }
        Approach::Gather(Gathering::Mondrian { strict }) => vec![Some(("strict", strict.to_string()))],
        Approach::Gather(Gathering::Microaggregation { centre }) => vec![word("centre", word_of(centre, &CENTRES))],
        Approach::Persons(gathering) => {
            let Opening { threshold, climit } = gathering.opening().unwrap_or_default();
            vec![share("threshold", threshold), rows("climit", climit)]
        }
    };
    settings.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What only a policy can ask for; the tests of agreements ask for the rest.
    const POLICY: &str = r#"
[data]
file = "patients.csv"
missing_marks = ["?", "a\"b\n"]
[columns]
job = { role = "quasi" }
"zip.code" = { role = "quasi" }
illness = { role = "sensitive" }
paid = { role = "class" }
visit = { role = "other", unique = true }
[[require]]
anonymity = 4
of = { any = 1 }
[[require]]
k-map = 5
population = "people.csv"
[[require]]
anonymity = 3
per = "join"
[[require]]
anonymity = 2
per = "clinic"
[method]
objective = "classification"
rows_suppressed_at_most = 0.25
[release]
unlisted = "publish"
"#;

    #[test]
    fn facts_make_a_policy_that_asks_the_same() {
        let folder = Path::new("clinic");
        let policy = Policy::parse(POLICY, "policy.toml", folder).unwrap_or_else(|error| panic!("{error}"));
        let text = policy.facts(folder).to_toml("patients.csv");
        let again = Policy::parse(&text, "facts.toml", folder).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(again.data, policy.data);
        assert_eq!(again.columns, policy.columns);
        assert_eq!(again.method, policy.method);
        assert_eq!(again.release, policy.release);
        let asked = |policy: &Policy| {
            let sections = policy.require.iter().map(|section| section.get_ref().clone());
            let asked = sections.map(|require| (require.kind, require.of.columns, require.of.any));
            asked.collect::<Vec<_>>()
        };
        assert_eq!(asked(&again), asked(&policy));
        assert_eq!(again.facts(folder).to_toml("patients.csv"), text);
    }
}
