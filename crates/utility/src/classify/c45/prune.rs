//! Cutting back a tree to what is expected to err least on cases that it has not seen.
//!
//! A leaf that errs on `e` of its `n` training cases is expected to err on more new ones: on as many as the upper bound
//! of the error rate says, at confidence 0.25. A branch becomes a leaf, or its largest son takes its place, where that
//! is expected to err no more often than the branch as it is.
//!
//! # Source
//! Quinlan 1993, chapter 4. The bound is the normal approximation to the binomial that his program has, with the exact
//! quantile in place of his interpolated one, as in J48 of Weka.

use super::counts::ClassCounts;
use super::weighted::{SMALL, Weighted, is_any};
use super::{Branch, Node};
use crate::classify::Cases;

/// The chance that the true error rate is above the bound.
const CONFIDENCE: f64 = 0.25;

/// The value that a standard normal variable exceeds with chance [`CONFIDENCE`].
const QUANTILE: f64 = 0.674_489_750_196_081_7;

/// What errs this much more often still counts as no worse, because it is smaller.
const NO_WORSE: f64 = 0.1;

impl Node {
    /// Makes leaves of the branches that err no less often in training than a leaf would.
    pub(super) fn collapse(&mut self) {
        let errors = self.training_errors();
        let Node::Branch(branch) = self else { return };
        if errors >= branch.counts.wrong() - 1e-3 {
            *self = Node::Leaf(branch.counts.clone());
        } else {
            branch.sons.iter_mut().flatten().for_each(Node::collapse);
        }
    }

    fn training_errors(&self) -> f64 {
        match self {
            Node::Leaf(counts) => counts.wrong(),
            Node::Branch(branch) => branch.sons.iter().flatten().map(Node::training_errors).sum(),
        }
    }

    /// Prunes the sons, then this node, which has these training cases.
    pub(super) fn prune(&mut self, cases: &Cases, rows: &[Weighted]) {
        let Node::Branch(branch) = self else { return };
        branch.prune_sons(cases, rows);
        let largest = branch.largest();
        let as_leaf = expected_errors(&branch.counts);
        let as_largest = expected_errors_of(&branch.sons[largest], cases, rows);
        let as_it_is: f64 = branch.sons.iter().flatten().map(Node::expected_errors).sum();

        let no_worse = |this: f64, other: f64| this < other + NO_WORSE + SMALL;
        if no_worse(as_leaf, as_it_is) && no_worse(as_leaf, as_largest) {
            *self = Node::Leaf(branch.counts.clone());
        } else if no_worse(as_largest, as_it_is)
            && let Some(son) = branch.sons[largest].take()
        {
            *self = son;
            self.recount(cases, rows);
            self.prune(cases, rows);
        }
    }

    fn expected_errors(&self) -> f64 {
        match self {
            Node::Leaf(counts) => expected_errors(counts),
            Node::Branch(branch) => branch.sons.iter().flatten().map(Node::expected_errors).sum(),
        }
    }

    /// Takes these cases in place of those that it was grown from.
    fn recount(&mut self, cases: &Cases, rows: &[Weighted]) {
        let counts = ClassCounts::of(cases, rows);
        match self {
            Node::Leaf(own) => *own = counts,
            Node::Branch(branch) => {
                branch.counts = counts;
                branch.shares = branch.test.shares(cases, rows);
                let dealt = branch.test.deal(cases, rows, &branch.shares);
                for (son, part) in branch.sons.iter_mut().zip(dealt) {
                    match son {
                        Some(son) => son.recount(cases, &part),
                        None => *son = is_any(&part).then(|| Node::Leaf(ClassCounts::of(cases, &part))),
                    }
                }
            }
        }
    }
}

impl Branch {
    fn prune_sons(&mut self, cases: &Cases, rows: &[Weighted]) {
        let dealt = self.test.deal(cases, rows, &self.shares);
        for (son, part) in self.sons.iter_mut().zip(dealt) {
            if let Some(son) = son {
                son.prune(cases, &part);
            }
        }
    }

    /// The outcome of most cases; the last one of equally frequent ones.
    fn largest(&self) -> usize {
        let equal = SMALL / self.counts.total();
        let larger = |best: usize, own: usize| {
            if self.shares[own] > self.shares[best] - equal {
                own
            } else {
                best
            }
        };
        (1..self.shares.len()).fold(0, larger)
    }
}

/// The errors to expect of a node if it had these training cases.
fn expected_errors_of(node: &Option<Node>, cases: &Cases, rows: &[Weighted]) -> f64 {
    match node {
        None | Some(Node::Leaf(_)) => expected_errors(&ClassCounts::of(cases, rows)),
        Some(Node::Branch(branch)) => {
            let shares = branch.test.shares(cases, rows);
            let dealt = branch.test.deal(cases, rows, &shares);
            let sons = branch.sons.iter().zip(&dealt);
            sons.map(|(son, part)| expected_errors_of(son, cases, part)).sum()
        }
    }
}

/// The errors to expect of a leaf.
fn expected_errors(counts: &ClassCounts) -> f64 {
    let (cases, errors) = (counts.total(), counts.wrong());
    if cases < SMALL {
        return 0.0;
    }
    errors + further_errors(cases, errors)
}

/// How many more errors the bound allows than were seen.
fn further_errors(cases: f64, errors: f64) -> f64 {
    if errors < 1.0 {
        // Without an error the bound is exact; up to the first one, a straight line.
        let without = cases * (1.0 - CONFIDENCE.powf(1.0 / cases));
        if errors < SMALL {
            return without;
        }
        return without + errors * (further_errors(cases, 1.0) - without);
    }
    if errors + 0.5 >= cases {
        return (cases - errors).max(0.0);
    }
    let square = QUANTILE * QUANTILE;
    let rate = (errors + 0.5) / cases;
    let spread = (rate * (1.0 - rate) / cases + square / (4.0 * cases * cases)).sqrt();
    let bound = (rate + square / (2.0 * cases) + QUANTILE * spread) / (1.0 + square / cases);
    bound * cases - errors
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bound(errors: f64, cases: f64) -> f64 {
        (errors + further_errors(cases, errors)) / cases
    }

    /// Quinlan 1993, page 41: U(0,6) = 0.206, U(0,9) = 0.143, U(1,16) = 0.157.
    #[test]
    fn bounds_of_the_book() {
        assert!((bound(0.0, 6.0) - 0.206).abs() < 5e-4);
        assert!((bound(0.0, 9.0) - 0.143).abs() < 5e-4);
        // The book's quantile is interpolated (0.6925); with the exact one the bound is 0.155.
        assert!((bound(1.0, 16.0) - 0.157).abs() < 3e-3);
    }

    #[test]
    fn a_leaf_that_errs_always_cannot_err_more() {
        assert_eq!(further_errors(2.0, 2.0), 0.0);
        assert_eq!(further_errors(2.0, 1.5), 0.5);
    }

    #[test]
    fn the_bound_is_continuous_at_one_error() {
        assert!((bound(1.0 - 1e-9, 10.0) - bound(1.0, 10.0)).abs() < 1e-6);
    }
}
