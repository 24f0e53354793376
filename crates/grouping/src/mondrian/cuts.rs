//! Where a part may be cut on one axis: a [`Cut`] has the lower values on its left and the higher ones on its right.
//!
//! The better cut is the more even one. But on a tree not every cut helps both sides:
//!
//! | left | shown as | right | shown as |
//! |---|---|---|---|
//! | Engineer, Lawyer | Professional | Janitor | Janitor |
//! | Engineer | Engineer | Lawyer, Janitor | ANY, as before |
//!
//! If two neighbouring values of the table alone lose as much as the whole part, then so does a side that has both. So the gaps
//! between such values are cut first: on a tree, those between children of the closest common ancestor; on any axis,
//! the one before the missing value. Only where none of them may be cut is any other.

use rayon::prelude::*;

use crate::Space;

/// A cut of a part on one axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cut {
    /// Rows with a smaller code are on the left, with a larger one on the right.
    at: u32,
    /// Of the rows with just this code, so many are on the left: the first.
    dealt: usize,
    /// How many rows are on the left.
    pub(crate) left: usize,
}

impl Cut {
    /// Writes the rows to `sides`, those on the left first; both sides keep their order.
    pub(crate) fn deal(&self, codes: &[u32], rows: &[u32], sides: &mut [u32]) {
        let (mut left, mut right, mut dealt) = (0, self.left, 0);
        for (&code, &row) in codes.iter().zip(rows) {
            let goes_left = code < self.at || code == self.at && dealt < self.dealt;
            dealt += usize::from(code == self.at);
            let place = if goes_left { &mut left } else { &mut right };
            sides[*place] = row;
            *place += 1;
        }
    }
}

/// The values of a part on one axis: every code that occurs, ascending, and how many rows have it.
pub(crate) struct Tally {
    counts: Vec<(u32, usize)>,
    rows: usize,
}

impl Tally {
    pub(crate) fn new(codes: &[u32]) -> Tally {
        let first = codes.iter().copied().min().unwrap_or(0);
        let last = codes.iter().copied().max().unwrap_or(0);
        let range = (last - first) as usize + 1;
        // Few rows are sorted; of many, one pass counts them.
        let counts = if codes.len() < range / 4 {
            let mut codes = codes.to_vec();
            codes.sort_unstable();
            let equal = codes.chunk_by(|a, b| a == b);
            equal.map(|equal| (equal[0], equal.len())).collect()
        } else {
            let mut counts = vec![0; range];
            codes.iter().for_each(|code| counts[(code - first) as usize] += 1);
            let counted = (first..).zip(counts);
            counted.filter(|&(_, count)| count > 0).collect()
        };
        Tally {
            counts,
            rows: codes.len(),
        }
    }

    /// The cut that has so many of the rows on its left, fewer than all, whatever their values.
    pub(crate) fn cut_after(&self, left: usize) -> Cut {
        let mut below = 0;
        let last = self.counts.iter().find(|&&(_, count)| {
            below += count;
            below > left
        });
        let (at, count) = last.copied().unwrap_or_default();
        Cut {
            at,
            dealt: left - (below - count),
            left,
        }
    }

    /// The cuts to try in a part of this width, if equal values stay together: the two around the median, of the gaps
    /// that cost as much as the part and then of all.
    pub(super) fn cuts_between_values(&self, gaps: &Gaps, width: f64) -> Vec<Cut> {
        let mut left = 0;
        let cuts: Vec<(bool, Cut)> = self
            .counts
            .windows(2)
            .map(|pair| {
                let (below, above) = (pair[0], pair[1]);
                left += below.1;
                let cut = Cut {
                    at: above.0,
                    dealt: 0,
                    left,
                };
                (gaps.has(width, below.0, above.0), cut)
            })
            .collect();
        let costly = cuts.iter().filter(|(costly, _)| *costly).map(|(_, cut)| *cut);
        let mut tried = self.around_the_median(costly);
        let all = self.around_the_median(cuts.iter().map(|(_, cut)| *cut));
        tried.extend(all.into_iter().filter(|cut| !tried.contains(cut)).collect::<Vec<_>>());
        tried
    }

    /// The last cut with at most half of the rows on its left and the first with more, the more even one first.
    fn around_the_median(&self, cuts: impl Iterator<Item = Cut>) -> Vec<Cut> {
        let (mut before, mut after) = (None, None);
        for cut in cuts {
            if 2 * cut.left <= self.rows {
                before = Some(cut);
            } else {
                after = Some(cut);
                break;
            }
        }
        let mut both: Vec<Cut> = before.into_iter().chain(after).collect();
        both.sort_by_key(|cut| (2 * cut.left).abs_diff(self.rows));
        both
    }
}

/// What the gaps between neighbouring values of one axis cost, with the value before each; by cost, then by value.
pub(super) struct Gaps(Vec<(f64, u32)>);

impl Gaps {
    /// The gaps of every axis of a table of so many rows.
    pub(super) fn of_axes(space: &Space, rows: usize) -> Vec<Gaps> {
        let axes = (0..space.axes()).into_par_iter();
        axes.map(|axis| Gaps::new(space, axis, rows)).collect()
    }

    fn new(space: &Space, axis: usize, rows: usize) -> Gaps {
        let cell = |row: u32| space.cells(row)[axis];
        let mut one_of_each: Vec<Option<u32>> = Vec::new();
        for row in 0..rows as u32 {
            let code = cell(row) as usize;
            if code >= one_of_each.len() {
                one_of_each.resize(code + 1, None);
            }
            one_of_each[code].get_or_insert(row);
        }
        let values: Vec<u32> = one_of_each.into_iter().flatten().collect();
        let neighbours = values.windows(2);
        let gap = |pair: &[u32]| (space.loss_on(axis, &space.hull(pair)), cell(pair[0]));
        let mut gaps: Vec<(f64, u32)> = neighbours.map(gap).collect();
        gaps.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        Gaps(gaps)
    }

    /// Whether a gap of just this cost lies between two values.
    fn has(&self, cost: f64, below: u32, above: u32) -> bool {
        let place = self.0.partition_point(|&gap| gap < (cost, below));
        self.0.get(place).is_some_and(|&gap| gap.0 == cost && gap.1 < above)
    }
}
