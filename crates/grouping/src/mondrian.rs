//! [`Mondrian`]: the table is cut in two, and each part again, as long as both sides keep the conditions.
//!
//! Two rows to a group. All of them lose as much on age as on job, so age is cut first, before the median, 60:
//!
//! | age | job | first cut: age | second cut: job | group |
//! |---|---|---|---|---|
//! | 20 | Engineer | left | none: a side would have one row | 1 |
//! | 25 | Lawyer | left | none | 1 |
//! | 60 | Lawyer | right | left | 2 |
//! | 60 | Lawyer | right | left | 2 |
//! | 60 | Janitor | right | right | 3 |
//! | 60 | Janitor | right | right | 3 |
//!
//! Invariant: the rows of a part lie side by side in one buffer and ascend. So a part is cut in place, and what comes
//! out does not depend on who cut which part first.
//!
//! # Source
//! LeFevre, DeWitt and Ramakrishnan, *Mondrian multidimensional k-anonymity*, 2006. They leave open which cuts are
//! allowed beyond their size: here those of which both sides keep every condition, so a table that keeps them is
//! never broken.
//!
//! # Cost
//! `O(n log n)` for even cuts; a part is read once for its spans and once per axis on which a cut is tried.
//!
//! # What is lost
//! A cut looks at one axis at a time. Rows that are close on all axes can end up on two sides.

pub(crate) mod cuts;

use std::sync::atomic::{AtomicBool, Ordering};

use scumble_level::Conditions;
use scumble_progress::Counter;

use crate::{Failure, Method, Problem, Space};
use cuts::{Cut, Gaps, Tally};

/// Cuts at the median of the widest axis.
///
/// How wide a part is on an axis is what it loses there. Where no cut of the widest axis is allowed, the next is
/// tried.
#[derive(Clone, Copy, Debug)]
pub struct Mondrian {
    /// Whether rows with the same value stay together. If not, a part is cut into even halves, and those with the
    /// median value are dealt to both.
    pub strict: bool,
}

impl Method for Mondrian {
    fn groups(&self, problem: &Problem, conditions: &Conditions) -> Result<Vec<Vec<u32>>, Failure> {
        let n = problem.table.rows();
        if n == 0 {
            return Ok(Vec::new());
        }
        let cutter = Cutter {
            gaps: if self.strict {
                Gaps::of_axes(problem.space, n)
            } else {
                Vec::new()
            },
            strict: self.strict,
            problem,
            conditions,
            done: problem.work.phase("cutting parts", 0.0..1.0).count(n),
            stopped: AtomicBool::new(false),
        };
        let mut rows: Vec<u32> = (0..n as u32).collect();
        let mut spare = vec![0; n];
        let mut starts = vec![false; n];
        let whole = Part {
            rows: &mut rows,
            spare: &mut spare,
            starts: &mut starts,
        };
        rayon::scope(|scope| cutter.cut(whole, scope));
        if cutter.stopped.into_inner() {
            return Err(Failure::Interrupted);
        }
        Ok(between(&rows, &starts))
    }
}

/// The stretches of rows between starts.
fn between(rows: &[u32], starts: &[bool]) -> Vec<Vec<u32>> {
    let numbered = starts.iter().enumerate();
    let firsts: Vec<usize> = numbered.filter(|(_, start)| **start).map(|(at, _)| at).collect();
    let ends = firsts.iter().skip(1).copied().chain([rows.len()]);
    let stretches = firsts.iter().zip(ends);
    stretches.map(|(&first, end)| rows[first..end].to_vec()).collect()
}

/// Parts with at least so many rows are left for another thread to cut. Fewer are cut before a thread could be woken.
const ROWS_FOR_A_THREAD: usize = 1 << 12;

/// What all parts are cut by.
struct Cutter<'a> {
    strict: bool,
    problem: &'a Problem<'a>,
    conditions: &'a Conditions<'a>,
    /// Of each axis; none where values are not kept together.
    gaps: Vec<Gaps>,
    /// The rows of parts that are cut no further.
    done: Counter<'a>,
    stopped: AtomicBool,
}

