//! [`Local`]: dense cells first, then steps that each lose less.
//!
//! Two rows to a group:
//!
//! | age | sex | cells, dense first | group | shown |
//! |---|---|---|---|---|
//! | 31 | F | exact, loss 0 | 1 | 31, F |
//! | 31 | F | exact, loss 0 | 1 | 31, F |
//! | 34 | M | ages of one bin, loss 0.05 | 2 | [34, 36], M |
//! | 36 | M | ages of one bin, loss 0.05 | 2 | [34, 36], M |
//! | 70 | M | none: nobody is left to go with | 2, where it costs least | [34, 70], M |
//!
//! Large tables are parted into blocks of neighbouring rows first, and each block is grouped by itself: within a block the
//! cost grows with rows times groups. Rows that no group of their block can take are left over.
//!
//! Invariant: every group keeps the conditions, but for a block that is returned whole because nothing in it does.
//!
//! # Cost
//! `O(n log n)` for parting rows into blocks. A block has a bounded number of rows, so all of them take `O(n)`; as many are
//! worked on at once as there are threads.
//!
//! # What is lost
//! Groups do not reach across blocks. No bound is known on how far the outcome is from the optimum.

mod dense;
mod improve;
#[cfg(test)]
mod tests;

use rayon::prelude::*;
use scumble_level::Conditions;
use scumble_progress::Counter;

use crate::partition::Partition;
use crate::{Failure, Method, Problem};
use dense::{Lattice, dense_first};
use improve::improve;

/// The fewest rows of a block, if there is more than one; none has twice as many.
const BLOCK: usize = 16_000;

/// The share of the work that parting rows takes.
const PARTING: f64 = 0.05;

/// Our own method.
#[derive(Clone, Copy, Debug, Default)]
pub struct Local;

impl Method for Local {
    fn groups(&self, problem: &Problem, conditions: &Conditions) -> Result<Vec<Vec<u32>>, Failure> {
        in_blocks(problem, conditions, BLOCK)
    }
}

/// The groups of blocks with at least so many rows.
fn in_blocks(problem: &Problem, conditions: &Conditions, fewest: usize) -> Result<Vec<Vec<u32>>, Failure> {
    let rows: Vec<u32> = (0..problem.table.rows() as u32).collect();
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let parting = problem.work.phase("parting rows into blocks", 0.0..PARTING);
    let all = rows.len() * (dense::ROUNDS + improve::ROUNDS);
    let blocks = Partition::new(problem.space, rows, fewest, parting);
    let done = problem.work.phase("improving groups", PARTING..1.0).count(all);
    let lattice = Lattice::new(problem.space);
    let mut groups = Vec::new();
    // A block has stretches in which one thread works alone, so several are under way; more than there are threads would
    // only take memory.
    for batch in blocks.subspaces().chunks(rayon::current_num_threads()) {
        let found = batch
            .par_iter()
            .map(|rows| groups_of_block(problem, conditions, &lattice, rows, &done));
        groups.extend(found.collect::<Result<Vec<_>, Failure>>()?.into_iter().flatten());
    }
    Ok(groups)
}

/// The groups of a block; all of it as one if no cell keeps the conditions, so that it can go together with other blocks.
fn groups_of_block(
    problem: &Problem,
    conditions: &Conditions,
    lattice: &Lattice,
    rows: &[u32],
    done: &Counter,
) -> Result<Vec<Vec<u32>>, Failure> {
    let groups = dense_first(problem, conditions, lattice, rows, done)?;
    if groups.is_empty() {
        done.add(improve::ROUNDS * rows.len());
        return Ok(vec![rows.to_vec()]);
    }
    improve(problem, conditions, rows, groups, done)
}
