//! [`Associations`]: what columns told of each other in the data, and what they still tell in the release.
//!
//! Every pair of published columns is measured before and after. Two continuous columns by Spearman's rank correlation;
//! a released interval counts as its midpoint, and a cell that may be anything as missing. Any other pair by Cramér's
//! V: words and nodes are categories as they are shown, numbers are cut at the deciles that the column had before
//! masking. Rows in which either side is missing are left out of the pair.
//!
//! | age | sex | job | | age | sex | job | |
//! |---|---|---|---|---|---|---|---|
//! | 20 | F | Lawyer | | [20, 30) | `*` | Lawyer | age and sex: before 1, after 0, because a column that |
//! | 25 | F | Lawyer | | [20, 30) | `*` | Lawyer | shows one label tells nothing of any other |
//! | 40 | M | Janitor | | [40, 50) | `*` | Janitor | |
//! | 45 | M | Janitor | | [40, 50) | `*` | Janitor | age and job: before 1, after 1 |
//!
//! # Cost
//! One pass over the rows for each pair, before and after; pairs are measured side by side.

mod measure;
mod slots;

use rayon::prelude::*;
use scumble_progress::{Interrupted, Work};
use scumble_table::{Codes, Column, Table};
use serde::Serialize;

use crate::comparison::{Comparison, ReadColumn};
use crate::extent::Extent;
use crate::summary::mean;
use measure::{cramers_v, spearman};
use slots::Slots;

/// A pair of columns with more combinations of categories than this is left out. Of so many, most are empty, and the
/// figure would say more about the number of rows than about the columns.
pub const MOST_CELLS: usize = 4_000_000;

/// How two columns are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AssociationKind {
    /// Spearman's rank correlation, from -1 to 1.
    RankCorrelation,
    /// Cramér's V with Bergsma's correction for chance, from 0 to 1.
    CramersV,
}

/// How strongly two columns go together, before and after. A column that is all one value goes with none: 0.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Association {
    /// The two columns.
    pub columns: [String; 2],
    /// What is measured.
    pub kind: AssociationKind,
    /// In the data.
    pub before: f64,
    /// In the release.
    pub after: f64,
}

/// The associations of all pairs of columns.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Associations {
    /// The pairs, in column order.
    pub pairs: Vec<Association>,
    /// The average of |after - before|; the smaller, the better. None without a pair.
    pub mean_absolute_change: Option<f64>,
    /// Pairs that have more than [`MOST_CELLS`] combinations of values.
    pub left_out: Vec<[String; 2]>,
}

/// Measures all pairs of the compared columns that `original` has.
///
/// # Errors
/// [`Interrupted`] if it should stop.
pub fn associations(comparison: &Comparison, original: &Table, work: Work) -> Result<Associations, Interrupted> {
    let variables: Vec<Variable> = comparison
        .columns()
        .par_iter()
        .filter_map(|read| Some(Variable::new(read, original.column(original.find(read.compared.name)?))))
        .collect();
    let places = 0..variables.len();
    let pairs: Vec<(usize, usize)> = places.flat_map(|b| (0..b).map(move |a| (a, b))).collect();
    let measured: Vec<Result<Association, [String; 2]>> = pairs
        .par_iter()
        .filter(|_| !work.should_stop())
        .map(|&(a, b)| associate(&variables[a], &variables[b]))
        .collect();
    work.go_on()?;

    let (mut pairs, mut left_out) = (Vec::new(), Vec::new());
    for pair in measured {
        match pair {
            Ok(association) => pairs.push(association),
            Err(columns) => left_out.push(columns),
        }
    }
    let changes: Vec<f64> = pairs.iter().map(|pair| (pair.after - pair.before).abs()).collect();
    Ok(Associations {
        mean_absolute_change: mean(&changes),
        pairs,
        left_out,
    })
}

/// A column as a statistician sees it, before and after.
struct Variable<'a> {
    name: &'a str,
    continuous: bool,
    before: Side<'a>,
    after: Side<'a>,
}

/// One row of codes and what they mean.
struct Side<'a> {
    codes: &'a Codes,
    /// Numbers by rank, from 0; equal numbers have one. Empty if the column is not continuous.
    ranks: Slots,
    /// Categories, which are deciles if the column is continuous.
    categories: Slots,
}

