//! `certificate.json`: what was promised, what was found, and how each column is masked.

use std::collections::BTreeMap;

use scumble_attack::{Risks, SingledOut};
use scumble_table::{Cut, Discretized, Interval, Mask, MaskError, SUPPRESSED, Taxonomy};
use serde::{Deserialize, Serialize};

use crate::counted::Counted;
use crate::level::Level;
use crate::tables::CertifiedTables;

/// The version of the format.
pub const VERSION: u32 = 1;

/// The whole file, of one table or of several about persons: two forms of the same.
#[derive(Clone, Debug, PartialEq)]
pub struct Certificate {
    /// The version of the format, [`VERSION`].
    pub version: u32,
    /// How the release was made.
    pub method: MethodSettings,
    /// Rows published and left out; of several tables, persons.
    pub rows: Counted,
    /// Each template of the requirement, with what the audit found. A column of several tables is `courses.title`.
    pub require: Vec<CertifiedTemplate>,
    /// The earlier releases that templates on the join are about.
    pub earlier: Vec<CertifiedEarlier>,
    /// Each published column of one table, in the order of the release.
    pub columns: Vec<CertifiedColumn>,
    /// What there is to say of several tables.
    pub several: Option<CertifiedTables>,
    /// How the cells of the release are to be read, where that is not as usual.
    pub reading: Option<CertifiedReading>,
    /// Where the sensitive columns are, if they are published apart from the others.
    pub secrets: Option<SecretsFile>,
    /// `text` if cells that a spreadsheet would take for formulas are written as text.
    pub formulas: Option<String>,
    /// The bound on what every group loses, where the method keeps one.
    pub loss_per_group: Option<BoundedLoss>,
    /// The average certainty penalty of the quasi cells: 0 if all are exact, 1 if none says anything. Of several tables LM:
    /// the cells of rows that were removed are among them, each 1.
    pub information_loss: f64,
    /// What the groups on all quasi columns say, whoever attacks. `None` in certificates of earlier versions.
    pub risks: Option<Risks>,
    /// Rows or persons that stand out on the columns published as they are, and on all together. `None` where there are no
    /// such columns, and in certificates of earlier versions.
    pub singled_out: Option<SingledOut>,
}

/// How the cells of a release are to be read: as those of its data were.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CertifiedReading {
    /// Whether blanks around a cell are no part of its value.
    pub trim: bool,
}

impl CertifiedReading {
    /// What a certificate says of cells that are read so; nothing if that is as usual.
    pub fn of(trim: bool) -> Option<CertifiedReading> {
        (!trim).then_some(CertifiedReading { trim })
    }
}

/// The method and its settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MethodSettings {
    /// The word of the policy, or `mask` for a mask taken from another certificate.
    pub name: String,
    /// The settings of its own. Absent where there are none.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub settings: BTreeMap<String, String>,
    /// What the search aimed at.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub objective: Option<String>,
    /// The share of rows that might be left out.
    pub rows_suppressed_at_most: f64,
    /// The number of refinements after which the search was told to stop.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub steps: Option<usize>,
}

/// What a group may lose, and what the worst one did: the average over quasi columns of the share of the other values
/// that its cells may stand for.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoundedLoss {
    /// At most.
    pub bound: f64,
    /// Of the group that lost most. Absent where rows are left out and the policy does not say what the values of a column
    /// may be: a share of the data would tell how far those rows reach.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub level: Option<f64>,
}

/// The file beside the release that holds its sensitive columns, of which a reader learns only whose group they are of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SecretsFile {
    /// Its name.
    pub file: String,
    /// Its rows: as many as are published.
    pub rows: u64,
    /// The column with the number of the group, which both files have.
    pub by: String,
    /// How many groups there are.
    pub groups: u64,
}

/// An earlier release that this one was joined with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CertifiedEarlier {
    /// What the policy or the ledger calls it.
    pub name: String,
    /// Its rows.
    pub rows: u64,
}

