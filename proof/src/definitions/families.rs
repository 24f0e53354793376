//! Several tables: a person is their own row and the rows that hang off it.
//!
//! Anonymity counts the persons who have the same tree of quasi values, the rows below as a multiset. A secret of a row is
//! bounded in every group of rows that cannot be told apart: rows that look the same, of persons whose trees do. Diversity
//! and closeness count rows; confidence counts persons, by who has the secret in at least one row of the group. Disclosure
//! and likeness count both, and the worse is the level; of persons, all groups together are the whole, so that somebody with
//! rows in two groups counts twice.

use std::collections::{BTreeMap, BTreeSet};

use super::{closeness, confidence, diversity, frequency};
use crate::policy::{Kind, Secrets, Spread};
use crate::table::Cell;

/// A person of a release.
#[derive(Clone, Debug)]
pub struct Family {
    /// The person's own row.
    pub own: Member,
    /// The rows that hang off it.
    pub rows: Vec<Member>,
}

/// One row: what others may know, and the secret.
#[derive(Clone, Debug)]
pub struct Member {
    /// The quasi cells.
    pub quasi: Vec<Cell>,
    /// The sensitive cell.
    pub secret: Cell,
}

/// What others may know of a person.
type Looks<'f> = (&'f Vec<Cell>, Vec<&'f Vec<Cell>>);

impl Family {
    fn looks(&self) -> Looks<'_> {
        let mut rows: Vec<&Vec<Cell>> = self.rows.iter().map(|row| &row.quasi).collect();
        rows.sort();
        (&self.own.quasi, rows)
    }
}

/// The fewest persons who look the same.
pub fn anonymity(families: &[Family]) -> Option<f64> {
    let mut alike: BTreeMap<Looks, usize> = BTreeMap::new();
    for family in families {
        *alike.entry(family.looks()).or_default() += 1;
    }
    alike.into_values().min().map(|persons| persons as f64)
}

/// A bound on a secret, of the persons' own rows or of those below.
#[derive(Clone, Debug)]
pub enum Bound {
    /// At most this share of persons.
    Confidence(f64, Secrets),
    /// So well spread over rows.
    Diversity(Spread),
    /// As near to all rows, by the distance that its column has unless another is named.
    Closeness(f64),
    /// Less than this more or less frequent than in all.
    Disclosure(f64),
    /// At most this much more frequent; and whether enhanced.
    Likeness(f64, bool),
}

/// A secret, and whose it is.
type Held<'f> = (usize, &'f Cell);

/// The level of the worst group, of rows that look the same and whose persons do; `None` if there is no group.
pub fn secrets(families: &[Family], of_rows: bool, kind: &Kind, bound: &Bound) -> Option<f64> {
    let mut groups: BTreeMap<(Looks, &Vec<Cell>), Vec<Held>> = BTreeMap::new();
    for (person, family) in families.iter().enumerate() {
        let rows = if of_rows {
            &family.rows[..]
        } else {
            std::slice::from_ref(&family.own)
        };
        for row in rows {
            let group = groups.entry((family.looks(), &row.quasi)).or_default();
            group.push((person, &row.secret));
        }
    }
    let all: Vec<&Vec<Held>> = groups.values().collect();
    let level = |group: &Vec<Held>| match bound {
        Bound::Diversity(spread) => {
            let cells: Vec<Cell> = group.iter().map(|(_, cell)| (*cell).clone()).collect();
            diversity::level(&cells, *spread)
        }
        Bound::Confidence(_, secrets) => share_of_persons(group, kind, secrets),
        Bound::Closeness(_) => {
            let cells = |held: &[Held]| -> Vec<Cell> { held.iter().map(|(_, cell)| (*cell).clone()).collect() };
            let whole: Vec<Cell> = all.iter().flat_map(|held| cells(held)).collect();
            closeness::between(&cells(group), &whole, None, kind)
        }
        Bound::Disclosure(_) => both_ways(group, &all, frequency::change),
        Bound::Likeness(_, enhanced) => both_ways(group, &all, |p, q| frequency::gain(p, q, *enhanced)),
    };
    let levels = groups.values().map(level);
    match bound {
        Bound::Diversity(_) => levels.reduce(f64::min),
        Bound::Confidence(..) | Bound::Closeness(_) | Bound::Disclosure(_) | Bound::Likeness(..) => {
            levels.reduce(f64::max)
        }
    }
}

/// The worst of what shares of a value in a group, and in all groups, give: shares of rows, and of persons.
fn both_ways(group: &[Held], all: &[&Vec<Held>], of_value: impl Fn(f64, f64) -> f64) -> f64 {
    let values: BTreeSet<&Cell> = all.iter().flat_map(|held| held.iter()).map(|(_, cell)| *cell).collect();
    let rows = |held: &[Held], value: Option<&Cell>| {
        let fitting = held.iter().filter(|(_, cell)| value.is_none_or(|value| value == *cell));
        fitting.count()
    };
    let persons = |held: &[Held], value: Option<&Cell>| {
        let fitting = held.iter().filter(|(_, cell)| value.is_none_or(|value| value == *cell));
        fitting.map(|(person, _)| person).collect::<BTreeSet<_>>().len()
    };
    let worst = |count: &dyn Fn(&[Held], Option<&Cell>) -> usize| {
        let in_all = |value: Option<&Cell>| all.iter().map(|held| count(held, value)).sum::<usize>() as f64;
        let of_value = |value: &&Cell| {
            let p = count(group, Some(value)) as f64 / count(group, None) as f64;
            of_value(p, in_all(Some(value)) / in_all(None))
        };
        values.iter().map(of_value).fold(0.0, f64::max)
    };
    worst(&rows).max(worst(&persons))
}

fn share_of_persons(group: &[Held], kind: &Kind, secrets: &Secrets) -> f64 {
    let persons = |has: &dyn Fn(&Cell) -> bool| {
        let who = group.iter().filter(|(_, cell)| has(cell)).map(|(person, _)| person);
        who.collect::<BTreeSet<_>>().len()
    };
    let all = persons(&|_| true) as f64;
    let listed: Vec<&String> = match secrets {
        Secrets::Every => {
            let each = group.iter().map(|(_, cell)| persons(&|other| other == *cell));
            return each.max().unwrap_or(0) as f64 / all;
        }
        Secrets::Listed(listed) => listed.iter().collect(),
        Secrets::Bounds(bounds) => bounds.iter().map(|(value, _)| value).collect(),
    };
    let has = |secret: &String| {
        persons(&|cell| {
            cell.as_ref()
                .is_some_and(|value| confidence::is_under(kind, value, secret))
        })
    };
    listed.into_iter().map(has).max().unwrap_or(0) as f64 / all
}
