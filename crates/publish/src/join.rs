//! The join of a table with its earlier releases: read, checked, and whether all of them cover the same people.

use std::fmt;

use scumble_privacy::History;
use scumble_refine::dangling;
use scumble_store::Watch;
use scumble_table::Table;
use serde::Serialize;

use crate::earlier::read_earlier;
use crate::error::Error;
use scumble_bind::Plan;
use scumble_policy::{OnDangling, Policy, counted, quoted};

/// What the templates of a plan on the join speak of.
#[derive(Debug, Default)]
pub(crate) struct Join {
    /// The earlier releases.
    pub history: History,
    /// Who is in them.
    pub cover: Cover,
}

/// How far a table and its earlier releases are about the same people.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Cover {
    /// Records of this table that are in no match at all, of all releases together.
    pub without_match: u64,
    /// The earlier releases.
    pub releases: Vec<JoinedRelease>,
}

/// An earlier release, beside this table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct JoinedRelease {
    /// What the policy or the ledger calls it.
    pub name: String,
    /// Its records.
    pub records: usize,
    /// Records of this table that match none of them.
    pub this_without_match: u64,
    /// Its records that are in no match.
    pub without_match: u64,
}

/// Reads the earlier releases of a plan and puts them beside its table.
///
/// # Errors
/// A release that cannot be read or understood, or does not cover the same people where it must.
pub(crate) fn join(policy: &Policy, plan: Plan, table: &Table, watch: &dyn Watch) -> Result<(Plan, Join), Error> {
    if policy.earlier.is_empty() {
        return Ok((plan, Join::default()));
    }
    let tables = read_earlier(policy, &plan, watch)?;
    let (plan, history) = plan.with_history(policy, table.rows(), tables)?;
    plan.check_doubts(policy, table, &history)?;
    let cover = Cover::new(table, &history);
    cover.check(policy)?;
    Ok((plan, Join { history, cover }))
}

impl Cover {
    fn new(table: &Table, history: &History) -> Self {
        let dangling = dangling(table, history);
        let releases = history.earlier.iter().zip(&dangling.earlier);
        Cover {
            without_match: dangling.of_this,
            releases: releases
                .map(|(earlier, dangling)| JoinedRelease {
                    name: earlier.name.clone(),
                    records: earlier.table.rows(),
                    this_without_match: dangling.of_this,
                    without_match: dangling.of_release,
                })
                .collect(),
        }
    }

    /// Whether every record of every release has a match.
    pub fn is_complete(&self) -> bool {
        self.without_match == 0 && self.releases.iter().all(|release| release.without_match == 0)
    }

    /// An error if a release that must cover this table, and be covered, is not.
    fn check(&self, policy: &Policy) -> Result<(), Error> {
        let must = |name: &str| {
            let mut earlier = policy.earlier.iter();
            earlier.any(|own| own.name.get_ref() == name && own.on_dangling == OnDangling::Error)
        };
        let broken = |release: &&JoinedRelease| release.this_without_match + release.without_match > 0;
        let releases = self.releases.iter().filter(broken);
        let releases: Vec<JoinedRelease> = releases.filter(|release| must(&release.name)).cloned().collect();
        // Where every release is matched by itself, it is their disagreement that leaves a record without a match.
        let disagree = self.releases.iter().all(|release| release.this_without_match == 0)
            && policy
                .earlier
                .iter()
                .any(|earlier| earlier.on_dangling == OnDangling::Error);
        let without_match = if disagree { self.without_match } else { 0 };
        match releases.is_empty() && without_match == 0 {
            true => Ok(()),
            false => Err(Error::Dangling(Cover {
                without_match,
                releases,
            })),
        }
    }
}

impl fmt::Display for JoinedRelease {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, records) = (quoted(&self.name), counted(self.records, "record"));
        match (self.this_without_match, self.without_match) {
            (0, 0) => write!(f, "release {name}, {records}: every record has a match"),
            (this, other) => write!(
                f,
                "release {name}, {records}: {} of this table match none of them, {other} of them match none of this table",
                counted(this as usize, "record")
            ),
        }
    }
}

impl fmt::Display for Cover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.releases.iter().map(ToString::to_string).collect();
        f.write_str(&lines.join("; "))?;
        match (self.without_match, lines.is_empty()) {
            (0, _) => Ok(()),
            (records, true) => write!(f, "{}", no_agreement(records)),
            (records, false) => write!(f, "; {}", no_agreement(records)),
        }
    }
}

fn no_agreement(records: u64) -> String {
    format!(
        "{} of this table match records of every release, but none that agree with each other",
        counted(records as usize, "record")
    )
}
