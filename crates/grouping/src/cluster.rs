//! Clusters are made in each subspace by itself; then rows that are in none look for a home in any of them.
//!
//! This is what the two methods of Loukides share. A [`Clustering`] says how clusters grow in a subspace and what joining
//! one costs.
//!
//! Invariant: what comes out depends on the seed, not on the number of threads. Each subspace has its own source of
//! randomness, and rows that are left over are taken in the order of the subspaces.

use rayon::prelude::*;

use crate::homes::{Homes, Joining};
use crate::partition::Partition;
use crate::{Failure, Problem};

/// A way to make clusters of the rows of a subspace.
pub(crate) trait Clustering: Joining {
    /// Clusters of rows that are in random order, seeds first.
    fn cluster_all(&self, rows: &[u32]) -> Clustered;
}

/// What became of the rows of a subspace.
#[derive(Default)]
pub(crate) struct Clustered {
    /// Clusters that keep what they must.
    pub kept: Vec<Vec<u32>>,
    /// The rows of those that did not, in order.
    pub left_over: Vec<u32>,
}

impl Clustered {
    /// Keeps a cluster, or dissolves it.
    pub fn push(&mut self, cluster: Vec<u32>, is_kept: bool) {
        if is_kept {
            self.kept.push(cluster);
        } else {
            self.left_over.extend(cluster);
        }
    }
}

/// Clusters of the rows of a partition. A row that none of them may have is in none.
pub(crate) fn cluster<C: Clustering>(
    clustering: &C,
    partition: &Partition,
    problem: &Problem,
) -> Result<Vec<C::Cluster>, Failure> {
    let subspaces = partition.subspaces().into_par_iter().enumerate();
    let clustered = subspaces.map(|(place, rows)| {
        if !(problem.go_on)() {
            return Err(Failure::Interrupted);
        }
        let mut rows = rows.to_vec();
        generator(problem.seed, place as u64).shuffle(&mut rows);
        Ok(clustering.cluster_all(&rows))
    });
    let clustered = clustered.collect::<Result<Vec<Clustered>, Failure>>()?;
    let left_over: Vec<u32> = clustered
        .iter()
        .flat_map(|subspace| &subspace.left_over)
        .copied()
        .collect();
    let kept = clustered.into_iter().map(|subspace| subspace.kept).collect();
    let mut homes = Homes::new(clustering, partition.root(), kept);
    homes.settle(&left_over, problem.go_on)?;
    Ok(homes.into_clusters())
}

/// A source of randomness for one place, which knows nothing of other places.
pub(crate) fn generator(seed: u64, place: u64) -> fastrand::Rng {
    // Multiples of the golden ratio are far apart, so neighbours do not begin alike.
    fastrand::Rng::with_seed(seed ^ place.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15))
}
