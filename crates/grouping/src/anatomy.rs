//! [`Anatomy`]: groups that mix sensitive values, for a release in which quasi columns stay as they are.
//!
//! Such a release is two tables, one of quasi values and one of sensitive values, joined by the number of the group
//! alone. So a group need not look alike; it must only have enough different secrets. With two different ones to a
//! group:
//!
//! | row | disease | group |
//! |---|---|---|
//! | 1 | pneumonia | 1 |
//! | 2 | dyspepsia | 1 |
//! | 3 | dyspepsia | 2 |
//! | 4 | flu | 2 |
//! | 5 | pneumonia | 2: left over, and group 2 lacks it |
//!
//! Invariant: every row is in one group; and if the whole table keeps the conditions, then so does every group.
//!
//! # Source
//! Xiao and Tao, *Anatomy: simple and effective privacy preservation*, 2006. Their steps give groups of as many rows
//! as there must be different values. Where other templates need more, rows are dealt instead, so that every group
//! has its part of each value.
//!
//! # Cost
//! `O(n log m)` for the steps with `m` sensitive values, `O(n log n)` for dealing.
//!
//! # What is lost
//! Nothing of a quasi column. But everybody can look up who is in the table, and which secrets go with a group.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use fastrand::Rng;
use rayon::prelude::*;
use scumble_level::Conditions;
use scumble_privacy::{Decimal, Demand, Diversity, Requirement, SecretValues, Template};
use scumble_progress::{Interrupted, Work};
use scumble_table::{Codes, ColumnId};

use crate::{Failure, Method, Problem};

/// Mixes the values of a sensitive column. The space of a problem is not looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Anatomy {
    /// The sensitive column.
    pub sensitive: ColumnId,
    /// How many different values a group should have, each of them once.
    pub diversity: usize,
}

impl Anatomy {
    /// With the fewest different values that keep all templates on diversity and on confidence about every value.
    ///
    /// Other templates ask for no certain number; what they need is found when rows are dealt.
    pub fn of(sensitive: ColumnId, requirement: &Requirement) -> Self {
        let fewest = requirement
            .templates
            .iter()
            .map(|template| different_values(template, sensitive));
        Anatomy {
            sensitive,
            diversity: fewest.max().unwrap_or(1).max(1),
        }
    }
}

/// How many different values, each of them once, keep a template; 1 if it asks for none.
fn different_values(template: &Template, sensitive: ColumnId) -> usize {
    // A bound such as 1/3 is met by three.
    let rounded_up = |number: f64| (number - 1e-9).ceil() as usize;
    match &template.demand {
        Demand::Diversity { about, measure } if *about == sensitive => match *measure {
            Diversity::Distinct { l } => l as usize,
            Diversity::Entropy { l } => rounded_up(l),
            // One is less than c times the l-th and all after it, if these are more than 1/c.
            Diversity::Recursive { c, l } => {
                let near = ((1.0 / c) as u64).max(1);
                let others = (near - 1..=near.saturating_add(1)).find(|&others| Decimal::of(c).exceeds(1, others));
                (l as usize).saturating_add(others.unwrap_or(u64::MAX) as usize) - 1
            }
        },
        Demand::Confidence { at_most, about } => {
            let about_all = about
                .iter()
                .any(|secrets| secrets.column == sensitive && secrets.values == SecretValues::Every);
            if about_all { fewest_that_share(*at_most) } else { 1 }
        }
        Demand::Anonymity { .. }
        | Demand::KMap { .. }
        | Demand::Diversity { .. }
        | Demand::Closeness { .. }
        | Demand::DeltaDisclosure { .. }
        | Demand::BetaLikeness { .. }
        | Demand::Personal { .. }
        | Demand::RangeDiversity { .. }
        | Demand::Joined(_) => 1,
    }
}

/// The fewest values that each have at most this share, if all have the same.
fn fewest_that_share(at_most: f64) -> usize {
    let near = ((1.0 / at_most) as usize).max(1);
    let values = (near..=near.saturating_add(1)).find(|&values| 1.0 / values as f64 <= at_most);
    values.unwrap_or(usize::MAX)
}

impl Method for Anatomy {
    fn groups(&self, problem: &Problem, conditions: &Conditions) -> Result<Vec<Vec<u32>>, Failure> {
        let work = problem.work.phase("dealing rows", 0.0..1.0);
        let column = problem.table.column(self.sensitive);
        let buckets = buckets(column.codes(), column.dictionary().len(), problem.seed);
        let stepping = work.part(0.0..STEPPING);
        if let Some(groups) = in_steps(buckets.clone(), column.codes(), self.diversity.max(1), stepping)?
            && all_keep(&groups, conditions, work)?
        {
            return Ok(groups);
        }
        deal_to_most(&buckets.concat(), conditions, work.part(STEPPING..1.0))
    }
}

