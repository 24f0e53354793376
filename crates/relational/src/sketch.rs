//! A [`Sketch`] tells quickly what a person and a cluster lose at least, so that most distances need not be found.
//!
//! For each code of a quasi column it knows the least that the code loses with any node of the cluster, wherever that
//! node is. Courses Physics and History of a cluster, of the tree of 8 courses:
//!
//! | | Math | Physics | CS | Chemistry | History | Religion | Politics | Law |
//! |---|---|---|---|---|---|---|---|---|
//! | loses at least | 3/7 | 0 | 3/7 | 3/7 | 0 | 3/7 | 3/7 | 3/7 |
//!
//! Invariant: no merge loses less than [`Sketch::least`] says. A row of the person is merged with a node of its table,
//! and loses what it does there, or it is removed and loses everything. Of `a` rows and `b` nodes of a table,
//! `|a - b|` are removed in any case.
//!
//! # Cost
//! To make one, a step for each code and node; to ask it, a step for each row of the person.

use crate::Database;
use crate::cost::{Cost, Unit};
use crate::tree::Tree;

/// What each code loses at least with a cluster.
#[derive(Debug)]
pub(crate) struct Sketch {
    /// Of all tables, axis by axis. The first is nothing, for axes that are not sketched.
    least: Vec<u64>,
    /// How many nodes each table has.
    nodes: Vec<u32>,
}

/// Where the codes of a person are in a sketch.
#[derive(Debug)]
pub(crate) struct Probe {
    tables: Vec<Probed>,
    /// One for each row and axis, table by table.
    places: Vec<u32>,
}

#[derive(Debug)]
struct Probed {
    rows: u32,
    width: u32,
}

impl Sketch {
    pub(crate) fn of(database: &Database, cluster: &Tree) -> Sketch {
        let whole = database.unit().whole();
        let mut sketch = Sketch {
            least: vec![0],
            nodes: Vec::with_capacity(database.layers().len()),
        };
        for (table, layer) in database.layers().iter().enumerate() {
            sketch.nodes.push(cluster.nodes(table).end);
            for (place, axis) in layer.axes.iter().enumerate() {
                let start = sketch.least.len();
                sketch.least.resize(start + axis.sketched(), whole);
                let words = cluster.cells(table).words.iter().skip(place).step_by(layer.axes.len());
                words.for_each(|&word| axis.lower(word, &mut sketch.least[start..]));
            }
        }
        sketch
    }

    /// What a person and the cluster lose at least.
    pub(crate) fn least(&self, unit: Unit, person: &Probe) -> u64 {
        let mut places = &person.places[..];
        let mut lost = 0;
        for (table, &nodes) in person.tables.iter().zip(&self.nodes) {
            let (own, rest) = places.split_at((table.rows * table.width) as usize);
            places = rest;
            if table.width == 0 {
                continue;
            }
            let row = |row: &[u32]| row.iter().map(|&place| self.least[place as usize]).sum::<u64>();
            let (mut sum, mut most) = (0, 0);
            for loss in own.chunks_exact(table.width as usize).map(row) {
                sum += loss;
                most = most.max(loss);
            }
            let whole = unit.whole() * u64::from(table.width);
            // Rows too many are removed, at best those that lose most anyway; nodes too many are removed besides.
            lost += sum
                + u64::from(table.rows.saturating_sub(nodes)) * (whole - most)
                + u64::from(nodes.saturating_sub(table.rows)) * whole;
        }
        lost
    }
}

impl Probe {
    pub(crate) fn of(database: &Database, person: &Tree) -> Probe {
        let mut probe = Probe {
            tables: Vec::with_capacity(database.layers().len()),
            places: Vec::with_capacity(person.size() as usize),
        };
        let mut starts = Vec::new();
        let mut next = 1;
        for (table, layer) in database.layers().iter().enumerate() {
            starts.clear();
            for axis in &layer.axes {
                starts.push(next);
                next += axis.sketched() as u32;
            }
            let axes = || layer.axes.iter().zip(&starts);
            let place = |((axis, &start), &word): ((&crate::axis::Axis, &u32), &u64)| {
                if axis.sketched() > 0 {
                    start + axis.code(word)
                } else {
                    0
                }
            };
            let rows = person.cells(table).words.chunks_exact(layer.axes.len().max(1));
            rows.for_each(|row| probe.places.extend(axes().zip(row).map(place)));
            probe.tables.push(Probed {
                rows: person.nodes(table).end,
                width: layer.axes.len() as u32,
            });
        }
        probe
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
