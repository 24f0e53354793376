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

/// For each table, how many nodes of its parent have at least one child in it, at least two, and so on.
#[derive(Debug)]
struct Families {
    counts: Vec<u32>,
    /// Where those of each table end.
    ends: Vec<u32>,
}

impl Sketch {
    pub(crate) fn of(database: &Database, cluster: &Tree) -> Sketch {
        let whole = database.unit().whole();
        let mut least = vec![0];
        for (table, layer) in database.layers().iter().enumerate() {
            for (place, axis) in layer.axes.iter().enumerate() {
                let start = least.len();
                least.resize(start + axis.sketched(), whole);
                let words = cluster.cells(table).words.iter().skip(place).step_by(layer.axes.len());
                words.for_each(|&word| axis.lower(word, &mut least[start..]));
            }
        }
        Sketch {
            least,
            families: Families::of(database, cluster),
        }
    }

    /// What a person and the cluster lose at least.
    pub(crate) fn least(&self, unit: Unit, person: &Probe) -> u64 {
        let mut start = 0;
        let mut lost = 0;
        for (table, &(width, end)) in person.tables.iter().enumerate() {
            let places = &person.places[start..end as usize];
            start = end as usize;
            if width == 0 {
                continue;
            }
            let row = |row: &[u32]| row.iter().map(|&place| self.least[place as usize]).sum::<u64>();
            let (mut sum, mut most) = (0, 0);
            for loss in places.chunks_exact(width as usize).map(row) {
                sum += loss;
                most = most.max(loss);
            }
            let whole = unit.whole() * u64::from(width);
            let (rows, nodes) = person.families.too_many(&self.families, table);
            // Rows too many are removed, at best those that lose most anyway; nodes too many are removed besides.
            lost += sum + rows * (whole - most) + nodes * whole;
        }
        lost
    }
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
            for row in person.cells(table).words.chunks_exact(layer.axes.len().max(1)) {
                places.extend(layer.axes.iter().zip(&starts).zip(row).map(place));
            }
            tables.push((layer.axes.len() as u32, places.len() as u32));
        }
        Probe {
            tables,
            places,
            families: Families::of(database, person),
        }
    }
}

impl Families {
    fn of(database: &Database, tree: &Tree) -> Families {
        let mut families = Families {
            counts: Vec::new(),
            ends: Vec::with_capacity(database.layers().len()),
        };
        for (table, layer) in database.layers().iter().enumerate() {
            let start = families.counts.len();
            if let Some(parent) = layer.parent {
                for node in tree.nodes(parent) {
                    let children = tree.children(table, node).len();
                    if families.counts.len() < start + children {
                        families.counts.resize(start + children, 0);
                    }
                    families.counts[start..][..children]
                        .iter_mut()
                        .for_each(|count| *count += 1);
                }
            }
            families.ends.push(families.counts.len() as u32);
        }
        families
    }

    fn table(&self, table: usize) -> &[u32] {
        let start = table.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.counts[start as usize..self.ends[table] as usize]
    }

    /// How many nodes of a table are removed at least from the one and from the other, whichever their parents are paired
    /// with.
    fn too_many(&self, others: &Families, table: usize) -> (u64, u64) {
        let (own, others) = (self.table(table), others.table(table));
        let (mut here, mut there) = (0, 0);
        for (&own, &other) in own.iter().zip(others) {
            here += u64::from(own.saturating_sub(other));
            there += u64::from(other.saturating_sub(own));
        }
        let rest = |counts: &[u32], from: usize| counts.iter().skip(from).map(|&count| u64::from(count)).sum::<u64>();
        (here + rest(own, others.len()), there + rest(others, own.len()))
    }
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

    /// Whether trees of so many cells that lose at least so much are farther.
    pub(crate) fn is_beyond(self, least: u64, cells: u64) -> bool {
        least as f64 > self.per_cell * cells as f64
    }
}
