//! [`Conditions`]: all templates of a requirement, asked of one group of rows at a time.
//!
//! A search that gathers rows makes groups that look alike on every quasi column at once. A template on fewer columns is
//! then asked of whole groups, too: on its own columns some of them may look the same, and a union of groups that keep
//! an anti-monotone template keeps it.

use scumble_privacy::{Requirement, Template};
use scumble_table::{Codes, Table};

use crate::checks::{Spec, specs};
use crate::contributions::Contributions;
use crate::measure::{Cell, Measure};

/// What every group must keep.
#[derive(Debug)]
pub struct Conditions<'t> {
    templates: &'t [Template],
    /// The largest `k` that is asked of records.
    fewest_rows: usize,
    /// The groupings with a template that looks at more than the number of rows.
    secret: Vec<Spec<'t>>,
}

/// A bound on range diversity, with what a search needs to follow it row by row.
#[derive(Clone, Copy, Debug)]
pub struct RangeCheck<'c> {
    /// The value of each row in the sensitive column.
    pub codes: &'c Codes,
    /// What pairs of values contribute.
    pub contributions: &'c Contributions,
    /// The bound.
    pub at_most: f64,
}

impl<'t> Conditions<'t> {
    /// The conditions of a requirement on a table.
    ///
    /// Templates on a population or on the join with earlier releases are not among them: those need to know who else
    /// could look like a group.
    pub fn new(table: &'t Table, requirement: &'t Requirement) -> Self {
        let numbered = requirement.templates.iter().enumerate();
        let elsewhere = numbered.filter(|(_, template)| !Conditions::cover(template));
        let elsewhere: Vec<usize> = elsewhere.map(|(number, _)| number).collect();
        let counted = requirement.templates.iter().filter_map(Template::records);
        let looks_further = |spec: &Spec| spec.checks.iter().any(|check| !matches!(check.measure, Measure::Size));
        Conditions {
            templates: &requirement.templates,
            fewest_rows: counted.max().unwrap_or(1).max(1) as usize,
            secret: specs(table, requirement, false, &elsewhere)
                .into_iter()
                .filter(looks_further)
                .collect(),
        }
    }

    /// Whether a template can be asked of a group of rows alone.
    pub fn cover(template: &Template) -> bool {
        template.joined().is_none() && template.population().is_none()
    }

    /// The fewest rows that a group must have.
    pub fn fewest_rows(&self) -> usize {
        self.fewest_rows
    }

    /// Whether nothing but the number of rows counts.
    pub fn are_of_size_only(&self) -> bool {
        self.secret.is_empty()
    }

    /// Those that bound range diversity. A union of groups need not keep them, nor a part of a group.
    pub fn range_diversities(&self) -> impl Iterator<Item = RangeCheck<'_>> {
        self.secret.iter().flat_map(|spec| {
            let codes = spec.categories.as_deref();
            spec.checks.iter().filter_map(move |check| {
                let Measure::RangeDiversity(contributions) = &check.measure else {
                    return None;
                };
                Some(RangeCheck {
                    codes: codes?,
                    contributions,
                    at_most: check.template.bound(),
                })
            })
        })
    }

    /// Whether a group of these rows keeps all of them.
    pub fn are_met_by(&self, rows: &[u32]) -> bool {
        rows.len() >= self.fewest_rows
            && self.secret.iter().all(|spec| {
                let cells = cells(spec, rows);
                spec.checks.iter().all(|check| check.is_met_by(check.level(&cells)))
            })
    }

    /// The level of each template, by its place in the requirement, over groups of rows.
    pub fn levels<'g>(&self, groups: impl IntoIterator<Item = &'g [u32]>) -> Vec<f64> {
        let mut levels: Vec<f64> = self.templates.iter().map(|template| template.sense().best()).collect();
        let mut worsen = |number: usize, level: f64| {
            levels[number] = self.templates[number].sense().worse(levels[number], level);
        };
        for rows in groups {
            for (number, template) in self.templates.iter().enumerate() {
                if template.records().is_some() {
                    worsen(number, rows.len() as f64);
                }
            }
            for spec in &self.secret {
                let cells = cells(spec, rows);
                spec.checks
                    .iter()
                    .for_each(|check| worsen(check.number, check.level(&cells)));
            }
        }
        levels
    }
}

/// How many of the rows are of each category, ascending.
fn cells(spec: &Spec, rows: &[u32]) -> Vec<Cell> {
    let category = |row: &u32| spec.categories.as_ref().map_or(0, |codes| codes.at(*row as usize));
    let cell = |category: u32, weight: u32| Cell {
        slot: 0,
        category,
        weight,
    };
    // Few rows are sorted; of many, one pass counts them.
    if rows.len() < 4 * spec.category_count {
        let mut categories: Vec<u32> = rows.iter().map(category).collect();
        categories.sort_unstable();
        let equal = categories.chunk_by(|a, b| a == b);
        return equal.map(|equal| cell(equal[0], equal.len() as u32)).collect();
    }
    let mut weights = vec![0u32; spec.category_count];
    rows.iter().for_each(|row| weights[category(row) as usize] += 1);
    let weights = weights.into_iter().enumerate().filter(|&(_, weight)| weight > 0);
    weights
        .map(|(category, weight)| cell(category as u32, weight))
        .collect()
}