impl<'a> Variable<'a> {
    fn new(read: &ReadColumn<'a>, original: &'a Column) -> Self {
        let values = read.values_of(original);
        let continuous = read.scale.is_continuous();
        let cuts = if continuous { deciles(read) } else { Vec::new() };
        let after = read.compared.after;
        let side = |codes: &'a Codes, extents: &[Extent]| match continuous {
            true => Side::of_numbers(codes, extents, &cuts),
            false => Side::of_categories(codes, extents),
        };
        Variable {
            name: read.compared.name,
            continuous,
            before: side(original.codes(), &values),
            after: side(after.codes(), &read.extents),
        }
    }
}

impl<'a> Side<'a> {
    fn of_numbers(codes: &'a Codes, extents: &[Extent], cuts: &[f64]) -> Self {
        let numbers: Vec<Option<f64>> = extents.iter().map(midpoint).collect();
        let mut distinct: Vec<f64> = numbers.iter().copied().flatten().collect();
        distinct.sort_by(f64::total_cmp);
        distinct.dedup();
        let slots = |ends: &[f64], len: usize| {
            let slot = |number: &Option<f64>| number.map_or(len, |number| ends.partition_point(|&end| end < number));
            Slots {
                of_code: numbers.iter().map(|number| slot(number) as u32).collect(),
                len,
            }
        };
        Side {
            codes,
            ranks: slots(&distinct, distinct.len()),
            categories: slots(cuts, cuts.len() + 1),
        }
    }

    /// Every label is a category, `*` too.
    fn of_categories(codes: &'a Codes, extents: &[Extent]) -> Self {
        // The missing value has the last code, so its slot is the last as it must be.
        let missing = extents.last() == Some(&Extent::Missing);
        Side {
            codes,
            ranks: Slots::default(),
            categories: Slots {
                of_code: (0..extents.len() as u32).collect(),
                len: extents.len() - usize::from(missing),
            },
        }
    }
}

fn midpoint(extent: &Extent) -> Option<f64> {
    match extent {
        Extent::Numbers(interval) => Some(interval.middle()),
        Extent::Missing | Extent::Places(_) | Extent::Everything | Extent::Unknown => None,
    }
}

/// Up to nine numbers that part the rows before masking into about equal tenths; each is the largest of its tenth.
fn deciles(read: &ReadColumn) -> Vec<f64> {
    let mut numbers: Vec<(f64, u64)> = read
        .values()
        .filter_map(|(extent, rows)| Some((midpoint(extent)?, rows)))
        .collect();
    numbers.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let total: u64 = numbers.iter().map(|(_, rows)| rows).sum();
    let (mut cuts, mut seen) = (Vec::new(), 0);
    for (number, rows) in numbers {
        let tenths = |seen: u64| seen * 10 / total.max(1);
        let passed = tenths(seen + rows) > tenths(seen);
        seen += rows;
        if passed && seen < total {
            cuts.push(number);
        }
    }
    cuts
}

fn associate(a: &Variable, b: &Variable) -> Result<Association, [String; 2]> {
    let columns = [a, b].map(|variable| variable.name.to_owned());
    let kind = match a.continuous && b.continuous {
        true => AssociationKind::RankCorrelation,
        false => AssociationKind::CramersV,
    };
    let fits = |a: &Side, b: &Side| (a.categories.len + 1).saturating_mul(b.categories.len + 1) <= MOST_CELLS;
    if kind == AssociationKind::CramersV && !(fits(&a.before, &b.before) && fits(&a.after, &b.after)) {
        return Err(columns);
    }
    let measure = |a: &Side, b: &Side| match kind {
        AssociationKind::RankCorrelation => spearman((a.codes, &a.ranks), (b.codes, &b.ranks)),
        AssociationKind::CramersV => cramers_v((a.codes, &a.categories), (b.codes, &b.categories)),
    };
    Ok(Association {
        columns,
        kind,
        before: measure(&a.before, &b.before),
        after: measure(&a.after, &b.after),
    })
}
