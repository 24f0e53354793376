//! [`Contributions`]: how much each value of a group gives away of the sensitive range of another.
//!
//! Range diversity is a quadratic form. With `f` rows of each value, `rd = Σ f(u) f(x) c(u, x) / |G|²`, where `c(u, x)` is
//! the pairwise contribution of two values if `x` lies in the sensitive range of `u`, and 0 if not. So a row more or less
//! changes it by one sum over the values of the group.
//!
//! # Source
//! Loukides, definitions 5.1.1 to 5.1.4.

use std::sync::Arc;

use scumble_table::{Interval, NodeId, Taxonomy};

/// What pairs of values of one sensitive column contribute, by their codes.
#[derive(Clone, Debug)]
pub struct Contributions {
    /// Where each value lies: its number, or the place of its leaf. `None` for one that is like no other.
    positions: Vec<Option<f64>>,
    /// The stretch of positions that is the sensitive range of each value.
    ranges: Vec<Interval>,
    apart: Apart,
}

/// How far two values are from each other, as a share of the domain.
#[derive(Clone, Debug)]
pub enum Apart {
    /// Numbers, of a domain so long.
    Numbers {
        /// From its smallest number to its largest.
        length: f64,
    },
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
    pub fn new(positions: Vec<Option<f64>>, ranges: Vec<Interval>, apart: Apart) -> Self {
        Contributions {
            positions,
            ranges,
            apart,
        }
    }

    /// `c(u, x)`: from 0 to 1, and 1 of a value with itself.
    pub fn of(&self, u: u32, x: u32) -> f64 {
        match (self.positions[u as usize], self.positions[x as usize]) {
            (Some(own), Some(other)) if own == other => 1.0,
            (Some(own), Some(other)) if self.ranges[u as usize].contains(other) => 1.0 - self.apart.share(own, other),
            (Some(_), Some(_)) => 0.0,
            _ => f64::from(u8::from(u == x)),
        }
    }
}

impl Apart {
    fn share(&self, a: f64, b: f64) -> f64 {
        let others = |spanned: usize, all: usize| (spanned as f64 - 1.0) / (all as f64 - 1.0).max(1.0);
        match self {
            Apart::Numbers { length } if *length > 0.0 => ((a - b).abs() / length).min(1.0),
            Apart::Numbers { .. } => 0.0,
            Apart::Leaves(taxonomy) => {
                let (first, last) = (a.min(b) as usize, a.max(b) as usize);
                others(spanned(taxonomy, first, last), taxonomy.leaves().len())
            }
            Apart::Values { count } => others(2, *count),
        }
    }
}

/// The leaves under the closest common ancestor of two.
fn spanned(taxonomy: &Taxonomy, first: usize, last: usize) -> usize {
    let child_over = |node: NodeId| {
        let children = taxonomy.children(node).iter().copied();
        children.into_iter().find(|&child| {
            let leaves = taxonomy.leaves_under(child);
            leaves.contains(&first) && leaves.contains(&last)
        })
    };
    let closest = std::iter::successors(Some(taxonomy.root()), |&node| child_over(node)).last();
    closest.map_or(0, |node| taxonomy.leaves_under(node).len())
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
        let pairs = Contributions::new(positions, ranges.to_vec(), Apart::Numbers { length: 99.0 });
        assert!((pairs.of(1, 8) - 0.10).abs() < 0.005);
        assert!((pairs.of(1, 2) - 0.97).abs() < 0.005);
        assert_eq!(pairs.of(3, 0), 0.0);
        let of_22: f64 = (3..8).map(|x| pairs.of(3, x)).sum::<f64>() / 6.0;
        assert!((of_22 - 0.82).abs() < 0.005);
    }
}
