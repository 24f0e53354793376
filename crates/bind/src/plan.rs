//! A [`Plan`] is a policy bound to the header of its data: how to read each column, how to mask it, what must hold.
//!
//! Invariant: the columns of a plan are the columns that are read, in file order, so the place of a column in
//! [`Plan::columns`] is its [`ColumnId`] in the loaded table.
//!
//! | header | policy | read as | id | masked by |
//! |---|---|---|---|---|
//! | name | identifier | not at all | | |
//! | age | quasi, continuous | number | 0 | intervals |
//! | job | quasi, with a taxonomy | leaf | 1 | nodes |
//! | note | other | text | 2 | nothing |
//! | visit | not listed: a warning | not at all | | |

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use scumble_policy::Role;
use scumble_policy::Spanned;
use scumble_privacy::{Requirement, Rule};
use scumble_refine::{Operation, QuasiColumn};
use scumble_table::{ColumnId, Range, Reading, SensitiveRanges, SharedForms, Taxonomy, Written};

use crate::earlier::PlannedEarlier;
use crate::warning::PlanWarning;

/// A policy bound to its data.
#[derive(Clone, Debug)]
pub struct Plan {
    /// For each column of the header its place among those that are read, if it is read.
    pub header: Vec<Option<ColumnId>>,
    /// The columns that are read, in file order.
    pub columns: Vec<PlannedColumn>,
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
    /// The first column of each name: there may be a hundred thousand to look up.
    pub(crate) by_name: HashMap<String, ColumnId>,
}

/// A column that is read.
#[derive(Clone, Debug)]
pub struct PlannedColumn {
    /// Its name in the header.
    pub name: String,
    /// Its part in the release.
    pub role: Role,
    /// Its taxonomy.
    pub taxonomy: Option<Arc<Taxonomy>>,
    /// What its cells are.
    pub values: Values,
    /// What must not be learnt of its values, if it is sensitive and the policy says so.
    pub sensitive_ranges: Option<SensitiveRanges>,
}

/// What the cells of a column are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Values {
    /// Any text.
    Text,
    /// Numbers, all within the range if there is one.
    Numbers {
        /// Both ends are inside.
        range: Option<Range>,
    },
    /// Leaves of the taxonomy of the column.
    Leaves,
}

impl PlannedColumn {
    /// Whether it is written; an identifier is only counted (`per`) or guards.
    pub fn is_published(&self) -> bool {
        self.role != Role::Identifier
    }

    /// Its taxonomy.
    pub fn taxonomy(&self) -> Option<&Taxonomy> {
        self.taxonomy.as_deref()
    }

    /// How it is read.
    pub fn reading(&self) -> Reading<'_> {
        match (self.values, self.taxonomy()) {
            (Values::Numbers { range }, _) => Reading::Number { range },
            (Values::Leaves, Some(taxonomy)) => Reading::Leaves(taxonomy),
            (Values::Leaves | Values::Text, _) => Reading::Text,
        }
    }

    /// The range that the policy declares of its numbers.
    pub fn declared_range(&self) -> Option<Range> {
        match self.values {
            Values::Numbers { range } => range,
            Values::Text | Values::Leaves => None,
        }
    }

    /// How it is masked, if it is a quasi column.
    pub fn operation(&self) -> Operation<'_> {
        match (self.values, self.taxonomy()) {
            (Values::Numbers { range }, _) => Operation::Discretize(range),
            (Values::Leaves | Values::Text, Some(taxonomy)) => Operation::Generalize(taxonomy),
            (Values::Leaves | Values::Text, None) => Operation::Suppress,
        }
    }
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
    /// How each column of the header is read.
    pub fn reading(&self) -> Vec<Reading<'_>> {
        let columns = self.header.iter();
        columns
            .map(|id| id.map_or(Reading::Skip, |id| self.columns[id.0].reading()))
            .collect()
    }

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
            if let Some(id) = self.find(name) {
                self.forms[id.0].written = Written::Exact;
            }
        }
        self
    }

    /// The column with this name, if it is read.
    pub fn find(&self, name: &str) -> Option<ColumnId> {
        self.by_name.get(name).copied()
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
