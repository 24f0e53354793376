//! A [`Sketch`] tells quickly what a person and a cluster lose at least, so that most distances need not be found.
//!
//! For each code of a quasi column it knows the least that the code loses with any node of the cluster, wherever that
//! node is. Courses Physics and History of a cluster, of the tree of 8 courses:
//!
//! | | Math | Physics | CS | Chemistry | History | Religion | Politics | Law |
//! |---|---|---|---|---|---|---|---|---|
//! | loses at least | 3/7 | 0 | 3/7 | 3/7 | 0 | 3/7 | 3/7 | 3/7 |
//!
//! And it knows how many nodes have one child in a table, how many have two, and so on:
//!
//! | books of each course | courses with 1 or more | 2 or more | 3 or more |
//! |---|---|---|---|
//! | of a person: 3, 1, 1 | 3 | 1 | 1 |
//! | of a cluster: 2, 2, 1 | 3 | 2 | 0 |
//!
//! Whichever courses are paired, a third book of the person is removed, and a second one of the cluster.
//!
//! Invariant: no merge loses less than [`Sketch::least`] says. A row of the person is merged with a node of its table,
//! and loses what it does there, or it is removed and loses everything.
//!
//! # Cost
//! To make one, a step for each code and node; to ask it, a step for each row of the person.

use crate::Database;
use crate::axis::Axis;
use crate::cost::{Cost, Unit};
use crate::database::Layer;
use crate::tree::Tree;

/// What each code loses at least with a cluster.
#[derive(Debug)]
pub(crate) struct Sketch {
    /// Of all tables, axis by axis. The first is nothing, for axes that are not sketched.
    least: Vec<u64>,
    families: Families,
}

/// Where the codes of a person are in a sketch.
#[derive(Debug)]
pub(crate) struct Probe {
    /// For each table, how many axes and where its places end.
    tables: Vec<(u32, u32)>,
    /// One for each row and axis, table by table.
    places: Vec<u32>,
    families: Families,
}

/// One for each table.
type Families = Vec<Family>;

/// How many nodes have at least one child in a table, at least two, and so on; the last counts children from there on.
type Family = [u16; 8];

impl Sketch {
    pub(crate) fn of(database: &Database, cluster: &Tree) -> Sketch {
        let whole = database.unit().whole();
        let mut least = vec![0];
        for (table, layer) in database.layers().iter().enumerate() {
            for (place, axis) in layer.axes.iter().enumerate() {
                let start = least.len();
                least.resize(start + axis.sketched(), whole);
                let words = cluster.table(table).words.iter().skip(place).step_by(layer.axes.len());
                words.for_each(|&word| axis.lower(word, &mut least[start..]));
            }
        }
        Sketch {
            least,
            families: families(database, cluster),
        }
    }

    /// What a person and the cluster lose at least.
    pub(crate) fn least(&self, unit: Unit, person: &Probe) -> u64 {
        let mut start = 0;
        let mut lost = 0;
        for (table, &(width, end)) in person.tables.iter().enumerate() {
            let places = &person.places[start..end as usize];
            start = end as usize;
            let (sum, most) = match width {
                0 => continue,
                1 => sum_and_most(places.iter().map(|&place| self.least[place as usize])),
                _ => sum_and_most(places.chunks_exact(width as usize).map(|row| {
                    let losses = row.iter().map(|&place| self.least[place as usize]);
                    losses.sum()
                })),
            };
            let whole = unit.whole() * u64::from(width);
            let (own, others) = (&person.families[table], &self.families[table]);
            let (rows, nodes) = (too_many(own, others), too_many(others, own));
            // Rows too many are removed, at best those that lose most anyway; nodes too many are removed besides.
            lost += sum + rows * (whole - most) + nodes * whole;
        }
        lost
    }
}

#[inline]
fn sum_and_most(losses: impl Iterator<Item = u64>) -> (u64, u64) {
    losses.fold((0, 0), |(sum, most), loss| (sum + loss, most.max(loss)))
}

impl Probe {
    pub(crate) fn of(database: &Database, person: &Tree) -> Probe {
        let mut tables = Vec::with_capacity(database.layers().len());
        let mut places = Vec::with_capacity(person.size() as usize);
        let mut starts = Vec::new();
        let mut next = 1;
        for (table, layer) in database.layers().iter().enumerate() {
            starts.clear();
            for axis in &layer.axes {
                starts.push(next);
                next += axis.sketched() as u32;
            }
            let place = |((axis, &start), &word): ((&Axis, &u32), &u64)| match axis.sketched() {
                0 => 0,
                _ => start + axis.code(word),
            };
            for row in person.table(table).words.chunks_exact(layer.axes.len().max(1)) {
                places.extend(layer.axes.iter().zip(&starts).zip(row).map(place));
            }
            tables.push((layer.axes.len() as u32, places.len() as u32));
        }
        Probe {
            tables,
            places,
            families: families(database, person),
        }
    }
}

/// The families of all tables. More than 65,535 count as that, which makes them differ less, not more.
fn families(database: &Database, tree: &Tree) -> Families {
    let layers = database.layers().iter().enumerate();
    let family = |(table, layer): (usize, &Layer)| {
        let mut family = Family::default();
        let parents = layer.parent.map_or(0..0, |parent| tree.nodes(parent));
        for node in parents {
            let children = tree.children(table, node).len();
            let most = family.len() - 1;
            family
                .iter_mut()
                .take(children.min(most))
                .for_each(|count| *count = count.saturating_add(1));
            let rest = u16::try_from(children.saturating_sub(most)).unwrap_or(u16::MAX);
            family[most] = family[most].saturating_add(rest);
        }
        family
    };
    layers.map(family).collect()
}

/// How many nodes are removed at least of the first family, whichever parents are paired.
#[inline]
fn too_many(family: &Family, other: &Family) -> u64 {
    let more = family.iter().zip(other).map(|(own, other)| own.saturating_sub(*other));
    more.map(u64::from).sum()
}

/// Tells of a bound whether it rules out a distance of less than the best so far, or as much.
///
/// A merge of trees with `w` cells in all pairs some and removes `r`, so it has `(w + r) / 2` cells, and as a removed
/// cell loses 1, at most `(w + lost) / 2`. So if it loses at least `s`, its mean is at least `2 s / (w + s)`. That this
/// exceeds the best mean is asked of floats, with a margin that is wider than their error: who is ruled out is farther,
/// and of all others the distance is found exactly.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Horizon {
    /// What a cell of both trees may lose at most.
    per_cell: f64,
}

impl Horizon {
    pub(crate) fn new(unit: Unit, best: Cost) -> Horizon {
        let mean = unit.mean(best.lost.into(), best.cells);
        let per_cell = mean / (2.0 - mean) * unit.whole() as f64;
        Horizon {
            per_cell: per_cell * (1.0 + 1e-9),
        }
    }

    /// What each of so many cells loses at least.
    #[inline]
    pub(crate) fn share(least: u64, cells: u64) -> f64 {
        least as f64 / cells.max(1) as f64
    }

    /// Whether trees of which each cell loses at least so much are farther.
    #[inline]
    pub(crate) fn is_before(self, share: f64) -> bool {
        share > self.per_cell
    }

    /// The most that trees of so many cells may lose to be as near as the best; who loses more is farther.
    #[inline]
    pub(crate) fn most(self, cells: u64) -> u64 {
        (self.per_cell * cells as f64) as u64
    }
}
