//! What parties who hold columns of the same rows tell each other of theirs, by number.

use super::domain::{Domain, Form};
use super::foreign::{Foreign, Misfit};
use super::refinement::{CandidateId, NO_VALUE, Refinement, ValueId};
use super::{Kind, Ranges, STAR, Values};

impl Values<'_> {
    /// For each row, the value that it shows now, if someone else holds the column; codes tell nothing then.
    pub fn told_of_rows(&self) -> Option<&[ValueId]> {
        self.foreign().map(|foreign| &foreign.of_row[..])
    }

    /// How many rows show a value, if someone else holds the column and the value is shown.
    pub fn rows_told(&self, value: u32) -> Option<usize> {
        self.foreign()?.rows(value)
    }

    fn foreign(&self) -> Option<&Foreign> {
        match &self.kind {
            Kind::Ranges(Ranges {
                domain: Domain::Foreign(foreign),
                ..
            }) => Some(foreign),
            _ => None,
        }
    }

    /// Splits the rows that show a value of a column that someone else holds: for each, in the order of rows, the child.
    ///
    /// # Errors
    /// If that does not fit what was told before.
    pub fn follow(&mut self, value: u32, children: u32, child_of: &[u32]) -> Result<Refinement, Misfit> {
        match &mut self.kind {
            Kind::Ranges(Ranges {
                domain: Domain::Foreign(foreign),
                ..
            }) => foreign.refine(value, children, child_of),
            _ => Err(Misfit),
        }
    }

    /// The number under which a value of our own is known to those who follow us. They give every child a new number, also
    /// what is left of `*`.
    pub fn number_told(&self, value: ValueId) -> u32 {
        match &self.kind {
            Kind::Codes(suppressed) if value == STAR => 2 * suppressed.disclosed.len() as u32,
            Kind::Codes(_) => 2 * value.0 - 1,
            Kind::Ranges(_) => value.0,
        }
    }

    /// The same for what a code shows, of which there is nothing if no row has it.
    pub fn number_if_shown(&self, value: ValueId) -> u32 {
        if value == NO_VALUE {
            value.0
        } else {
            self.number_told(value)
        }
    }

    /// Whether a value may still be refined, by us or by whoever holds the column.
    pub fn may_be_refined(&self, value: ValueId) -> bool {
        self.slots_of(value) > 0 || self.told_of_rows().is_some()
    }

    /// How many children a candidate could have, whatever values there are.
    pub fn fan_out(&self, candidate: CandidateId) -> u32 {
        match &self.kind {
            Kind::Ranges(Ranges {
                domain: Domain::Tree { taxonomy, .. },
                shown,
                ..
            }) => match shown[candidate.0 as usize].form {
                // The missing value may hang under the root.
                Form::Node(node) => taxonomy.children(node).len() as u32 + u32::from(node == taxonomy.root()),
                _ => 2,
            },
            _ => 2,
        }
    }
}
