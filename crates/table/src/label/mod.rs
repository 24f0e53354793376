//! A [`Label`] is a released value, read as what it may stand for.
//!
//! | label | covers |
//! |---|---|
//! | `Engineer` | itself; in a column of numbers `37` covers `37.0`, because they are one |
//! | `Professional`, a node of the taxonomy | every value under it; the root covers whatever there is, missing included |
//! | `[20, 40)` | every number inside |
//! | `{a\|b}` | its members; an empty one is the missing value |
//! | `*` | whatever there is, missing included |
//! | an empty cell | a missing value |
//! | `20-40`, `]20, 40]`, `90+`, `{a, b}`, `130**` | what the tools that write these mean by them; see `foreign.rs` |
//!
//! Which of these a cell can be is a matter of its column, and said by its [`Forms`]: to a reader who is not told, a word
//! `1-5` of the data and an interval look the same.
//!
//! Invariant: a label covers the value that it equals, whatever else it stands for.
//!
//! A value may be covered by several labels of a column: `Engineer` by `Engineer` and by `*`. Which of them its rows can
//! show depends on how the release was made.
//!
//! - Under a global recoding, as every [`Mask`](crate::Mask) is, a value has one label in all rows. A release that shows
//!   `Engineer` somewhere hides no engineer behind `*`, so the label is the most specific one: [`cover`].
//! - Under a local recoding each row is masked by itself, and an engineer may be behind any of them: [`cover_all`].

mod cover;
mod foreign;
mod forms;
mod meaning;
mod meet;

use crate::{Interval, NodeId, SUPPRESSED, Taxonomy, parse_number};
use meaning::non_empty;

pub use cover::{LabelIndex, cover, cover_all};
pub use forms::{Domain, Forms, FormsOf, SharedForms, Written};
pub use meaning::Meaning;
pub use meet::{Shown, meeting};

/// A released value, read as what it may stand for.
#[derive(Clone, Debug, PartialEq)]
pub struct Label<'a> {
    text: Option<&'a str>,
    meaning: Meaning<'a>,
    /// Whether it is compared as a number, if it is one.
    is_number: bool,
}

impl<'a> Label<'a> {
    /// Reads a released cell, `None` where it is empty, of a column in these forms.
    pub fn parse(text: Option<&'a str>, forms: FormsOf<'a>) -> Self {
        let meaning = text.map_or(Meaning::Itself, |text| Meaning::parse(text, forms));
        // The tree tells `1` from `1.0`, if it has both.
        let is_number = forms.are_numbers() && !matches!(meaning, Meaning::Node(..));
        Label {
            text,
            meaning,
            is_number,
        }
    }

    /// What it stands for beside itself.
    pub fn meaning(&self) -> &Meaning<'a> {
        &self.meaning
    }

    /// Whether a value of its column, `None` if missing, may be what is behind this label.
    pub fn covers(&self, value: Option<&str>) -> bool {
        self.covers_as(value, self.is_number)
    }

    /// As [`covers`](Self::covers), where two texts of one number are one value or not.
    fn covers_as(&self, value: Option<&str>, are_numbers: bool) -> bool {
        is_same(self.text, value, are_numbers)
            || match &self.meaning {
                Meaning::Itself => false,
                Meaning::Set(members) => members.iter().any(|&member| is_same(member, value, are_numbers)),
                Meaning::Node(taxonomy, node) => {
                    *node == taxonomy.root() || value.is_some_and(|value| path(taxonomy, value).any(|on| on == *node))
                }
                Meaning::Interval(interval) => number(value).is_some_and(|number| interval.contains(number)),
                Meaning::Masked { prefix, length } => {
                    value.is_some_and(|value| value.starts_with(prefix) && value.chars().count() == *length)
                }
                Meaning::Everything => true,
            }
    }

    /// The order from specific to general: single values, then what covers a number of values (sets and nodes), then
    /// masked values by their stars, intervals by their width, and `*`. A column hardly ever mixes kinds, `*` aside.
    fn breadth(&self) -> (u8, f64) {
        match &self.meaning {
            Meaning::Itself => (0, 1.0),
            Meaning::Set(members) => (1, members.len() as f64),
            Meaning::Node(taxonomy, node) => (1, taxonomy.leaves_under(*node).len() as f64),
            Meaning::Masked { prefix, length } => (2, (length - prefix.chars().count()) as f64),
            Meaning::Interval(interval) => (3, interval.to - interval.from),
            Meaning::Everything => (4, 0.0),
        }
    }
}

impl<'a> Meaning<'a> {
    fn parse(text: &'a str, forms: FormsOf<'a>) -> Self {
        let domain = forms.domain;
        let star = || (text == SUPPRESSED).then_some(Meaning::Everything);
        // The tree first: its nodes may be called `*` or `[20, 40)`, and then it knows best what is under them.
        let node_or_star = || node(text, domain).or_else(star);
        let found = match forms.written {
            Written::Exact => leaf(text, domain),
            Written::Suppressed => star().or_else(|| leaf(text, domain)),
            Written::Generalized => node_or_star().or_else(|| interval(text, domain)),
            Written::Sets => node_or_star()
                .or_else(|| interval(text, domain))
                .or_else(|| set(text).filter(|_| text.contains('|'))),
            Written::Centres => Some(Meaning::Everything),
            Written::Any => node_or_star()
                .or_else(|| Interval::parse(text).map(Meaning::Interval))
                .or_else(|| set(text))
                .or_else(|| foreign::parse(text)),
        };
        found.unwrap_or(Meaning::Itself)
    }
}

