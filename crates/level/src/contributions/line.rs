//! A [`Line`] is the values of one group in order, with running totals, so that a sum over a range is a difference.
//!
//! # Cost
//! `l log l` for a group of `l` distinct values, times the height of a tree.

use scumble_table::Interval;

use super::{Apart, Contributions, others};

/// The values of one group along the line.
struct Line<'c> {
    contributions: &'c Contributions,
    /// Distinct positions, ascending, with the range of their value.
    values: Vec<(f64, Interval)>,
    /// Rows before each of them, and all rows on the line.
    rows: Vec<f64>,
    /// Of numbers, the same of rows times [offset](scumble_table::Range::offset): shifted, because sums of large numbers
    /// that are close to each other lose what they differ by.
    weighted: Vec<f64>,
    /// What values that are like no other give away of themselves.
    nowhere: f64,
    /// Rows of the group.
    size: f64,
}

impl Contributions {
    /// `rd` of a group, given as its values, each once, with their rows. 0 of no group.
    pub fn range_diversity(&self, group: impl IntoIterator<Item = (u32, u32)>) -> f64 {
        Line::new(self, group).range_diversity()
    }
}

impl<'c> Line<'c> {
    /// The values of a group with their rows.
    fn new(contributions: &'c Contributions, group: impl IntoIterator<Item = (u32, u32)>) -> Self {
        let mut line = Line {
            contributions,
            values: Vec::new(),
            rows: vec![0.0],
            weighted: vec![0.0],
            nowhere: 0.0,
            size: 0.0,
        };
        let mut placed = Vec::new();
        for (code, rows) in group {
            let rows = f64::from(rows);
            line.size += rows;
            match contributions.positions[code as usize] {
                Some(at) => placed.push((at, code, rows)),
                None => line.nowhere += rows * rows,
            }
        }
        placed.sort_by(|(a, ..), (b, ..)| a.total_cmp(b));
        // Texts of one number are one value.
        for same in placed.chunk_by(|(a, ..), (b, ..)| a == b) {
            let (at, code, _) = same[0];
            let rows: f64 = same.iter().map(|(.., rows)| rows).sum();
            line.values.push((at, contributions.ranges[code as usize]));
            line.rows.push(line.rows[line.rows.len() - 1] + rows);
            let weighted = line.weighted[line.weighted.len() - 1] + rows * contributions.offset(at);
            line.weighted.push(weighted);
        }
        line
    }

    /// `rd` of the group.
    fn range_diversity(&self) -> f64 {
        let on_line: f64 = (0..self.values.len()).map(|index| self.given_away(index)).sum();
        (on_line + self.nowhere) / (self.size * self.size).max(1.0)
    }

    /// `f(u) · Σ f(x) c(u, x)` of a value.
    fn given_away(&self, u: usize) -> f64 {
        let (_, range) = self.values[u];
        let end = match range.closed {
            true => self.values.partition_point(|&(other, _)| other <= range.to),
            false => self.before(range.to),
        };
        self.rows_of(u, u + 1) * self.contributed(u, self.before(range.from), end)
    }

    /// How many values lie before a position.
    fn before(&self, at: f64) -> usize {
        self.values.partition_point(|&(other, _)| other < at)
    }

    /// The rows of the values `first..end`.
    fn rows_of(&self, first: usize, end: usize) -> f64 {
        self.rows[end] - self.rows[first]
    }

    /// `Σ f(x) c(u, x)` over the values `first..end`, of which `u` is one.
    fn contributed(&self, u: usize, first: usize, end: usize) -> f64 {
        match &self.contributions.apart {
            Apart::Numbers(range) => {
                let at = self.contributions.offset(self.values[u].0);
                let length = range.map_or(0.0, |range| range.length());
                let weighted = |first: usize, end: usize| self.weighted[end] - self.weighted[first];
                let below = at * self.rows_of(first, u) - weighted(first, u);
                let above = weighted(u, end) - at * self.rows_of(u, end);
                let far = if length > 0.0 { (below + above) / length } else { 0.0 };
                self.rows_of(first, end) - far
            }
            Apart::Leaves(taxonomy) => {
                let all = taxonomy.leaves().len();
                // Up the tree: what a node adds to the node below it is as far from `u` as the node is wide.
                let (mut counted, mut sum) = (u..u + 1, self.rows_of(u, u + 1));
                for node in self.contributions.above(self.values[u].0).skip(1) {
                    if counted.start <= first && end <= counted.end {
                        break;
                    }
                    let leaves = taxonomy.leaves_under(node);
                    let under = self.before(leaves.start as f64).max(first)..self.before(leaves.end as f64).min(end);
                    let added = self.rows_of(under.start, counted.start) + self.rows_of(counted.end, under.end);
                    sum += added * (1.0 - others(leaves.len(), all));
                    counted = under;
                }
                sum
            }
            Apart::Values { count } => {
                let own = self.rows_of(u, u + 1);
                own + (self.rows_of(first, end) - own) * (1.0 - others(2, *count))
            }
        }
    }
}
