//! Why the search stopped: for each column, what stands in the way of its next refinement.

use rayon::prelude::*;
use scumble_table::with_codes;

use crate::bounded::Made;
use crate::guard::Guard;
use crate::objective::tied;
use crate::state::State;
use crate::values::{CandidateId, Refinement, Remaining, ValueId, Values};

/// What a column came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Stop {
    /// The place of the column among the quasi columns.
    pub column: usize,
    /// Why it is not refined further.
    pub why: Why,
}

/// Why a column is not refined further.
#[derive(Clone, Debug, PartialEq)]
pub enum Why {
    /// It is shown in full.
    Complete,
    /// A finer value would tell no classes apart.
    NothingToGain,
    /// The search was told to make no more steps.
    StepsSpent,
    /// Its best refinement would break templates.
    Blocked {
        /// The masked value that would be refined; for a suppressed column, the value that would be disclosed.
        value: Option<String>,
        /// What would be shown instead.
        into: Vec<Option<String>>,
        /// The templates that it would break.
        by: Vec<Block>,
        /// With a row budget, the rows that would be left out in all; 0 without.
        leaves_out: u64,
    },
}

/// A template that stands in the way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Block {
    /// The place of the template in the requirement.
    pub template: usize,
    /// What its level would be: the bound that would let the refinement pass, if no row may be left out.
    pub level: f64,
}

/// The refinement that a column would make next, were it allowed: the best that tells classes apart.
pub(crate) enum Next {
    Complete,
    NothingToGain,
    Refine(CandidateId),
}

impl Next {
    pub fn of(values: &Values) -> Next {
        let remaining = values.remaining();
        if remaining.is_empty() {
            return Next::Complete;
        }
        let beneficial: Vec<Remaining> = remaining.into_iter().filter(|next| next.beneficial).collect();
        let best = beneficial.iter().map(|next| next.gain).fold(0.0, f64::max);
        let first = beneficial.iter().find(|next| tied(best, next.gain));
        first.map_or(Next::NothingToGain, |next| Next::Refine(next.candidate))
    }
}

/// A candidate as if it were made.
pub(crate) fn made(values: &Values, column: usize, candidate: CandidateId) -> Made {
    let (codes, child_of) = values.children_of_codes(candidate);
    let children = child_of.iter().max().map_or(0, |&child| child + 1);
    // Numbers that no value shown has.
    let first = values.values_shown();
    Made {
        column,
        refinement: Refinement {
            value: values.refined_by(candidate),
            codes,
            child_of,
            into: (first..first + children).map(ValueId).collect(),
            disclosed: values.one_by_one().then_some(candidate.0),
        },
    }
}

/// The reasons, one per quasi column that is masked, given its next refinement. `subsets` has, for each column, the levels
/// of templates of bounded knowledge after that refinement: (template, level).
pub(crate) fn stops(state: &State, next: &[Next], subsets: &[Vec<(usize, f64)>]) -> Vec<Stop> {
    let columns = (0..next.len()).filter(|&column| state.is_masked(column) && !state.should_stop());
    let columns: Vec<usize> = columns.collect();
    let why = |column: usize| match next[column] {
        Next::Complete => Why::Complete,
        Next::NothingToGain => Why::NothingToGain,
        Next::Refine(candidate) => what_blocks(state, column, candidate, &subsets[column]),
    };
    let stop = |column: usize| Stop {
        column,
        why: why(column),
    };
    columns.into_par_iter().map(stop).collect()
}

fn what_blocks(state: &State, column: usize, candidate: CandidateId, subsets: &[(usize, f64)]) -> Why {
    let values = &state.values[column];
    let templates = &state.problem.requirement.templates;
    let mut after = After {
        worst: vec![None; templates.len()],
        broken: 0,
    };
    for guard in &state.guards {
        after.measure(guard, values, column, candidate);
    }
    for join in &state.joins {
        if let Some(place) = join.place(column) {
            let level = join.level_if_made(place, candidate, values);
            after.see(join.number, level, |a, b| join.template.sense().worse(a, b));
        }
    }
    for &(template, level) in subsets {
        after.see(template, level, |a, b| templates[template].sense().worse(a, b));
    }
    let blocks = templates.iter().zip(&after.worst).enumerate();
    let blocks = blocks.filter_map(|(number, (template, &level))| Some((number, template, level?)));
    let by: Vec<Block> = blocks
        .filter(|(_, template, level)| !template.is_met_by(*level))
        .map(|(template, _, level)| Block { template, level })
        .collect();
    let most = state.budget.most();
    let leaves_out = if most > 0 {
        after.broken + state.budget.rows_left_out()
    } else {
        0
    };
    // With a budget, too, only the number of steps stops what leaves out few enough rows; if one group that is left
    // out breaks others, more rows go, which is not followed here.
    if by.is_empty() || (most > 0 && leaves_out <= most && state.steps_are_spent()) {
        return Why::StepsSpent;
    }
    let (value, into) = values.describe(candidate);
    Why::Blocked {
        value,
        into,
        by,
        leaves_out,
    }
}

/// What a refinement would come to.
struct After {
    /// The level of each template, as far as it is touched.
    worst: Vec<Option<f64>>,
    /// Rows of the table in groups that would be broken.
    broken: u64,
}

impl After {
    fn see(&mut self, template: usize, level: f64, worse: impl Fn(f64, f64) -> f64) {
        let worst = &mut self.worst[template];
        *worst = Some(worst.map_or(level, |other| worse(other, level)));
    }

    fn measure(&mut self, guard: &Guard, values: &Values, column: usize, candidate: CandidateId) {
        let Some(place) = guard.place(column) else { return };
        let value = values.refined_by(candidate);
        let (codes, child_of) = values.children_of_codes(candidate);
        let children = child_of.iter().max().map_or(0, |&child| child as usize + 1);
        let first = codes.start as usize;
        let mut broken = 0;
        for group in guard.groups.iter().filter(|group| group.values[place] == value) {
            let cells = with_codes!(&*guard.rows.codes[place], |codes| {
                guard.tally(&group.rows, children, |row| {
                    child_of[codes[row as usize] as usize - first]
                })
            });
            for part in cells.chunk_by(|a, b| a.slot == b.slot) {
                let levels = guard.levels_of(part);
                for (check, &level) in guard.checks.iter().zip(&levels) {
                    self.see(check.number, level, |a, b| check.sense.worse(a, b));
                }
                if !guard.is_met_by(&levels) {
                    broken += guard.rows_in(part);
                }
            }
        }
        self.broken = self.broken.max(broken);
    }
}
