//! [`Article29`]: three questions about a release, each with what speaks to it.
//!
//! The opinion asks whether a person can still be singled out, whether records about a person can be linked, and whether
//! something can be inferred of a person. No single figure answers any of them. So each answer lists the templates of the
//! policy that speak to it, the figures, and what nothing speaks to:
//!
//! | question | templates | figures |
//! |---|---|---|
//! | singling out | anonymity, k-map | rows alone, highest prosecutor risk, population uniques, people narrowed to one row |
//! | linkability | k-map | people narrowed to few rows, expected hits, journalist risk |
//! | inference | confidence, diversity, closeness, delta-disclosure, beta-likeness, personal, range-diversity | confidence of guesses |
//!
//! It never says that a release passes. That is for those who ask to judge.
//!
//! # Source
//! Article 29 Data Protection Working Party: *Opinion 05/2014 on Anonymisation Techniques*, WP216, 2014.

use scumble_attack::{KnownReport, PopulationUniques, Risks};
use scumble_privacy::TemplateKind;
use scumble_report::{CertifiedSecrets, CertifiedTemplate};
use serde::Serialize;

use scumble_policy::{Role, list};

/// What speaks to each of the three questions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Article29 {
    /// Can some or all records of a person be isolated?
    pub singling_out: Answer,
    /// Can records about one person be linked?
    pub linkability: Answer,
    /// Can a value be deduced, with significant probability, from other values?
    pub inference: Answer,
}

/// What speaks to one question.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Answer {
    /// The question.
    pub question: &'static str,
    /// The templates of the policy that speak to it, with their bounds and levels.
    pub templates: Vec<SpeakingTemplate>,
    /// The figures that speak to it.
    pub figures: Vec<Figure>,
    /// What nothing speaks to, in words.
    pub open: Vec<String>,
}

/// A template that speaks to a question.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SpeakingTemplate {
    /// The template, with what the audit found.
    #[serde(flatten)]
    pub template: CertifiedTemplate,
    /// What its level says.
    pub says: &'static str,
}

/// A figure that speaks to a question.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figure {
    /// What it counts or measures.
    pub figure: String,
    /// How much.
    pub value: f64,
}

/// All that may speak to a question.
#[derive(Clone, Debug)]
pub struct Evidence<'e> {
    /// The templates of the policy, with what was found.
    pub templates: &'e [CertifiedTemplate],
    /// The earlier releases that templates on the join are about.
    pub earlier: Vec<&'e str>,
    /// The published columns with their roles.
    pub columns: Vec<(&'e str, Role)>,
    /// The risks of the release alone.
    pub risks: Option<&'e Risks>,
    /// An attack with what others may know, if one was made.
    pub known: Option<&'e KnownReport>,
    /// An estimate of the population uniques, if one was made.
    pub uniques: Option<&'e PopulationUniques>,
}

/// Collects what speaks to each question.
pub fn article29(evidence: &Evidence) -> Article29 {
    Article29 {
        singling_out: evidence.singling_out(),
        linkability: evidence.linkability(),
        inference: evidence.inference(),
    }
}

const NO_ATTACK: &str = "no attack with what others may know was made";

