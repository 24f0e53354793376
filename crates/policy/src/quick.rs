//! The quick form: a policy from the flags of a command line, for a first try without a file.
//!
//! The flags are written out as the text of a policy and that text is parsed, so a quick policy is checked like any
//! other, and saving it gives the file that says the same.
//!
//! Why not a typed policy, written by [`Policy::to_toml`](crate::Policy::to_toml)? Flags hold words (`--objective`,
//! `--format`, `--unlisted`) and bounds that may be wrong, and only the parser knows the nearest right word and the range of
//! each; a typed policy could not even hold them. And `to_toml` writes every setting out, while the file that is saved from a
//! first try should say what its owner said: four lines to go on from, not forty.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use toml_writer::{ToTomlKey, ToTomlValue};

use crate::column::Role;
use crate::problems::Problems;
use crate::text::PolicyText;
use crate::words::quoted;

/// A policy in flags.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Quick {
    /// The data.
    pub data: PathBuf,
    /// Columns that others may know of a person.
    pub quasi: Vec<String>,
    /// Columns that must not be inferred.
    pub sensitive: Vec<String>,
    /// The column that the data is to predict.
    pub class: Option<String>,
    /// Columns that name a person.
    pub identifier: Vec<String>,
    /// Columns that are published as they are, and are none of these.
    pub other: Vec<String>,
    /// Which of the other columns are published though nearly every row may have a value of its own.
    pub unique: Vec<String>,
    /// `[release] unlisted`.
    pub unlisted: Option<String>,
    /// Which of these columns hold numbers to be published as ranges.
    pub continuous: Vec<String>,
    /// Taxonomy files of these columns.
    pub taxonomies: Vec<(String, PathBuf)>,
    /// The k of k-anonymity on all quasi columns.
    pub anonymity: Option<u64>,
    /// The confidence with which no sensitive value may be inferred.
    pub confidence: Option<f64>,
    /// How many different values of each sensitive column a group must have.
    pub diversity: Option<f64>,
    /// How far the sensitive values of a group may be distributed from those of the whole.
    pub closeness: Option<f64>,
    /// `[method] objective`.
    pub objective: Option<String>,
    /// `[method] rows_suppressed_at_most`.
    pub rows_suppressed_at_most: Option<f64>,
    /// `[method] steps`.
    pub steps: Option<usize>,
    /// `[release] folder`.
    pub folder: Option<PathBuf>,
    /// `[release] format`.
    pub format: Option<String>,
}

impl Quick {
    /// The policy that says the same, after the checks that its text cannot make.
    pub(super) fn text(&self) -> Result<PolicyText, Problems> {
        let text = PolicyText::of_command_line(&self.to_toml());
        let mut problems = Problems::new(&text);
        self.check_roles(&mut problems);
        self.check_paths(&mut problems);
        self.check_secrets(&mut problems);
        problems.none_or(text)
    }

    /// Columns with their roles, in the order that decides ties.
    fn roles(&self) -> impl Iterator<Item = (&str, Role)> {
        let class = self.class.as_slice();
        let roles = [
            (&self.quasi[..], Role::Quasi),
            (&self.sensitive, Role::Sensitive),
            (class, Role::Class),
            (&self.identifier, Role::Identifier),
            (&self.other, Role::Other),
        ];
        let named = |(names, role)| {
            let names: &[String] = names;
            names.iter().map(move |name| (name.as_str(), role))
        };
        roles.into_iter().flat_map(named)
    }

    /// A column has one role, and whatever else is said is said of a column with a role.
    fn check_roles(&self, problems: &mut Problems) {
        let roles: Vec<(&str, Role)> = self.roles().collect();
        for (place, (name, role)) in roles.iter().enumerate() {
            if let Some((_, first)) = roles[..place].iter().find(|(other, _)| other == name) {
                let (first, role) = (first.word(), role.word());
                let message = format!("column {} is given twice, as {first} and as {role}", quoted(name));
                problems.overall(message, Some("give each column one role".to_owned()));
            }
        }
        let continuous = self.continuous.iter().map(|name| (name, "is continuous"));
        let taxonomies = self.taxonomies.iter().map(|(name, _)| (name, "has a taxonomy"));
        let masked = continuous.chain(taxonomies).map(|(name, what)| (name, what, "quasi"));
        let unique = self.unique.iter().map(|name| (name, "is unique", "other"));
        for (name, what, among) in masked.chain(unique) {
            if !roles.iter().any(|(other, _)| other == name) {
                let message = format!("column {} {what} but has no role", quoted(name));
                problems.overall(message, Some(format!("name it among the {among} columns, too")));
            }
        }
    }

