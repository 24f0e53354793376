//! Clusters are made in each subspace by itself; then rows that are in none look for a home, nearby first.
//!
//! This is what the two methods of Loukides share. A [`Clustering`] says how clusters grow in a subspace and what joining
//! one costs.
//!
//! | cuts of a partition | | |
//! |---|---|---|
//! | all rows | west | subspaces 1 and 2 |
//! | | east | subspaces 3 and 4 |
//!
//! A row left over in 1 joins the best cluster of west that may have it. If none may, it joins the best of all rows. So
//! "the cluster, in any subspace" of the text is read as one of the smallest part around the row that has a home for it,
//! and that has rows for [`CLUSTERS_NEARBY`] clusters at least; of a large part it looks at [`CLUSTERS_LOOKED_AT`].
//! The text looks at all clusters for every row, and its time grows with the square of the rows. The price is
//! that a better home may lie across a cut. Rows that find no home at all make clusters among themselves.
//!
//! Invariant: what comes out depends on the seed, not on the number of threads. Each subspace has its own source of
//! randomness, no part knows of what is outside, and rows that are left over are taken in the order of the subspaces.

use rayon::prelude::*;
use scumble_level::Conditions;
use scumble_progress::{Counter, Work};

use crate::cost::{above, rank};
use crate::partition::{Part, Partition};
use crate::{Failure, Problem};

/// A way to make clusters of the rows of a subspace, and what it costs one to take in another row.
pub(crate) trait Clustering: Sync {
    /// Rows that are shown as one.
    type Cluster: Send + Sync;

    /// Clusters of rows that are in random order, seeds first.
    fn cluster_all(&self, rows: &[u32]) -> Clustered<Self::Cluster>;

    /// The cluster of some rows.
    fn cluster(&self, rows: Vec<u32>) -> Self::Cluster;

    /// Whether these rows may be a cluster.
    fn is_good(&self, rows: &[u32]) -> bool;

    /// What the cluster with the row would cost; `None` if it must not have it, and if that is more than `most`, then `None`
    /// or some figure that is more.
    fn cost(&self, cluster: &Self::Cluster, row: u32, most: f64) -> Option<f64>;

    /// Whether the cluster may have the row; asked last, because it may take longer.
    fn admits(&self, cluster: &Self::Cluster, row: u32) -> bool;

    /// Takes the row in.
    fn join(&self, cluster: &mut Self::Cluster, row: u32);
}

/// What became of the rows of a subspace.
pub(crate) struct Clustered<C> {
    /// Clusters that keep what they must.
    pub kept: Vec<C>,
    /// The rows that are in none, in order.
    pub left_over: Vec<u32>,
}

/// What grew around a seed.
pub(crate) struct Grown<C> {
    /// The places of its rows in the subspace.
    pub places: Vec<usize>,
    /// The cluster, if it keeps what it must.
    pub kept: Option<C>,
}

/// Grows clusters around the first free row, over and over, while there are rows for one, or until it should stop. `grow` gets the place of the seed
/// and those of the other free rows.
pub(crate) fn grow_all<C>(
    rows: &[u32],
    fewest: usize,
    work: Work,
    mut grow: impl FnMut(usize, &[usize]) -> Grown<C>,
) -> Clustered<C> {
    let (mut kept, mut left_over) = (Vec::new(), Vec::new());
    let mut free: Vec<usize> = (0..rows.len()).collect();
    let mut is_free = vec![true; rows.len()];
    while free.len() >= fewest && !work.should_stop() {
        let seed = free.remove(0);
        let grown = grow(seed, &free);
        grown.places.iter().for_each(|&place| is_free[place] = false);
        free.retain(|&place| is_free[place]);
        match grown.kept {
            Some(cluster) => kept.push(cluster),
            None => left_over.extend(grown.places.iter().map(|&place| rows[place])),
        }
    }
    left_over.extend(free.iter().map(|&place| rows[place]));
    Clustered { kept, left_over }
}

/// Finds the row nearest to a cluster that grows, in few steps.
///
/// What a cluster loses with a row only grows as the cluster does. So what it was found to be is a bound on what it is now,
/// and most rows are known to be further away than the nearest without another look at them.
#[derive(Default)]
pub(crate) struct Nearby {
    /// For each place of the subspace, a bound on the loss with that row.
    at_least: Vec<f64>,
}

impl Nearby {
    /// Before any look at a cluster in a subspace of so many rows.
    pub fn new(rows: usize) -> Self {
        Nearby {
            at_least: vec![0.0; rows],
        }
    }

    /// Where among the free places the row is with which the cluster costs least, and the rank of that cost. The first row
    /// of equals.
    ///
    /// A cost is the loss, by its weight, and the rest. The loss is asked for with the most that matters: if it is more,
    /// any figure that is more will do, as long as it is no more than the loss.
    pub fn nearest(
        &mut self,
        rows: &[u32],
        free: &[usize],
        weight: f64,
        rest: impl Fn(usize) -> f64,
        loss: impl Fn(u32, f64) -> f64,
    ) -> Option<(u64, usize)> {
        let mut nearest: Option<(u64, u32, usize)> = None;
        for (at, &place) in free.iter().enumerate() {
            let rest = rest(place);
            let most = nearest.map_or(f64::INFINITY, |(least, ..)| above(least));
            if weight * self.at_least[place] + rest > most {
                continue;
            }
            let loss = loss(rows[place], (most - rest) / weight);
            self.at_least[place] = loss;
            let found = (rank(weight * loss + rest), rows[place], at);
            nearest = Some(nearest.map_or(found, |nearest| found.min(nearest)));
        }
        nearest.map(|(least, _, at)| (least, at))
    }
}

