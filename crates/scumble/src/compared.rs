//! [`ComparedVersion`]: what a release tells beside an earlier version of its columns.

use std::fmt;

use scumble_policy::{counted, quoted};
use serde::Serialize;

/// What to do about people who came or left between two versions, where so few did that the difference gives them away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Newcomers {
    /// Publish nothing.
    #[default]
    Protect,
    /// Publish, and say so.
    Report,
}

/// A release compared with an earlier version of its columns.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ComparedVersion {
    /// The earlier version.
    pub name: String,
    /// Each template that was compared.
    pub templates: Vec<ComparedLevels>,
    /// Templates that two versions are not compared by: of these, nothing is said about the versions together.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_compared: Vec<String>,
    /// Templates that two versions are compared by, but not these two, because what they show does not say who may be in
    /// which group. Somebody may be exposed, so they count as broken.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cannot_be_compared: Vec<String>,
}

/// What two versions tell together of one template: the records exposed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ComparedLevels {
    /// The template in words.
    pub template: String,
    /// Records of people who are in both versions, and whom comparing them exposes.
    pub stayed: u64,
    /// Records of people who came.
    pub came: u64,
    /// Records of people who left.
    pub gone: u64,
}

impl ComparedVersion {
    /// Whether nobody is exposed, as far as templates were compared, those aside who may be.
    pub fn holds(&self, newcomers: Newcomers) -> bool {
        let changed = |template: &ComparedLevels| template.came + template.gone;
        let holds = |template: &ComparedLevels| {
            template.stayed == 0 && (newcomers == Newcomers::Report || changed(template) == 0)
        };
        self.cannot_be_compared.is_empty() && self.templates.iter().all(holds)
    }

    /// What was found of the templates that were compared.
    fn found(&self) -> Option<String> {
        let exposed: Vec<String> = self.templates.iter().filter_map(ComparedLevels::in_words).collect();
        match (&self.templates[..], &self.not_compared[..]) {
            _ if !exposed.is_empty() => Some(exposed.join("; ")),
            ([], _) => None,
            (_, []) if self.cannot_be_compared.is_empty() => Some("nobody is exposed by what changed".to_owned()),
            (compared, _) => {
                let names: Vec<&str> = compared.iter().map(|levels| &levels.template[..]).collect();
                Some(format!("what changed breaks nothing of {}", names.join("; ")))
            }
        }
    }
}

impl fmt::Display for ComparedVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = quoted(&self.name);
        let listed =
            |templates: &[String], why: &str| (!templates.is_empty()).then(|| why.to_owned() + &templates.join("; "));
        let parts = [
            self.found(),
            listed(
                &self.cannot_be_compared,
                "what both show does not say who may be in which group, so they cannot be compared by ",
            ),
            listed(
                &self.not_compared,
                "not compared, so that nothing is known of what both tell together: ",
            ),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        match self.templates.is_empty() {
            false => write!(f, "compared with release {name}: {}", parts.join("; ")),
            true => write!(f, "compared with release {name} by no template: {}", parts.join("; ")),
        }
    }
}

impl ComparedLevels {
    /// Who is exposed; `None` for nobody.
    fn in_words(&self) -> Option<String> {
        let parts = [
            (self.stayed, "of people in both versions"),
            (self.came, "of people who came"),
            (self.gone, "of people who left"),
        ];
        let parts = parts.into_iter().filter(|(records, _)| *records > 0);
        let parts = parts.map(|(records, who)| format!("{} {who}", counted(records as usize, "record")));
        let parts: Vec<String> = parts.collect();
        (!parts.is_empty()).then(|| format!("{} break {}", parts.join(", "), self.template))
    }
}
