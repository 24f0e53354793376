//! A search by several who hold columns of the same rows: each runs a [`PartySearch`] over its own columns.
//!
//! Everyone has the same rows in the same order. A party knows its own columns; of those of others it knows only what they
//! tell, which is which rows go to which part when one of them refines a value:
//!
//! ```text
//! bid ──► the best of all wins ──► the winner gives an instruction ──► everyone splits the same groups
//! ```
//!
//! So all keep the same groups, every bid is what it would be on the joined table, and the steps are those of a search there.
//!
//! # Source
//! Fung 2007, chapter 7 (TDS2P); Mohammed, Fung, Wang and Hung 2009 (PPMashup).

use scumble_progress::Work;
use scumble_table::{Codes, Mask, collapse};

use crate::objective::rank;
use crate::problem::Problem;
use crate::state::{Proposal, State};
use crate::values::{Misfit, Refinement};

/// The part of a row that does not show the value.
const NOWHERE: u32 = u32::MAX;

/// Between two messages a party only computes, and a stop is asked for between them.
const NOBODY_WATCHES: &str = "nobody asks work to stop that nobody watches";

/// One party's part in a search.
pub struct PartySearch<'t> {
    state: State<'t>,
    proposal: Option<Proposal>,
}

/// What a party's best candidate is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bid {
    /// The score as a whole number below 2^35; the larger is better.
    pub rank: u64,
    /// The place of the column among the quasi columns; of equal ranks, the earlier column wins.
    pub column: usize,
}

/// Which rows go to which part of a value: positions, never values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// The place of the column among the quasi columns.
    pub column: usize,
    /// The masked value to refine, by the number under which all know it.
    pub value: u32,
    /// How many parts there are.
    pub children: u32,
    /// For each row that shows the value, in the order of rows, its part.
    pub child_of: Vec<u32>,
}

impl Proposal {
    /// What others may be told of it, if only in a computation that shows nobody more than who bids most.
    pub fn bid(&self) -> Bid {
        Bid {
            rank: rank(self.score),
            column: self.column,
        }
    }
}

impl<'t> PartySearch<'t> {
    /// Everything at its most masked.
    pub fn new(problem: &'t Problem<'t>) -> Self {
        PartySearch {
            state: State::new(problem, Work::unwatched()).expect(NOBODY_WATCHES),
            proposal: None,
        }
    }

    /// The templates, by number, that this party sees to and that the table does not meet as it is masked now.
    pub fn unmet(&self) -> Vec<usize> {
        let problem = self.state.problem;
        let levels = self.state.levels_at_start().expect(NOBODY_WATCHES);
        let templates = problem.requirement.templates.iter().zip(levels).enumerate();
        templates
            .filter(|(number, (template, level))| !problem.elsewhere.contains(number) && !template.is_met_by(*level))
            .map(|(number, _)| number)
            .collect()
    }

    /// The best refinement of a column of its own, as far as this party can tell.
    pub fn bid(&mut self) -> Option<Bid> {
        self.proposal = self.state.propose();
        self.proposal.as_ref().map(Proposal::bid)
    }

    /// What the others must know to follow the refinement that was bid.
    pub fn instruction(&self) -> Option<Instruction> {
        let proposal = self.proposal.as_ref()?;
        let values = &self.state.values[proposal.column];
        let refined = values.refined_by(proposal.candidate);
        let (codes, child_of) = values.children_of_codes(proposal.candidate);
        let children = child_of.iter().max().map_or(0, |&child| child + 1);
        let shown = values.value_of_code();
        let goes_to = |code: u32| match shown[code as usize] == refined {
            true => child_of[(code - codes.start) as usize],
            false => NOWHERE,
        };
        let goes_to: Vec<u32> = (0..shown.len() as u32).map(goes_to).collect();
        let mut child_of_row = self.state.codes(proposal.column).look_up(&goes_to);
        child_of_row.retain(|&child| child != NOWHERE);
        Some(Instruction {
            column: proposal.column,
            value: values.number_told(refined),
            // What is left of `*` is a part even if no row is left.
            children: if values.one_by_one() { 2 } else { children },
            child_of: child_of_row,
        })
    }