/// Rows look for a home among those of so many clusters at least, if these are no larger than they must. With more of them
/// a row finds a better home, and looks longer for it.
const CLUSTERS_NEARBY: usize = 32;

/// In a part of more clusters a row looks at every second, third, ... only. Whole regions may have no home for their rows:
/// where nearly all are poor, no cluster takes another poor row in. So many rows must not each look at all clusters.
const CLUSTERS_LOOKED_AT: usize = 128;

/// How many rows look for a home between two looks whether to go on.
const ROWS_BETWEEN_LOOKS: usize = 256;

/// The fewest rows of a part in which rows look for a home.
pub(crate) fn rows_nearby(conditions: &Conditions) -> usize {
    conditions.fewest_rows().saturating_mul(CLUSTERS_NEARBY)
}

/// Clusters of the rows of a partition. Rows that none of them may have make clusters of their own; who fits in none of
/// these either is in none.
pub(crate) fn cluster<C: Clustering>(
    clustering: &C,
    partition: &Partition,
    problem: &Problem,
    rows_nearby: usize,
) -> Result<Vec<C::Cluster>, Failure> {
    let settling = Settling {
        clustering,
        partition,
        problem,
        done: problem.work.count(partition.rows(partition.root()).len()),
        rows_nearby,
    };
    let Settled { mut clusters, homeless } = settling.settle(partition.root())?;
    let among_themselves = homeless
        .par_chunks(rows_nearby)
        .map(|rows| clustering.cluster_all(rows));
    let among_themselves: Vec<Clustered<C::Cluster>> = among_themselves.collect();
    problem.work.go_on()?;
    clusters.extend(among_themselves.into_iter().flat_map(|clustered| clustered.kept));
    Ok(clusters)
}

/// What all parts are settled by.
struct Settling<'c, C> {
    clustering: &'c C,
    partition: &'c Partition,
    problem: &'c Problem<'c>,
    /// Rows whose subspace has its clusters.
    done: Counter<'c>,
    rows_nearby: usize,
}

/// What became of the rows of a part.
struct Settled<C> {
    clusters: Vec<C>,
    /// The rows that none of the clusters may have.
    homeless: Vec<u32>,
}

impl<C: Clustering> Settling<'_, C> {
    /// Clusters of a part, among which its rows have found a home as far as there is one.
    fn settle(&self, part: &Part) -> Result<Settled<C::Cluster>, Failure> {
        let mut settled = match part.halves_of_at_least(self.rows_nearby) {
            Some([left, right]) => {
                let (left, right) = rayon::join(|| self.settle(left), || self.settle(right));
                let (mut both, right) = (left?, right?);
                both.clusters.extend(right.clusters);
                both.homeless.extend(right.homeless);
                both
            }
            None => self.cluster(part)?,
        };
        if settled.clusters.is_empty() {
            settled = self.smallest(part).unwrap_or(settled);
        }
        self.problem.work.go_on()?;
        for (turn, row) in std::mem::take(&mut settled.homeless).into_iter().enumerate() {
            if turn % ROWS_BETWEEN_LOOKS == 0 {
                self.problem.work.go_on()?;
            }
            match self.home(&settled.clusters, row) {
                Some(home) => self.clustering.join(&mut settled.clusters[home], row),
                None => settled.homeless.push(row),
            }
        }
        Ok(settled)
    }

    /// The clusters of the subspaces of a part.
    fn cluster(&self, part: &Part) -> Result<Settled<C::Cluster>, Failure> {
        let (mut clusters, mut homeless) = (Vec::new(), Vec::new());
        for subspace in part.subspaces() {
            self.problem.work.go_on()?;
            let mut rows = self.partition.rows(subspace).to_vec();
            generator(self.problem.seed, subspace.start() as u64).shuffle(&mut rows);
            let clustered = self.clustering.cluster_all(&rows);
            self.done.add(rows.len());
            clusters.extend(clustered.kept);
            homeless.extend(clustered.left_over);
        }
        Ok(Settled { clusters, homeless })
    }

    /// The smallest parts of a part, each as a cluster, if they may be that.
    fn smallest(&self, part: &Part) -> Option<Settled<C::Cluster>> {
        let groups = self.partition.smallest(part, &|rows| self.clustering.is_good(rows))?;
        Some(Settled {
            clusters: groups.into_iter().map(|rows| self.clustering.cluster(rows)).collect(),
            homeless: Vec::new(),
        })
    }

    /// The place of the cluster to which the row costs least, of those it looks at that may have it; the first of equals.
    fn home(&self, clusters: &[C::Cluster], row: u32) -> Option<usize> {
        let step = clusters.len().div_ceil(CLUSTERS_LOOKED_AT).max(1);
        let mut refused = Vec::new();
        loop {
            let mut best: Option<(u64, usize)> = None;
            for (place, cluster) in clusters.iter().enumerate().skip(row as usize % step).step_by(step) {
                let most = best.map_or(f64::INFINITY, |(least, _)| above(least));
                let cost = self.clustering.cost(cluster, row, most).map(rank);
                if cost.is_some_and(|cost| best.is_none_or(|(least, _)| cost < least)) && !refused.contains(&place) {
                    best = cost.map(|cost| (cost, place));
                }
            }
            let (_, best) = best?;
            if self.clustering.admits(&clusters[best], row) {
                return Some(best);
            }
            refused.push(best);
        }
    }
}

/// A source of randomness for one place, which knows nothing of other places.
pub(crate) fn generator(seed: u64, place: u64) -> fastrand::Rng {
    // Multiples of the golden ratio are far apart, so neighbours do not begin alike.
    fastrand::Rng::with_seed(seed ^ place.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15))
}
