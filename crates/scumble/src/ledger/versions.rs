//! Comparing a release with the earlier versions of its columns, so that nobody is exposed by what changed.

use crate::sources::read_text;
use std::collections::BTreeMap;
use std::sync::Arc;

use scumble_privacy::{
    ComparedTemplate, Demand, JoinDemand, Joined, Masking, Part, Per, Republication, Requirement, Secrets, THIS,
    Template,
};
use scumble_progress::{Stage, Watch};
use scumble_report::{Certificate, CertifiedMask};
use scumble_store::FileSource;
use scumble_table::{ColumnId, Table};

use super::past::Version;
use crate::compared::{ComparedLevels, ComparedVersion};
use crate::error::Error;
use crate::errors::InputError;
use crate::released::source_of_release;
use scumble_bind::Plan;
use scumble_bind::{Holds, unite};
use scumble_policy::{Policy, Role, Taxonomies};

/// A release that is about to be written, or was.
pub(crate) struct Newest<'a> {
    pub policy: &'a Policy,
    pub plan: &'a Plan,
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
    /// More rows than can be numbered; a watcher that asks to stop.
    pub fn compare(&self, versions: &[ReadVersion], watch: &dyn Watch) -> Result<Vec<ComparedVersion>, Error> {
        if versions.is_empty() {
            return Ok(Vec::new());
        }
        Stage::ComparingVersions.run(watch, |work| {
            let compared = work.phase("comparing", 0.0..1.0).count(versions.len());
            let compare = |version: &ReadVersion| {
                let found = self.compare_with(version)?;
                compared.go_on(1)?;
                Ok(found)
            };
            versions.iter().map(compare).collect()
        })
    }

    fn compare_with(&self, ReadVersion { version, table: old }: &ReadVersion) -> Result<ComparedVersion, Error> {
        let rows = old.rows() + self.release.rows();
        if u32::try_from(rows).is_err() {
            return Err(InputError::TooManyRows(rows).into());
        }
        let (now, then) = (self.certificate.map(Certificate::masks), version.certificate.masks());
        let masking: Vec<Masking> = (0..self.plan.columns.len())
            .map(|id| self.masking(ColumnId(id), now.as_ref(), &then))
            .collect();
        let comparison = Republication {
            old,
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

/// An earlier version with its rows.
#[derive(Clone, Debug)]
pub(crate) struct ReadVersion {
    pub version: Version,
    /// What a reader sees.
    pub table: Table,
}

impl ReadVersion {
    /// Reads the file of a version.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn read(version: Version, policy: &Policy, watch: &dyn Watch) -> Result<ReadVersion, Error> {
        let source = FileSource {
            trim: version.certificate.trims(),
            ..source_of_release(&version.entry.file, None)
        };
        let table = read_version(&source, policy, watch)?;
        Ok(ReadVersion { version, table })
    }
}

/// Reads a released file as its readers see it: every cell as text.
pub(crate) fn read_version(file: &FileSource, policy: &Policy, watch: &dyn Watch) -> Result<Table, Error> {
    let mut table = read_text(file, watch)?;
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
