//! Improving groups, by steps that each make the total loss smaller, until there is none left or none worth it.
//!
//! | step | what changes | file |
//! |---|---|---|
//! | move | a row goes to the group where it costs least, if its own can spare it | `moves.rs` |
//! | raise | a group takes in all rows that one more step of generality would cover, where they lose more now | `raise.rs` |
//! | dissolve | all rows of a group go elsewhere, each where it costs least | `dissolve.rs` |
//! | split | a group becomes two | `split.rs` |
//!
//! The total loss is the sum over groups of rows times loss: what the cells of the release lose together.
//!
//! Invariant: after every step every group keeps the conditions, if it did before, and the total is smaller.
//!
//! Steps are looked for in parallel on a [`State`] that stands still, and made one after the other, each only if a
//! [`Trial`](trial::Trial) shows that it still makes the total smaller. So the outcome does not depend on the number of
//! threads.

mod dissolve;
mod moves;
mod raise;
mod rest;
mod split;
mod state;
mod trial;

use scumble_level::Conditions;
use scumble_progress::Counter;

use crate::{Failure, Problem};
use state::State;

/// Passes over all groups at most; the first ones find nearly everything. It tells that the rows of a block have taken one.
pub(super) const ROUNDS: usize = 3;

/// A kind of step that makes the total smaller by no more than this share is not tried again.
const WORTH_ANOTHER_PASS: f64 = 1e-3;

/// So few rows are improved until no step gains anything: that takes no time.
const FEW_ROWS: usize = 2000;

/// A step must gain more than this, so that rounding is never taken for a gain.
pub(super) const LEAST_GAIN: f64 = 1e-7;

/// Groups whose steps are looked for at once.
const BATCH: usize = 256;

/// One kind of step, wherever it gains.
type Step<'p, 't> = fn(&mut State<'p, 't>);

/// Makes groups of these rows, ascending, lose less. Rows in no group come into one, if one can take them.
pub(super) fn improve<'p, 't>(
    problem: &'p Problem,
    conditions: &'p Conditions<'t>,
    rows: &'p [u32],
    groups: Vec<Vec<u32>>,
    done: &Counter,
) -> Result<Vec<Vec<u32>>, Failure> {
    let mut state = State::new(problem.space, conditions, rows, groups, problem.work);
    state.take_in_rest();
    let all: [Step<'p, 't>; 4] = [State::move_rows, State::raise, State::dissolve, State::split];
    if rows.len() <= FEW_ROWS {
        while !pass(&mut state, &all, 0.0)?.is_empty() {}
        done.add(ROUNDS * rows.len());
        return Ok(state.into_rows());
    }
    let mut steps = all.to_vec();
    for _ in 0..ROUNDS {
        steps = pass(&mut state, &steps, WORTH_ANOTHER_PASS)?;
        done.add(rows.len());
    }
    Ok(state.into_rows())
}

/// Makes every kind of step once, and returns those that made the total smaller by more than a share of it.
fn pass<'p, 't>(state: &mut State<'p, 't>, steps: &[Step<'p, 't>], share: f64) -> Result<Vec<Step<'p, 't>>, Failure> {
    let mut fruitful = Vec::new();
    for &step in steps {
        state.work.go_on()?;
        let before = state.total();
        step(state);
        if before - state.total() > share * before {
            fruitful.push(step);
        }
    }
    Ok(fruitful)
}