    fn check_paths(&self, problems: &mut Problems) {
        let taxonomies = self.taxonomies.iter().map(|(_, path)| path);
        for path in taxonomies.chain([&self.data]).chain(&self.folder) {
            if path.to_str().is_none() {
                let message = format!("the path {} is not UTF-8", quoted(&path.to_string_lossy()));
                problems.overall(message, None);
            }
        }
    }

    /// What must not be inferred has to be said.
    fn check_secrets(&self, problems: &mut Problems) {
        let bounds = [self.confidence, self.diversity, self.closeness];
        if self.sensitive.is_empty() && bounds.iter().any(Option::is_some) {
            let message = "confidence, diversity and closeness are about sensitive columns, and there are none";
            let help = "name the columns that must not be inferred as sensitive".to_owned();
            problems.overall(message, Some(help));
        }
    }

    /// The sections that say what must hold.
    fn require(&self) -> Vec<String> {
        let mut sections = Vec::new();
        sections.extend(self.anonymity.map(|k| format!("anonymity = {k}")));
        sections.extend(self.confidence.map(|bound| {
            let every = self
                .sensitive
                .iter()
                .map(|name| format!("{} = \"*\"", name.to_toml_key()));
            let every: Vec<String> = every.collect();
            format!("confidence = {bound:?}\nabout = {{ {} }}", every.join(", "))
        }));
        for (kind, bound) in [("diversity", self.diversity), ("closeness", self.closeness)] {
            let Some(bound) = bound else { continue };
            let section = |name: &String| format!("{kind} = {bound:?}\nabout = {}", name.to_toml_value());
            sections.extend(self.sensitive.iter().map(section));
        }
        sections
    }

    fn to_toml(&self) -> String {
        let mut text = String::new();
        let mut line = |line: String| text.extend([&line, "\n"]);
        line(format!("[data]\nfile = {}\n\n[columns]", path(&self.data)));
        for (name, role) in self.roles() {
            line(format!("{} = {{ {} }}", name.to_toml_key(), self.settings(name, role)));
        }
        for section in self.require() {
            line(format!("\n[[require]]\n{section}"));
        }
        let method = [
            self.objective
                .as_ref()
                .map(|word| format!("objective = {}", word.to_toml_value())),
            self.rows_suppressed_at_most
                .map(|share| format!("rows_suppressed_at_most = {share:?}")),
            self.steps.map(|steps| format!("steps = {steps}")),
        ];
        let release = [
            self.folder.as_ref().map(|folder| format!("folder = {}", path(folder))),
            self.format
                .as_ref()
                .map(|word| format!("format = {}", word.to_toml_value())),
            self.unlisted
                .as_ref()
                .map(|word| format!("unlisted = {}", word.to_toml_value())),
        ];
        for (name, settings) in [("method", &method[..]), ("release", &release[..])] {
            if settings.iter().any(Option::is_some) {
                line(format!("\n[{name}]"));
            }
            settings.iter().flatten().cloned().for_each(&mut line);
        }
        text
    }

    fn settings(&self, name: &str, role: Role) -> String {
        let mut settings = format!("role = \"{}\"", role.word());
        if self.continuous.iter().any(|other| other == name) {
            settings.push_str(", type = \"continuous\"");
        }
        if let Some((_, file)) = self.taxonomies.iter().find(|(other, _)| other == name) {
            // Writing to a string cannot fail.
            let _ = write!(settings, ", taxonomy = {}", path(file));
        }
        if self.unique.iter().any(|other| other == name) {
            settings.push_str(", unique = true");
        }
        settings
    }
}

fn path(path: &Path) -> String {
    path.to_string_lossy().to_toml_value()
}