impl Evidence<'_> {
    fn singling_out(&self) -> Answer {
        Answer {
            question: "Is it still possible to single out an individual?",
            templates: self.speaking(what_limits_singling_out),
            figures: self.singling_out_figures(),
            open: self.singling_out_open(),
        }
    }

    fn singling_out_figures(&self) -> Vec<Figure> {
        let mut figures = Vec::new();
        if let Some(risks) = self.risks {
            let of = list(risks.of.iter().map(String::as_str));
            figures.push(Figure::new(format!("rows alone on {of}"), risks.uniques as f64));
            figures.push(Figure::new("highest prosecutor risk", risks.prosecutor.highest));
        }
        if let Some(recommended) = self.uniques.and_then(|uniques| uniques.recommended) {
            figures.push(Figure::new(
                "estimated people alone in the population",
                recommended.uniques,
            ));
        }
        if let Some(known) = self.known {
            let by = list(known.shared.iter().map(String::as_str));
            let people = known.linkage.uniques as f64;
            figures.push(Figure::new(
                format!("known people narrowed to a single row by {by}"),
                people,
            ));
        }
        figures
    }

    fn singling_out_open(&self) -> Vec<String> {
        let speaking: Vec<&CertifiedTemplate> = self
            .templates
            .iter()
            .filter(|template| what_limits_singling_out(template).is_some())
            .collect();
        let mut open = Vec::new();
        if speaking.is_empty() {
            open.push("no template asks how many rows or people look alike".to_owned());
        } else {
            let covered = |name: &str| speaking.iter().any(|template| template.of.iter().any(|of| of == name));
            let quasi = self.columns(&[Role::Quasi]).into_iter();
            let uncovered: Vec<&str> = quasi.filter(|name| !covered(name)).collect();
            if !uncovered.is_empty() {
                open.push(format!(
                    "by quasi columns that no such template is on: {}",
                    list(uncovered)
                ));
            }
        }
        for template in speaking.iter().filter(|template| template.any.is_some()) {
            let (any, of) = (
                template.any.unwrap_or_default(),
                list(template.of.iter().map(String::as_str)),
            );
            open.push(format!("by one who knows more than {any} of {of}"));
        }
        let others = self.columns(&[Role::Sensitive, Role::Class, Role::Other]);
        if !others.is_empty() {
            open.push(format!(
                "by columns that are taken to be known to nobody: {}",
                list(others)
            ));
        }
        open
    }

    fn linkability(&self) -> Answer {
        let population = self.known.and_then(|known| known.population.as_ref());
        let mut figures = Vec::new();
        if let Some(known) = self.known {
            let k = known.linkage.k;
            let people = known.linkage.narrowed as f64;
            figures.push(Figure::new(
                format!("known people narrowed to fewer than {k} rows"),
                people,
            ));
        }
        if let Some(expected) = self.risks.and_then(|risks| risks.prosecutor.expected) {
            figures.push(Figure::new(
                "rows hit by one who links each to somebody in the release",
                expected,
            ));
        }
        if let Some(population) = population {
            let highest = population.journalist.highest;
            figures.push(Figure::new("highest journalist risk in the population", highest));
        }
        let templates = self.speaking(|template| {
            let is_k_map = kind_of(template) == Some(TemplateKind::KMap);
            is_k_map.then_some("a row can be linked to no fewer people of the population")
        });
        let mut open = vec![match &self.earlier[..] {
            [] => "other releases about the same people are not looked at here".to_owned(),
            earlier => format!(
                "the templates are about the join with {}; further releases are not looked at",
                list(earlier.iter().copied())
            ),
        }];
        if templates.is_empty() && population.is_none() {
            open.push("no population was compared with; the prosecutor risk is an upper bound".to_owned());
        }
        open.extend(self.without_attack());
        Answer {
            question: "Is it still possible to link records relating to an individual?",
            templates,
            figures,
            open,
        }
    }

    fn inference(&self) -> Answer {
        let inferred = self.known.iter().flat_map(|known| &known.inference);
        let figures = inferred.flat_map(|secret| {
            let column = &secret.column;
            [
                Figure::new(format!("highest confidence of a guess of {column}"), secret.highest),
                Figure::new(
                    format!("confidence of a guess of {column} knowing nothing"),
                    secret.baseline,
                ),
                Figure::new(format!("people whose {column} is certain"), secret.certain as f64),
            ]
        });
        Answer {
            question: "Can information be inferred concerning an individual?",
            templates: self.speaking(what_limits_inference),
            figures: figures.collect(),
            open: self.inference_open(),
        }
    }

    fn inference_open(&self) -> Vec<String> {
        let sensitive = self.columns(&[Role::Sensitive]);
        let mut open = Vec::new();
        if sensitive.is_empty() {
            open.push("no published column is said to be sensitive".to_owned());
        }
        for column in sensitive {
            let templates = self.templates.iter();
            let about = templates.filter(|template| what_limits_inference(template).is_some());
            let secrets: Vec<&CertifiedSecrets> = about.filter_map(|template| template.about.get(column)).collect();
            let is_every = |secrets: &&CertifiedSecrets| matches!(secrets, CertifiedSecrets::Every(_));
            if secrets.is_empty() {
                open.push(format!("no template limits what is inferred of {column}"));
            } else if !secrets.iter().any(is_every) {
                open.push(format!("only some values of {column} are in a template"));
            }
        }
        let others = self.columns(&[Role::Class, Role::Other]);
        if !others.is_empty() {
            open.push(format!(
                "columns that are published but not called sensitive: {}",
                list(others)
            ));
        }
        open.extend(self.without_attack());
        open
    }

    fn speaking(&self, says: impl Fn(&CertifiedTemplate) -> Option<&'static str>) -> Vec<SpeakingTemplate> {
        let templates = self.templates.iter();
        let speaking = templates.filter_map(|template| {
            let says = says(template)?;
            let template = template.clone();
            Some(SpeakingTemplate { template, says })
        });
        speaking.collect()
    }

    /// The published columns with one of these roles.
    fn columns(&self, roles: &[Role]) -> Vec<&str> {
        let fitting = self.columns.iter().filter(|(_, role)| roles.contains(role));
        fitting.map(|&(name, _)| name).collect()
    }

    fn without_attack(&self) -> Option<String> {
        self.known.is_none().then(|| NO_ATTACK.to_owned())
    }
}

