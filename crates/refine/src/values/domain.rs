//! The [`Domain`] of a column that shows ranges of codes: a tree or numbers, and what is said of a range of them.

use std::ops::Range;

use scumble_table::{Interval, NodeId, Range as NumberRange, SUPPRESSED, Taxonomy};

use super::foreign::Foreign;

/// How a value is shown.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    Node(NodeId),
    Interval(Interval),
    /// Every number and the missing value, as `*`.
    Whole,
    Missing,
}

/// Where the children of a range come from.
#[derive(Debug)]
pub enum Domain<'t> {
    Tree {
        taxonomy: &'t Taxonomy,
        spans: Vec<Range<u32>>,
    },
    Numbers {
        numbers: &'t [f64],
        range: NumberRange,
    },
    /// Someone else knows.
    Foreign(Foreign),
}

impl Domain<'_> {
    /// The most masked value and the codes it covers. A missing value that only a population has is beside the
    /// numbers, and one that the table has too is with them.
    pub fn root(&self, missing: Option<u32>, codes: u32) -> (Form, Range<u32>) {
        match self {
            Domain::Tree { taxonomy, .. } => (Form::Node(taxonomy.root()), 0..codes),
            Domain::Foreign(_) => (Form::Whole, 0..codes),
            Domain::Numbers { .. } if missing.is_some() => (Form::Whole, 0..codes),
            Domain::Numbers { range, .. } => (Form::Interval(range.whole()), self.codes_in_range()),
        }
    }

    /// The codes of the numbers in the range; a population may have others.
    pub fn codes_in_range(&self) -> Range<u32> {
        match self {
            Domain::Tree { .. } | Domain::Foreign(_) => 0..0,
            Domain::Numbers { numbers, range } => {
                let whole = range.whole();
                let start = numbers.partition_point(|&number| number < whole.from);
                let end = numbers.partition_point(|&number| number <= whole.to);
                start as u32..end as u32
            }
        }
    }

    pub fn label(&self, form: &Form) -> Option<String> {
        match (self, form) {
            (Domain::Tree { taxonomy, .. }, &Form::Node(node)) => Some(taxonomy.label(node).to_owned()),
            (_, Form::Interval(interval)) => Some(interval.to_string()),
            (_, Form::Missing) => None,
            _ => Some(SUPPRESSED.to_owned()),
        }
    }

    /// The certainty penalty: the share of the leaves, or of the range, that a value may stand for.
    pub fn penalty(&self, form: &Form) -> f64 {
        match (self, form) {
            (_, Form::Missing) => 0.0,
            (Domain::Tree { taxonomy, .. }, &Form::Node(node)) => taxonomy.penalty(node),
            (Domain::Numbers { range, .. }, Form::Interval(interval)) => interval.penalty(range),
            _ => 1.0,
        }
    }
}

/// The range between the smallest and the largest number; an empty column has none worth naming.
pub fn observed(ends: Option<(f64, f64)>) -> NumberRange {
    let (from, to) = ends.unwrap_or((0.0, 0.0));
    NumberRange::new(from, to).expect("numbers of a dictionary ascend")
}
