//! The `[[require]]` sections of a policy over several tables.
//!
//! What is counted is persons who look the same in all their rows, so the quasi-identifier is every quasi column of every
//! table, and `of` has nothing to say.

use std::path::Path;

use toml::Spanned;

use super::{SecretDemand, SecretPolicy, TablePolicy};
use crate::column::Role;
use crate::columns::Columns;
use crate::problems::Problems;
use crate::require::read_all;
use crate::require::{About, AboutValues, Counting, Kind, Require};
use crate::section::Item;
use scumble_privacy::Diversity;

/// How many persons must look the same, and what must not be inferred of them.
pub(super) fn read_require(
    item: Option<Item>,
    columns: &Columns,
    tables: &[TablePolicy],
    folder: &Path,
    problems: &mut Problems,
) -> (u64, Vec<SecretPolicy>) {
    let given = item.is_some();
    let sections = read_all(item, columns, folder, problems);
    let mut asked = Asked {
        tables,
        k: None,
        secrets: Vec::new(),
    };
    let all = columns.names(&[Role::Quasi]).count();
    for section in &sections {
        let Require { of, kind } = section.get_ref();
        if of.columns.len() < all || of.any.is_some() {
            let message = "over several tables, persons are compared as a whole: in every quasi column of every table";
            problems.at(section.span(), message, Some("take out `of`".to_owned()));
        }
        asked.read(kind, section, problems);
    }
    if given && asked.k.is_none() && !sections.is_empty() {
        let help = "add [[require]] with `anonymity = k`".to_owned();
        problems.overall("nothing says how many persons must look the same", Some(help));
    }
    (asked.k.unwrap_or(1), asked.secrets)
}

struct Asked<'p> {
    tables: &'p [TablePolicy],
    k: Option<u64>,
    secrets: Vec<SecretPolicy>,
}

impl Asked<'_> {
    fn read(&mut self, kind: &Kind, section: &Spanned<Require>, problems: &mut Problems) {
        match kind {
            Kind::Anonymity {
                k,
                per: Counting::Records,
            } => self.at_least(*k),
            Kind::AlphaK { alpha, k, about } => {
                self.at_least(*k);
                about.iter().for_each(|about| self.confidence(*alpha, about));
            }
            Kind::Confidence { at_most, about } => about.iter().for_each(|about| self.confidence(*at_most, about)),
            Kind::PSensitive { p, k, about } => {
                self.at_least(*k);
                self.add(about, SecretDemand::Diversity(Diversity::Distinct { l: *p }));
            }
            Kind::Diversity { measure, about } => self.add(about, SecretDemand::Diversity(*measure)),
            Kind::Anonymity {
                per: Counting::Join | Counting::RecordsOf(_) | Counting::Columns(_),
                ..
            }
            | Kind::KMap { .. }
            | Kind::Closeness { .. }
            | Kind::DeltaDisclosure { .. }
            | Kind::BetaLikeness { .. }
            | Kind::Personal { .. }
            | Kind::RangeDiversity { .. } => {
                let message = "this is not counted over several tables";
                let help = "ask for anonymity, confidence or diversity".to_owned();
                problems.at(section.span(), message, Some(help));
            }
        }
    }

    /// Of several bounds, the strictest.
    fn at_least(&mut self, k: u64) {
        self.k = self.k.max(Some(k));
    }

    /// Values with a bound of their own are a demand of their own; the others have the usual one.
    fn confidence(&mut self, usual: f64, about: &About) {
        let column = about.column.get_ref();
        match &about.values {
            AboutValues::Every => self.add(
                column,
                SecretDemand::Confidence {
                    at_most: usual,
                    values: None,
                },
            ),
            AboutValues::Listed(listed) => {
                for values in listed.chunk_by(|(_, a), (_, b)| a == b) {
                    let demand = SecretDemand::Confidence {
                        at_most: values[0].1,
                        values: Some(values.iter().map(|(value, _)| value.clone()).collect()),
                    };
                    self.add(column, demand);
                }
            }
        }
    }

    fn add(&mut self, column: &str, demand: SecretDemand) {
        let of_table = |(place, table): (usize, &TablePolicy)| {
            let name = column.strip_prefix(table.name.get_ref().as_str())?.strip_prefix('.')?;
            Some((place, name))
        };
        let found = self.tables.iter().enumerate().find_map(of_table);
        // Without a table it is a column of persons, which are first.
        let (table, name) = found.unwrap_or((0, column));
        self.secrets.push(SecretPolicy {
            table,
            column: name.to_owned(),
            demand,
        });
    }
}
