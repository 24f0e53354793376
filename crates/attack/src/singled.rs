//! [`SingledOut`]: how far rows are told apart by all that a release shows, not by its quasi columns alone.
//!
//! A mask hides a row among others on the quasi columns. Columns that are published as they are may still single it out:
//! who knows a salary to the cent, or three lab results, needs no quasi column.
//!
//! | job (masked) | salary | ward | | as they are | with the masked |
//! |---|---|---|---|---|---|
//! | Professional | 4,711 | B | | alone | alone |
//! | Professional | 5,000 | B | | with row 3 | alone |
//! | Janitor | 5,000 | B | | with row 2 | alone |
//!
//! # Cost
//! One grouping for each set of columns: linear in the rows, but for sorting one number per row.

use rayon::prelude::*;
use scumble_table::{ColumnId, Released, Table};
use serde::{Deserialize, Serialize};

use crate::risk::{VIOLATED, Violating};
use crate::sizes::{GroupSizes, Shown, group_sizes};

/// How the columns of a release are shown, by their places.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShownColumns {
    /// As they are.
    pub as_they_are: Vec<ColumnId>,
    /// Behind a mask.
    pub masked: Vec<ColumnId>,
    /// As they are, in a table of their own, where only the number of a group leads from a row to them.
    pub secrets: Vec<ColumnId>,
}

/// Rows that few others are like, on what is shown beside the masked columns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SingledOut {
    /// On all columns that are published as they are.
    pub as_they_are: GroupCounts,
    /// On these and the masked ones. Absent where nothing is masked.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub with_masked: Option<GroupCounts>,
    /// On the columns of the table of secrets, by themselves. Absent where secrets are not apart.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub secrets: Option<GroupCounts>,
}

/// The groups of rows that agree on some columns, counted; of several tables the groups of persons whose rows agree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroupCounts {
    /// The columns.
    pub of: Vec<String>,
    /// Those of them with the most different values, at most [`MOST_VALUES`].
    pub most_values: Vec<String>,
    /// Rows of the release, or persons.
    pub rows: u64,
    /// How many groups there are.
    pub groups: u64,
    /// Rows that are alone in their group.
    pub uniques: u64,
    /// Rows in groups of fewer than `k`, for each of [`VIOLATED`] and the largest group that was required.
    pub violating: Vec<Violating>,
}

/// How many columns are named that rows are mostly told apart by.
pub const MOST_VALUES: usize = 3;

impl GroupCounts {
    /// Counts groups, given the columns with the number of their values, and the largest group that was required.
    pub fn new(columns: Vec<(String, usize)>, sizes: &GroupSizes, required: Option<u64>) -> Self {
        let mut by_values: Vec<&(String, usize)> = columns.iter().collect();
        // Stable, so that columns with as many values stay in their order.
        by_values.sort_by_key(|(_, values)| std::cmp::Reverse(*values));
        let most_values = by_values.into_iter().take(MOST_VALUES).map(|(name, _)| name.clone());
        let mut marks: Vec<u64> = VIOLATED.into_iter().chain(required).collect();
        marks.sort_unstable();
        marks.dedup();
        let violating = marks.into_iter().filter(|&k| k > 1).map(|k| Violating {
            k,
            rows: sizes.rows_below(k),
        });
        GroupCounts {
            most_values: most_values.collect(),
            of: columns.into_iter().map(|(name, _)| name).collect(),
            rows: sizes.rows(),
            groups: sizes.groups(),
            uniques: sizes.groups_of(1),
            violating: violating.collect(),
        }
    }

    /// Rows in groups of fewer than `k`, if that was counted.
    pub fn below(&self, k: u64) -> Option<u64> {
        let found = self.violating.iter().find(|violating| violating.k == k);
        found.map(|violating| violating.rows)
    }
}

/// Counts the rows of a release that stand out, from what a reader sees; `required` is the largest group that was asked
/// for. `None` if nothing is published as it is: then the [risks](crate::risks) say all.
pub fn singled_out(released: &Released, columns: &ShownColumns, required: Option<u64>) -> Option<SingledOut> {
    let shown = |id: ColumnId| {
        let column = &released.columns()[id.0];
        (column.name.clone(), Shown::of_released(column))
    };
    columns.count(released.rows(), shown, required)
}

/// The same of a release that was read from a file.
pub fn singled_out_of_table(released: &Table, columns: &ShownColumns, required: Option<u64>) -> Option<SingledOut> {
    let shown = |id: ColumnId| {
        let column = released.column(id);
        (column.name.clone(), Shown::of_column(column))
    };
    columns.count(released.rows(), shown, required)
}

impl ShownColumns {
    fn count<'c>(
        &self,
        rows: usize,
        shown: impl Fn(ColumnId) -> (String, Shown<'c>) + Sync,
        required: Option<u64>,
    ) -> Option<SingledOut> {
        let [as_they_are, masked, secrets]: [Vec<(String, Shown)>; 3] =
            [&self.as_they_are, &self.masked, &self.secrets].map(|ids| ids.par_iter().map(|&id| shown(id)).collect());
        let count = |sets: &[&[(String, Shown)]]| {
            let columns: Vec<&(String, Shown)> = sets.iter().copied().flatten().collect();
            let named = columns.iter().map(|(name, shown)| (name.clone(), shown.values()));
            let shown: Vec<&Shown> = columns.iter().map(|(_, shown)| shown).collect();
            GroupCounts::new(named.collect(), &group_sizes(rows, &shown), required)
        };
        (!as_they_are.is_empty()).then(|| SingledOut {
            as_they_are: count(&[&as_they_are]),
            with_masked: (!masked.is_empty()).then(|| count(&[&as_they_are, &masked])),
            secrets: (!secrets.is_empty()).then(|| count(&[&secrets])),
        })
    }
}
