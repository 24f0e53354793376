//! What a ledger knows of the past of a table: releases to be joined with, and earlier versions of the same columns.
//!
//! | entry | columns | beside a table of job, zip, disease |
//! |---|---|---|
//! | clinic2024 | zip, ward | joined: shares a column |
//! | tests2024 | job, zip, disease | a version: the same columns |
//! | staff | salary | passed over: nothing in common |
//! | school | zip, grade, of another population | passed over |

use std::collections::HashSet;
use std::path::Path;

use scumble_policy::Spanned;
use scumble_report::Certificate;
use scumble_store::{Entries, Entry, LedgerColumn, fingerprint_of_taxonomy};

use crate::earlier::{certified_cells, quasi_columns};
use crate::error::Error;
use crate::errors::{EntryFault, PastError};
use scumble_policy::{Approach, EarlierPolicy, OnDangling, Policy, Taxonomies};

/// The population of tables that name none.
const ONE_POPULATION: &str = "all";

/// The past of a table.
#[derive(Debug, Default)]
pub(crate) struct Past {
    /// Releases that share a column with it.
    pub joined: Vec<EarlierPolicy>,
    /// Releases of the same columns, the oldest first.
    pub versions: Vec<Version>,
}

/// An earlier version of a table.
#[derive(Clone, Debug)]
pub(crate) struct Version {
    pub entry: Entry,
    pub certificate: Certificate,
}

impl Version {
    fn new(entry: &Entry) -> Result<Self, PastError> {
        let certificate = serde_json::from_value(entry.certificate.clone());
        let certificate: Certificate =
            certificate.map_err(|error| PastError::entry(&entry.name, EntryFault::Certificate(error.into())))?;
        Ok(Version {
            entry: entry.clone(),
            certificate,
        })
    }

    /// As an earlier release that is joined.
    fn joined(&self) -> EarlierPolicy {
        let (quasi, recoded) = quasi_columns(&self.certificate);
        EarlierPolicy {
            name: Spanned::new(0..0, self.entry.name.clone()),
            file: Spanned::new(0..0, self.entry.file.clone()),
            join: None,
            on_dangling: OnDangling::Error,
            taxonomies: Vec::new(),
            quasi: Some(quasi),
            recoded,
            cells: certified_cells(&self.certificate),
            trim: Some(self.certificate.trims()),
            from_ledger: true,
        }
    }
}

impl Past {
    /// The past of a table with this header, from the entries of a ledger before it: those about the same population whose
    /// files are as they were. What the policy itself names as earlier is left to it.
    ///
    /// # Errors
    /// A file that is gone or changed, a column with another taxonomy than it had then, a method that has no past.
    pub fn of(
        policy: &Policy,
        header: &[String],
        taxonomies: &Taxonomies,
        entries: &Entries,
        before: &[Entry],
    ) -> Result<Past, Error> {
        if policy.method.approach == Approach::Anatomy {
            return Err(PastError::NotForAnatomy.into());
        }
        let own: HashSet<&String> = header.iter().filter(|name| policy.publishes(name)).collect();
        let mut past = Past::default();
        for entry in before.iter().filter(|entry| entry.population == population(policy)) {
            let is_common = |column: &&LedgerColumn| own.contains(&column.name);
            let common: Vec<&LedgerColumn> = entry.columns.iter().filter(is_common).collect();
            if common.is_empty() || is_named(policy, entry) {
                continue;
            }
            entries.check_file(entry)?;
            check_taxonomies(policy, taxonomies, entry, &common)?;
            let version = Version::new(entry)?;
            if common.len() == own.len() && common.len() == entry.columns.len() {
                past.versions.push(version);
            } else {
                past.joined.push(version.joined());
            }
        }
        Ok(past)
    }
}

/// Whom the table of a policy is about.
pub(crate) fn population(policy: &Policy) -> &str {
    policy.data.population.as_deref().unwrap_or(ONE_POPULATION)
}

/// Whether the policy has a section for the release of an entry. The file tells, not the name: a release must not go
/// unnoticed because another is called like it.
fn is_named(policy: &Policy, entry: &Entry) -> bool {
    let mut named = policy.earlier.iter();
    named.any(|earlier| is_same_file(&entry.file, earlier.file.get_ref()))
}

/// Whether two paths lead to one file that is there.
pub(crate) fn is_same_file(a: &Path, b: &Path) -> bool {
    let canonical = |path: &Path| path.canonicalize().ok();
    canonical(a).is_some_and(|a| canonical(b) == Some(a))
}

/// A node can be compared only within one tree. Values that were shown without a tree fit any.
fn check_taxonomies(
    policy: &Policy,
    taxonomies: &Taxonomies,
    entry: &Entry,
    common: &[&LedgerColumn],
) -> Result<(), PastError> {
    let now = |name: &str| {
        let taxonomy = policy.column(name).and_then(|column| taxonomies.of(column));
        taxonomy.map(fingerprint_of_taxonomy)
    };
    let differs = |column: &&&LedgerColumn| column.taxonomy.is_some() && now(&column.name) != column.taxonomy;
    match common.iter().find(differs) {
        None => Ok(()),
        Some(column) => {
            let column = column.name.clone();
            Err(PastError::entry(&entry.name, EntryFault::OtherTaxonomy { column }))
        }
    }
}
