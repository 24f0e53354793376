//! [`Held`]: the secrets that one party holds, record by record, as a question about them needs it.

use scumble_privacy::{Demand, SecretValues, Secrets as AboutSecrets, Template};
use scumble_table::{Codes, Column, Table, collapse};

use crate::secure::{Numbered, OTHER, Rule, Secrets, Values};

/// The secrets that a template of ours is about.
pub(crate) enum Held<'t> {
    Shares {
        /// For each set of secrets, whether each record has one of it.
        sets: Vec<Vec<bool>>,
        /// Columns of which every value is a secret.
        every: Vec<&'t Codes>,
    },
    /// What is counted, by record.
    Distinct(Vec<u32>),
}

/// The secrets of the records of some groups, group by group.
#[derive(Default)]
pub(crate) struct OfGroups {
    sets: Vec<Vec<bool>>,
    columns: Vec<Numbered>,
}

impl<'t> Held<'t> {
    pub fn new(template: &Template, table: &'t Table) -> Self {
        match &template.demand {
            Demand::Confidence { about, .. } => {
                let (mut sets, mut every) = (Vec::new(), Vec::new());
                for AboutSecrets { column, values } in about {
                    let column = table.column(*column);
                    match values {
                        SecretValues::Every => every.push(column.codes()),
                        SecretValues::Sets(listed) => sets.extend(listed.iter().map(|set| members(column, set))),
                    }
                }
                Held::Shares { sets, every }
            }
            Demand::Diversity { about, .. } => Held::Distinct(table.column(*about).codes().iter().collect()),
            Demand::Anonymity { per, .. } => {
                let codes: Vec<&Codes> = per.iter().map(|&id| table.column(id).codes()).collect();
                Held::Distinct(collapse(table.rows(), &codes).kind_of)
            }
            // Nobody is asked about others.
            Demand::KMap { .. }
            | Demand::Closeness { .. }
            | Demand::DeltaDisclosure { .. }
            | Demand::BetaLikeness { .. }
            | Demand::Personal { .. }
            | Demand::RangeDiversity { .. }
            | Demand::Joined(_) => Held::Shares {
                sets: Vec::new(),
                every: Vec::new(),
            },
        }
    }

    /// Whether a group has so few of each secret that no part of it can have too many. Parts have at least `least` records,
    /// as whoever refines sees to; of groups that are settled nothing is computed, not even that.
    pub fn is_settled(&self, group: &[u32], rule: &Rule, least: u32) -> bool {
        match self {
            Held::Shares { sets, every } => {
                let harmless = rule.harmless_in(least);
                let is_rare =
                    |set: &Vec<bool>| group.iter().filter(|&&record| set[record as usize]).count() <= harmless;
                let are_rare = |codes: &&Codes| counts(group, codes).iter().all(|&(_, count)| count <= harmless);
                sets.iter().all(is_rare) && every.iter().all(are_rare)
            }
            Held::Distinct(_) => false,
        }
    }

    /// The secrets of groups. Values are numbered anew in each group, so that there are as few numbers as can be; those so
    /// rare in a group that they can harm no part of it need none.
    pub fn of_groups(&self, groups: &[&[u32]], rule: &Rule) -> OfGroups {
        match self {
            Held::Distinct(of_record) => OfGroups {
                columns: vec![numbered(groups, |record| of_record[record as usize], 0)],
                ..OfGroups::default()
            },
            Held::Shares { sets, every } => {
                let rows = || groups.iter().copied().flatten();
                let of_set = |set: &Vec<bool>| rows().map(|&record| set[record as usize]).collect();
                let of_column = |codes: &&Codes| numbered(groups, |record| codes.at(record as usize), rule.harmless());
                OfGroups {
                    sets: sets.iter().map(of_set).collect(),
                    columns: every.iter().map(of_column).collect(),
                }
            }
        }
    }
}

impl OfGroups {
    pub fn as_input(&self) -> Secrets<'_> {
        Secrets {
            sets: &self.sets,
            columns: &self.columns,
        }
    }
}

/// Whether each record has a value of a set.
fn members(column: &Column, set: &[String]) -> Vec<bool> {
    let is_in = |code: u32| {
        let value = column.dictionary().value(code);
        value.is_some_and(|value| set.iter().any(|secret| secret == value))
    };
    let of_code: Vec<bool> = (0..column.dictionary().len() as u32).map(is_in).collect();
    column.codes().iter().map(|code| of_code[code as usize]).collect()
}

/// How often each value occurs in a group, by value.
fn counts(group: &[u32], codes: &Codes) -> Vec<(u32, usize)> {
    counted(group, |record| codes.at(record as usize))
}

fn counted(group: &[u32], value: impl Fn(u32) -> u32) -> Vec<(u32, usize)> {
    let mut values: Vec<u32> = group.iter().map(|&record| value(record)).collect();
    values.sort_unstable();
    values.chunk_by(|a, b| a == b).map(|run| (run[0], run.len())).collect()
}

/// The values of the records of groups that occur more often than is harmless, numbered from 0 in each group.
fn numbered(groups: &[&[u32]], value: impl Fn(u32) -> u32, harmless: usize) -> Numbered {
    let mut all = Numbered {
        values: Values {
            compared: 0,
            others: false,
        },
        of_rows: Vec::new(),
    };
    for group in groups {
        let mut known = counted(group, &value);
        let found = known.len();
        known.retain(|&(_, count)| count > harmless);
        all.values.others |= known.len() < found;
        all.values.compared = all.values.compared.max(known.len());
        let place = |&record: &u32| {
            let place = known.binary_search_by_key(&value(record), |&(value, _)| value);
            place.map_or(OTHER, |place| place as u32)
        };
        all.of_rows.extend(group.iter().map(place));
    }
    all
}
