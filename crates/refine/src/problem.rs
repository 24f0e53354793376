//! The [`Problem`] of a search: which columns may be masked how, and what must hold.

use hashbrown::HashSet;
use scumble_level::Population;
use scumble_privacy::{History, Requirement};
use scumble_table::{ColumnId, Range, Table, Taxonomy};

use crate::objective::{Objective, Weigh};

/// What may be done to a quasi column.
#[derive(Clone, Copy, Debug)]
pub enum Operation<'t> {
    /// Show nodes of a taxonomy.
    Generalize(&'t Taxonomy),
    /// Show values or `*`.
    Suppress,
    /// Show intervals that tile a range; without one, from the smallest number to the largest.
    Discretize(Option<Range>),
    /// Nothing of our own: someone else holds the column, and tells which rows go where. In the table all rows show the same.
    Foreign,
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
    /// The populations that templates name by place.
    pub populations: &'t [Population],
    /// The earlier releases that templates on the join speak of. The product of the numbers of records of all releases
    /// fits 128 bits.
    pub history: &'t History,
    /// The columns to mask, in the order that decides ties.
    pub quasi: Vec<QuasiColumn<'t>>,
    /// The column to classify by.
    pub class: Option<ColumnId>,
    /// What must hold.
    pub requirement: &'t Requirement,
    /// The templates, by number, that someone else sees to, because they are about columns of theirs. None of them is on a
    /// join or of bounded knowledge.
    pub elsewhere: Vec<usize>,
    /// What the release is for.
    pub objective: Objective,
    /// Whose loss that is weighed against.
    pub weigh: Weigh,
    /// How many rows may be left out.
    pub rows_left_out_at_most: u64,
    /// Stop after so many refinements.
    pub steps: Option<usize>,
}

impl Problem<'_> {
    /// For each quasi column whether it is in a template.
    pub(crate) fn masked(&self) -> Vec<bool> {
        let templates = self.requirement.templates.iter();
        let named: HashSet<ColumnId> = templates
            .flat_map(|template| template.of.columns.iter().copied())
            .collect();
        self.quasi.iter().map(|quasi| named.contains(&quasi.id)).collect()
    }

    /// The columns that are someone else's.
    pub(crate) fn foreign(&self) -> HashSet<ColumnId> {
        let foreign = self
            .quasi
            .iter()
            .filter(|quasi| matches!(quasi.operation, Operation::Foreign));
        foreign.map(|quasi| quasi.id).collect()
    }
}
