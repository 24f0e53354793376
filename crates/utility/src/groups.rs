//! [`Groups`]: the rows of a release that agree on all quasi columns.
//!
//! Invariant: the rows of group `g` are `rows[starts[g]..starts[g + 1]]`; every row is in one group, no group is empty.

use rayon::prelude::*;
use scumble_table::{Codes, Collapsed, collapse};
use serde::Serialize;

use crate::summary::quantile;

/// The groups of a release.
#[derive(Debug)]
pub struct Groups {
    starts: Vec<u32>,
    rows: Vec<u32>,
}

impl Groups {
    /// Groups the rows that agree on all of `columns`.
    pub fn new(rows: usize, columns: &[&Codes]) -> Self {
        let Collapsed { weights, kind_of, .. } = collapse(rows, columns);
        let mut starts: Vec<u32> = Vec::with_capacity(weights.len() + 1);
        starts.push(0);
        starts.extend(weights.iter().scan(0, |end, weight| {
            *end += weight;
            Some(*end)
        }));
        let mut next = starts.clone();
        let mut by_group = vec![0; rows];
        for (row, group) in (0..).zip(kind_of) {
            let place = &mut next[group as usize];
            by_group[*place as usize] = row;
            *place += 1;
        }
        Groups { starts, rows: by_group }
    }

    /// How many groups.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there is no group, because there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many rows each group has.
    pub fn sizes(&self) -> impl ExactSizeIterator<Item = u32> {
        self.starts.windows(2).map(|ends| ends[1] - ends[0])
    }

    /// A row of each group; they all show the same quasi values.
    pub(crate) fn first_rows(&self) -> impl ExactSizeIterator<Item = usize> {
        let starts = &self.starts[..self.len()];
        starts.iter().map(|&start| self.rows[start as usize] as usize)
    }

    /// What `measure` makes of each group's counts: the codes that its rows have, ascending, each with its rows.
    pub fn map_counts<R: Send>(&self, codes: &Codes, measure: impl Fn(&[(u32, u32)]) -> R + Sync) -> Vec<R> {
        let groups = self.starts.par_windows(2).with_min_len(64);
        let scratch = || (Vec::new(), Vec::new());
        let measured = groups.map_init(scratch, |(cells, counts), ends| {
            let rows = &self.rows[ends[0] as usize..ends[1] as usize];
            cells.clear();
            cells.extend(rows.iter().map(|&row| codes.at(row as usize)));
            cells.sort_unstable();
            counts.clear();
            counts.extend(
                cells
                    .chunk_by(|a, b| a == b)
                    .map(|equal| (equal[0], equal.len() as u32)),
            );
            measure(counts)
        });
        measured.collect()
    }
}

/// How large the groups of a release are. Every figure is about groups, not rows; all are 0 if there is no group.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GroupSizes {
    /// How many groups.
    pub groups: u64,
    /// Rows of the smallest.
    pub smallest: u64,
    /// A quarter of the groups are at most this large.
    pub lower_quartile: u64,
    /// Half of the groups are at most this large.
    pub median: u64,
    /// Three quarters of the groups are at most this large.
    pub upper_quartile: u64,
    /// Rows of the largest.
    pub largest: u64,
    /// Rows per group.
    pub mean: f64,
    /// How many groups are of about one size, for a plot; bins without a group between others are there too.
    pub histogram: Vec<SizeBin>,
}

/// The groups of a range of sizes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SizeBin {
    /// The smallest size in the bin.
    pub from: u64,
    /// The largest size in the bin.
    pub to: u64,
    /// How many groups.
    pub groups: u64,
    /// How many rows these groups have together.
    pub rows: u64,
}

/// The distribution of the sizes of groups.
pub fn group_sizes(groups: &Groups) -> GroupSizes {
    let mut sizes: Vec<u64> = groups.sizes().map(u64::from).collect();
    sizes.sort_unstable();
    let rows: u64 = sizes.iter().sum();
    let quantile = |share| quantile(&sizes, share).unwrap_or(0);
    GroupSizes {
        groups: sizes.len() as u64,
        smallest: quantile(0.0),
        lower_quartile: quantile(0.25),
        median: quantile(0.5),
        upper_quartile: quantile(0.75),
        largest: quantile(1.0),
        mean: rows as f64 / (sizes.len() as f64).max(1.0),
        histogram: histogram(&sizes),
    }
}

/// Bins 1, 2, 3 to 4, 5 to 9, 10 to 19, 20 to 49, 50 to 99 and so on, from the smallest size to the largest.
fn histogram(ascending: &[u64]) -> Vec<SizeBin> {
    let (Some(&smallest), Some(&largest)) = (ascending.first(), ascending.last()) else {
        return Vec::new();
    };
    let decades = (1..).map(|power| 10u64.pow(power));
    let starts = [1, 2, 3, 5]
        .into_iter()
        .chain(decades.flat_map(|ten| [ten, 2 * ten, 5 * ten]));
    let starts: Vec<u64> = starts.take_while(|&start| start <= 5 * largest.max(2)).collect();
    let bins = starts.windows(2).map(|ends| {
        let at = |size: u64| ascending.partition_point(|&other| other < size);
        let inside = &ascending[at(ends[0])..at(ends[1])];
        SizeBin {
            from: ends[0],
            to: ends[1] - 1,
            groups: inside.len() as u64,
            rows: inside.iter().sum(),
        }
    });
    bins.filter(|bin| bin.to >= smallest && bin.from <= largest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_counts_the_codes_of_its_rows() {
        let job = Codes::collect(2, [0, 1, 0, 0]);
        let disease = Codes::collect(3, [2, 1, 0, 2]);
        let groups = Groups::new(4, &[&job]);
        assert_eq!(groups.sizes().collect::<Vec<_>>(), [3, 1]);
        assert_eq!(groups.first_rows().collect::<Vec<_>>(), [0, 1]);
        let counts = groups.map_counts(&disease, |counts| counts.to_vec());
        assert_eq!(counts, [vec![(0, 1), (2, 2)], vec![(1, 1)]]);
    }

    #[test]
    fn an_empty_release_has_no_group() {
        let groups = Groups::new(0, &[]);
        assert!(groups.is_empty());
        let sizes = group_sizes(&groups);
        assert_eq!((sizes.groups, sizes.smallest, sizes.mean), (0, 0, 0.0));
        assert!(sizes.histogram.is_empty());
    }

    /// Groups of 4, 4, 5 and 120 rows.
    #[test]
    fn sizes_are_told_by_quantiles_and_bins() {
        let groups = [0; 4].into_iter().chain([1; 4]).chain([2; 5]).chain([3; 120]);
        let sizes = group_sizes(&Groups::new(133, &[&Codes::collect(4, groups)]));
        assert_eq!((sizes.smallest, sizes.lower_quartile, sizes.median), (4, 4, 4));
        assert_eq!((sizes.upper_quartile, sizes.largest, sizes.mean), (5, 120, 133.0 / 4.0));
        let bins: Vec<_> = sizes
            .histogram
            .iter()
            .map(|b| (b.from, b.to, b.groups, b.rows))
            .collect();
        let filled = [(3, 4, 2, 8), (5, 9, 1, 5)];
        assert_eq!(bins[..2], filled);
        assert_eq!(bins[2..5], [(10, 19, 0, 0), (20, 49, 0, 0), (50, 99, 0, 0)]);
        assert_eq!(bins[5..], [(100, 199, 1, 120)]);
    }
}
