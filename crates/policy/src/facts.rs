//! A policy as [`Facts`]: every setting that decides what is published, as TOML, with its defaults written out.
//!
//! Invariant: two texts that ask the same of a table make the same facts, and [`Facts::to_toml`] is a text that asks
//! it. Where the data is, where the release goes and what was published before are no facts of the table.

use std::fmt::Display;
use std::path::{Component, Path, PathBuf};

use scumble_privacy::Diversity;
use scumble_table::SensitiveRange;
use toml_writer::{ToTomlKey, ToTomlValue, TomlStringBuilder};

use crate::column::{ALIKE, ColumnKind, ColumnPolicy, FORMS};
use crate::data::{Data, Missing};
use crate::earlier::JOIN_WORD;
use crate::method::{Approach, Method, WEIGHED};
use crate::policy::Policy;
use crate::release::{FORMATS, Formulas, Release, UNLISTED, Unlisted};
use crate::require::{About, AboutValues, Counting, DISTANCES, Kind, LIKENESSES, Of, Require};
use crate::words::word_of;

/// A key of a section, and its value as TOML on one line.
pub type Setting = (&'static str, String);

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
        let columns = self.columns.iter();
        let columns = columns.map(|column| (column.name.get_ref().clone(), of_column(column, folder)));
        let require = self.require.iter();
        let require = require.map(|section| of_require(section.get_ref(), folder));
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
        let columns = columns.map(|(name, settings)| {
            let settings = settings.iter().map(|(key, value)| (key, value));
            format!("{} = {}\n", name.to_toml_key(), inline(settings))
        });
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

fn of_data(data: &Data) -> Vec<Setting> {
    vec![
        ("missing", text(word_of(data.missing, &Missing::WORDS))),
        ("missing_marks", texts(&data.missing_marks)),
        ("trim", data.trim.to_string()),
    ]
}

fn of_release(release: &Release) -> Vec<Setting> {
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

fn of_column(column: &ColumnPolicy, folder: &Path) -> Vec<Setting> {
    let mut settings = vec![("role", text(column.role.word()))];
    match &column.kind {
        ColumnKind::Categorical { taxonomy } => {
            settings.push(("type", text("categorical")));
            settings.extend(taxonomy.as_ref().map(|file| ("taxonomy", path(file.get_ref(), folder))));
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

fn of_require(require: &Require, folder: &Path) -> Vec<Setting> {
    let mut settings = of_kind(&require.kind, folder);
    settings.push(("of", of_quasi_identifier(&require.of)));
    settings
}

/// The columns that an adversary knows, those of earlier releases aside.
fn of_quasi_identifier(of: &Of) -> String {
    let columns = texts(&of.columns);
    match of.any {
        Some(any) => inline([("any", any.to_string()), ("columns", columns)]),
        None => columns,
    }
}

fn of_kind(kind: &Kind, folder: &Path) -> Vec<Setting> {
    match kind {
        Kind::Anonymity { k, per } => {
            let mut settings = vec![("anonymity", k.to_string())];
            settings.extend(of_counting(per).map(|per| ("per", per)));
            settings
        }
        Kind::KMap { k, population } => vec![
            ("k-map", k.to_string()),
            ("population", path(population.get_ref(), folder)),
        ],
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

fn of_method(method: &Method) -> Vec<Setting> {
    let mut settings = vec![("name", text(method.approach.word()))];
    if method.approach == Approach::Refine {
        settings.push(("objective", text(method.objective_word())));
        settings.push(("weigh", text(word_of(method.weigh, &WEIGHED))));
    }
    let own = method.approach.settings().into_iter();
    settings.extend(own.map(|(key, value)| (key, text(&value))));
    settings.push(("rows_suppressed_at_most", number(method.rows_suppressed_at_most)));
    settings.push(("seed", method.seed.to_string()));
    settings.extend(method.steps.map(|steps| ("steps", steps.to_string())));
    settings
}

/// A text in quotes, on one line whatever it holds.
pub fn text(text: &str) -> String {
    TomlStringBuilder::new(text).as_basic().to_toml_value()
}

/// A list of texts.
pub fn texts(list: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let list: Vec<String> = list.into_iter().map(|one| text(one.as_ref())).collect();
    format!("[{}]", list.join(", "))
}

fn path(path: &Path, folder: &Path) -> String {
    text(&relative(path, folder))
}

/// A path relative to `folder`, if it is in there, however it was written: `./trees//job.csv` is `trees/job.csv`.
pub fn relative(path: &Path, folder: &Path) -> String {
    let rest = path.strip_prefix(folder).unwrap_or(path).components();
    let rest: PathBuf = rest.filter(|part| *part != Component::CurDir).collect();
    match rest.to_string_lossy() {
        rest if rest.is_empty() => ".".to_owned(),
        rest => rest.into_owned(),
    }
}

fn number(number: f64) -> String {
    format!("{number:?}")
}

/// A table on one line.
fn inline<K: AsRef<str>, V: Display>(settings: impl IntoIterator<Item = (K, V)>) -> String {
    let settings = settings.into_iter();
    let settings = settings.map(|(key, value)| format!("{} = {value}", key.as_ref().to_toml_key()));
    format!("{{ {} }}", settings.collect::<Vec<_>>().join(", "))
}

fn lines(settings: &[Setting]) -> String {
    settings
        .iter()
        .map(|(key, value)| format!("{key} = {value}\n"))
        .collect()
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

    #[test]
    fn a_path_is_told_from_the_folder_of_its_policy() {
        let relative = |path: &str| relative(&Path::new("clinic").join(path), Path::new("clinic"));
        assert_eq!(relative("./trees//job.csv"), "trees/job.csv");
        assert_eq!(relative("../job.csv"), "../job.csv");
        assert_eq!(relative("/trees/job.csv"), "/trees/job.csv");
        assert_eq!(relative("."), ".");
    }
}
