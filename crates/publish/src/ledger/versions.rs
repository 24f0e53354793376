//! Comparing a release with the earlier versions of its columns, so that nobody is exposed by what changed.

use std::fmt;
use std::sync::Arc;

use scumble_privacy::{
    ComparedTemplate, Demand, JoinDemand, Joined, Masking, Part, Per, Republication, Requirement, Secrets, THIS,
    Template,
};
use scumble_refine::Operation;
use scumble_report::Certificate;
use scumble_store::{Loaded, ReadError, Reading, Source, Watch, read};
use scumble_table::{ColumnId, Released, ReleasedColumn, Table};
use serde::Serialize;

use super::past::Version;
use crate::error::Error;
use crate::plan::Plan;
use crate::policy::{Policy, Taxonomies, counted, quoted};

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
    /// Templates that two versions are not compared by.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_compared: Vec<String>,
}

/// What two versions tell together of one template: the records exposed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ComparedLevels {
    /// The template in words.
    pub template: String,
    /// Records of people who are in both versions, and whom comparing them exposes.
    pub stayed: u64,
    /// Records of people who came; absent where the versions are masked differently.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub came: Option<u64>,
    /// Records of people who left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gone: Option<u64>,
}

impl ComparedVersion {
    /// Whether nobody is exposed, those aside who may be.
    pub fn holds(&self, newcomers: Newcomers) -> bool {
        let changed = |template: &ComparedLevels| template.came.unwrap_or(0) + template.gone.unwrap_or(0);
        let mut templates = self.templates.iter();
        templates.all(|template| template.stayed == 0 && (newcomers == Newcomers::Report || changed(template) == 0))
    }
}

impl fmt::Display for ComparedVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let exposed = self.templates.iter().filter_map(ComparedLevels::in_words);
        let exposed: Vec<String> = exposed.collect();
        let name = quoted(&self.name);
        match exposed.is_empty() {
            true => write!(f, "compared with release {name}, nobody is exposed by what changed"),
            false => write!(f, "compared with release {name}: {}", exposed.join("; ")),
        }
    }
}

impl ComparedLevels {
    /// Who is exposed; `None` for nobody.
    fn in_words(&self) -> Option<String> {
        let parts = [
            (Some(self.stayed), "of people in both versions"),
            (self.came, "of people who came"),
            (self.gone, "of people who left"),
        ];
        let parts = parts.into_iter().filter_map(|(records, who)| {
            let records = records.filter(|&records| records > 0)?;
            Some(format!("{} {who}", counted(records as usize, "record")))
        });
        let parts: Vec<String> = parts.collect();
        (!parts.is_empty()).then(|| format!("{} break {}", parts.join(", "), self.template))
    }
}

/// A release that is about to be written.
pub(crate) struct Newest<'a> {
    pub policy: &'a Policy,
    pub plan: &'a Plan<'a>,
    pub taxonomies: &'a Taxonomies,
    pub release: &'a Released,
    pub certificate: &'a Certificate,
}

impl Newest<'_> {
    /// Compares it with each earlier version.
    ///
    /// # Errors
    /// A version that cannot be read, or that exposes somebody who must not be.
    pub fn compare(
        &self,
        versions: &[Version],
        newcomers: Newcomers,
        watch: &dyn Watch,
    ) -> Result<Vec<ComparedVersion>, Error> {
        let compared = versions.iter().map(|version| self.compare_with(version, watch));
        let compared = compared.collect::<Result<Vec<_>, Error>>()?;
        match compared.iter().all(|version| version.holds(newcomers)) {
            true => Ok(compared),
            false => Err(Error::Republication(compared)),
        }
    }

    fn compare_with(&self, version: &Version, watch: &dyn Watch) -> Result<ComparedVersion, Error> {
        let as_text = |header: &[String]| Ok::<_, ReadError>(vec![Reading::Text; header.len()]);
        let Loaded { table: old, .. } = read(&Source::new(&version.entry.file), false, as_text, watch)?;
        let rows = old.rows() + self.release.rows();
        if u32::try_from(rows).is_err() {
            return Err(Error::TooManyRows(rows));
        }
        let columns = self.release.columns().iter().map(ReleasedColumn::as_read);
        let new = Table::new(self.release.rows(), columns.collect());
        let masking: Vec<Masking> = (0..self.plan.columns.len())
            .map(|id| self.masking(ColumnId(id), version))
            .collect();
        let comparison = Republication {
            old: &old,
            new: &new,
            masking: &masking,
        }
        .compare(&Requirement {
            templates: self.plan.requirement.templates.iter().map(of_this_table).collect(),
        });
        let templates = &self.plan.requirement.templates;
        let levels = |compared: &ComparedTemplate| ComparedLevels {
            template: self.plan.describe(&templates[compared.number]),
            stayed: exposed(&compared.stayed),
            came: compared.came.as_ref().map(exposed),
            gone: compared.gone.as_ref().map(exposed),
        };
        let in_words = |&number: &usize| self.plan.describe(&templates[number]);
        Ok(ComparedVersion {
            name: version.entry.name.clone(),
            templates: comparison.templates.iter().map(levels).collect(),
            not_compared: comparison.skipped.iter().map(in_words).collect(),
        })
    }

    /// How a column is masked beside an earlier version.
    fn masking(&self, id: ColumnId, version: &Version) -> Masking {
        let name = &self.plan.columns[id.0].name;
        let (now, then) = (self.certificate.masks(), version.certificate.masks());
        if now.get(&name[..]) == then.get(&name[..]) {
            return Masking::Alike;
        }
        let column = self.policy.column(name);
        let quasi = self.plan.quasi.iter().find(|quasi| quasi.id == id);
        Masking::Differs {
            taxonomy: column.and_then(|column| self.taxonomies.shared(column)).map(Arc::clone),
            recoded: quasi.is_some_and(|quasi| matches!(quasi.operation, Operation::Suppress)),
        }
    }
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
