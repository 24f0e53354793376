//! Comparing a release with the earlier versions of its columns, so that nobody is exposed by what changed.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use scumble_privacy::{
    ComparedTemplate, Demand, JoinDemand, Joined, Masking, Part, Per, Republication, Requirement, Secrets, THIS,
    Template,
};
use scumble_progress::{Stage, Watch};
use scumble_report::{Certificate, CertifiedMask};
use scumble_store::{Loaded, ReadError, Reading, Source, read};
use scumble_table::{ColumnId, Table};
use serde::Serialize;

use super::past::Version;
use crate::alike::{Holds, unite};
use crate::error::Error;
use crate::plan::Plan;
use crate::policy::{Policy, Role, Taxonomies, counted, quoted};
use crate::released::source_of_release;

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

/// A release that is about to be written, or was.
pub(crate) struct Newest<'a> {
    pub policy: &'a Policy,
    pub plan: &'a Plan<'a>,
    pub taxonomies: &'a Taxonomies,
    /// What a reader sees. Columns are those of the plan; it may lack the last of them.
    pub release: &'a Table,
    /// What is known of how it was masked.
    pub certificate: Option<&'a Certificate>,
}

impl Newest<'_> {
    /// Compares it with each earlier version.
    ///
    /// # Errors
    /// A version that cannot be read.
    pub fn compare(&self, versions: &[Version], watch: &dyn Watch) -> Result<Vec<ComparedVersion>, Error> {
        if versions.is_empty() {
            return Ok(Vec::new());
        }
        Stage::ComparingVersions.run(watch, |work| {
            let compared = work.phase("comparing", 0.0..1.0).count(versions.len());
            let compare = |version: &Version| {
                let found = self.compare_with(version, watch)?;
                compared.go_on(1)?;
                Ok(found)
            };
            versions.iter().map(compare).collect()
        })
    }

    fn compare_with(&self, version: &Version, watch: &dyn Watch) -> Result<ComparedVersion, Error> {
        let source = Source {
            trim: version.certificate.trims(),
            ..source_of_release(&version.entry.file, None)
        };
        let old = read_version(&source, self.policy, watch)?;
        let rows = old.rows() + self.release.rows();
        if u32::try_from(rows).is_err() {
            return Err(Error::TooManyRows(rows));
        }
        let (now, then) = (self.certificate.map(Certificate::masks), version.certificate.masks());
        let masking: Vec<Masking> = (0..self.plan.columns.len())
            .map(|id| self.masking(ColumnId(id), now.as_ref(), &then))
            .collect();
        let comparison = Republication {
            old: &old,
            new: self.release,
            masking: &masking,
        }
        .compare(&Requirement {
            templates: self.plan.requirement.templates.iter().map(of_this_table).collect(),
        });
        let templates = &self.plan.requirement.templates;
        let levels = |compared: &ComparedTemplate| ComparedLevels {
            template: self.plan.describe(&templates[compared.number]),
            stayed: exposed(&compared.stayed),
            came: exposed(&compared.came),
            gone: exposed(&compared.gone),
        };
        let skipped = |open: bool| {
            let skipped = comparison
                .skipped
                .iter()
                .filter(move |skipped| skipped.reason.is_open() == open);
            skipped
                .map(|skipped| self.plan.describe(&templates[skipped.number]))
                .collect()
        };
        Ok(ComparedVersion {
            name: version.entry.name.clone(),
            templates: comparison.templates.iter().map(levels).collect(),
            not_compared: skipped(false),
            cannot_be_compared: skipped(true),
        })
    }

    /// How a column is masked beside an earlier version. Only a mask of the whole column shows each value in one way, and
    /// only then do equal masks show people alike.
    fn masking(&self, id: ColumnId, now: Option<&CertifiedMasks>, then: &CertifiedMasks) -> Masking {
        let column = &self.plan.columns[id.0];
        let shown = |masks: &CertifiedMasks| match masks.get(&column.name[..]) {
            Some(mask) => HowShown::certified(*mask),
            None => HowShown::Unknown,
        };
        // A column that is not masked is shown as it is, whether or not a certificate says so.
        let unknown = if column.role == Role::Quasi {
            HowShown::Unknown
        } else {
            HowShown::Whole(None)
        };
        let now = now.map_or(unknown, shown);
        let then = shown(then);
        match (&now, &then) {
            (HowShown::Centre, _) | (_, HowShown::Centre) => Masking::Untold,
            (HowShown::Whole(now), HowShown::Whole(then)) if now == then => Masking::Alike,
            _ => {
                let column = self.policy.column(&column.name);
                Masking::Differs {
                    taxonomy: column.and_then(|column| self.taxonomies.shared(column)).map(Arc::clone),
                    old_recoded: then.hides_only_what_it_never_shows(),
                    new_recoded: now.hides_only_what_it_never_shows(),
                }
            }
        }
    }
}