    /// How many parts the refinement that was bid could have, whatever the data: what may be told of one that may yet be
    /// refused.
    pub fn fan_out(&self) -> Option<u32> {
        let proposal = self.proposal.as_ref()?;
        Some(self.state.values[proposal.column].fan_out(proposal.candidate))
    }

    /// How many rows show a value of a column that someone else holds; `None` if it is not shown.
    pub fn records_showing(&self, column: usize, value: u32) -> Option<usize> {
        self.state.values.get(column)?.rows_told(value)
    }

    /// The part of each row, 0 for one that an instruction of our own does not speak of.
    pub fn by_record(&self, instruction: &Instruction) -> Vec<u32> {
        let shown = self.shown(instruction.column);
        let mut children = vec![0; shown.len()];
        let speaks_of = children
            .iter_mut()
            .zip(shown)
            .filter(|(_, shown)| *shown == instruction.value);
        speaks_of
            .zip(&instruction.child_of)
            .for_each(|((own, _), &child)| *own = child);
        children
    }

    /// Makes the refinement that was bid.
    pub fn make(&mut self) {
        if let Some(proposal) = self.proposal.take() {
            self.state.apply(proposal);
        }
    }

    /// Takes the refinement that was bid back for good, because someone refuses it.
    pub fn withdraw(&mut self) {
        if let Some(proposal) = self.proposal.take() {
            self.state.values[proposal.column].drop_candidate(proposal.candidate);
        }
    }

    /// Follows the refinement of someone else.
    ///
    /// # Errors
    /// If it does not fit what is known of the column.
    pub fn follow(&mut self, instruction: &Instruction) -> Result<(), Misfit> {
        self.proposal = None;
        let Instruction { column, value, .. } = *instruction;
        let values = self.state.values.get_mut(column).ok_or(Misfit)?;
        let refinement: Refinement = values.follow(value, instruction.children, &instruction.child_of)?;
        self.state.split_groups(column, &refinement);
        Ok(())
    }

    /// For each row, the number of the value that it shows on a column, as all know it.
    pub fn shown(&self, column: usize) -> Vec<u32> {
        let values = &self.state.values[column];
        match values.told_of_rows() {
            Some(told) => told.iter().map(|value| value.0).collect(),
            None => {
                let of_code = values.value_of_code().iter();
                let of_code: Vec<u32> = of_code.map(|&value| values.number_if_shown(value)).collect();
                self.state.codes(column).look_up(&of_code)
            }
        }
    }

    /// The rows that show a value of one column, grouped by what they show on others; groups in the order of their first
    /// rows, the same for everyone who knows these columns.
    pub fn groups(&self, columns: &[usize], of: (usize, u32)) -> Vec<Vec<u32>> {
        let shown = self.shown(of.0);
        let rows: Vec<u32> = (0..shown.len() as u32)
            .filter(|&row| shown[row as usize] == of.1)
            .collect();
        let others = columns.iter().filter(|&&column| column != of.0);
        let codes: Vec<Codes> = others
            .map(|&column| {
                let shown = self.shown(column);
                Codes::collect(usize::MAX, rows.iter().map(|&row| shown[row as usize]))
            })
            .collect();
        let kinds = collapse(rows.len(), &codes.iter().collect::<Vec<_>>());
        let mut groups = vec![Vec::new(); kinds.rows.len()];
        rows.iter()
            .zip(kinds.kind_of)
            .for_each(|(&row, kind)| groups[kind as usize].push(row));
        groups
    }

    /// What a column of its own shows now.
    pub fn mask(&self, column: usize) -> Mask {
        self.state.mask(column)
    }
}
