//! [`Homes`]: clusters that rows may join, each row the one to which it costs least, wherever it is.
//!
//! Clusters lie in the subspaces of a [`Partition`](crate::partition::Partition), and the tree of its cuts is the index: what
//! joining any cluster of a part costs at least is known from the part alone, so most parts need not be looked into.
//!
//! Invariant: the cluster found is the one that looking at all of them would find; among equals, the first.
//!
//! # Source
//! Loukides, algorithm 5, steps 15 and 16, and algorithm 6, steps 17 to 20, which look at all clusters.

use std::ops::Range;

use rayon::prelude::*;

use crate::Failure;
use crate::cost::{rank, rank_at_least};
use crate::partition::Part;

/// What it costs a cluster to take in a row.
pub(crate) trait Joining: Sync {
    /// Rows that are shown as one.
    type Cluster: Send + Sync;
    /// What bounds the costs of several clusters.
    type Bounds: Clone + Send + Sync;

    /// The cluster of some rows.
    fn cluster(&self, rows: Vec<u32>) -> Self::Cluster;

    /// What the cluster with the row would cost; `None` if it must not have it.
    fn cost(&self, cluster: &Self::Cluster, row: u32) -> Option<f64>;

    /// Whether the cluster may have the row; asked last, because it may take longer.
    fn admits(&self, cluster: &Self::Cluster, row: u32) -> bool;

    /// Takes the row in.
    fn join(&self, cluster: &mut Self::Cluster, row: u32);

    /// The bounds of one cluster.
    fn bounds(&self, cluster: &Self::Cluster) -> Self::Bounds;

    /// The bounds of two sets of clusters together.
    fn bounds_of_both(&self, one: &Self::Bounds, other: &Self::Bounds) -> Self::Bounds;

    /// What each cluster within the bounds would cost at least; `None` if none may have the row.
    fn cost_at_least(&self, bounds: &Self::Bounds, row: u32) -> Option<f64>;
}

/// Clusters, and the tree to find them by.
pub(crate) struct Homes<'j, J: Joining> {
    joining: &'j J,
    clusters: Vec<J::Cluster>,
    /// Those of each cluster.
    bounds: Vec<J::Bounds>,
    root: Option<Branch<J::Bounds>>,
}

/// A part of the tree with clusters in it.
struct Branch<B> {
    clusters: Range<usize>,
    bounds: B,
    halves: Option<Box<[Branch<B>; 2]>>,
}

/// A cluster, after what joining it costs: the least is the best.
type Home = (u64, usize);

/// So many rows look for a home at once, before any of them joins one. More of them are busier threads; fewer of them are
/// fewer clusters that have changed meanwhile.
const ROWS_AT_ONCE: usize = 64;

impl<'j, J: Joining> Homes<'j, J> {
    /// The clusters of each subspace below a part, from left to right.
    pub fn new(joining: &'j J, root: &Part, clusters: Vec<Vec<Vec<u32>>>) -> Self {
        let per_subspace: Vec<usize> = clusters.iter().map(Vec::len).collect();
        let clusters = clusters.into_iter().flatten().map(|rows| joining.cluster(rows));
        let clusters: Vec<J::Cluster> = clusters.collect();
        let bounds: Vec<J::Bounds> = clusters.iter().map(|cluster| joining.bounds(cluster)).collect();
        let root = Branch::new(joining, root, &mut per_subspace.into_iter(), 0, &bounds);
        Homes {
            joining,
            clusters,
            bounds,
            root,
        }
    }

    /// Lets rows join clusters, one after the other; a row that no cluster may have joins none.
    pub fn settle(&mut self, rows: &[u32], go_on: &(dyn Fn() -> bool + Sync)) -> Result<(), Failure> {
        for rows in rows.chunks(ROWS_AT_ONCE) {
            if !go_on() {
                return Err(Failure::Interrupted);
            }
            let found: Vec<Option<Home>> = rows.par_iter().map(|&row| self.find(row)).collect();
            let mut changed = Vec::new();
            for (&row, found) in rows.iter().zip(found) {
                if let Some((_, home)) = self.find_again(row, found, &changed) {
                    self.join(home, row);
                    if !changed.contains(&home) {
                        changed.push(home);
                    }
                }
            }
        }
        Ok(())
    }

    /// The clusters, subspace by subspace.
    pub fn into_clusters(self) -> Vec<J::Cluster> {
        self.clusters
    }

