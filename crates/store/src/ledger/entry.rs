//! An [`Entry`] is what a ledger remembers of one release.
//!
//! It holds what later releases are compared by. The rows are not copied: the file is named, with a fingerprint by which
//! to tell that it is still what was published.

use std::fs::File;
use std::path::{Path, PathBuf};

use blake3::Hasher;
use chrono::{SecondsFormat, Utc};
use scumble_table::Taxonomy;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::error::{LedgerError, at};

/// One release.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// What it is called; no other entry of the ledger is called so.
    pub name: String,
    /// Whom it is about, in the words of the publisher.
    pub population: String,
    /// When it was published: RFC 3339, UTC, as [`utc_now`] writes it.
    pub published_at: String,
    /// The released table, an absolute path.
    pub file: PathBuf,
    /// The fingerprint of that file ([`fingerprint_of_file`]).
    pub fingerprint: String,
    /// The published columns, in the order of the release.
    pub columns: Vec<LedgerColumn>,
    /// The certificate as it was published.
    pub certificate: Value,
}

/// A published column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LedgerColumn {
    /// Its name.
    pub name: String,
    /// `quasi`, `sensitive`, `class` or `other`.
    pub role: String,
    /// The fingerprint of its taxonomy ([`fingerprint_of_taxonomy`]), if it has one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub taxonomy: Option<String>,
}

/// The time now, to the second: `2026-11-16T08:00:00Z`.
pub fn utc_now() -> String {
    Utc::now().to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// A digest of the bytes of a file.
pub fn fingerprint_of_file(path: &Path) -> Result<String, LedgerError> {
    let mut hasher = Hasher::new();
    let hashed = File::open(path).and_then(|file| hasher.update_reader(file).map(drop));
    hashed.map_err(at(path))?;
    Ok(written(&hasher))
}

/// A digest of the paths from leaf to root. The order of the leaves does not change what a label stands for, so it does
/// not change the fingerprint.
pub fn fingerprint_of_taxonomy(taxonomy: &Taxonomy) -> String {
    let path = |leaf| {
        let nodes = std::iter::successors(taxonomy.find(leaf), |&node| taxonomy.parent(node));
        nodes.map(|node| taxonomy.label(node)).collect()
    };
    let mut paths: Vec<Vec<&str>> = taxonomy.leaves().map(path).collect();
    paths.sort_unstable();
    // Lengths before texts, so that no label can pass for two.
    let mut hasher = Hasher::new();
    for path in paths {
        hasher.update(&(path.len() as u64).to_le_bytes());
        for label in path {
            hasher.update(&(label.len() as u64).to_le_bytes());
            hasher.update(label.as_bytes());
        }
    }
    written(&hasher)
}

/// The digest with its kind, should there be another one day.
fn written(hasher: &Hasher) -> String {
    format!("blake3:{}", hasher.finalize().to_hex())
}
