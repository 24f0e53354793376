//! [`Risks`]: what the sizes of the groups of a release say, whoever attacks it.
//!
//! | job | sex | group | risk of the row |
//! |---|---|---|---|
//! | Professional | F | 3 | 1/3 |
//! | Professional | F | 3 | 1/3 |
//! | Professional | F | 3 | 1/3 |
//! | Janitor | M | 1 | 1 |
//!
//! The highest risk is 1, the average (1/3 + 1/3 + 1/3 + 1) / 4 = 1/2. That is also groups / rows, because every group
//! adds up to 1. One row of four is above 0.33, and so unique.
//!
//! # Source
//! Prosecutor, journalist and marketer risk after El Emam, *Guide to the De-Identification of Personal Health
//! Information* (2013).
//!
//! # Cost
//! One number per row, sorted.

use std::ops::{Add, Mul};

use rayon::prelude::*;
use scumble_table::{Codes, ColumnId, Released, ReleasedColumn, Table, collapse, with_codes};
use serde::{Deserialize, Serialize};

use crate::link::Links;

/// A risk that offices do not want exceeded, and what it says of groups.
///
/// The word of the office is the group: 0.09 is short for 1/11, which is above 0.09. So shares are counted by the size of
/// the group and never by the rounded figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    /// The risk as it is usually written.
    pub risk: f64,
    /// The smallest group that meets it.
    pub group: u64,
}

/// The marks that offices use: 0.09 for public releases (European Medicines Agency, Policy 0070; Health Canada, public
/// release of clinical information), 0.2 as the old rule of five, 0.33 for data that is shared under a contract.
pub const MARKS: [Mark; 3] = [
    Mark { risk: 0.09, group: 11 },
    Mark { risk: 0.2, group: 5 },
    Mark { risk: 0.33, group: 3 },
];

/// How many rows have a risk above a mark.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Above {
    /// The mark, as [`Mark::risk`].
    pub risk: f64,
    /// The group that meets it, as [`Mark::group`].
    pub group: u64,
    /// Rows in smaller groups.
    pub rows: u64,
    /// Their share of all rows.
    pub share: f64,
}

/// The risk of the rows of a release under one kind of adversary; all 0 if there is no row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Risk {
    /// Of the row that is worst off.
    pub highest: f64,
    /// Over all rows.
    pub average: f64,
    /// How many rows are above each of [`MARKS`].
    pub above: Vec<Above>,
}

/// What the groups of a release say.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Risks {
    /// The columns that make the groups.
    pub of: Vec<String>,
    /// Rows of the release.
    pub rows: u64,
    /// Groups of rows that agree on the columns.
    pub groups: u64,
    /// Rows that are alone in their group.
    pub uniques: u64,
    /// The adversary looks for one person and knows that the person is in the release: 1 / size of the group. It is also
    /// an upper bound of the journalist risk, because the population of a group is never smaller than the group.
    pub prosecutor: Risk,
    /// The share of the rows that is expected to be hit by one who links every row to somebody: groups / rows.
    pub marketer: f64,
}

/// What the population says of the groups that it shares with a release.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PopulationRisks {
    /// The columns that make the groups.
    pub of: Vec<String>,
    /// People in the population.
    pub people: u64,
    /// The adversary does not know who is in the release: 1 / people of the population who fit the group.
    pub journalist: Risk,
    /// The share of the rows that is expected to be hit by one who links every row to somebody of the population.
    pub marketer: f64,
    /// Rows of groups that have fewer people in the population than rows in the release. A whole population has none;
    /// for these rows the size of the group is taken.
    pub rows_beyond_population: u64,
}

/// The risks of a release on its quasi columns, from what a reader sees.
pub fn risks(released: &Released, quasi: &[ColumnId]) -> Risks {
    let columns: Vec<&ReleasedColumn> = quasi.iter().map(|id| &released.columns()[id.0]).collect();
    let shown = columns.iter().map(|column| {
        let (shown, place_of_code) = column.shown();
        Shown {
            name: &column.name,
            codes: column.codes(),
            place_of_code,
            places: shown.len(),
        }
    });
    risks_of_groups(released.rows(), &shown.collect::<Vec<_>>())
}

/// The risks of a release that was read from a file.
pub(crate) fn risks_of_table(released: &Table, quasi: &[ColumnId]) -> Risks {
    let shown = quasi.iter().map(|&id| {
        let column = released.column(id);
        let places = column.dictionary().len();
        Shown {
            name: &column.name,
            codes: column.codes(),
            place_of_code: (0..places as u32).collect(),
            places,
        }
    });
    risks_of_groups(released.rows(), &shown.collect::<Vec<_>>())
}

