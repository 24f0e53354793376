//! [`Cover`]: how far a table and its earlier releases are about the same people.

use std::fmt;

use scumble_policy::{counted, quoted};
use scumble_privacy::History;
use scumble_refine::dangling;
use scumble_table::Table;
use serde::Serialize;

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

impl Cover {
    /// Of a table and the releases before it.
    pub(crate) fn new(table: &Table, history: &History) -> Self {
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