/// A template and what the audit found. What a kind does not have is absent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CertifiedTemplate {
    /// The word of the policy: `anonymity`, `confidence` and so on.
    pub kind: String,
    /// The section that asks for this template together with another: `alpha 0.4, k 4`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub part_of: Option<String>,
    /// The quasi-identifier; a column of an earlier release is `clinic2024.zip`.
    pub of: Vec<String>,
    /// The most columns of `of` that one adversary knows; absent for all.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub any: Option<usize>,
    /// The columns whose different combinations are counted; absent for records. On the join with earlier releases
    /// `join` for its matches, or the name of the release whose records are counted.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub per: Vec<String>,
    /// The name of the file with the population.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub population: Option<String>,
    /// What must not be inferred, by column; one of an earlier release is `clinic2024.disease`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub about: BTreeMap<String, CertifiedSecrets>,
    /// The column with each person's guarding node.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub guarding: Option<String>,
    /// How diversity or likeness is measured, or which ranges are sensitive.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub measure: Option<String>,
    /// The factor of recursive diversity.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub c: Option<f64>,
    /// How far values are from each other.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub distance: Option<String>,
    /// What was required.
    pub bound: Level,
    /// What was found.
    pub level: Level,
    /// Whether it holds.
    pub holds: bool,
}

/// Values of a column that must not be inferred.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum CertifiedSecrets {
    /// Every value, written `"*"`.
    Every(String),
    /// These values and nodes of the column's taxonomy: words of the policy.
    Listed(Vec<String>),
}

impl CertifiedSecrets {
    /// Every value.
    pub fn every() -> Self {
        CertifiedSecrets::Every("*".to_owned())
    }
}

/// A published column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CertifiedColumn {
    /// Its name.
    pub name: String,
    /// `quasi`, `sensitive`, `class` or `other`.
    pub role: String,
    /// How it is masked; absent for a column published as it is.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub mask: Option<CertifiedMask>,
}

/// A mask as written down. A missing value is `null`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "operation", rename_all = "lowercase", deny_unknown_fields)]
pub enum CertifiedMask {
    /// The nodes of a cut through the column's taxonomy.
    Generalize {
        /// Their labels, in the order of the tree.
        cut: Vec<String>,
    },
    /// The values shown as they are; all others are `*`.
    Suppress {
        /// In value order.
        disclosed: Vec<Option<String>>,
    },
    /// The intervals that tile the range, or `*` alone.
    Discretize {
        /// Ascending, in their published form.
        intervals: Vec<String>,
    },
    /// Rows were gathered into groups, and each group is shown as one.
    Group {
        /// As what: `ancestor`, `interval`, `set`, `mean`, `median` or `mode`.
        form: String,
    },
}

impl CertifiedMask {
    /// Writes a mask down; `None` if every value is published as it is.
    ///
    /// # Panics
    /// If the mask generalizes and there is no taxonomy.
    pub fn of(mask: &Mask, taxonomy: Option<&Taxonomy>) -> Option<CertifiedMask> {
        match mask {
            Mask::Exact => None,
            Mask::Generalize(cut) => {
                let taxonomy = taxonomy.expect("a generalized column has a taxonomy");
                let cut = cut
                    .nodes()
                    .iter()
                    .map(|&node| taxonomy.label(node).to_owned())
                    .collect();
                Some(CertifiedMask::Generalize { cut })
            }
            Mask::Suppress(disclosed) => Some(CertifiedMask::Suppress {
                disclosed: disclosed.clone(),
            }),
            Mask::Discretize(Discretized::Whole) => Some(CertifiedMask::Discretize {
                intervals: vec![SUPPRESSED.to_owned()],
            }),
            Mask::Discretize(Discretized::Intervals(intervals)) => {
                let intervals = intervals.iter().map(Interval::to_string).collect();
                Some(CertifiedMask::Discretize { intervals })
            }
        }
    }

