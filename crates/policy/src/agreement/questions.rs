//! What parties ask each other about secrets must be about many records, and be asked once.
//!
//! Who refines a column of a template about a secret of another asks whether it may. Even a no tells something of the records
//! that were asked about, so an agreement is refused under which a question could be about a single record, or under
//! which a value could be asked about again and again:
//!
//! | template about a secret of another | the smallest part that is asked about |
//! |---|---|
//! | `confidence` about listed values | what an `anonymity` of at least the same columns says |
//! | `confidence` about every value, below 1 | at least 2, since one record alone is all of its part |
//! | distinct `diversity`, `anonymity` with `per` | its own bound, or more by an `anonymity` |
//!
//! A column of words is disclosed word by word, each time with a question about the same `*`; it needs a taxonomy.

use std::collections::BTreeMap;

use scumble_privacy::Diversity;

use super::agreed::Agreement;
use crate::column::ColumnKind;
use crate::problems::Problems;
use crate::require::{About, AboutValues, Counting, Kind, Require};
use crate::words::quoted;

/// The fewest records that a question may be about.
const FEWEST: u64 = 2;

impl Agreement {
    /// Reports the sections that would be asked about in a way that tells of single records.
    pub(super) fn check_questions(&self, problems: &mut Problems) {
        for section in &self.policy.require {
            let require = section.get_ref();
            for (holder, parts) in self.holders(require) {
                let asked: Vec<&str> = require.of.columns.iter().map(String::as_str).collect();
                let asked: Vec<&str> = asked
                    .into_iter()
                    .filter(|column| self.is_of_another(column, holder))
                    .collect();
                let (Some(first), name) = (asked.first(), &self.parties[holder].name) else {
                    continue;
                };
                if parts.max(self.least_records(require)) < FEWEST {
                    let message = format!(
                        "whoever refines {} asks {name} about its secret, and a question could be about a single record",
                        quoted(first)
                    );
                    let help = format!(
                        "add a [[require]] with `anonymity = {FEWEST}` or more `of` these columns; questions are then \
                         about at least so many records"
                    );
                    problems.at(section.span(), message, Some(help));
                }
                for word in asked.iter().filter(|column| self.is_of_words(column)) {
                    let message = format!(
                        "column {} has no taxonomy, so {name} would be asked about its secret once for every word",
                        quoted(word)
                    );
                    let help = "give the column a taxonomy, or leave it out of `of`".to_owned();
                    problems.at(section.span(), message, Some(help));
                }
            }
        }
    }

    /// Who holds secrets of a section that can be asked about, and how many records a part must have by the section alone.
    fn holders(&self, require: &Require) -> BTreeMap<usize, u64> {
        let counted: Vec<(&str, u64)> = match &require.kind {
            Kind::Confidence { at_most, about } => secrets(about, *at_most, 1),
            Kind::AlphaK { alpha, k, about } => secrets(about, *alpha, *k),
            Kind::Diversity {
                measure: Diversity::Distinct { l },
                about,
            } => vec![(about, *l)],
            Kind::PSensitive { p, k, about } => vec![(about, (*p).max(*k))],
            Kind::Anonymity {
                k,
                per: Counting::Columns(names),
            } => names.iter().map(|name| (name.get_ref().as_str(), *k)).collect(),
            Kind::Anonymity {
                per: Counting::Records | Counting::Join | Counting::RecordsOf(_),
                ..
            }
            | Kind::KMap { .. }
            | Kind::Diversity {
                measure: Diversity::Entropy { .. } | Diversity::Recursive { .. },
                ..
            }
            | Kind::Closeness { .. }
            | Kind::DeltaDisclosure { .. }
            | Kind::BetaLikeness { .. }
            | Kind::Personal { .. }
            | Kind::RangeDiversity { .. } => Vec::new(),
        };
        let mut holders = BTreeMap::new();
        for (column, parts) in counted.into_iter().filter(|(column, _)| !self.is_class(column)) {
            for &party in self.owners(column) {
                // Each secret may be asked about by itself.
                let least = holders.entry(party).or_insert(parts);
                *least = parts.min(*least);
            }
        }
        holders
    }

    /// How many records every group on the columns of a section has, by others.
    fn least_records(&self, require: &Require) -> u64 {
        let counts = self.policy.require.iter().filter_map(|section| {
            let other = section.get_ref();
            let k = match &other.kind {
                Kind::Anonymity {
                    k,
                    per: Counting::Records,
                }
                | Kind::AlphaK { k, .. }
                | Kind::PSensitive { k, .. } => *k,
                Kind::Anonymity {
                    per: Counting::Columns(_) | Counting::Join | Counting::RecordsOf(_),
                    ..
                }
                | Kind::KMap { .. }
                | Kind::Confidence { .. }
                | Kind::Diversity { .. }
                | Kind::Closeness { .. }
                | Kind::DeltaDisclosure { .. }
                | Kind::BetaLikeness { .. }
                | Kind::Personal { .. }
                | Kind::RangeDiversity { .. } => return None,
            };
            let has_all = require
                .of
                .columns
                .iter()
                .all(|column| other.of.columns.contains(column));
            has_all.then_some(k)
        });
        counts.max().unwrap_or(1)
    }

    fn is_of_another(&self, column: &str, party: usize) -> bool {
        !self.is_class(column) && !self.owners(column).contains(&party)
    }

    fn is_of_words(&self, column: &str) -> bool {
        let kind = self.policy.column(column).map(|column| &column.kind);
        matches!(kind, Some(ColumnKind::Categorical { taxonomy: None }))
    }
}

/// The columns of secrets, and how many records a part must have because of them.
fn secrets(about: &[About], at_most: f64, k: u64) -> Vec<(&str, u64)> {
    let secrets = about.iter().map(|about| {
        let parts = match &about.values {
            AboutValues::Every if at_most < 1.0 => k.max(FEWEST),
            AboutValues::Every | AboutValues::Listed(_) => k,
        };
        (about.column.get_ref().as_str(), parts)
    });
    secrets.collect()
}
