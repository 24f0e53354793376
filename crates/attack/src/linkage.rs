//! [`Linkage`]: how far the known people are narrowed down.
//!
//! Invariant: a person whom no row matches is not narrowed. They are not in the release, or what is known of them is
//! wrong; either way there is no row to take for theirs.

use rayon::prelude::*;
use serde::Serialize;

use crate::link::Links;

/// Pairs are counted among so many columns, those that tell most rows apart: 120 pairs.
const MOST_COLUMNS_IN_PAIRS: usize = 16;

/// How far the known people are narrowed down, knowing all shared columns of each.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Linkage {
    /// People attacked.
    pub people: u64,
    /// People whom no row matches.
    pub without_match: u64,
    /// How many rows match those whom any matches; `None` if none is matched.
    pub matching_rows: Option<Spread>,
    /// What "few rows" means: fewer than this.
    pub k: u64,
    /// People narrowed to fewer than `k` rows.
    pub narrowed: u64,
    /// People narrowed to a single row.
    pub uniques: u64,
    /// Single columns and pairs of columns that narrow people to fewer than `k` rows, most people first. Pairs are
    /// counted among the 16 columns that tell most rows apart.
    pub fewer_columns: Vec<Narrowing>,
}

/// The numbers of rows that match people.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// The fewest.
    pub smallest: u64,
    /// People who are matched by so few: the worst case.
    pub people_at_smallest: u64,
    /// The fewest that half of the people do not exceed.
    pub median: u64,
    /// The average.
    pub mean: f64,
}

/// Columns that are enough to narrow people.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Narrowing {
    /// The columns that the adversary has to know.
    pub columns: Vec<String>,
    /// People narrowed to fewer than k rows by them.
    pub people: u64,
}

/// Counts what the links say; `names` are the shared columns.
pub(crate) fn linkage(links: &Links, names: &[String], k: u64) -> Linkage {
    let rows = links.matching_rows();
    let people_with = |fits: &dyn Fn(u64) -> bool| -> u64 {
        let kinds = links.people().iter().zip(&rows);
        kinds.filter(|(_, rows)| fits(**rows)).map(|(people, _)| people).sum()
    };
    Linkage {
        people: links.people().iter().sum(),
        without_match: people_with(&|rows| rows == 0),
        matching_rows: spread(links.people(), &rows),
        k,
        narrowed: people_with(&|rows| 0 < rows && rows < k),
        uniques: people_with(&|rows| rows == 1),
        fewer_columns: fewer_columns(links, names, k),
    }
}

fn spread(people: &[u64], rows: &[u64]) -> Option<Spread> {
    let mut matched: Vec<(u64, u64)> = rows.iter().copied().zip(people.iter().copied()).collect();
    matched.retain(|&(rows, _)| rows > 0);
    matched.sort_unstable();
    let &(smallest, _) = matched.first()?;
    let all: u64 = matched.iter().map(|(_, people)| people).sum();
    let at_smallest = matched.iter().take_while(|&&(rows, _)| rows == smallest);
    let up_to = |sum: &mut u64, &(rows, people): &(u64, u64)| {
        *sum += people;
        Some((rows, *sum))
    };
    let median = matched.iter().scan(0, up_to).find(|&(_, sum)| 2 * sum >= all);
    let sum: u128 = matched
        .iter()
        .map(|&(rows, people)| u128::from(rows) * u128::from(people))
        .sum();
    Some(Spread {
        smallest,
        people_at_smallest: at_smallest.map(|(_, people)| people).sum(),
        median: median.map_or(smallest, |(rows, _)| rows),
        mean: sum as f64 / all as f64,
    })
}

/// The sets of fewer columns than all that narrow anybody.
fn fewer_columns(links: &Links, names: &[String], k: u64) -> Vec<Narrowing> {
    let mut sets: Vec<Vec<usize>> = (0..names.len()).map(|column| vec![column]).collect();
    sets.extend(pairs(links, names.len()));
    sets.retain(|set| set.len() < names.len());
    let narrowed = |set: &Vec<usize>| {
        let links = links.on(set);
        let rows = links.matching_rows();
        let kinds = links.people().iter().zip(rows);
        let people = kinds
            .filter(|(_, rows)| 0 < *rows && *rows < k)
            .map(|(people, _)| people);
        Narrowing {
            columns: set.iter().map(|&column| names[column].clone()).collect(),
            people: people.sum(),
        }
    };
    let looked_at = sets.par_iter().filter(|_| !links.should_stop());
    let mut found: Vec<Narrowing> = looked_at.map(narrowed).collect();
    found.retain(|set| set.people > 0);
    // Stable: of sets that narrow as many people, the one with fewer columns and then the earlier one comes first.
    found.sort_by_key(|set| std::cmp::Reverse(set.people));
    found
}

fn pairs(links: &Links, columns: usize) -> Vec<Vec<usize>> {
    let mut telling: Vec<usize> = (0..columns).collect();
    telling.sort_by_key(|&column| std::cmp::Reverse(links.on(&[column]).rows().len()));
    telling.truncate(MOST_COLUMNS_IN_PAIRS);
    telling.sort_unstable();
    let from = |place: usize| telling[place + 1..].iter().map(move |&second| (place, second));
    let pairs = (0..telling.len()).flat_map(from);
    pairs.map(|(place, second)| vec![telling[place], second]).collect()
}
