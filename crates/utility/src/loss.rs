//! [`InformationLoss`]: how much less the rows of a release tell than the rows of the data.
//!
//! | job | age | | released job | age | NCP of the row | |
//! |---|---|---|---|---|---|---|
//! | Lawyer | 31 | | Professional | [30, 40) | 2/3 + 10/40 | in a group of two |
//! | Engineer | 38 | | Professional | [30, 40) | 2/3 + 10/40 | |
//! | Janitor | 70 | | | | 1 + 1 | left out |
//!
//! With three jobs, two of them professional, and ages from 30 to 70. A row that is left out counts as if each of its
//! cells were suppressed, so that leaving out rows is no way to look better. The averages over groups (UM, WGU, MPM)
//! are about the groups that there are.
//!
//! # Source
//! DM, C_AVG, GENC, NCP, CM, Q- and S-diversity, UM, WGU, MPM: Loukides, definitions 2.1.2 to 2.1.6, 3.1.1 to 3.1.4 and
//! 5.2.2. LM: Iyengar 2002. Distortion: Fung 6.4.
//!
//! # Cost
//! One pass over the labels, one over the groups, and a sort of the sensitive and class values of each group.

use rayon::prelude::*;
use serde::Serialize;

use crate::comparison::{Comparison, ReadColumn, Role};
use crate::diversity::s_diversity;
use crate::extent::Extent;
use crate::summary::mean;

/// What the masking of a table cost. The smaller each figure, the better.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InformationLoss {
    /// Rows of the data.
    pub rows_before: u64,
    /// Rows of the release.
    pub rows_released: u64,
    /// Rows that the release lacks.
    pub rows_left_out: u64,
    /// Groups of the release.
    pub groups: u64,
    /// DM: each row costs the size of its group, each row left out costs the size of the table.
    pub discernibility: u64,
    /// C_AVG: the average size of a group, in multiples of `k`. None without a group.
    pub average_group_size: Option<f64>,
    /// GENC: how high in their trees the categorical quasi cells are. None without such a column.
    pub generalization_cost: Option<Cost>,
    /// NCP: the share of its domain that each quasi cell may stand for.
    pub certainty_penalty: Cost,
    /// LM: the share of the *other* values of its domain that each quasi cell may stand for, per cell.
    pub loss_metric: f64,
    /// UM: the same per group, each group counted once. None without a group.
    pub utility_measure: Option<f64>,
    /// WGU: the same of the group that is worst off. None without a group.
    pub worst_group_utility: Option<f64>,
    /// MPM: how narrow the sensitive values of a group are, over groups and sensitive columns. None without either.
    pub max_range_protection: Option<f64>,
    /// CM: the share of rows that are not of the class that most of their group has. None without a class column.
    pub classification_metric: Option<f64>,
    /// Fung's distortion of the categorical quasi cells of a record: the steps that they were generalized by. None
    /// without such a column.
    pub categorical_distortion: Option<f64>,
    /// Fung's distortion of the continuous quasi cells of a record: the shares of the range that they cover. None
    /// without such a column.
    pub continuous_distortion: Option<f64>,
}

/// A measure that is added up over cells.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Cost {
    /// Over all cells.
    pub sum: f64,
    /// Per cell, from 0 to 1.
    pub mean: f64,
}

/// Measures what a release lost. `k` is the size that groups were required to have; without it, the smallest that they
/// have.
pub fn information_loss(comparison: &Comparison, k: Option<u64>) -> InformationLoss {
    let quasi = comparison.with_role(Role::Quasi);
    let per_group = q_diversities(comparison, &quasi);
    let listed: Vec<&ReadColumn> = quasi.iter().copied().filter(|c| !c.scale.is_continuous()).collect();
    let continuous: Vec<&ReadColumn> = quasi.iter().copied().filter(|c| c.scale.is_continuous()).collect();
    InformationLoss {
        rows_before: comparison.rows_before(),
        rows_released: comparison.rows_after(),
        rows_left_out: comparison.rows_left_out(),
        groups: comparison.groups().len() as u64,
        discernibility: discernibility(comparison),
        average_group_size: average_group_size(comparison, k),
        generalization_cost: (!listed.is_empty()).then(|| cost(comparison, &listed, generalization)),
        certainty_penalty: cost(comparison, &quasi, |column| column.penalty()),
        loss_metric: cost(comparison, &quasi, |column| {
            column.sum(|extent| column.scale.loss(extent))
        })
        .mean,
        utility_measure: mean(&per_group),
        worst_group_utility: per_group.iter().copied().reduce(f64::max),
        max_range_protection: max_range_protection(comparison),
        classification_metric: classification_metric(comparison),
        categorical_distortion: (!listed.is_empty()).then(|| categorical_distortion(comparison, &listed)),
        continuous_distortion: (!continuous.is_empty()).then(|| {
            let lengths = cost(comparison, &continuous, |column| column.penalty());
            lengths.sum / (comparison.rows_before() as f64).max(1.0)
        }),
    }
}

