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
use scumble_progress::Work;

use crate::Space;
use crate::mondrian::cuts::Tally;

/// Rows in subspaces.
pub(crate) struct Partition {
    rows: Vec<u32>,
    root: Part,
}

/// Rows that no cut has parted yet.
pub(crate) struct Part {
    rows: Range<usize>,
    /// What the next cut makes of it; none of a subspace.
    halves: Option<Box<[Part; 2]>>,
}

/// How rows are cut.
#[derive(Clone, Copy)]
struct Cutter<'c> {
    space: &'c Space,
    /// The fewest rows of a subspace.
    fewest: usize,
    work: Work<'c>,
}

/// Fewer rows than this are cut faster than they are given to another thread.
const ROWS_WORTH_A_THREAD: usize = 4096;

impl Partition {
    /// Subspaces of at least so many rows, or one if there are no more. Rows ascend. Who should stop gets larger ones.
    pub fn new(space: &Space, rows: Vec<u32>, fewest: usize, work: Work) -> Self {
        let whole = Part {
            rows: 0..rows.len(),
            halves: None,
        };
        Partition { rows, root: whole }.finer(space, fewest, work)
    }

    /// The same, cut on into subspaces of at least so many rows: as if cut into those at once.
    pub fn finer(mut self, space: &Space, fewest: usize, work: Work) -> Self {
        let mut spare = vec![0; self.rows.len()];
        let cutter = Cutter {
            space,
            fewest: fewest.max(1),
            work,
        };
        self.root.cut(cutter, &mut self.rows, &mut spare);
        self
    }

    /// The fewest rows of subspaces most of which keep the conditions: `k`, or twice as many as often as it takes.
    pub fn fewest_rows_that_do(space: &Space, rows: &[u32], conditions: &Conditions) -> usize {
        let sizes = std::iter::successors(Some(conditions.fewest_rows()), |fewest| fewest.checked_mul(2));
        let most_do = |fewest: &usize| {
            let partition = Partition::new(space, rows.to_vec(), *fewest, Work::unwatched());
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
        self.root.subspaces().into_iter().map(|part| self.rows(part)).collect()
    }

    /// The rows of a part. Those of a subspace ascend.
    pub fn rows(&self, part: &Part) -> &[u32] {
        &self.rows[part.rows.clone()]
    }

    /// The smallest good parts of a part, each as a group.
    pub fn smallest(&self, part: &Part, is_good: &(impl Fn(&[u32]) -> bool + Sync)) -> Option<Vec<Vec<u32>>> {
        let of_halves = part.halves.as_deref().and_then(|[left, right]| {
            let (left, right) = rayon::join(|| self.smallest(left, is_good), || self.smallest(right, is_good));
            Some([left?, right?].concat())
        });
        let rows = self.rows(part);
        of_halves.or_else(|| is_good(rows).then(|| vec![rows.to_vec()]))
    }
}

impl Part {
    /// How many rows are left of it.
    pub fn start(&self) -> usize {
        self.rows.start
    }

    /// What the next cut makes of it, if both have at least so many rows.
    pub fn halves_of_at_least(&self, fewest: usize) -> Option<&[Part; 2]> {
        self.halves.as_deref().filter(|_| halves_have(self.rows.len(), fewest))
    }

    /// The subspaces that it was cut into, from left to right.
    pub fn subspaces(&self) -> Vec<&Part> {
        let mut subspaces = Vec::new();
        self.visit_subspaces(&mut |part| subspaces.push(part));
        subspaces
    }

    fn visit_subspaces<'p>(&'p self, visit: &mut impl FnMut(&'p Part)) {
        match self.halves.as_deref() {
            Some(halves) => halves.iter().for_each(|half| half.visit_subspaces(visit)),
            None => visit(self),
        }
    }

    /// Cuts it, and its parts, as long as both halves have enough. `rows` are its own, and there is room for as many.
    fn cut(&mut self, cutter: Cutter, rows: &mut [u32], spare: &mut [u32]) {
        if self.halves.is_none() && halves_have(rows.len(), cutter.fewest) && !cutter.work.should_stop() {
            self.halves = halve(cutter.space, rows, spare).map(|middle| {
                let (start, end) = (self.rows.start, self.rows.end);
                let half = |rows: Range<usize>| Part { rows, halves: None };
                Box::new([half(start..start + middle), half(start + middle..end)])
            });
        }
        let Some([left, right]) = self.halves.as_deref_mut() else {
            return;
        };
        let is_worth_a_thread = rows.len() >= ROWS_WORTH_A_THREAD;
        let (left_rows, right_rows) = rows.split_at_mut(left.rows.len());
        let (left_spare, right_spare) = spare.split_at_mut(left.rows.len());
        let mut left = || left.cut(cutter, left_rows, left_spare);
        let mut right = || right.cut(cutter, right_rows, right_spare);
        if is_worth_a_thread {
            rayon::join(left, right);
        } else {
            left();
            right();
        }
    }
}

/// Whether both halves of so many rows have at least as many as they must.
fn halves_have(rows: usize, fewest: usize) -> bool {
    rows / 2 >= fewest
}

/// Deals ascending rows to two halves, which ascend again, and tells how many are in the first.
fn halve(space: &Space, rows: &mut [u32], spare: &mut [u32]) -> Option<usize> {
    let axis = widest(space, rows)?;
    let codes: Vec<u32> = rows.iter().map(|&row| space.cells(row)[axis]).collect();
    let middle = rows.len().div_ceil(2);
    Tally::new(&codes).cut_after(middle).deal(&codes, rows, spare);
    rows.copy_from_slice(spare);
    Some(middle)
}

/// The axis on which rows lose most if shown as one; the first of equals.
fn widest(space: &Space, rows: &[u32]) -> Option<usize> {
    let hull = space.hull(rows);
    let loss = |axis: usize| space.loss_on(axis, &hull);
    (0..space.axes()).reduce(|widest, axis| if loss(axis) > loss(widest) { axis } else { widest })
}
