//! [`LossPerGroup`]: the most that a group of a release may lose, which a method may promise beside the templates.
//!
//! A cell loses the share of the *other* values of its column that it may stand for; a group loses the average over
//! columns, the same for all of its rows, because they show the same.
//!
//! | column | domain | label | loss |
//! |---|---|---|---|
//! | age | numbers 0 to 100 | `[20, 40]` | 20/100 |
//! | job | three leaves, two of them professional | `Professional` | 1/2 |
//! | country | four values | `{CH\|DE}` | 1/3 |
//! | any | | one value, or a missing one | 0 |
//! | any | | `*`, or what is not understood | 1 |
//!
//! What a label stands for is read from its text, as a reader of the file would; where a text may be both a value and a
//! label, the larger loss counts.
//!
//! # Source
//! Q-diversity: Loukides, definition 3.1.1; the bound `U` of UPC: section 5.2.

use std::sync::Arc;

use hashbrown::HashSet;
use scumble_table::{ColumnId, Interval, Range, SUPPRESSED, Taxonomy, parse_number};

/// The most that a group may lose.
#[derive(Clone, Debug, PartialEq)]
pub struct LossPerGroup {
    /// The bound, from 0 to 1.
    pub at_most: f64,
    /// The columns that are averaged over, each with what its values may be.
    pub columns: Vec<(ColumnId, LossDomain)>,
}

/// What the values of a column may be.
#[derive(Clone, Debug, PartialEq)]
pub enum LossDomain {
    /// The numbers of a range.
    Numbers(Range),
    /// The leaves of a taxonomy.
    Leaves(Arc<Taxonomy>),
    /// These values.
    Values(Arc<HashSet<String>>),
}

impl LossPerGroup {
    /// Whether a loss keeps the bound. Losses are averages of rounded shares, so rounding does not break it.
    pub fn is_met_by(&self, loss: f64) -> bool {
        const ROUNDING: f64 = 1e-9;
        loss <= self.at_most + ROUNDING
    }
}

impl LossDomain {
    /// Just these values.
    pub fn values<'v>(values: impl IntoIterator<Item = &'v str>) -> Self {
        LossDomain::Values(Arc::new(values.into_iter().map(str::to_owned).collect()))
    }

    /// The loss of a label, from 0 to 1.
    pub fn loss(&self, label: Option<&str>) -> f64 {
        let Some(label) = label else { return 0.0 };
        let as_set = members(label).map(|members| self.loss_of_set(&members));
        let as_one = match self {
            LossDomain::Numbers(_) if parse_number(label).is_some() => Some(0.0),
            LossDomain::Numbers(range) => Interval::parse(label).map(|interval| interval.penalty(range)),
            LossDomain::Leaves(taxonomy) => {
                let node = taxonomy.find(label);
                node.map(|node| others(taxonomy.leaves_under(node).len(), taxonomy.leaves().len()))
            }
            LossDomain::Values(_) if label == SUPPRESSED => None,
            LossDomain::Values(values) => values.contains(label).then_some(0.0),
        };
        let losses = as_one.into_iter().chain(as_set.flatten());
        losses.reduce(f64::max).unwrap_or(1.0)
    }

    /// The loss of a set of values; `None` if one of them is no value.
    fn loss_of_set(&self, members: &HashSet<&str>) -> Option<f64> {
        match self {
            LossDomain::Numbers(range) => {
                let numbers: Option<Vec<f64>> = members.iter().map(|member| parse_number(member)).collect();
                let numbers = numbers?;
                let first = numbers.iter().copied().reduce(f64::min)?;
                let last = numbers.iter().copied().reduce(f64::max)?;
                Some(range.share(first, last))
            }
            LossDomain::Leaves(taxonomy) => {
                let are_leaves = members.iter().all(|member| taxonomy.leaf(member).is_some());
                are_leaves.then(|| others(members.len(), taxonomy.leaves().len()))
            }
            LossDomain::Values(values) => {
                let are_values = members.iter().all(|member| values.contains(*member));
                are_values.then(|| others(members.len(), values.len()))
            }
        }
    }
}