fn discernibility(comparison: &Comparison) -> u64 {
    let squares: u64 = comparison.groups().sizes().map(|size| u64::from(size).pow(2)).sum();
    let left_out = comparison.rows_left_out().saturating_mul(comparison.rows_before());
    squares.saturating_add(left_out)
}

fn average_group_size(comparison: &Comparison, k: Option<u64>) -> Option<f64> {
    let groups = comparison.groups();
    let smallest = groups.sizes().min()?;
    let k = k.unwrap_or(smallest.into()).max(1);
    Some(comparison.rows_after() as f64 / (groups.len() as f64 * k as f64))
}

/// Adds up what the released cells of some columns cost; cells of rows left out cost 1.
fn cost(comparison: &Comparison, columns: &[&ReadColumn], released: impl Fn(&ReadColumn) -> f64) -> Cost {
    let left_out = comparison.rows_left_out() as f64 * columns.len() as f64;
    let sum = columns.iter().map(|column| released(column)).sum::<f64>() + left_out;
    let cells = (comparison.rows_before().max(comparison.rows_after()) as f64) * columns.len() as f64;
    Cost {
        sum,
        mean: sum / cells.max(1.0),
    }
}

fn generalization(column: &ReadColumn) -> f64 {
    column.sum(|extent| column.scale.level(extent).unwrap_or(0.0))
}

/// The average Q-diversity of each group over the quasi columns. Its rows show one label per column.
fn q_diversities(comparison: &Comparison, quasi: &[&ReadColumn]) -> Vec<f64> {
    let loss_of_label = |column: &&ReadColumn| -> Vec<f64> {
        let losses = column.extents.iter().map(|extent| column.scale.loss(extent));
        losses.collect()
    };
    let losses: Vec<Vec<f64>> = quasi.par_iter().map(loss_of_label).collect();
    let of_group = |row: usize| {
        let labels = quasi
            .iter()
            .map(|column| column.compared.after.codes().at(row) as usize);
        // The sum of nothing would be less than nothing, by its sign.
        let sum = labels
            .zip(&losses)
            .fold(0.0, |sum, (label, losses)| sum + losses[label]);
        sum / (quasi.len() as f64).max(1.0)
    };
    comparison.groups().first_rows().map(of_group).collect()
}

fn max_range_protection(comparison: &Comparison) -> Option<f64> {
    let sensitive = comparison.with_role(Role::Sensitive);
    let of_column = |column: &&ReadColumn| {
        let codes = column.compared.after.codes();
        let diversities = comparison.groups().map_counts(codes, |counts| {
            let values = counts.iter().map(|&(code, _)| &column.extents[code as usize]);
            s_diversity(&column.scale, values)
        });
        mean(&diversities)
    };
    let of_columns: Option<Vec<f64>> = sensitive.iter().map(of_column).collect();
    mean(&of_columns?)
}

/// Rows left out count as misclassified, as suppressed ones do in Iyengar's definition.
fn classification_metric(comparison: &Comparison) -> Option<f64> {
    let class = *comparison.with_role(Role::Class).first()?;
    let minority = |counts: &[(u32, u32)]| {
        let rows: u64 = counts.iter().map(|&(_, rows)| u64::from(rows)).sum();
        let majority = counts.iter().map(|&(_, rows)| u64::from(rows)).max();
        rows - majority.unwrap_or(0)
    };
    let codes = class.compared.after.codes();
    let wrong: u64 = comparison.groups().map_counts(codes, minority).into_iter().sum();
    let rows = comparison.rows_before().max(comparison.rows_after()).max(1);
    Some((wrong + comparison.rows_left_out()) as f64 / rows as f64)
}

/// The steps from each original leaf up to the released node, per record.
///
/// It need not be known which row is which. If a cell is generalized, its node is above its leaf, and the steps between
/// them are the difference of their depths. So the steps of all cells are the depths of all leaves less the depths of
/// all nodes, whatever the pairs. A row left out adds its leaves to the first sum and nothing to the second: it went
/// all the way up to the root.
fn categorical_distortion(comparison: &Comparison, columns: &[&ReadColumn]) -> f64 {
    let depths = |column: &ReadColumn| {
        let depth = |extent: &Extent| f64::from(column.scale.depth(extent).unwrap_or(0));
        let before: f64 = column.values().map(|(extent, rows)| depth(extent) * rows as f64).sum();
        before - column.sum(depth)
    };
    let steps: f64 = columns.iter().map(|column| depths(column)).sum();
    steps / (comparison.rows_before() as f64).max(1.0)
}
