//! A [`Plan`] is a policy bound to the header of its data: how to read each column, how to mask it, what must hold.
//!
//! | header | policy | read as | id | masked by |
//! |---|---|---|---|---|
//! | name | identifier | not at all | | |
//! | age | quasi, continuous | number | 0 | intervals |
//! | job | quasi, with a taxonomy | leaf | 1 | nodes |
//! | note | other | text | 2 | nothing |
//! | visit | not listed: a warning | not at all | | |

use std::collections::HashSet;
use std::path::PathBuf;

use scumble_policy::Spanned;
use scumble_privacy::{Requirement, Rule};
use scumble_refine::QuasiColumn;
use scumble_table::{ColumnId, SharedForms, Written};

use crate::columns::PlannedColumns;
use crate::earlier::PlannedEarlier;
use crate::warning::PlanWarning;

/// A policy bound to its data.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The columns that are read.
    pub columns: PlannedColumns,
    /// The columns to mask, in the order that decides ties.
    pub quasi: Vec<ColumnId>,
    /// The class column.
    pub class: Option<ColumnId>,
    /// What must hold.
    pub requirement: Requirement,
    /// For each template the section that asks for it together with another, in words: `alpha 0.4, k 4`.
    pub part_of: Vec<Option<String>>,
    /// The populations that templates compare with.
    pub populations: Vec<PlannedPopulation>,
    /// The earlier releases, in the order of the policy.
    pub earlier: Vec<PlannedEarlier>,
    /// What records of two releases must keep to match.
    pub history_rules: Vec<Rule>,
    /// What the cells of each column can be, once it is released.
    pub forms: Vec<SharedForms>,
    /// What the user should know.
    pub warnings: Vec<PlanWarning>,
}

/// A file of people that k-map templates compare with.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedPopulation {
    /// The file, which is read like the data.
    pub file: Spanned<PathBuf>,
    /// The columns of the data that it must have, too, ascending.
    pub columns: Vec<ColumnId>,
}

impl Plan {
    /// The columns to mask, and how each is masked.
    pub fn quasi_columns(&self) -> Vec<QuasiColumn<'_>> {
        let quasi = self.quasi.iter().map(|&id| QuasiColumn {
            id,
            operation: self.columns[id.0].operation(),
        });
        quasi.collect()
    }

    /// The same, where columns are taken for published as they are, whatever the policy might have done to them: a star that
    /// they show is a value.
    #[must_use]
    pub fn showing_as_they_are<'n>(mut self, names: impl Iterator<Item = &'n str>) -> Plan {
        for name in names {
            if let Some(id) = self.columns.find(name) {
                self.forms[id.0].written = Written::Exact;
            }
        }
        self
    }

    /// The columns that a template names. Nothing masks a quasi column that is not among them.
    pub fn in_templates(&self) -> HashSet<ColumnId> {
        let templates = self.requirement.templates.iter();
        templates
            .flat_map(|template| template.of.columns.iter().copied())
            .collect()
    }

    /// For each column its place among the quasi columns, if it is one.
    pub fn places_among_quasi(&self) -> Vec<Option<usize>> {
        let mut places = vec![None; self.columns.len()];
        for (place, quasi) in self.quasi.iter().enumerate() {
            places[quasi.0] = Some(place);
        }
        places
    }

    /// The name of the quasi column at this place.
    pub fn quasi_name(&self, place: usize) -> &str {
        &self.columns[self.quasi[place].0].name
    }
}