    /// Reads a mask back. `taxonomy` is the column's; without one a cut cannot be read.
    pub fn read(&self, taxonomy: Option<&Taxonomy>) -> Result<Mask, MaskError> {
        match self {
            CertifiedMask::Generalize { cut } => {
                let taxonomy = taxonomy.ok_or(MaskError::NoTaxonomy)?;
                Cut::parse(taxonomy, cut.iter().map(String::as_str)).map(Mask::Generalize)
            }
            CertifiedMask::Suppress { disclosed } => Ok(Mask::Suppress(disclosed.clone())),
            CertifiedMask::Discretize { intervals } => {
                Discretized::parse(intervals.iter().map(String::as_str)).map(Mask::Discretize)
            }
            CertifiedMask::Group { .. } => Err(MaskError::Groups),
        }
    }
}

impl Certificate {
    /// Whether blanks around a cell of the release are no part of its value.
    pub fn trims(&self) -> bool {
        self.reading.is_none_or(|reading| reading.trim)
    }

    /// The masks by column name; a column without one is published as it is.
    pub fn masks(&self) -> BTreeMap<&str, Option<&CertifiedMask>> {
        self.columns
            .iter()
            .map(|column| (&column.name[..], column.mask.as_ref()))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As written before there were other kinds than anonymity; it must read, and be written back to the byte.
    const FIRST: &str = r#"{
  "version": 1,
  "method": {
    "name": "refine",
    "objective": "certainty",
    "rows_suppressed_at_most": 0.0
  },
  "rows": {
    "published": 34,
    "left_out": 0,
    "dropped": 0
  },
  "require": [
    {
      "kind": "anonymity",
      "of": [
        "job"
      ],
      "per": [
        "name"
      ],
      "bound": 4,
      "level": 16,
      "holds": true
    }
  ],
  "columns": [
    {
      "name": "disease",
      "role": "sensitive"
    }
  ],
  "information_loss": 0.5
}"#;

    #[test]
    fn a_certificate_of_anonymity_is_what_it_was() {
        let certificate: Certificate = serde_json::from_str(FIRST).unwrap();
        assert_eq!(certificate.require[0].level, Level::Count(16));
        assert_eq!(serde_json::to_string_pretty(&certificate).unwrap(), FIRST);
    }

    #[test]
    fn where_the_secrets_are_is_read_back() {
        let secrets = r#""secrets":{"file":"released-secrets.csv","rows":34,"by":"group","groups":8}"#;
        let first = serde_json::from_str::<serde_json::Value>(FIRST).unwrap().to_string();
        let written = first.replacen('{', &format!("{{{secrets},"), 1);
        let certificate: Certificate = serde_json::from_str(&written).unwrap();
        assert_eq!(certificate.secrets.as_ref().unwrap().groups, 8);
        assert!(serde_json::to_string(&certificate).unwrap().contains(secrets));
    }

    #[test]
    fn who_stands_out_is_read_back() {
        let found = r#""singled_out":{"as_they_are":{"of":["disease"],"most_values":["disease"],"rows":34,"groups":6,"uniques":1,"violating":[{"k":2,"rows":1}]}}"#;
        let first = serde_json::from_str::<serde_json::Value>(FIRST).unwrap().to_string();
        let written = first.replacen('{', &format!("{{{found},"), 1);
        let certificate: Certificate = serde_json::from_str(&written).unwrap();
        assert_eq!(certificate.singled_out.as_ref().unwrap().as_they_are.below(2), Some(1));
        assert!(serde_json::to_string(&certificate).unwrap().contains(found));
    }

    #[test]
    fn what_must_not_be_inferred_is_read_back() {
        let secrets = [
            CertifiedSecrets::every(),
            CertifiedSecrets::Listed(vec!["HIV".to_owned()]),
        ];
        let json = serde_json::to_string(&secrets).unwrap();
        assert_eq!(json, r#"["*",["HIV"]]"#);
        assert_eq!(serde_json::from_str::<[CertifiedSecrets; 2]>(&json).unwrap(), secrets);
    }
}