/// The journalist and marketer risk with the known people as the population.
pub(crate) fn population_risks(of: Vec<String>, links: &Links) -> PopulationRisks {
    let sizes = links.rows();
    let people = links.people_of_groups();
    let beyond = sizes.iter().zip(&people).filter(|(rows, people)| people < rows);
    let rows_beyond_population = beyond.map(|(rows, _)| rows).sum();
    let journalist = risk(
        sizes
            .iter()
            .zip(&people)
            .map(|(&rows, &people)| (rows, people.max(rows))),
    );
    PopulationRisks {
        of,
        people: links.people().iter().sum(),
        marketer: journalist.average,
        journalist,
        rows_beyond_population,
    }
}

/// What the rows of a column show.
struct Shown<'c> {
    name: &'c str,
    codes: &'c Codes,
    /// For each code, the place of what it shows among all that is shown.
    place_of_code: Vec<u32>,
    places: usize,
}

fn risks_of_groups(rows: usize, columns: &[Shown]) -> Risks {
    let sizes = group_sizes(rows, columns);
    let prosecutor = risk(sizes.iter().map(|&size| (size, size)));
    Risks {
        of: columns.iter().map(|column| column.name.to_owned()).collect(),
        rows: rows as u64,
        groups: sizes.len() as u64,
        uniques: sizes.iter().filter(|&&size| size == 1).count() as u64,
        marketer: prosecutor.average,
        prosecutor,
    }
}

/// The sizes of the groups of rows that show the same. Rows are numbered by all that they show and the numbers sorted:
/// where most rows differ, which is where risks are high, that takes less memory and time than to look each row up.
fn group_sizes(rows: usize, columns: &[Shown]) -> Vec<u64> {
    let combinations = |all: Option<u128>, column: &Shown| all?.checked_mul(column.places.max(1) as u128);
    match columns.iter().fold(Some(1), combinations) {
        Some(all) if all <= u128::from(u64::MAX) => sizes_of_equals(numbered::<u64>(rows, columns)),
        Some(_) => sizes_of_equals(numbered::<u128>(rows, columns)),
        // More combinations than numbers.
        None => {
            let codes = columns.iter().map(|column| {
                let places = column.codes.iter().map(|code| column.place_of_code[code as usize]);
                Codes::collect(column.places, places)
            });
            let codes: Vec<Codes> = codes.collect();
            let collapsed = collapse(rows, &codes.iter().collect::<Vec<_>>());
            collapsed.weights.into_iter().map(u64::from).collect()
        }
    }
}

/// One number per row that says all it shows, as digits of as many values as each column has.
fn numbered<N>(rows: usize, columns: &[Shown]) -> Vec<N>
where
    N: Copy + From<u32> + Add<Output = N> + Mul<Output = N>,
{
    let mut numbers = vec![N::from(0); rows];
    for column in columns {
        let base = N::from(column.places as u32);
        with_codes!(
            column.codes,
            |codes| for (number, &code) in numbers.iter_mut().zip(codes) {
                *number = *number * base + N::from(column.place_of_code[code as usize]);
            }
        );
    }
    numbers
}

fn sizes_of_equals<N: Ord + Copy + Send>(mut numbers: Vec<N>) -> Vec<u64> {
    numbers.par_sort_unstable();
    numbers
        .chunk_by(|a, b| a == b)
        .map(|equal| equal.len() as u64)
        .collect()
}

/// The risk of groups, each given by its rows and by the number of people among whom each of its rows hides.
fn risk(groups: impl Iterator<Item = (u64, u64)> + Clone) -> Risk {
    let rows: u64 = groups.clone().map(|(rows, _)| rows).sum();
    let share = |part: f64| if rows == 0 { 0.0 } else { part / rows as f64 };
    let above = |mark: &Mark| {
        let small = groups.clone().filter(|&(_, hidden_among)| hidden_among < mark.group);
        let rows: u64 = small.map(|(rows, _)| rows).sum();
        Above {
            risk: mark.risk,
            group: mark.group,
            rows,
            share: share(rows as f64),
        }
    };
    let fewest = groups.clone().map(|(_, hidden_among)| hidden_among).min();
    Risk {
        highest: fewest.map_or(0.0, |fewest| 1.0 / fewest as f64),
        average: share(groups.clone().map(|(rows, among)| rows as f64 / among as f64).sum()),
        above: MARKS.iter().map(above).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Groups of 3, 2 and 1 rows, whether the combinations of all columns fit into 64 bits, into 128 or into neither.
    #[test]
    fn the_sizes_do_not_depend_on_how_many_combinations_there_are() {
        let codes = Codes::collect(4, [2, 0, 2, 3, 0, 2]);
        let sizes = |columns: usize| {
            let shown = || Shown {
                name: "c",
                codes: &codes,
                place_of_code: vec![5, 0, 1 << 21, 7],
                places: 1 << 22,
            };
            let columns: Vec<Shown> = (0..columns).map(|_| shown()).collect();
            let mut sizes = group_sizes(6, &columns);
            sizes.sort_unstable();
            sizes
        };
        for columns in [1, 2, 4, 9] {
            assert_eq!(sizes(columns), [1, 2, 3], "{columns} columns");
        }
        assert_eq!(sizes(0), [6]);
    }
}
