//! What the tests of clustering methods share: to ask a method, and to measure what it made.
#![allow(dead_code, reason = "each test uses its part")]

use scumble_grouping::{Failure, Method, Problem, Space};
use scumble_level::{Conditions, Contributions};
use scumble_privacy::{Demand, Diversity, QuasiIdentifier, Requirement, SecretValues, Secrets, Template};
use scumble_progress::Work;
use scumble_table::{Codes, ColumnId, Table};

/// At least `k` rows that look alike on the first columns, so many of them.
pub fn anonymity(k: usize, columns: usize) -> Template {
    Template {
        of: QuasiIdentifier::all((0..columns).map(ColumnId).collect()),
        demand: Demand::Anonymity {
            k: k as u64,
            per: Vec::new(),
        },
    }
}

/// At least `l` different values of a column.
pub fn diversity(l: u64, about: ColumnId, columns: usize) -> Template {
    Template {
        of: QuasiIdentifier::all((0..columns).map(ColumnId).collect()),
        demand: Demand::Diversity {
            about,
            measure: Diversity::Distinct { l },
        },
    }
}

/// No value of a column has a larger share: a row more may break what held.
pub fn confidence(at_most: f64, about: ColumnId, columns: usize) -> Template {
    let secrets = Secrets {
        column: about,
        values: SecretValues::Every,
    };
    Template {
        of: QuasiIdentifier::all((0..columns).map(ColumnId).collect()),
        demand: Demand::Confidence {
            at_most,
            about: vec![secrets],
        },
    }
}

/// The groups that a method makes of a table.
pub fn groups(method: &dyn Method, table: &Table, space: &Space, templates: &[Template], seed: u64) -> Vec<Vec<u32>> {
    groups_unless_stopped(method, table, space, templates, seed, Work::unwatched()).expect("nobody stops it")
}

/// The groups that a method makes of a table, as long as it may go on.
pub fn groups_unless_stopped(
    method: &dyn Method,
    table: &Table,
    space: &Space,
    templates: &[Template],
    seed: u64,
    work: Work,
) -> Result<Vec<Vec<u32>>, Failure> {
    let requirement = Requirement {
        templates: templates.to_vec(),
    };
    let problem = Problem {
        table,
        space,
        requirement: &requirement,
        rows_left_out_at_most: 0,
        seed,
        work,
    };
    method.groups(&problem, &Conditions::new(table, &requirement))
}

/// Groups in an order that tells nothing: rows ascending, groups by their first rows.
pub fn sorted(mut groups: Vec<Vec<u32>>) -> Vec<Vec<u32>> {
    groups.iter_mut().for_each(|group| group.sort_unstable());
    groups.sort_unstable();
    groups
}

/// The average loss of groups: UM on quasi columns (definition 3.1.2), and 1 less MPM on sensitive ones (3.1.4).
pub fn average_loss(space: &Space, groups: &[Vec<u32>]) -> f64 {
    let losses = groups.iter().map(|group| space.loss(&space.hull(group)));
    losses.sum::<f64>() / groups.len() as f64
}

/// Range diversity, word by word: the sum of `dc` over the different values of a group, by its size (definitions 5.1.3 and
/// 5.1.4).
pub fn range_diversity(codes: &Codes, contributions: &Contributions, group: &[u32]) -> f64 {
    let values: Vec<u32> = group.iter().map(|&row| codes.at(row as usize)).collect();
    let mut different = values.clone();
    different.sort_unstable();
    different.dedup();
    let frequency = |value: u32| values.iter().filter(|&&other| other == value).count() as f64;
    let confidence = |u: u32| {
        let pairs = different.iter().map(|&x| frequency(x) * contributions.of(u, x));
        frequency(u) * pairs.sum::<f64>() / group.len() as f64
    };
    different.iter().map(|&u| confidence(u)).sum::<f64>() / group.len() as f64
}
