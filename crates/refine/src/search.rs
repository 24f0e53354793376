//! The search: one loop over one state.

use rayon::prelude::*;
use scumble_privacy::{Requirement, Template};
use scumble_table::{Codes, ColumnId, Mask, Range, Table, Taxonomy};

use crate::budget::{After, Budget};
use crate::guard::Guard;
use crate::objective::tied;
use crate::projection::{KindOf, Rows, people};
use crate::values::{CandidateId, Values};
use crate::{Objective, Step, Trace};

/// What may be done to a quasi column.
#[derive(Clone, Copy, Debug)]
pub enum Operation<'t> {
    /// Show nodes of a taxonomy.
    Generalize(&'t Taxonomy),
    /// Show values or `*`.
    Suppress,
    /// Show intervals that tile a range; without one, from the smallest number to the largest.
    Discretize(Option<Range>),
}

/// A column to mask.
#[derive(Clone, Copy, Debug)]
pub struct QuasiColumn<'t> {
    /// Which.
    pub id: ColumnId,
    /// How.
    pub operation: Operation<'t>,
}

/// What to search for. The caller has checked that the columns exist and fit their operation.
#[derive(Debug)]
pub struct Problem<'t> {
    /// The data.
    pub table: &'t Table,
    /// The columns to mask, in the order that decides ties.
    pub quasi: Vec<QuasiColumn<'t>>,
    /// The column to classify by.
    pub class: Option<ColumnId>,
    /// What must hold.
    pub requirement: &'t Requirement,
    /// What the release is for.
    pub objective: Objective,
    /// How many rows may be left out.
    pub rows_left_out_at_most: u64,
    /// Stop after so many refinements.
    pub steps: Option<usize>,
}

/// What came of a search.
#[derive(Debug)]
pub enum Outcome {
    /// A release that meets the requirement.
    Refined(Refined),
    /// Even the most masked table does not meet it; its levels, one per template.
    CannotBeMet(Vec<u64>),
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
}

/// Finds a release by top-down refinement. `on_step` is told the number of steps so far and answers whether to go on.
pub fn refine(problem: &Problem, mut on_step: impl FnMut(usize) -> bool) -> Outcome {
    let mut state = State::new(problem);
    let start = state.levels();
    let bounds = problem
        .requirement
        .templates
        .iter()
        .map(|Template::Anonymity(template)| template.k);
    if start.iter().zip(bounds).any(|(&level, k)| level < k) {
        return Outcome::CannotBeMet(start);
    }
    let mut trace = Trace {
        start,
        steps: Vec::new(),
    };
    while problem.steps.is_none_or(|most| trace.steps.len() < most) {
        if !on_step(trace.steps.len()) {
            return Outcome::Interrupted;
        }
        let Some(winner) = state.propose() else { break };
        trace.steps.push(state.apply(winner));
    }
    let masks = problem
        .quasi
        .iter()
        .zip(&state.values)
        .map(|(quasi, values)| {
            if state.is_masked(quasi.id) {
                values.mask()
            } else {
                Mask::Exact
            }
        })
        .collect();
    Outcome::Refined(Refined {
        masks,
        left_out: state.budget.left_out(problem.table.rows()),
        trace,
    })
}

/// A candidate with what it would bring.
#[derive(Clone, Copy, Debug)]
struct Proposal {
    column: usize,
    /// Its place among the candidates of the column, which decides ties.
    place: usize,
    candidate: CandidateId,
    gain: f64,
    loss: f64,
    score: f64,
}

/// The masked table at some point of the search.
struct State<'t> {
    problem: &'t Problem<'t>,
    values: Vec<Values<'t>>,
    guards: Vec<Guard<'t>>,
    budget: Budget,
}

impl<'t> State<'t> {
    /// Most masked.
    fn new(problem: &'t Problem<'t>) -> Self {
        let table = problem.table;
        let class = problem.class.map(|id| table.column(id));
        let values: Vec<Values> = problem
            .quasi
            .par_iter()
            .map(|quasi| Values::new(table.column(quasi.id), &quasi.operation, class, problem.objective))
            .collect();
        let (guards, kind_of) = guards(problem, &values);
        let budget = Budget::new(problem.rows_left_out_at_most, kind_of, &guards);
        State {
            problem,
            values,
            guards,
            budget,
        }
    }

    fn is_masked(&self, id: ColumnId) -> bool {
        self.problem
            .requirement
            .templates
            .iter()
            .any(|template| template.of().contains(&id))
    }

    fn levels(&self) -> Vec<u64> {
        self.guards.iter().map(|guard| guard.level().into()).collect()
    }