/// The members of `{a|b}`.
fn members(label: &str) -> Option<HashSet<&str>> {
    let inside = label.strip_prefix('{')?.strip_suffix('}')?;
    Some(inside.split('|').collect())
}

/// (s − 1) / (|D| − 1); 0 in a domain of one value.
fn others(values: usize, all: usize) -> f64 {
    let share = values.saturating_sub(1) as f64 / all.saturating_sub(1).max(1) as f64;
    share.min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn losses<const N: usize>(domain: &LossDomain, labels: [&str; N]) -> [f64; N] {
        labels.map(|label| domain.loss(Some(label)))
    }

    #[test]
    fn labels_lose_by_what_they_may_stand_for() {
        let ages = LossDomain::Numbers(Range::new(0.0, 100.0).unwrap());
        assert_eq!(
            losses(
                &ages,
                ["37", "[20, 40]", "[20, 40)", "{20|40|30}", "[-5, 300]", "*", "old"]
            ),
            [0.0, 0.2, 0.2, 0.2, 1.0, 1.0, 1.0]
        );
        let nodes = [
            ("ANY", None),
            ("Professional", Some(0)),
            ("Engineer", Some(1)),
            ("Lawyer", Some(1)),
            ("Janitor", Some(0)),
        ];
        let nodes: Vec<(String, Option<usize>)> = nodes.map(|(label, parent)| (label.to_owned(), parent)).into();
        let jobs = LossDomain::Leaves(Arc::new(Taxonomy::from_parents(&nodes).unwrap()));
        assert_eq!(
            losses(
                &jobs,
                [
                    "Lawyer",
                    "Professional",
                    "ANY",
                    "{Lawyer|Janitor}",
                    "{Lawyer|Nobody}",
                    "*"
                ]
            ),
            [0.0, 0.5, 1.0, 0.5, 1.0, 1.0]
        );
        let countries = LossDomain::values(["CH", "DE", "FR", "IT"]);
        assert_eq!(
            losses(&countries, ["CH", "{CH|DE}", "{CH|DE|FR|IT}", "*", "{CH|AT}"]),
            [0.0, 1.0 / 3.0, 1.0, 1.0, 1.0]
        );
        assert_eq!([&ages, &jobs, &countries].map(|domain| domain.loss(None)), [0.0; 3]);
    }

    /// A value `{a|b}` beside `a` and `b` may be a set, and `*` may be anything.
    #[test]
    fn a_text_that_may_be_two_things_loses_as_the_wider_one() {
        let domain = LossDomain::values(["a", "b", "{a|b}", "{a|z}", "*"]);
        assert_eq!(losses(&domain, ["{a|b}", "{a|z}", "*", "a"]), [0.25, 0.0, 1.0, 0.0]);
    }

    #[test]
    fn no_loss_is_no_number() {
        let ends = [
            -f64::MAX,
            -1e308,
            -5e-324,
            -0.0,
            0.0,
            5e-324,
            1.0,
            1e16,
            1e16 + 4.0,
            1.5e308,
            f64::MAX,
        ];
        for from in ends {
            for to in ends.into_iter().filter(|to| from <= *to) {
                let domain = LossDomain::Numbers(Range::new(from, to).unwrap());
                for label in [
                    format!("[{from}, {to}]"),
                    format!("{{{from}|{to}}}"),
                    "[-1e308, 1e308]".to_owned(),
                ] {
                    let loss = domain.loss(Some(&label));
                    assert!((0.0..=1.0).contains(&loss), "{label} of {from} to {to}: {loss}");
                }
            }
        }
        let bound = LossPerGroup {
            at_most: 1.0,
            columns: Vec::new(),
        };
        assert!(!bound.is_met_by(f64::NAN) && !bound.is_met_by(f64::INFINITY));
    }
}
