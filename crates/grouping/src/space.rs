//! A [`Space`] is the rows of a table as points: one axis per column, on which sets of values have a loss.
//!
//! | axis | values | shown as | loss |
//! |---|---|---|---|
//! | tree: ANY over Professional (Engineer, Lawyer) and Janitor | Engineer, Lawyer | Professional | (2 - 1) / (3 - 1) |
//! | numbers from 10 to 40 | 10, 10, 30 | [10, 30] | 20 / 30 |
//! | values: a, b, c, d | a, c | {a\|c} | (2 - 1) / (4 - 1) |
//! | any | missing and another | * | 1 |
//!
//! The loss of a set of rows is its average over the axes: 0 if the rows are alike, 1 if nothing is told of them. It is
//! the Q-diversity of Loukides (definition 3.1.1), and per cell the loss metric of Iyengar.
//!
//! Invariant: a [`Hull`] only depends on which rows are in it, not on their order, and adding rows never makes its loss
//! smaller.

use scumble_table::{ColumnId, Table};

use crate::axis::{Axis, BEYOND, Scale, loss_of_set};
use crate::rungs::Rungs;

/// Rows as points. Cheap to look at row by row: the codes of a row lie side by side.
#[derive(Debug)]
pub struct Space {
    axes: Vec<Axis>,
    rungs: Vec<Rungs>,
    cells: Vec<u32>,
    /// The axes in the order in which losses are added up: where two rows lose most first, so that what is too much is
    /// soon known to be.
    order: Vec<usize>,
    /// How many words the sets of a hull take.
    words: usize,
}

/// What some rows have in common, axis by axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Hull {
    /// The first and last code; of a set, how many values it has.
    spans: Box<[(u32, u32)]>,
    sets: Box<[u64]>,
}

impl Space {
    /// The space of some columns of a table.
    ///
    /// # Panics
    /// If a column of a tree has a value that is no leaf, or one of numbers a value that is none: loading checks both.
    pub fn new(table: &Table, columns: &[(ColumnId, Scale)]) -> Space {
        let mut words = 0;
        let axes: Vec<Axis> = columns
            .iter()
            .map(|&(id, scale)| Axis::new(table.column(id), scale, &mut words))
            .collect();
        let rungs = columns
            .iter()
            .zip(&axes)
            .map(|(&(id, scale), axis)| Rungs::new(table.column(id), scale, axis))
            .collect();
        let mut cells = vec![0; table.rows() * axes.len()];
        for (axis, &(id, _)) in columns.iter().enumerate() {
            let codes = table.column(id).codes().iter();
            let places = cells.iter_mut().skip(axis).step_by(axes.len());
            places.zip(codes).for_each(|(place, code)| *place = code);
        }
        let order = order(&axes, &cells);
        Space {
            axes,
            rungs,
            cells,
            order,
            words,
        }
    }

    /// How many axes there are.
    pub fn axes(&self) -> usize {
        self.axes.len()
    }

    /// How the values of an axis fall into ever larger parts.
    pub(crate) fn rungs(&self, axis: usize) -> &Rungs {
        &self.rungs[axis]
    }

    /// The codes of a row, axis by axis.
    pub fn cells(&self, row: u32) -> &[u32] {
        let width = self.axes.len();
        &self.cells[row as usize * width..][..width]
    }

    /// What one row has in common with itself.
    pub fn point(&self, row: u32) -> Hull {
        let mut sets = vec![0; self.words];
        let spans = self.axes.iter().zip(self.cells(row)).map(|(axis, &code)| match axis {
            Axis::Set { first_word, .. } => {
                sets[first_word + code as usize / 64] |= 1 << (code % 64);
                (1, 1)
            }
            _ => (code, code),
        });
        Hull {
            spans: spans.collect(),
            sets: sets.into(),
        }
    }

    /// What some rows have in common.
    ///
    /// # Panics
    /// If there is no row.
    pub fn hull(&self, rows: &[u32]) -> Hull {
        let (&first, rest) = rows.split_first().expect("a group has rows");
        let mut hull = self.point(first);
        rest.iter().for_each(|&row| self.add(&mut hull, row));
        hull
    }

    /// Takes a row into a hull.
    pub fn add(&self, hull: &mut Hull, row: u32) {
        for ((axis, span), &code) in self.axes.iter().zip(&mut hull.spans).zip(self.cells(row)) {
            match axis {
                Axis::Set { first_word, .. } => {
                    let word = &mut hull.sets[first_word + code as usize / 64];
                    let bit = 1 << (code % 64);
                    span.0 += u32::from(*word & bit == 0);
                    *word |= bit;
                }
                _ => *span = (span.0.min(code), span.1.max(code)),
            }
        }
    }

