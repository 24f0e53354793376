//! Groups that are told apart by the search and look alike in the release.
//!
//! A centre is less than what the rows of a group have in common: two groups may show one. To a reader they are one group,
//! and templates that two groups keep may be broken by both together (personal, range diversity).
//!
//! | group | ages | shown | who guards what | |
//! |---|---|---|---|---|
//! | 1 | 20, 40 | 30 | HIV is guarded, in 1 of 2 rows | together 3 of 4 rows have HIV: |
//! | 2 | 29, 31 | 30 | nothing, HIV in 2 of 2 | both go with the nearest other group |
//!
//! Invariant: of groups that look alike, all rows together keep every condition.

use std::collections::BTreeMap;

use scumble_level::Conditions;

use crate::{Failure, Grouping, Problem};

/// What a group shows, column by column.
pub type Look = Vec<Option<String>>;

/// Joins groups until those that look alike keep the conditions together. `show` tells what groups, given by their rows,
/// are shown as.
///
/// # Errors
/// - [`Failure::Interrupted`] if it was told to stop.
/// - [`Failure::CannotBeMet`] if all rows as one group break a condition.
pub fn settle_alike(
    problem: &Problem,
    grouping: Grouping,
    show: &dyn Fn(&[Vec<u32>]) -> Vec<Look>,
) -> Result<Grouping, Failure> {
    if problem
        .requirement
        .templates
        .iter()
        .all(|template| template.is_anti_monotone())
    {
        return Ok(grouping);
    }
    let conditions = Conditions::new(problem.table, problem.requirement);
    let rows = problem.table.rows();
    let mut groups = grouping.rows();
    // Every round ends with fewer groups than it began with, so there is a last one.
    while let Some(broken) = broken_together(&groups, &conditions, show) {
        problem.work.go_on()?;
        let (mut joined, mut others) = (Vec::new(), Vec::new());
        for (place, group) in groups.into_iter().enumerate() {
            if broken.contains(&place) {
                joined.extend(group);
            } else {
                others.push(group);
            }
        }
        while !conditions.are_met_by(&joined) {
            problem.work.go_on()?;
            let Some(nearest) = nearest(problem, &joined, &others) else {
                return Err(Failure::CannotBeMet(conditions.levels([&joined[..]])));
            };
            joined.extend(others.remove(nearest));
        }
        others.push(joined);
        groups = others;
    }
    Ok(Grouping::new(rows, &groups))
}

/// The places of groups that look alike and break a condition together; the first such, if any.
fn broken_together(
    groups: &[Vec<u32>],
    conditions: &Conditions,
    show: &dyn Fn(&[Vec<u32>]) -> Vec<Look>,
) -> Option<Vec<usize>> {
    let mut alike: BTreeMap<Look, Vec<usize>> = BTreeMap::new();
    for (place, look) in show(groups).into_iter().enumerate() {
        alike.entry(look).or_default().push(place);
    }
    let mut several = alike.into_values().filter(|places| places.len() > 1);
    let together = |places: &[usize]| {
        places
            .iter()
            .flat_map(|&place| groups[place].clone())
            .collect::<Vec<u32>>()
    };
    several.find(|places| !conditions.are_met_by(&together(places)))
}

/// The group that some rows lose least with; the first of equals.
fn nearest(problem: &Problem, rows: &[u32], others: &[Vec<u32>]) -> Option<usize> {
    let hull = problem.space.hull(rows);
    let losses = others.iter().map(|other| {
        let loss = problem.space.loss_of_both(&hull, &problem.space.hull(other));
        (rows.len() + other.len()) as f64 * loss
    });
    let nearest = losses.enumerate().min_by(|(_, a), (_, b)| a.total_cmp(b));
    nearest.map(|(place, _)| place)
}