    /// The best candidate; those that turn out invalid are dropped for good.
    fn propose(&mut self) -> Option<Proposal> {
        let levels: Vec<u32> = self.guards.iter().map(Guard::level).collect();
        let (mut known, mut open) = (Vec::new(), Vec::new());
        for column in 0..self.values.len() {
            if !self.is_masked(self.problem.quasi[column].id) {
                continue;
            }
            let candidates: Vec<(CandidateId, f64)> = self.values[column].candidates().collect();
            let after = self
                .budget
                .levels_after(&self.guards, &self.values, column, &candidates, &levels);
            for (place, (&(candidate, gain), after)) in candidates.iter().zip(after).enumerate() {
                let proposal = Proposal {
                    column,
                    place,
                    candidate,
                    gain,
                    loss: 0.0,
                    score: 0.0,
                };
                match after {
                    After::Invalid => self.values[column].drop_candidate(candidate),
                    After::Levels(after) => known.push(self.weigh(proposal, &levels, &after)),
                    After::DependsOnRows => open.push(self.weigh(proposal, &levels, &[])),
                }
            }
        }
        // Following rows is dear, so it is done only for those that could still win: without any loss a score is
        // as high as it can be.
        open.sort_by(|a, b| b.score.total_cmp(&a.score));
        let mut best = best_score(&known);
        for proposal in open {
            if proposal.score < best && !tied(best, proposal.score) {
                break;
            }
            let Proposal { column, candidate, .. } = proposal;
            match self
                .budget
                .follow(&self.guards, &self.values, column, candidate, &levels)
            {
                None => self.values[column].drop_candidate(candidate),
                Some(after) => known.push(self.weigh(proposal, &levels, &after)),
            }
            best = best_score(&known);
        }
        known.sort_by_key(|proposal| (proposal.column, proposal.place));
        known.into_iter().find(|proposal| tied(best, proposal.score))
    }

    /// The loss and score of a proposal, given the levels after it.
    fn weigh(&self, proposal: Proposal, levels: &[u32], after: &[Option<u32>]) -> Proposal {
        let loss = average_loss(levels, after);
        Proposal {
            loss,
            score: self.problem.objective.score(proposal.gain, loss),
            ..proposal
        }
    }

    fn apply(&mut self, winner: Proposal) -> Step {
        let (value, into) = self.values[winner.column].describe(winner.candidate);
        let refinement = self.values[winner.column].refine(winner.candidate);
        let values = &self.values;
        self.guards
            .par_iter_mut()
            .for_each(|guard| guard.apply(winner.column, &refinement, values));
        self.budget.settle(&mut self.guards, values);
        Step {
            column: winner.column,
            value,
            into,
            gain: winner.gain,
            loss: winner.loss,
            score: winner.score,
            levels: self.levels(),
            left_out: self.budget.rows_left_out(),
        }
    }
}

fn best_score(proposals: &[Proposal]) -> f64 {
    proposals.iter().map(|proposal| proposal.score).fold(0.0, f64::max)
}

/// The average fall of the level, over the templates that the column is in (eq. 4.4). With a row budget a level can
/// rise, when a small group is left out; that is no loss.
fn average_loss(levels: &[u32], after: &[Option<u32>]) -> f64 {
    let losses = levels
        .iter()
        .zip(after)
        .filter_map(|(&level, after)| after.map(|a| level.saturating_sub(a)));
    let (sum, count) = losses.fold((0u64, 0u32), |(sum, count), loss| (sum + u64::from(loss), count + 1));
    sum as f64 / f64::from(count.max(1))
}

/// One guard per template. Templates that share a row budget must agree on what a row is; others each collapse
/// the table to their own columns, which leaves far fewer rows.
fn guards<'t>(problem: &Problem<'t>, values: &[Values]) -> (Vec<Guard<'t>>, KindOf) {
    let templates = problem
        .requirement
        .templates
        .iter()
        .map(|Template::Anonymity(template)| template);
    let shared = problem.rows_left_out_at_most > 0 && problem.requirement.templates.len() > 1;
    let everyone: Vec<Option<Codes>> = templates.clone().map(|t| people(problem.table, &t.per)).collect();
    let mut union: Vec<ColumnId> = templates.clone().flat_map(|t| t.of.iter().copied()).collect();
    union.sort_unstable();
    union.dedup();
    let find = |id: &ColumnId| problem.quasi.iter().position(|quasi| quasi.id == *id);
    let templates: Vec<_> = templates.zip(&everyone).collect();
    let built: Vec<(Guard, KindOf)> = templates
        .into_par_iter()
        .map(|(template, own)| {
            let (keep, people) = if shared {
                (&union, &everyone[..])
            } else {
                (&template.of, std::slice::from_ref(own))
            };
            let (rows, kind_of) = Rows::project(problem.table, &template.of, keep, people, own.as_ref());
            let columns = template
                .of
                .iter()
                .map(|id| find(id).expect("`of` names quasi columns"))
                .collect();
            let k = u32::try_from(template.k).unwrap_or(u32::MAX);
            // Only a budget asks which rows became one, and under a budget the answer is the same for all guards.
            (
                Guard::new(k, columns, rows, values, shared),
                kind_of.filter(|_| problem.rows_left_out_at_most > 0),
            )
        })
        .collect();
    let (guards, mut kinds): (Vec<Guard>, Vec<KindOf>) = built.into_iter().unzip();
    let kinds = kinds.pop().flatten();
    (guards, kinds)
}
