//! What a certificate says of several tables.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::counted::Counted;

/// Several tables about persons.
#[derive(Clone, Debug, PartialEq)]
pub struct CertifiedTables {
    /// How many different trees of rows persons show.
    pub classes: u64,
    /// Each table, that of persons first, the others after those that they hang off.
    pub tables: Vec<CertifiedTable>,
    /// The tables that rows refer to, which are published as they are.
    pub lookups: Vec<CertifiedLookup>,
    /// DM: for each person, how many cannot be told from them, added up.
    pub discernibility: u64,
}

/// A table about persons.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CertifiedTable {
    /// Its name.
    pub name: String,
    /// Its file.
    pub file: String,
    /// Rows published, and rows removed.
    pub rows: Counted,
    /// The columns of its key, which hold numbers that mean nothing.
    pub key: Vec<String>,
    /// The table that it hangs off. Absent for that of persons.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub parent: Option<String>,
    /// The columns that hold the key of that table.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub foreign_key: Vec<String>,
    /// The columns that hold the key of a look-up, and which.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub refers: BTreeMap<String, String>,
    /// Its columns, in order.
    pub columns: Vec<CertifiedCells>,
}

/// A column of a table about persons.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CertifiedCells {
    /// Its name.
    pub name: String,
    /// `key`, `quasi`, `sensitive`, `class` or `other`.
    pub role: String,
    /// What became of its cells. Absent for a column that is published as it is, and for keys.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub masked: Option<MaskedCells>,
}

/// What became of the cells of a quasi column in the rows that are published.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MaskedCells {
    /// Cells that show their value.
    pub exact: u64,
    /// Cells that may stand for several.
    pub generalized: u64,
    /// What a published cell loses on average, from 0 to 1.
    pub loss: f64,
}

/// A table that is published as it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CertifiedLookup {
    /// Its name.
    pub name: String,
    /// Its file.
    pub file: String,
    /// Its rows.
    pub rows: u64,
    /// The column that rows refer to.
    pub key: String,
}