    /// What a hull is shown as, so that two that look alike have the same.
    pub(crate) fn look(&self, hull: &Hull) -> Vec<u64> {
        let mut look = Vec::with_capacity(self.axes.len() + self.words);
        for (place, axis) in self.axes.iter().enumerate() {
            let (first, last) = hull.spans[place];
            let pair = |a: u32, b: u32| u64::from(a) << 32 | u64::from(b);
            match axis {
                // All that is not told is `*`.
                Axis::Line(places) if first != last && places[last as usize] == BEYOND => look.push(u64::MAX),
                Axis::Set {
                    missing: Some(missing),
                    first_word,
                    ..
                } if first > 1 && hull.has(*first_word, *missing) => {
                    look.push(u64::MAX);
                }
                Axis::Line(_) => look.push(pair(first, last)),
                Axis::Set { first_word, words, .. } => look.extend(&hull.sets[*first_word..first_word + words]),
                Axis::Table { .. } | Axis::Tree(_) if first == last => look.push(pair(first, last)),
                Axis::Table { tree, .. } | Axis::Tree(tree) => look.push(pair(u32::MAX, tree.node_over(first, last))),
            }
        }
        look
    }

    /// Takes another hull into a hull.
    pub fn merge(&self, hull: &mut Hull, other: &Hull) {
        for (axis, (span, other_span)) in self.axes.iter().zip(hull.spans.iter_mut().zip(&other.spans)) {
            match axis {
                Axis::Set { first_word, words, .. } => {
                    let bits = *first_word..first_word + words;
                    let (own, others) = (&mut hull.sets[bits.clone()], &other.sets[bits]);
                    own.iter_mut().zip(others).for_each(|(own, other)| *own |= other);
                    span.0 = own.iter().map(|word| word.count_ones()).sum();
                }
                _ => *span = (span.0.min(other_span.0), span.1.max(other_span.1)),
            }
        }
    }

    /// The loss of showing the rows of a hull as one.
    pub fn loss(&self, hull: &Hull) -> f64 {
        let sum: f64 = self.order.iter().map(|&axis| self.loss_on(axis, hull)).sum();
        sum / self.axes.len() as f64
    }

    /// The loss on one axis.
    pub fn loss_on(&self, axis: usize, hull: &Hull) -> f64 {
        match &self.axes[axis] {
            Axis::Set {
                step,
                first_word,
                missing,
                ..
            } => {
                let values = hull.spans[axis].0;
                let has_missing = missing.is_some_and(|code| hull.has(*first_word, code));
                loss_of_set(values, has_missing, *step)
            }
            ordered => ordered.span(hull.spans[axis].0, hull.spans[axis].1),
        }
    }

    /// The loss of a hull with one row more.
    pub fn loss_with(&self, hull: &Hull, row: u32) -> f64 {
        self.loss_with_up_to(hull, row, f64::INFINITY)
    }

    /// The same; or, if it is more than `most`, some figure that is more.
    pub fn loss_with_up_to(&self, hull: &Hull, row: u32, most: f64) -> f64 {
        let width = self.axes.len() as f64;
        let mut sum = 0.0;
        let cells = self.cells(row);
        for &place in &self.order {
            let ((first, last), code) = (hull.spans[place], cells[place]);
            sum += match &self.axes[place] {
                Axis::Set {
                    step,
                    first_word,
                    missing,
                    ..
                } => {
                    let values = first + u32::from(!hull.has(*first_word, code));
                    let has_missing = missing.is_some_and(|missing| code == missing || hull.has(*first_word, missing));
                    loss_of_set(values, has_missing, *step)
                }
                ordered => ordered.span(first.min(code), last.max(code)),
            };
            // Not `sum > most * width`: rounding might call it more here and not where it is returned.
            if sum / width > most {
                break;
            }
        }
        sum / width
    }

    /// The loss of two hulls as one.
    pub fn loss_of_both(&self, a: &Hull, b: &Hull) -> f64 {
        let mut both = a.clone();
        self.merge(&mut both, b);
        self.loss(&both)
    }

    /// The loss of two rows as one group.
    pub fn distance(&self, a: u32, b: u32) -> f64 {
        let (cells_of_a, cells_of_b) = (self.cells(a), self.cells(b));
        let losses = self.order.iter().map(|&place| {
            let (a, b) = (cells_of_a[place], cells_of_b[place]);
            self.axes[place].distance(a, b)
        });
        let sum: f64 = losses.sum();
        sum / self.axes.len() as f64
    }
}

/// Pairs of rows by which axes are put in order.
const PAIRS: usize = 1000;

/// The axes by what two rows lose on them, most first: rows of one half of the table beside those of the other.
fn order(axes: &[Axis], cells: &[u32]) -> Vec<usize> {
    let half = cells.len() / axes.len().max(1) / 2;
    let cell = |row: usize, place: usize| cells[row * axes.len() + place];
    let losses = axes.iter().enumerate().map(|(place, axis)| {
        let rows = (0..half).step_by(half.div_ceil(PAIRS).max(1));
        rows.map(|row| axis.distance(cell(row, place), cell(half + row, place)))
            .sum()
    });
    let losses: Vec<f64> = losses.collect();
    let mut order: Vec<usize> = (0..axes.len()).collect();
    order.sort_by(|&a, &b| losses[b].total_cmp(&losses[a]));
    order
}

impl Hull {
    /// Whether a code is in the set whose bits begin at this word.
    fn has(&self, first_word: usize, code: u32) -> bool {
        self.sets[first_word + code as usize / 64] >> (code % 64) & 1 == 1
    }
}
