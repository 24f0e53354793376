//! A [`Partition`] cuts rows into subspaces, by the median of the axis on which they are widest, and keeps the tree of cuts.
//!
//! | age | height | cut by age | then by height, `s` = 1 |
//! |---|---|---|---|
//! | 20 | 190 | left | 2nd |
//! | 30 | 150 | left | 1st |
//! | 46 | 180 | right | 4th |
//! | 70 | 160 | right | 3rd |
//!
//! Rows are cut in the middle: of those that equal the median, both sides get so many that neither has more than one row
//! more than the other. So every subspace has from `s` to `2s - 1` rows, as theorem 3.3.1 supposes; with one half of the
//! equals to each side, as a footnote has it, three quarters of the rows may end up on one side.
//!
//! Invariant: the parts of a part are its rows, no more, no fewer, and do not depend on the number of threads.
//!
//! # Source
//! Loukides, algorithm 2. "Largest" is by the loss of showing the rows as one, which is the range normalised by the
//! domain.
//!
//! # Cost
//! `O(n · axes · log(n / s))`, halves in parallel.

use std::ops::Range;

use scumble_level::Conditions;

use crate::Space;

/// Rows in subspaces.
pub(crate) struct Partition {
    rows: Vec<u32>,
    root: Part,
}

/// Rows that no cut has parted yet.
pub(crate) struct Part {
    rows: Range<usize>,
    /// What the next cut makes of it; none of a subspace.
    pub halves: Option<Box<[Part; 2]>>,
}

/// Fewer rows than this are cut faster than they are given to another thread.
const ROWS_WORTH_A_THREAD: usize = 4096;

impl Partition {
    /// Subspaces of at least so many rows, or one if there are no more.
    pub fn new(space: &Space, mut rows: Vec<u32>, fewest: usize) -> Self {
        let root = cut(space, &mut rows, 0, fewest.max(1));
        Partition { rows, root }
    }

    /// The fewest rows of subspaces most of which keep the conditions: `k`, or twice as many as often as it takes.
    pub fn fewest_rows_that_do(space: &Space, rows: &[u32], conditions: &Conditions) -> usize {
        let sizes = std::iter::successors(Some(conditions.fewest_rows()), |fewest| fewest.checked_mul(2));
        let most_do = |fewest: &usize| {
            let partition = Partition::new(space, rows.to_vec(), *fewest);
            let subspaces = partition.subspaces();
            let good = subspaces.iter().filter(|rows| conditions.are_met_by(rows)).count();
            2 * good > subspaces.len()
        };
        let mut possible = sizes.take_while(|&fewest| fewest < rows.len());
        possible.find(most_do).unwrap_or(rows.len())
    }

    /// The part of all rows.
    pub fn root(&self) -> &Part {
        &self.root
    }

    /// The rows of each subspace, ascending; subspaces from left to right.
    pub fn subspaces(&self) -> Vec<&[u32]> {
        let mut subspaces = Vec::new();
        self.root
            .visit_subspaces(&mut |range| subspaces.push(&self.rows[range]));
        subspaces
    }

    /// The smallest parts that are good, each as a group; all rows as one if there is nothing better.
    pub fn smallest(&self, is_good: &(impl Fn(&[u32]) -> bool + Sync)) -> Vec<Vec<u32>> {
        let parts = self.smallest_under(&self.root, is_good);
        parts.unwrap_or_else(|| vec![self.rows.clone()])
    }

    fn smallest_under(&self, part: &Part, is_good: &(impl Fn(&[u32]) -> bool + Sync)) -> Option<Vec<Vec<u32>>> {
        let of_halves = part.halves.as_deref().and_then(|[left, right]| {
            let (left, right) = rayon::join(
                || self.smallest_under(left, is_good),
                || self.smallest_under(right, is_good),
            );
            Some([left?, right?].concat())
        });
        let rows = &self.rows[part.rows.clone()];
        of_halves.or_else(|| is_good(rows).then(|| vec![rows.to_vec()]))
    }
}

impl Part {
    fn visit_subspaces(&self, visit: &mut impl FnMut(Range<usize>)) {
        match self.halves.as_deref() {
            Some(halves) => halves.iter().for_each(|half| half.visit_subspaces(visit)),
            None => visit(self.rows.clone()),
        }
    }
}

/// Cuts rows, the first of which is at this place among all, as long as both halves have enough.
fn cut(space: &Space, rows: &mut [u32], first: usize, fewest: usize) -> Part {
    let range = first..first + rows.len();
    let axis = if rows.len() / 2 < fewest {
        None
    } else {
        widest(space, rows)
    };
    let Some(axis) = axis else {
        rows.sort_unstable();
        return Part {
            rows: range,
            halves: None,
        };
    };
    let middle = rows.len().div_ceil(2);
    // The number of the row decides between equals, so that which row goes where is settled by the rows alone.
    rows.select_nth_unstable_by_key(middle, |&row| (space.cells(row)[axis], row));
    let is_worth_a_thread = rows.len() >= ROWS_WORTH_A_THREAD;
    let (left, right) = rows.split_at_mut(middle);
    let mut left = || cut(space, left, first, fewest);
    let mut right = || cut(space, right, first + middle, fewest);
    let (left, right) = if is_worth_a_thread {
        rayon::join(left, right)
    } else {
        (left(), right())
    };
    Part {
        rows: range,
        halves: Some(Box::new([left, right])),
    }
}

/// The axis on which rows lose most if shown as one; the first of equals.
fn widest(space: &Space, rows: &[u32]) -> Option<usize> {
    let hull = space.hull(rows);
    let loss = |axis: usize| space.loss_on(axis, &hull);
    (0..space.axes()).reduce(|widest, axis| if loss(axis) > loss(widest) { axis } else { widest })
}