fn all_keep(groups: &[Vec<u32>], conditions: &Conditions, work: Work) -> Result<bool, Interrupted> {
    let asked = groups.par_iter().filter(|_| !work.should_stop());
    let all = asked.all(|group| conditions.are_met_by(group));
    work.go_on()?;
    Ok(all)
}

/// The rows of each value, in an order by lot: which of them go together must not follow from the order of the table.
fn buckets(codes: &Codes, values: usize, seed: u64) -> Vec<Vec<u32>> {
    let mut buckets = vec![Vec::new(); values];
    for (row, code) in codes.iter().enumerate() {
        buckets[code as usize].push(row as u32);
    }
    let mut lot = Rng::with_seed(seed);
    buckets.iter_mut().for_each(|bucket| lot.shuffle(bucket));
    buckets
}

/// The share of the work that the steps take.
const STEPPING: f64 = 0.5;

/// So many groups are made before it is asked whether to go on.
const AT_ONCE: usize = 1 << 12;

/// Each step takes a row from each of the largest buckets, the first of those that are equally large; a row that is
/// left over goes to the first group without its value. `None` if more rows have one value than there can be groups.
fn in_steps(
    mut buckets: Vec<Vec<u32>>,
    codes: &Codes,
    diversity: usize,
    work: Work,
) -> Result<Option<Vec<Vec<u32>>>, Interrupted> {
    let most = buckets.iter().map(Vec::len).max().unwrap_or(0);
    if most > codes.len() / diversity {
        return Ok(None);
    }
    let steps = codes.len() / diversity;
    let sizes = buckets
        .iter()
        .enumerate()
        .map(|(value, bucket)| (bucket.len(), Reverse(value)));
    let mut largest: BinaryHeap<(usize, Reverse<usize>)> = sizes.filter(|(size, _)| *size > 0).collect();
    let mut groups: Vec<Vec<u32>> = Vec::new();
    while largest.len() >= diversity && !largest.is_empty() {
        if groups.len().is_multiple_of(AT_ONCE) {
            work.done(groups.len(), steps);
            work.go_on()?;
        }
        let step: Vec<(usize, Reverse<usize>)> = (0..diversity).filter_map(|_| largest.pop()).collect();
        groups.push(
            step.iter()
                .filter_map(|(_, Reverse(value))| buckets[*value].pop())
                .collect(),
        );
        let smaller = step.into_iter().map(|(size, value)| (size - 1, value));
        largest.extend(smaller.filter(|(size, _)| *size > 0));
    }
    for (value, bucket) in buckets.into_iter().enumerate() {
        for row in bucket {
            let lacks = |group: &&mut Vec<u32>| group.iter().all(|&row| codes.at(row as usize) as usize != value);
            let Some(group) = groups.iter_mut().find(lacks) else {
                return Ok(None);
            };
            group.push(row);
        }
    }
    Ok(Some(groups))
}

/// Deals rows, sorted by value, to as many groups as keep the conditions.
///
/// A group then has of each value its part of the whole, up to one row. So if a value has no more rows than there are
/// groups, no group has it twice; and if groups are dealt together, they are still closer to the whole.
fn deal_to_most(sorted: &[u32], conditions: &Conditions, work: Work) -> Result<Vec<Vec<u32>>, Failure> {
    if sorted.is_empty() {
        return Ok(Vec::new());
    }
    let keeps = |groups: usize, group: usize| conditions.are_met_by(&dealt(sorted, groups, group));
    let mut kept = (sorted.len() / conditions.fewest_rows()).max(1);
    let mut broken = kept + 1;
    // It halves until one number keeps them, and then what is between that and the last.
    let tries = work.count(2 * (kept.ilog2() as usize + 1));
    let keep = |groups: usize| {
        tries.go_on(1)?;
        let asked = (0..groups).into_par_iter().filter(|_| !work.should_stop());
        let all = asked.all(|group| keeps(groups, group));
        work.go_on()?;
        Ok::<bool, Failure>(all)
    };
    // One group is all that can be done, kept or not.
    while kept > 1 && !keep(kept)? {
        broken = kept;
        kept /= 2;
    }
    while broken - kept > 1 {
        let middle = kept.midpoint(broken);
        if keep(middle)? {
            kept = middle;
        } else {
            broken = middle;
        }
    }
    Ok((0..kept).map(|group| dealt(sorted, kept, group)).collect())
}

/// The rows that one of so many groups is dealt.
fn dealt(sorted: &[u32], groups: usize, group: usize) -> Vec<u32> {
    sorted.iter().skip(group).step_by(groups).copied().collect()
}