fn node<'a>(text: &str, domain: Domain<&'a Taxonomy>) -> Option<Meaning<'a>> {
    match domain {
        Domain::Nodes(taxonomy) => Some(Meaning::Node(taxonomy, taxonomy.find(text)?)),
        Domain::Words | Domain::Numbers => None,
    }
}

/// A value by its place in the tree, so that it is under what the tree has above it. An inner node is no value.
fn leaf<'a>(text: &str, domain: Domain<&'a Taxonomy>) -> Option<Meaning<'a>> {
    match domain {
        Domain::Nodes(taxonomy) => taxonomy.leaf(text).and_then(|_| node(text, domain)),
        Domain::Words | Domain::Numbers => None,
    }
}

fn interval<'a>(text: &str, domain: Domain<&'a Taxonomy>) -> Option<Meaning<'a>> {
    match domain {
        Domain::Numbers => Interval::parse(text).map(Meaning::Interval),
        Domain::Words | Domain::Nodes(_) => None,
    }
}

/// `{a|b}`. Without a `|` it may be a foreign set, whose members are parted by commas.
fn set(text: &str) -> Option<Meaning<'_>> {
    let members = text.strip_prefix('{')?.strip_suffix('}')?;
    let own = members.contains('|') || !members.contains(',');
    own.then(|| Meaning::Set(members.split('|').map(non_empty).collect()))
}

fn number(value: Option<&str>) -> Option<f64> {
    value.and_then(parse_number)
}

/// Whether two values are one: the same text, or two texts of one number.
fn is_same(a: Option<&str>, b: Option<&str>, are_numbers: bool) -> bool {
    a == b || (are_numbers && number(a).is_some_and(|a| Some(a) == number(b)))
}

/// The node of a value and all nodes above it.
fn path<'t>(taxonomy: &'t Taxonomy, value: &str) -> impl Iterator<Item = NodeId> + use<'t> {
    std::iter::successors(taxonomy.find(value), |&node| taxonomy.parent(node))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;

    pub(super) const LABELS: [&str; 24] = [
        "*",
        "**",
        "0-2",
        "1",
        "1.0",
        "1.*",
        "2",
        "2+",
        "<2",
        "ANY",
        "Engineer",
        "Professional",
        "[0, 1]",
        "[0, 3)",
        "[1, 2)",
        "[2, 9]",
        "]1, 2]",
        "a",
        "a*",
        "{1|Engineer}",
        "{1|}",
        "{2|a}",
        "{a, x}",
        "{a",
    ];
    pub(super) const VALUES: [&str; 16] = [
        "*",
        "0",
        "1",
        "1.0",
        "1.5",
        "2",
        "2e0",
        "9",
        "Engineer",
        "Janitor",
        "Professional",
        "[0, 3)",
        "a",
        "ab",
        "a*",
        "x",
    ];

    pub(super) const WRITTEN: [Written; 6] = [
        Written::Exact,
        Written::Suppressed,
        Written::Generalized,
        Written::Sets,
        Written::Centres,
        Written::Any,
    ];

    pub(super) fn domain() -> impl Strategy<Value = Domain<Arc<Taxonomy>>> {
        select(vec![Domain::Words, Domain::Numbers, Domain::Nodes(Arc::new(jobs()))])
    }

    pub(super) fn jobs() -> Taxonomy {
        let node = |label: &str, parent| (label.to_owned(), parent);
        Taxonomy::from_parents(&[
            node("ANY", None),
            node("Professional", Some(0)),
            node("Engineer", Some(1)),
            node("Lawyer", Some(1)),
            node("Janitor", Some(0)),
        ])
        .unwrap()
    }

    #[test]
    fn a_label_covers_what_it_may_stand_for() {
        let tree = jobs();
        let covers = |label: &str, value: &str| {
            let [label, value] = [label, value].map(non_empty);
            Label::parse(label, Forms::any(Some(&tree))).covers(value)
        };
        for (label, value) in [
            ("Engineer", "Engineer"),
            ("Professional", "Engineer"),
            ("Professional", "Professional"),
            ("ANY", "Janitor"),
            ("ANY", ""),
            ("ANY", "Astronaut"),
            ("[20, 40)", "20"),
            ("[20, 40]", "40.0"),
            ("{a|b}", "b"),
            ("{1|2}", "2.0"),
            ("{a|}", ""),
            ("37", "37.0"),
            ("*", "anything"),
            ("*", ""),
            ("", ""),
        ] {
            assert!(covers(label, value), "{label} covers {value}");
        }
        for (label, value) in [
            ("Engineer", "Professional"),
            ("Professional", "Janitor"),
            ("Professional", ""),
            ("[20, 40)", "40"),
            ("[20, 40)", "young"),
            ("{a|b}", "a|b"),
            ("{a|b}", ""),
            ("37", "3.7"),
            ("", "a"),
        ] {
            assert!(!covers(label, value), "{label} does not cover {value}");
        }
    }
}