/// Some rows that are still together.
struct Part<'a> {
    rows: &'a mut [u32],
    /// Room for as many rows, to try a cut in.
    spare: &'a mut [u32],
    /// Which of the rows are the first of their group, once nothing more is cut.
    starts: &'a mut [bool],
}

impl<'a> Part<'a> {
    fn split_at(self, left: usize) -> (Part<'a>, Part<'a>) {
        let (rows, right_rows) = self.rows.split_at_mut(left);
        let (spare, right_spare) = self.spare.split_at_mut(left);
        let (starts, right_starts) = self.starts.split_at_mut(left);
        let right = Part {
            rows: right_rows,
            spare: right_spare,
            starts: right_starts,
        };
        (Part { rows, spare, starts }, right)
    }
}

impl Cutter<'_> {
    /// Cuts a part until no cut is allowed.
    fn cut<'s>(&'s self, mut part: Part<'s>, scope: &rayon::Scope<'s>) {
        while let Some(left) = self.cut_once(&mut part) {
            let (left, right) = part.split_at(left);
            let (smaller, larger) = if left.rows.len() <= right.rows.len() {
                (left, right)
            } else {
                (right, left)
            };
            // The larger one goes round this loop: calls nest no deeper than rows can be halved, however uneven the
            // cuts.
            if smaller.rows.len() >= ROWS_FOR_A_THREAD {
                scope.spawn(|scope| self.cut(smaller, scope));
            } else {
                self.cut(smaller, scope);
            }
            part = larger;
        }
        part.starts[0] = true;
        self.done.add(part.rows.len());
    }

    /// Makes the first cut that is allowed, and tells how many rows are on its left.
    fn cut_once(&self, part: &mut Part) -> Option<usize> {
        if part.rows.len() / 2 < self.conditions.fewest_rows() || self.is_stopped(part.rows.len()) {
            return None;
        }
        widest_first(self.problem.space, part.rows)
            .into_iter()
            .find_map(|(width, axis)| self.cut_across(part, axis, width))
    }

    fn cut_across(&self, part: &mut Part, axis: usize, width: f64) -> Option<usize> {
        let cells = part.rows.iter().map(|&row| self.problem.space.cells(row)[axis]);
        let codes: Vec<u32> = cells.collect();
        let tally = Tally::new(&codes);
        let cuts = if self.strict {
            tally.cuts_between_values(&self.gaps[axis], width)
        } else {
            vec![tally.cut_after(codes.len() / 2)]
        };
        let allowed = cuts.into_iter().find(|cut| self.allows(cut, &codes, part))?;
        part.rows.copy_from_slice(part.spare);
        Some(allowed.left)
    }

    /// Tries a cut in the spare room.
    fn allows(&self, cut: &Cut, codes: &[u32], part: &mut Part) -> bool {
        let smaller = cut.left.min(codes.len() - cut.left);
        if smaller < self.conditions.fewest_rows() || self.is_stopped(codes.len()) {
            return false;
        }
        cut.deal(codes, part.rows, part.spare);
        let (left, right) = part.spare.split_at(cut.left);
        self.conditions.are_met_by(left) && self.conditions.are_met_by(right)
    }

    /// Whether to stop. Asked only with parts that take a while.
    fn is_stopped(&self, rows: usize) -> bool {
        if rows >= ROWS_FOR_A_THREAD && self.problem.work.should_stop() {
            self.stopped.store(true, Ordering::Relaxed);
        }
        self.stopped.load(Ordering::Relaxed)
    }
}

/// The axes on which rows differ, with what they lose there: the widest first, the earlier of two that are equally
/// wide.
fn widest_first(space: &Space, rows: &[u32]) -> Vec<(f64, usize)> {
    let hull = space.hull(rows);
    let widths = (0..space.axes()).map(|axis| (space.loss_on(axis, &hull), axis));
    let mut wide: Vec<(f64, usize)> = widths.filter(|&(width, _)| width > 0.0).collect();
    wide.sort_by(|a, b| b.0.total_cmp(&a.0));
    wide
}
