//! A [`Line`] is the values of one group in order, with running totals, so that a sum over a range is a difference.

use scumble_table::Interval;

use super::SensitiveRanges;
use crate::extent::Scale;

/// The values of one group along the line, with running totals.
pub(super) struct Line<'r> {
    secrets: &'r SensitiveRanges<'r>,
    /// Distinct positions, ascending, with the range of their value.
    pub(super) values: Vec<(f64, Interval)>,
    /// Rows before each of them, and all rows on the line.
    rows: Vec<f64>,
    /// The same of rows times position.
    weighted: Vec<f64>,
    /// Codes that are on no line, with their rows.
    pub(super) apart: Vec<(u32, u32)>,
    /// Rows of the group.
    pub(super) size: f64,
}

impl<'r> Line<'r> {
    pub(super) fn new(secrets: &'r SensitiveRanges<'r>, group: &[(u32, u32)]) -> Self {
        let mut line = Line {
            secrets,
            values: Vec::new(),
            rows: vec![0.0],
            weighted: vec![0.0],
            apart: Vec::new(),
            size: group.iter().map(|&(_, rows)| f64::from(rows)).sum(),
        };
        let mut placed = Vec::with_capacity(group.len());
        for &(code, rows) in group {
            match secrets.positions[code as usize] {
                Some(at) => placed.push((at, code, f64::from(rows))),
                None => line.apart.push((code, rows)),
            }
        }
        placed.sort_by(|(a, ..), (b, ..)| a.total_cmp(b));
        // Texts of one number are one value.
        for same in placed.chunk_by(|(a, ..), (b, ..)| a == b) {
            let (at, code, _) = same[0];
            let rows: f64 = same.iter().map(|(.., rows)| rows).sum();
            line.values.push((at, secrets.ranges[code as usize]));
            line.rows.push(line.rows[line.rows.len() - 1] + rows);
            line.weighted.push(line.weighted[line.weighted.len() - 1] + rows * at);
        }
        line
    }

    /// Which of the values is at a position.
    pub(super) fn index(&self, at: f64) -> Option<usize> {
        self.values.binary_search_by(|(other, _)| other.total_cmp(&at)).ok()
    }

    /// How many values lie before a position.
    fn before(&self, at: f64) -> usize {
        self.values.partition_point(|&(other, _)| other < at)
    }

    /// `dc` of a value on the line.
    pub(super) fn confidence(&self, index: usize) -> f64 {
        let (_, range) = self.values[index];
        let end = match range.closed {
            true => self.values.partition_point(|&(other, _)| other <= range.to),
            false => self.before(range.to),
        };
        let own = self.rows[index + 1] - self.rows[index];
        own * self.contributions(index, self.before(range.from), end) / self.size
    }

    /// `dc` of a value that is on no line.
    pub(super) fn apart(&self, rows: u32) -> f64 {
        f64::from(rows).powi(2) / self.size
    }

    /// `Σ f(x) · pc(u, x)` over the values `first..end`, of which `u` is one.
    fn contributions(&self, u: usize, first: usize, end: usize) -> f64 {
        let rows = |first: usize, end: usize| self.rows[end] - self.rows[first];
        match self.secrets.scale {
            Scale::Numbers { range, .. } => {
                let at = self.values[u].0;
                let weighted = |first: usize, end: usize| self.weighted[end] - self.weighted[first];
                let below = at * rows(first, u) - weighted(first, u);
                let above = weighted(u, end) - at * rows(u, end);
                let whole = range.whole();
                let length = whole.to - whole.from;
                let far = if length > 0.0 { (below + above) / length } else { 0.0 };
                rows(first, end) - far
            }
            Scale::Values(values) if values.has_tree() => {
                // Up the tree: what a node adds to the node below it is as far from `u` as the node is wide.
                let (mut counted, mut sum) = (u..u + 1, rows(u, u + 1));
                for node in values.path(self.values[u].0 as u32).skip(1) {
                    if counted.start <= first && end <= counted.end {
                        break;
                    }
                    let leaves = values.leaves_under(node);
                    let under = self.before(leaves.start.into()).max(first)..self.before(leaves.end.into()).min(end);
                    let added = rows(under.start, counted.start) + rows(counted.end, under.end);
                    sum += added * (1.0 - values.others(leaves.len() as u32));
                    counted = under;
                }
                sum
            }
            Scale::Values(values) => {
                let own = rows(u, u + 1);
                own + (rows(first, end) - own) * (1.0 - values.others(2))
            }
        }
    }
}
