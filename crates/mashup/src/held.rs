//! [`Held`]: the secrets that one party holds, record by record, as a question about them needs it.

use scumble_privacy::{Demand, SecretValues, Secrets as AboutSecrets, Template};
use scumble_table::{Codes, Column, Table, collapse};

use crate::secure::Secrets;

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
pub(crate) enum OfGroups {
    Sets(Vec<Vec<bool>>),
    Values { values: usize, of_rows: Vec<u32> },
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

    /// Whether a group has no secret, so that no part of it can have too many.
    pub fn is_settled(&self, group: &[u32]) -> bool {
        match self {
            Held::Shares { sets, every } => {
                let has_any = |set: &Vec<bool>| group.iter().any(|&record| set[record as usize]);
                every.is_empty() && !sets.iter().any(has_any)
            }
            Held::Distinct(_) => false,
        }
    }

    /// The secrets of groups. Values are numbered anew in each group, so that there are as few numbers as can be.
    pub fn of_groups(&self, groups: &[&[u32]]) -> OfGroups {
        match self {
            Held::Distinct(of_record) => {
                let (values, of_rows) = renumbered(groups, |record| of_record[record as usize]);
                OfGroups::Values { values, of_rows }
            }
            Held::Shares { sets, every } => {
                let rows = || groups.iter().copied().flatten();
                let listed = sets
                    .iter()
                    .map(|set| rows().map(|&record| set[record as usize]).collect());
                let mut all: Vec<Vec<bool>> = listed.collect();
                for codes in every {
                    let (values, of_rows) = renumbered(groups, |record| codes.at(record as usize));
                    let one = |value: u32| of_rows.iter().map(|&own| own == value).collect();
                    all.extend((0..values as u32).map(one));
                }
                OfGroups::Sets(all)
            }
        }
    }
}

impl OfGroups {
    /// How many sets, or different values, a group has at most.
    pub fn counted(&self) -> u32 {
        match self {
            OfGroups::Sets(sets) => sets.len() as u32,
            OfGroups::Values { values, .. } => *values as u32,
        }
    }

    pub fn as_input(&self) -> Secrets<'_> {
        match self {
            OfGroups::Sets(sets) => Secrets::Sets(sets),
            OfGroups::Values { values, of_rows } => Secrets::Values {
                values: *values,
                of_rows,
            },
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

/// The values of the records of groups, numbered from 0 in each group, and one more than the largest number.
fn renumbered(groups: &[&[u32]], value: impl Fn(u32) -> u32) -> (usize, Vec<u32>) {
    let (mut most, mut of_rows) = (0, Vec::new());
    for group in groups {
        let mut known: Vec<u32> = group.iter().map(|&record| value(record)).collect();
        known.sort_unstable();
        known.dedup();
        most = most.max(known.len());
        let place = |&record: &u32| known.partition_point(|&other| other < value(record)) as u32;
        of_rows.extend(group.iter().map(place));
    }
    (most, of_rows)
}
