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
//! adds up to 1: two rows are expected to be re-identified. One row of four is above 0.33, and violates k = 2.
//!
//! # Source
//! Prosecutor, journalist and marketer risk after El Emam, *Guide to the De-Identification of Personal Health
//! Information* (2013).

use scumble_table::{ColumnId, Released, Table};
use serde::{Deserialize, Serialize};

use crate::link::Links;
use crate::sizes::GroupSizes;

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

/// The marks that offices use, strictest first.
///
/// - 0.05, groups of 20: public releases of patient data in Canada and the United States (El Emam, *Guide to the
///   De-Identification of Personal Health Information*, 2013, on the precedents of cell sizes).
/// - 0.09, groups of 11: public releases (European Medicines Agency, Policy 0070; Health Canada, public release of
///   clinical information; cell size policy of the Centers for Medicare & Medicaid Services).
/// - 0.2, groups of 5: the old rule of five.
/// - 0.33, groups of 3: data that is shared under a contract.
pub const MARKS: [Mark; 4] = [
    Mark { risk: 0.05, group: 20 },
    Mark { risk: 0.09, group: 11 },
    Mark { risk: 0.2, group: 5 },
    Mark { risk: 0.33, group: 3 },
];

/// The `k` for which the rows that violate k-anonymity are counted: alone, and the two smallest groups that statistical
/// offices accept.
pub const VIOLATED: [u64; 3] = [2, 3, 5];

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
    /// How many rows are expected to be re-identified: the sum of their risks. Absent in certificates of earlier
    /// versions.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub expected: Option<f64>,
    /// How many rows are above each of [`MARKS`].
    pub above: Vec<Above>,
}

/// How many rows are in groups of fewer than `k`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Violating {
    /// The size that the group should have at least.
    pub k: u64,
    /// Rows in smaller groups.
    pub rows: u64,
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
    /// How many rows violate k-anonymity for each of [`VIOLATED`]. Absent in certificates of earlier versions.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub violating: Vec<Violating>,
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
    let names = quasi.iter().map(|id| released.columns()[id.0].name.clone());
    risks_of_groups(names.collect(), &GroupSizes::of_release(released, quasi))
}

/// The risks of a release that was read from a file.
pub(crate) fn risks_of_table(released: &Table, quasi: &[ColumnId]) -> Risks {
    let names = quasi.iter().map(|&id| released.column(id).name.clone());
    risks_of_groups(names.collect(), &GroupSizes::of_table(released, quasi))
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

fn risks_of_groups(of: Vec<String>, sizes: &GroupSizes) -> Risks {
    let prosecutor = risk(sizes.iter().map(|(size, groups)| (size * groups, size)));
    let violating = VIOLATED.iter().map(|&k| Violating {
        k,
        rows: sizes.rows_below(k),
    });
    Risks {
        of,
        rows: sizes.rows(),
        groups: sizes.groups(),
        uniques: sizes.groups_of(1),
        violating: violating.collect(),
        marketer: prosecutor.average,
        prosecutor,
    }
}

/// The risk of rows, given as numbers of rows with the number of people among whom each of them hides.
fn risk(hiding: impl Iterator<Item = (u64, u64)> + Clone) -> Risk {
    let rows: u64 = hiding.clone().map(|(rows, _)| rows).sum();
    let share = |part: f64| if rows == 0 { 0.0 } else { part / rows as f64 };
    let above = |mark: &Mark| {
        let small = hiding.clone().filter(|&(_, among)| among < mark.group);
        let rows: u64 = small.map(|(rows, _)| rows).sum();
        Above {
            risk: mark.risk,
            group: mark.group,
            rows,
            share: share(rows as f64),
        }
    };
    let fewest = hiding.clone().map(|(_, among)| among).min();
    let expected: f64 = hiding.clone().map(|(rows, among)| rows as f64 / among as f64).sum();
    Risk {
        highest: fewest.map_or(0.0, |fewest| 1.0 / fewest as f64),
        average: share(expected),
        expected: Some(expected),
        above: MARKS.iter().map(above).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As certificates had it before there were expected re-identifications and violations; it must read, and be
    /// written back to the byte.
    const FIRST: &str = r#"{"of":["job"],"rows":4,"groups":2,"uniques":1,"prosecutor":{"highest":1.0,"average":0.5,"above":[{"risk":0.09,"group":11,"rows":4,"share":1.0}]},"marketer":0.5}"#;

    #[test]
    fn risks_of_an_earlier_certificate_read_as_they_were() {
        let risks: Risks = serde_json::from_str(FIRST).unwrap();
        assert_eq!((risks.prosecutor.expected, risks.violating.len()), (None, 0));
        assert_eq!(serde_json::to_string(&risks).unwrap(), FIRST);
    }

    /// Groups of 1, 1, 2 and 4: every group gives one row away.
    #[test]
    fn each_group_is_one_expected_hit() {
        let risks = risks_of_groups(Vec::new(), &[1, 4, 2, 1].into_iter().collect());
        assert_eq!((risks.prosecutor.expected, risks.marketer), (Some(4.0), 0.5));
        let violating: Vec<(u64, u64)> = risks.violating.iter().map(|of| (of.k, of.rows)).collect();
        assert_eq!(violating, [(2, 2), (3, 4), (5, 8)]);
    }

    #[test]
    fn no_rows_have_no_risk() {
        let risks = risks_of_groups(Vec::new(), &GroupSizes::default());
        assert_eq!(
            (risks.rows, risks.groups, risks.uniques, risks.marketer),
            (0, 0, 0, 0.0)
        );
        assert_eq!((risks.prosecutor.highest, risks.prosecutor.expected), (0.0, Some(0.0)));
        assert!(risks.violating.iter().all(|violating| violating.rows == 0));
    }
}
