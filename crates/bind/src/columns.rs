//! [`PlannedColumns`]: the columns of one table that are read, and what the policy says of each.
//!
//! Invariant: they stand in file order, so the place of a column among them is its [`ColumnId`] in the loaded table, and in the
//! released one.

use std::collections::HashMap;
use std::ops::Deref;
use std::sync::Arc;

use scumble_policy::{ColumnKind, Role};
use scumble_refine::Operation;
use scumble_table::{ColumnId, Range, Reading, SensitiveRanges, Taxonomy};

/// The columns of one table that are read.
#[derive(Clone, Debug, Default)]
pub struct PlannedColumns {
    /// For each column of the header its place among those that are read, if it is read.
    header: Vec<Option<ColumnId>>,
    read: Vec<PlannedColumn>,
    /// The first column of each name: there may be a hundred thousand to look up.
    by_name: HashMap<String, ColumnId>,
}

impl Deref for PlannedColumns {
    type Target = [PlannedColumn];

    fn deref(&self) -> &[PlannedColumn] {
        &self.read
    }
}

impl<'c> IntoIterator for &'c PlannedColumns {
    type Item = &'c PlannedColumn;
    type IntoIter = std::slice::Iter<'c, PlannedColumn>;

    fn into_iter(self) -> Self::IntoIter {
        self.read.iter()
    }
}

impl PlannedColumns {
    /// What `bound` makes of each column of a header: `None` if it is not read.
    pub(crate) fn of_header(header: &[String], bound: impl Fn(&String) -> Option<PlannedColumn>) -> PlannedColumns {
        let mut columns = PlannedColumns::default();
        for name in header {
            let id = bound(name).map(|column| {
                let id = ColumnId(columns.read.len());
                columns.by_name.entry(name.clone()).or_insert(id);
                columns.read.push(column);
                id
            });
            columns.header.push(id);
        }
        columns
    }

    /// How each column of the header is read.
    pub fn reading(&self) -> Vec<Reading<'_>> {
        let columns = self.header.iter();
        columns
            .map(|id| id.map_or(Reading::Skip, |id| self.read[id.0].reading()))
            .collect()
    }

    /// Whether the same columns of the header are read.
    pub fn are_those_of(&self, other: &PlannedColumns) -> bool {
        self.header == other.header
    }

    /// The column with this name, if it is read.
    pub fn find(&self, name: &str) -> Option<ColumnId> {
        self.by_name.get(name).copied()
    }

    /// The columns with this role.
    pub fn with_role(&self, role: Role) -> impl Iterator<Item = ColumnId> {
        let columns = self.read.iter().enumerate();
        columns
            .filter(move |(_, column)| column.role == role)
            .map(|(place, _)| ColumnId(place))
    }
}

/// A column that is read.
#[derive(Clone, Debug)]
pub struct PlannedColumn {
    /// Its name in the header.
    pub name: String,
    /// Its part in the release. A key of a database is an identifier: numbers take its place.
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

impl Values {
    /// Those of a column of this kind, or of any text if the policy says nothing of it.
    pub(crate) fn of(kind: Option<&ColumnKind>, has_taxonomy: bool) -> Values {
        match (kind, has_taxonomy) {
            (Some(ColumnKind::Continuous { range }), _) => Values::Numbers { range: *range },
            (Some(ColumnKind::Categorical { .. }), true) => Values::Leaves,
            (Some(ColumnKind::Categorical { .. }), false) | (None, _) => Values::Text,
        }
    }
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