    /// The best home as things are now, given the best before some clusters changed.
    fn find_again(&self, row: u32, found: Option<Home>, changed: &[usize]) -> Option<Home> {
        let mut best = found.filter(|(_, home)| !changed.contains(home));
        changed.iter().for_each(|&cluster| self.weigh(cluster, row, &mut best));
        // Clusters that did not change are still no better than what was found. If that one got worse, they may be next.
        let is_settled = found.is_none() || best.is_some_and(|best| Some(best) <= found);
        if is_settled { best } else { self.find(row) }
    }

    fn find(&self, row: u32) -> Option<Home> {
        let mut best = None;
        if let Some(root) = &self.root {
            self.search(root, row, &mut best);
        }
        best
    }

    fn search(&self, branch: &Branch<J::Bounds>, row: u32, best: &mut Option<Home>) {
        let Some([left, right]) = branch.halves.as_deref() else {
            return branch
                .clusters
                .clone()
                .for_each(|cluster| self.weigh(cluster, row, best));
        };
        let bound = |half: &Branch<J::Bounds>| self.joining.cost_at_least(&half.bounds, row).map(rank_at_least);
        let mut halves = [(bound(left), left), (bound(right), right)];
        // The more promising one first, so that the other may not be needed.
        halves.sort_by_key(|(bound, _)| bound.unwrap_or(u64::MAX));
        for (bound, half) in halves {
            let may_have_better = |bound| best.is_none_or(|best| (bound, half.clusters.start) < best);
            if bound.is_some_and(may_have_better) {
                self.search(half, row, best);
            }
        }
    }

    /// Keeps the better of the best home so far and another.
    fn weigh(&self, cluster: usize, row: u32, best: &mut Option<Home>) {
        let candidate = &self.clusters[cluster];
        let Some(cost) = self.joining.cost(candidate, row) else {
            return;
        };
        let home = (rank(cost), cluster);
        if best.is_none_or(|best| home < best) && self.joining.admits(candidate, row) {
            *best = Some(home);
        }
    }

    fn join(&mut self, cluster: usize, row: u32) {
        self.joining.join(&mut self.clusters[cluster], row);
        self.bounds[cluster] = self.joining.bounds(&self.clusters[cluster]);
        if let Some(root) = &mut self.root {
            root.refresh(self.joining, &self.bounds, cluster);
        }
    }
}

impl<B> Branch<B> {
    /// The branch of a part, given how many clusters its subspaces have and which is the first of them; `None` if there are
    /// none. A part of which only one half has clusters is that half.
    fn new<J: Joining<Bounds = B>>(
        joining: &J,
        part: &Part,
        per_subspace: &mut impl Iterator<Item = usize>,
        first: usize,
        all: &[B],
    ) -> Option<Branch<B>> {
        let Some([left, right]) = part.halves.as_deref() else {
            let clusters = first..first + per_subspace.next()?;
            let bounds = bounds_of_all(joining, &all[clusters.clone()])?;
            return Some(Branch {
                clusters,
                bounds,
                halves: None,
            });
        };
        let left = Branch::new(joining, left, per_subspace, first, all);
        let first = left.as_ref().map_or(first, |left| left.clusters.end);
        let right = Branch::new(joining, right, per_subspace, first, all);
        match (left, right) {
            (Some(left), Some(right)) => Some(Branch {
                clusters: left.clusters.start..right.clusters.end,
                bounds: joining.bounds_of_both(&left.bounds, &right.bounds),
                halves: Some(Box::new([left, right])),
            }),
            (one, other) => one.or(other),
        }
    }

    /// Finds the bounds again that a change of one cluster changes. They may be closer: a cluster that grows loses more.
    fn refresh<J: Joining<Bounds = B>>(&mut self, joining: &J, all: &[B], changed: usize) {
        match self.halves.as_deref_mut() {
            None => {
                if let Some(bounds) = bounds_of_all(joining, &all[self.clusters.clone()]) {
                    self.bounds = bounds;
                }
            }
            Some([left, right]) => {
                let half = if left.clusters.contains(&changed) {
                    &mut *left
                } else {
                    &mut *right
                };
                half.refresh(joining, all, changed);
                self.bounds = joining.bounds_of_both(&left.bounds, &right.bounds);
            }
        }
    }
}

/// The bounds of some clusters; `None` if there are none.
fn bounds_of_all<J: Joining>(joining: &J, all: &[J::Bounds]) -> Option<J::Bounds> {
    let (first, others) = all.split_first()?;
    // A cluster twice bounds what it bounds once.
    let first = joining.bounds_of_both(first, first);
    Some(
        others
            .iter()
            .fold(first, |all, other| joining.bounds_of_both(&all, other)),
    )
}
