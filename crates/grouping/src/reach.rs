//! A [`Reach`] is where some clusters lie, which bounds what any of them loses with one row more.
//!
//! | ages from 0 to 100 | one of its rows | with 50 | loss |
//! |---|---|---|---|
//! | cluster [10, 20] | 10 | [10, 50] | 40 / 100 |
//! | cluster [25, 45] | 30 | [25, 50] | 25 / 100 |
//! | the gap from [10, 30] to 50 | | [30, 50] | 20 / 100 |
//!
//! On no axis does a cluster with the row lose less than the row and any one row of the cluster, nor less than the cluster
//! alone. So one row stands for each cluster, and the gap between the row and where those lie bounds them all. One serves
//! better than several: they lie closer together.
//!
//! This needs no more of an axis than that two codes lose the less the nearer they are to each other in value order. That
//! is so of numbers, and of a tree whose leaves are in order; in a set any two lose the same, but for the missing value,
//! which is last and loses all.

use crate::{Hull, Space};

/// Where clusters lie, and what they lose.
#[derive(Clone)]
pub(crate) struct Reach {
    axes: Box<[Side]>,
    /// The least loss of a cluster.
    least: f64,
}

/// The reach on one axis.
#[derive(Clone)]
struct Side {
    /// The first code of a row that stands for a cluster.
    first: u32,
    /// The last code of such a row.
    last: u32,
    /// The least loss of a cluster.
    least: f64,
    /// The largest loss of a cluster.
    most: f64,
}

impl Reach {
    /// That of one cluster, for which one of its rows stands.
    pub fn new(space: &Space, row: u32, hull: &Hull) -> Self {
        let side = |(axis, &code): (usize, &u32)| Side {
            first: code,
            last: code,
            least: space.loss_on(axis, hull),
            most: space.loss_on(axis, hull),
        };
        Reach {
            axes: space.cells(row).iter().enumerate().map(side).collect(),
            least: space.loss(hull),
        }
    }

    /// That of the clusters of both.
    pub fn of_both(one: &Reach, other: &Reach) -> Self {
        let sides = one.axes.iter().zip(&other.axes).map(|(one, other)| Side {
            first: one.first.min(other.first),
            last: one.last.max(other.last),
            least: one.least.min(other.least),
            most: one.most.max(other.most),
        });
        Reach {
            axes: sides.collect(),
            least: one.least.min(other.least),
        }
    }

    /// What each cluster loses at least with a row of these cells more, and how much of that the row adds at least.
    pub fn loss_at_least(&self, gaps: &Gaps, cells: &[u32]) -> (f64, f64) {
        // On each axis the gap or the least loss; or the least loss on all of them, and what gaps add to any cluster.
        let (mut apart, mut added) = (0.0, 0.0);
        for ((side, gaps), &code) in self.axes.iter().zip(&gaps.axes).zip(cells) {
            let gap = gaps.loss(code, code.max(side.first).min(side.last));
            apart += side.least.max(gap);
            added += (gap - side.most).max(0.0);
        }
        let axes = cells.len() as f64;
        ((apart / axes).max(self.least + added / axes), added / axes)
    }
}

/// What the gap between two codes loses at least, axis by axis.
pub(crate) struct Gaps {
    axes: Vec<AxisGaps>,
}

/// Losses between bins of neighbouring codes.
struct AxisGaps {
    /// A bin has two to the power of this many codes.
    digits: u32,
    bins: usize,
    /// By two bins, either first: the loss between their nearest codes. So all that is asked about one row lies close by.
    losses: Vec<f64>,
}

/// An axis has so many bins at most: a table of them is made in a moment, and few columns have more values.
const BINS: usize = 256;

impl Gaps {
    /// The gaps between rows of a space, which has so many.
    pub fn new(space: &Space, rows: usize) -> Self {
        let axes = (0..space.axes()).map(|axis| AxisGaps::new(space, axis, rows as u32));
        Gaps { axes: axes.collect() }
    }
}

impl AxisGaps {
    fn new(space: &Space, axis: usize, rows: u32) -> Self {
        let code = |row: u32| space.cells(row)[axis];
        let codes = (0..rows).map(code).max().map_or(0, |last| last as usize + 1);
        let digits = codes.div_ceil(BINS).next_power_of_two().ilog2();
        let bins = codes.div_ceil(1 << digits);
        // A row with the first code of each bin, and one with the last.
        let mut ends: Vec<Option<(u32, u32)>> = vec![None; bins];
        for row in 0..rows {
            let (first, last) = ends[(code(row) >> digits) as usize].get_or_insert((row, row));
            *first = if code(row) < code(*first) { row } else { *first };
            *last = if code(row) > code(*last) { row } else { *last };
        }
        let mut losses = vec![0.0; bins * bins];
        for (lower, upper) in (0..bins).flat_map(|upper| (0..upper).map(move |lower| (lower, upper))) {
            if let (Some((_, last)), Some((first, _))) = (ends[lower], ends[upper]) {
                let loss = space.loss_on(axis, &space.hull(&[last, first]));
                losses[lower * bins + upper] = loss;
                losses[upper * bins + lower] = loss;
            }
        }
        AxisGaps { digits, bins, losses }
    }

    /// The least loss of two codes together.
    fn loss(&self, one: u32, other: u32) -> f64 {
        self.losses[(one >> self.digits) as usize * self.bins + (other >> self.digits) as usize]
    }
}