impl Figure {
    fn new(figure: impl Into<String>, value: f64) -> Self {
        let figure = figure.into();
        Figure { figure, value }
    }
}

/// The kind of a template; `None` if a later version wrote it, of which nothing can be said here.
fn kind_of(template: &CertifiedTemplate) -> Option<TemplateKind> {
    TemplateKind::of_word(&template.kind)
}

/// What a template says of singling out, if it does.
fn what_limits_singling_out(template: &CertifiedTemplate) -> Option<&'static str> {
    match kind_of(template)? {
        TemplateKind::Anonymity if template.per.is_empty() => {
            Some("so many rows look alike at least, whoever is looked for")
        }
        TemplateKind::Anonymity => {
            Some("rows that look alike have so many different values of the columns counted at least")
        }
        TemplateKind::KMap => Some("so many people of the population look like any row at least"),
        TemplateKind::Confidence
        | TemplateKind::Diversity
        | TemplateKind::Closeness
        | TemplateKind::DeltaDisclosure
        | TemplateKind::BetaLikeness
        | TemplateKind::Personal
        | TemplateKind::RangeDiversity => None,
    }
}

/// What a template says of inference, if it does.
fn what_limits_inference(template: &CertifiedTemplate) -> Option<&'static str> {
    match kind_of(template)? {
        TemplateKind::Confidence => Some("a secret is inferred with no more confidence from any group"),
        TemplateKind::Diversity => Some("the sensitive values of any group are so well represented at least"),
        TemplateKind::Closeness => Some("sensitive values are distributed in any group almost as in all rows"),
        TemplateKind::DeltaDisclosure => {
            Some("no sensitive value is much more or less frequent in a group than in all rows")
        }
        TemplateKind::BetaLikeness => Some("no sensitive value is much more frequent in a group than in all rows"),
        TemplateKind::Personal => Some("nobody is inferred to have what they guard with more confidence"),
        TemplateKind::RangeDiversity => Some("no group gives away the sensitive ranges of its values more surely"),
        TemplateKind::Anonymity | TemplateKind::KMap => None,
    }
}
