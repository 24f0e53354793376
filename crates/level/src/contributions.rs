//! [`Contributions`]: how much each value of a group gives away of the sensitive range of another.
//!
//! Range diversity is a quadratic form. With `f` rows of each value, `rd = Σ f(u) f(x) c(u, x) / |G|²`, where `c(u, x)` is
//! the pairwise contribution of two values if `x` lies in the sensitive range of `u`, and 0 if not. So a row more or less
//! changes it by one sum over the values of the group, and of a whole group it takes no look at every pair:
//! [`Contributions::range_diversity`].
//!
//! | incomes of a group, of 0 to 99 | sensitive range | `rd` |
//! |---|---|---|
//! | 0, and 22 to 26 | of 22 to 26: [10, 30]; of 0: itself | (26 - 40/99) / 36 ≈ 0.71 |
//! | the same | of each value: itself | 6/36 |
//!
//! # Source
//! Loukides, definitions 5.1.1 to 5.1.4.

mod line;

use std::sync::Arc;

use scumble_table::{Dictionary, Interval, Located, NodeId, Range, Reach, SensitiveDomain, SensitiveRanges, Taxonomy};

/// What pairs of values of one sensitive column contribute, by their codes.
#[derive(Clone, Debug)]
pub struct Contributions {
    /// Where each value lies: its number, or the place of its leaf. `None` for one that is like no other.
    positions: Vec<Option<f64>>,
    /// The stretch of positions that is the sensitive range of each value.
    ranges: Vec<Interval>,
    apart: Apart,
    /// The nodes of the leaves, of a tree.
    leaves: Vec<NodeId>,
}

/// How far two values are from each other, as a share of the domain.
#[derive(Clone, Debug)]
pub enum Apart {
    /// Numbers of this range; without one there is no number.
    Numbers(Option<Range>),
    /// Leaves of a tree: by how many others the closest common ancestor covers.
    Leaves(Arc<Taxonomy>),
    /// Values without a tree: any two are equally far.
    Values {
        /// How many there are.
        count: usize,
    },
}

impl Contributions {
    /// From where each value lies, the stretch of positions that is its sensitive range, and how far positions are.
    /// Every value lies in the domain and in its own range.
    pub fn new(positions: Vec<Option<f64>>, ranges: Vec<Interval>, apart: Apart) -> Self {
        let leaves = match &apart {
            Apart::Leaves(taxonomy) => {
                let nodes = taxonomy.nodes();
                nodes.filter(|&node| taxonomy.children(node).is_empty()).collect()
            }
            Apart::Numbers(_) | Apart::Values { .. } => Vec::new(),
        };
        Contributions {
            positions,
            ranges,
            apart,
            leaves,
        }
    }

    /// Those of the values of a column, of which `before` are all that the data has.
    pub fn of_column(ranges: &SensitiveRanges, values: &Dictionary, before: &Dictionary) -> Self {
        let line = ranges.among(before.texts().iter());
        let apart = match (line.reach(), ranges.domain()) {
            (Reach::Numbers(whole), _) => Apart::Numbers(whole.and_then(|whole| Range::new(whole.from, whole.to).ok())),
            (_, SensitiveDomain::Leaves(taxonomy)) => Apart::Leaves(Arc::clone(taxonomy)),
            (Reach::Leaves(_) | Reach::Values(_), _) => Apart::Values {
                count: before.texts().len(),
            },
        };
        let located = |code: u32| values.value(code).and_then(|value| line.locate(value));
        let located: Vec<Option<Located>> = (0..values.len() as u32).map(located).collect();
        // What lies nowhere has no range, and none is asked for.
        let nowhere = Interval {
            from: 0.0,
            to: 0.0,
            closed: false,
        };
        let positions = located.iter().map(|located| located.map(|located| located.at));
        let ranges = located
            .iter()
            .map(|located| located.map_or(nowhere, |located| located.range));
        Contributions::new(positions.collect(), ranges.collect(), apart)
    }

    /// `c(u, x)`: from 0 to 1, and 1 of a value with itself.
    pub fn of(&self, u: u32, x: u32) -> f64 {
        match (self.positions[u as usize], self.positions[x as usize]) {
            (Some(own), Some(other)) if own == other => 1.0,
            (Some(own), Some(other)) if self.ranges[u as usize].contains(other) => 1.0 - self.share(own, other),
            (Some(_), Some(_)) => 0.0,
            _ => f64::from(u8::from(u == x)),
        }
    }

    /// How far two positions are, as a share of the domain.
    fn share(&self, a: f64, b: f64) -> f64 {
        match &self.apart {
            Apart::Numbers(range) => range.map_or(0.0, |range| range.share(a.min(b), a.max(b))),
            Apart::Leaves(taxonomy) => {
                let last = a.max(b) as usize;
                let mut above = self.above(a.min(b)).map(|node| taxonomy.leaves_under(node));
                let closest = above.find(|leaves| leaves.contains(&last));
                others(closest.map_or(1, |leaves| leaves.len()), taxonomy.leaves().len())
            }
            Apart::Values { count } => others(2, *count),
        }
    }

    /// Where a number lies in its range; 0 of what is no number.
    fn offset(&self, at: f64) -> f64 {
        match &self.apart {
            Apart::Numbers(range) => range.map_or(0.0, |range| range.offset(at)),
            Apart::Leaves(_) | Apart::Values { .. } => 0.0,
        }
    }

    /// The node of a leaf and those above it; nothing without a tree.
    fn above(&self, leaf: f64) -> impl Iterator<Item = NodeId> {
        let taxonomy = match &self.apart {
            Apart::Leaves(taxonomy) => Some(taxonomy),
            Apart::Numbers(_) | Apart::Values { .. } => None,
        };
        let leaf = self.leaves.get(leaf as usize).copied();
        std::iter::successors(leaf, move |&node| taxonomy?.parent(node))
    }
}

/// The share that a set of values has of the other values of its domain.
fn others(spanned: usize, all: usize) -> f64 {
    (spanned as f64 - 1.0) / (all as f64 - 1.0).max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(from: f64, to: f64) -> Interval {
        Interval { from, to, closed: true }
    }

    /// Incomes of 0 to 99 (Loukides, section 5.1.1): 1 and 90 are far apart, and 22 to 26 lie in one range.
    #[test]
    fn numbers_contribute_by_how_near_they_are() {
        let incomes = [0.0, 1.0, 4.0, 22.0, 23.0, 24.0, 25.0, 26.0, 90.0];
        let ranges = incomes.map(|income: f64| {
            if (10.0..=30.0).contains(&income) {
                whole(10.0, 30.0)
            } else {
                whole(0.0, 99.0)
            }
        });
        let positions = incomes.map(Some).to_vec();
        let pairs = Contributions::new(positions, ranges.to_vec(), Apart::Numbers(Range::new(0.0, 99.0).ok()));
        assert!((pairs.of(1, 8) - 0.10).abs() < 0.005);
        assert!((pairs.of(1, 2) - 0.97).abs() < 0.005);
        assert_eq!(pairs.of(3, 0), 0.0);
        let of_22: f64 = (3..8).map(|x| pairs.of(3, x)).sum::<f64>() / 6.0;
        assert!((of_22 - 0.82).abs() < 0.005);
    }
}
