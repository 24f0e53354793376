//! Several tables: a person is their own row and the rows that hang off it.
//!
//! Anonymity counts the persons who have the same tree of quasi values, the rows below as a multiset. A secret of a row is
//! bounded in every group of rows that cannot be told apart: rows that look the same, of persons whose trees do. Diversity
//! counts rows; confidence counts persons, by who has the secret in at least one row of the group.

use std::collections::{BTreeMap, BTreeSet};

use super::{confidence, diversity};
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
    let level = |group: &Vec<Held>| match bound {
        Bound::Diversity(spread) => {
            let cells: Vec<Cell> = group.iter().map(|(_, cell)| (*cell).clone()).collect();
            diversity::level(&cells, *spread)
        }
        Bound::Confidence(_, secrets) => share_of_persons(group, kind, secrets),
    };
    let levels = groups.values().map(level);
    match bound {
        Bound::Diversity(_) => levels.reduce(f64::min),
        Bound::Confidence(..) => levels.reduce(f64::max),
    }
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
