//! The search: one loop over one state.

use scumble_progress::{Interrupted, Work};
use scumble_table::Mask;

use crate::problem::Problem;
use crate::state::State;
use crate::stops::{self, Next, Stop};
use crate::trace::Trace;

/// What came of a search.
#[derive(Debug)]
pub enum Outcome {
    /// A release that meets the requirement.
    Refined(Refined),
    /// Even the most masked table does not meet it; its levels, one per template.
    CannotBeMet(Vec<f64>),
    /// The search was asked to stop.
    Interrupted,
}

/// A release, as found.
#[derive(Debug)]
pub struct Refined {
    /// One mask per quasi column, in the order given.
    pub masks: Vec<Mask>,
    /// The rows to leave out; `None` for none.
    pub left_out: Option<Vec<bool>>,
    /// How it was found.
    pub trace: Trace,
    /// Why it is not finer, one per masked column.
    pub stops: Vec<Stop>,
}

/// The shares of a search that refining and explaining begin at. Counting the groups of the most masked table comes first.
const REFINING: f64 = 0.05;
const EXPLAINING: f64 = 0.95;

/// Finds a release by top-down refinement. Every step is told, and after it the share of cells that are as they will be in the
/// end: a step takes them in any order, so how many steps are to come cannot be told, but settled cells stay settled.
pub fn refine(problem: &Problem, work: Work) -> Outcome {
    match refine_unless_stopped(problem, work) {
        Ok(outcome) => outcome,
        Err(Interrupted) => Outcome::Interrupted,
    }
}

/// Whatever is found while it should stop may be less than there is, so it is asked before anything is made of it.
fn refine_unless_stopped(problem: &Problem, work: Work) -> Result<Outcome, Interrupted> {
    let mut state = State::new(problem, work.phase("counting groups", 0.0..REFINING))?;
    let start = state.levels_at_start()?;
    work.go_on()?;
    let templates = problem.requirement.templates.iter().zip(&start);
    if templates
        .into_iter()
        .any(|(template, &level)| !template.is_met_by(level))
    {
        return Ok(Outcome::CannotBeMet(start));
    }
    let mut trace = Trace {
        start,
        start_information_loss: state.information_loss(),
        steps: Vec::new(),
    };
    let refining = work.phase("refining", REFINING..EXPLAINING);
    while !state.steps_are_spent() {
        work.go_on()?;
        let Some(winner) = state.propose() else { break };
        let step = state.apply(winner);
        let number = trace.steps.len() as u64 + 1;
        work.step(number, Some(step.information_loss), state.told(&step.levels));
        trace.steps.push(step);
        refining.at(state.share());
    }
    work.go_on()?;
    let stops = explain(&state, &mut trace, work.phase("finding what stops it", EXPLAINING..1.0))?;
    work.go_on()?;
    let masks = (0..state.values.len()).map(|column| state.mask(column));
    Ok(Outcome::Refined(Refined {
        masks: masks.collect(),
        left_out: state.budget.left_out(problem.table.rows()),
        trace,
        stops,
    }))
}

/// Why the search went no further. Also fills in the levels of bounded knowledge, which take all subsets.
fn explain(state: &State, trace: &mut Trace, work: Work) -> Result<Vec<Stop>, Interrupted> {
    let next: Vec<Next> = state.values.iter().map(Next::of).collect();
    let made = |column: usize| match next[column] {
        Next::Refine(candidate) => Some(stops::made(&state.values[column], column, candidate)),
        _ => None,
    };
    let mut subsets: Vec<Vec<(usize, f64)>> = vec![Vec::new(); state.values.len()];
    let replays = work.count(state.bounded.iter().map(|bounded| bounded.specs.len()).sum());
    for bounded in &state.bounded {
        let course = state.course(bounded, made);
        for spec in &bounded.specs {
            let replayed = state.replay(spec, &course)?;
            for (check, levels) in spec.checks.iter().zip(replayed.levels) {
                for (step, level) in trace.steps.iter_mut().zip(levels.into_iter().skip(1)) {
                    step.levels[check.number] = level;
                }
            }
            for (&column, levels) in bounded.columns.iter().zip(replayed.after_next) {
                let numbers = spec.checks.iter().map(|check| check.number);
                subsets[column].extend(numbers.zip(levels));
            }
            replays.add(1);
        }
    }
    Ok(stops::stops(state, &next, &subsets))
}
