//! What the cells of a column of an earlier release can be.
//!
//! A label that is not understood would match nothing, and what matches nothing is not counted. So a column that this
//! table reads as numbers or by a taxonomy must hold such labels elsewhere, too.

use std::sync::Arc;

use scumble_table::{Label, Meaning, Taxonomy, parse_number};

use crate::policy::{ColumnKind, ColumnPolicy, Taxonomies};

/// What the cells of a column can be, beside `*` and empty.
#[derive(Clone, Debug, PartialEq)]
pub enum Labels {
    /// Nodes of a taxonomy and sets of them.
    Nodes(Arc<Taxonomy>),
    /// Numbers, intervals and sets of numbers.
    Numbers,
    /// Whatever there is.
    Any,
}

impl Labels {
    /// Those of a column of this table.
    pub(super) fn of(column: &ColumnPolicy, taxonomies: &Taxonomies) -> Labels {
        match (&column.kind, taxonomies.shared(column)) {
            (ColumnKind::Continuous { .. }, _) => Labels::Numbers,
            (ColumnKind::Categorical { .. }, Some(tree)) => Labels::Nodes(Arc::clone(tree)),
            (ColumnKind::Categorical { .. }, None) => Labels::Any,
        }
    }

    /// The tree that they are read with.
    pub fn taxonomy(&self) -> Option<&Arc<Taxonomy>> {
        match self {
            Labels::Nodes(tree) => Some(tree),
            Labels::Numbers | Labels::Any => None,
        }
    }

    /// Whether a text is one of them.
    pub(super) fn include(&self, text: &str) -> bool {
        match self {
            Labels::Any => true,
            Labels::Numbers => match Label::parse(Some(text), None).meaning() {
                Meaning::Everything | Meaning::Interval(_) => true,
                Meaning::Set(members) => members.iter().flatten().all(|member| parse_number(member).is_some()),
                _ => parse_number(text).is_some(),
            },
            Labels::Nodes(tree) => match Label::parse(Some(text), Some(tree)).meaning() {
                Meaning::Everything | Meaning::Node(..) => true,
                Meaning::Set(members) => members.iter().flatten().all(|member| tree.find(member).is_some()),
                _ => false,
            },
        }
    }

    /// What they are, in words.
    pub(super) fn in_words(&self) -> &'static str {
        match self {
            Labels::Nodes(_) => "labels of its taxonomy",
            Labels::Numbers => "numbers and intervals",
            Labels::Any => "labels",
        }
    }
}

#[cfg(test)]
mod tests {
    use scumble_table::taxonomy::{Format, parse};

    use super::*;

    #[test]
    fn nodes_and_sets_of_them_are_labels_of_a_taxonomy() {
        let tree = parse("Lawyer;Professional;ANY\nJanitor;ANY\n", Format::Levels).unwrap();
        let labels = Labels::Nodes(Arc::new(tree));
        for label in ["Lawyer", "Professional", "ANY", "*", "{Lawyer|Janitor}", "{Lawyer|}"] {
            assert!(labels.include(label), "{label}");
        }
        for strange in ["Lawyr", "{Lawyer|Cook}", "[0, 1)", "Law***"] {
            assert!(!labels.include(strange), "{strange}");
        }
    }

    #[test]
    fn numbers_intervals_and_sets_of_numbers_are_labels_of_a_continuous_column() {
        for label in ["37", "37.5", "[20, 40)", "[20, 40]", "{1|2|}", "*"] {
            assert!(Labels::Numbers.include(label), "{label}");
        }
        for strange in ["old", "{1|old}", "3*"] {
            assert!(!Labels::Numbers.include(strange), "{strange}");
        }
    }
}