/// How a certificate says that columns are masked, by name.
type CertifiedMasks<'c> = BTreeMap<&'c str, Option<&'c CertifiedMask>>;

/// How a version shows a column.
enum HowShown {
    /// Each value in one way, in all rows; without a mask as it is.
    Whole(Option<CertifiedMask>),
    /// Each group of rows in its own way, as something that its values are among.
    Groups,
    /// Each group of rows as its mean, median or mode, which the values of its people need not be near to.
    Centre,
    /// Nothing says how.
    Unknown,
}

impl HowShown {
    fn certified(mask: Option<&CertifiedMask>) -> Self {
        match mask {
            Some(CertifiedMask::Group { form }) => match &form[..] {
                "ancestor" | "interval" | "set" => HowShown::Groups,
                // Of a form that is not known, nothing is known to cover what is behind it.
                _ => HowShown::Centre,
            },
            Some(
                CertifiedMask::Generalize { .. } | CertifiedMask::Suppress { .. } | CertifiedMask::Discretize { .. },
            )
            | None => HowShown::Whole(mask.cloned()),
        }
    }

    /// Whether no value that is shown in one row is behind the `*` of another.
    fn hides_only_what_it_never_shows(&self) -> bool {
        matches!(self, HowShown::Whole(Some(CertifiedMask::Suppress { .. })))
    }
}

/// Reads a released file as its readers see it: every cell as text.
pub(crate) fn read_version(file: &Source, policy: &Policy, watch: &dyn Watch) -> Result<Table, Error> {
    let as_text = |header: &[String]| Ok::<_, ReadError>(vec![Reading::Text; header.len()]);
    let Loaded { mut table, .. } = read(file, false, as_text, watch)?;
    unite(&policy.columns, &mut table, Holds::Labels);
    Ok(table)
}

fn exposed(part: &Part) -> u64 {
    if part.holds { 0 } else { part.exposed }
}

/// A template as it is about this table alone: between two versions of it there is nothing to join.
fn of_this_table(template: &Template) -> Template {
    let demand = match &template.demand {
        Demand::Joined(Joined { demand, .. }) => match demand {
            JoinDemand::Anonymity {
                k,
                per: Per::Records { release: THIS },
            } => Demand::Anonymity { k: *k, per: Vec::new() },
            JoinDemand::Confidence { at_most, about } if about.iter().all(|secrets| secrets.place.release == THIS) => {
                let about = about.iter().map(|secrets| Secrets {
                    column: secrets.place.column,
                    values: secrets.values.clone(),
                });
                Demand::Confidence {
                    at_most: *at_most,
                    about: about.collect(),
                }
            }
            JoinDemand::Anonymity { .. } | JoinDemand::Confidence { .. } => template.demand.clone(),
        },
        other @ (Demand::Anonymity { .. }
        | Demand::KMap { .. }
        | Demand::Confidence { .. }
        | Demand::Diversity { .. }
        | Demand::Closeness { .. }
        | Demand::DeltaDisclosure { .. }
        | Demand::BetaLikeness { .. }
        | Demand::Personal { .. }
        | Demand::RangeDiversity { .. }) => other.clone(),
    };
    Template {
        of: template.of.clone(),
        demand,
    }
}
