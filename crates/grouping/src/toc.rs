//! [`Toc`]: clusters that weigh what they lose against how far apart their secrets are.
//!
//! | age | salary | diversity with the seed alone | of the cluster with it |
//! |---|---|---|---|
//! | 30 | 10 | the seed | |
//! | 32 | 40 | (2/30 + 0) / 2 | 0.03 |
//! | 37 | 10 | (7/30 + 1) / 2 | (7/30 + 0) / 2 = 0.12 |
//! | 60 | 30 | (30/30 + 1/3) / 2 | (30/30 + 0) / 2 = 0.5: not if δ is 0.4 |
//!
//! A row at random is the seed of a cluster, and the rows nearest to the seed join, until the cluster with the next one
//! would have a diversity of more than δ. A cluster that breaks a condition dissolves. Its rows join, one by one, the
//! cluster of any subspace that has the least diversity with them.
//!
//! # Source
//! Loukides, chapter 3: definition 3.2.1 (max-range weighted tuple diversity), algorithms 1 to 5.
//!
//! Fixed by us:
//! - A cluster of `k` rows goes on growing, as in the text, as far as δ lets it.
//! - δ and `s` are judged by the average diversity of groups, which definition 3.2.2 wants least. With equal weights that is
//!   half the sum of UM and MPM, which the text judges by.
//! - Without sensitive columns, utility is all that counts.
//! - If every cluster dissolves, the groups are the smallest parts of the partition that keep the conditions.
//!
//! # Cost
//! `O(n · s)` for clusters, and for each row left over the clusters that the index cannot rule out.
//!
//! # What is lost
//! Nobody is left out. A row far from all others makes the group that takes it in lose more.

use std::collections::BinaryHeap;

use scumble_level::Conditions;

use crate::cluster::{Clustered, Clustering, cluster};
use crate::cost::{is_within, rank};
use crate::homes::Joining;
use crate::partition::Partition;
use crate::reach::{Gaps, Reach};
use crate::sample::{sample, subspace, threshold};
use crate::{Failure, Hull, Method, Problem, Space};

/// Trade-off constrained clustering.
#[derive(Debug)]
pub struct Toc {
    /// `w_u`, from 0 to 1: what utility weighs. Protection weighs the rest.
    pub utility_weight: f64,
    /// δ, from 0 to 1: the largest diversity that a cluster grows to. Without it, the best on a sample.
    pub threshold: Option<f64>,
    /// `s`: the fewest rows of a subspace. Without it, the best on a sample.
    pub subspace: Option<usize>,
    /// The sensitive columns, whose values should be far apart in a group.
    pub sensitive: Space,
}

impl Method for Toc {
    fn groups(&self, problem: &Problem, conditions: &Conditions) -> Result<Vec<Vec<u32>>, Failure> {
        let rows: Vec<u32> = (0..problem.table.rows() as u32).collect();
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let mut growing = Growing {
            diversity: Diversity::new(self, problem.space),
            gaps: Gaps::new(problem.space, rows.len()),
            conditions,
            threshold: 1.0,
        };
        let tried = sample(rows.len(), conditions.fewest_rows(), problem.seed);
        growing.threshold = match self.threshold {
            Some(threshold) => threshold,
            None => threshold(|threshold| {
                growing.threshold = threshold;
                growing.score(&tried, tried.len(), problem)
            })?,
        };
        let subspace = match self.subspace {
            Some(subspace) => subspace,
            None => {
                let first = Partition::fewest_rows_that_do(problem.space, &tried, conditions);
                subspace(first, |rows| growing.score(&tried, rows, problem))?
            }
        };
        growing.groups(rows, subspace, problem)
    }
}

/// Definition 3.2.1.
struct Diversity<'t> {
    quasi: &'t Space,
    sensitive: &'t Space,
    utility_weight: f64,
}

impl<'t> Diversity<'t> {
    fn new(toc: &'t Toc, quasi: &'t Space) -> Self {
        let is_protected = toc.sensitive.axes() > 0;
        Diversity {
            quasi,
            sensitive: &toc.sensitive,
            utility_weight: if is_protected { toc.utility_weight } else { 1.0 },
        }
    }

    /// From the loss of showing the quasi columns as one, and what is asked about the sensitive ones.
    fn weigh(&self, loss: f64, loss_of_secrets: impl FnOnce(&Space) -> f64) -> f64 {
        if self.utility_weight >= 1.0 {
            return loss;
        }
        self.utility_weight * loss + (1.0 - self.utility_weight) * (1.0 - loss_of_secrets(self.sensitive))
    }

    fn of_rows(&self, a: u32, b: u32) -> f64 {
        self.weigh(self.quasi.distance(a, b), |secrets| secrets.distance(a, b))
    }

    fn of_cluster(&self, cluster: &Cluster) -> f64 {
        self.weigh(self.quasi.loss(&cluster.quasi), |secrets| {
            secrets.loss(&cluster.sensitive)
        })
    }

    fn with(&self, cluster: &Cluster, row: u32) -> f64 {
        self.weigh(self.quasi.loss_with(&cluster.quasi, row), |secrets| {
            secrets.loss_with(&cluster.sensitive, row)
        })
    }
}

/// Rows, and what they have in common.
struct Cluster {
    rows: Vec<u32>,
    quasi: Hull,
    sensitive: Hull,
}

/// How clusters grow and what joining them costs.
struct Growing<'t> {
    diversity: Diversity<'t>,
    gaps: Gaps,
    conditions: &'t Conditions<'t>,
    threshold: f64,
}

impl Growing<'_> {
    /// Groups of these rows, in subspaces of at least so many.
    fn groups(&self, rows: Vec<u32>, subspace: usize, problem: &Problem) -> Result<Vec<Vec<u32>>, Failure> {
        let partition = Partition::new(self.diversity.quasi, rows, subspace);
        let clusters = cluster(self, &partition, problem)?;
        if clusters.is_empty() {
            return Ok(partition.smallest(&|rows| self.conditions.are_met_by(rows)));
        }
        Ok(clusters.into_iter().map(|cluster| cluster.rows).collect())
    }

    /// The average diversity of the groups of these rows (definition 3.2.2).
    fn score(&self, rows: &[u32], subspace: usize, problem: &Problem) -> Result<f64, Failure> {
        let groups = self.groups(rows.to_vec(), subspace, problem)?;
        let count = groups.len() as f64;
        let clusters = groups.into_iter().map(|rows| self.cluster(rows));
        Ok(clusters.map(|cluster| self.diversity.of_cluster(&cluster)).sum::<f64>() / count)
    }

    /// A cluster of a seed and rows near it, which are no longer free.
    fn grow(&self, rows: &[u32], seed: usize, is_free: &mut [bool], near: &mut Vec<Near>) -> Cluster {
        near.clear();
        near.extend((seed..rows.len()).filter(|&place| is_free[place]).map(|place| {
            let distance = self.diversity.of_rows(rows[seed], rows[place]);
            std::cmp::Reverse((rank(distance), rows[place], place))
        }));
        // Few rows join, so a heap that finds the nearest serves better than all of them in order.
        let mut nearest = BinaryHeap::from(std::mem::take(near));
        let mut cluster = self.cluster(vec![rows[seed]]);
        while let Some(std::cmp::Reverse((_, row, place))) = nearest.pop() {
            if !is_within(self.diversity.with(&cluster, row), self.threshold) {
                break;
            }
            self.join(&mut cluster, row);
            is_free[place] = false;
        }
        *near = nearest.into_vec();
        cluster
    }
}

/// A row by its distance from a seed, its number, and its place among the rows of the subspace.
type Near = std::cmp::Reverse<(u64, u32, usize)>;

impl Clustering for Growing<'_> {
    fn cluster_all(&self, rows: &[u32]) -> Clustered {
        let mut clustered = Clustered::default();
        let mut is_free = vec![true; rows.len()];
        let mut near = Vec::with_capacity(rows.len());
        for seed in 0..rows.len() {
            if std::mem::take(&mut is_free[seed]) {
                let Cluster { rows, .. } = self.grow(rows, seed, &mut is_free, &mut near);
                let is_kept = self.conditions.are_met_by(&rows);
                clustered.push(rows, is_kept);
            }
        }
        clustered
    }
}

impl Joining for Growing<'_> {
    type Cluster = Cluster;
    type Bounds = (Reach, Hull);

    fn cluster(&self, rows: Vec<u32>) -> Cluster {
        Cluster {
            quasi: self.diversity.quasi.hull(&rows),
            sensitive: self.diversity.sensitive.hull(&rows),
            rows,
        }
    }

    fn cost(&self, cluster: &Cluster, row: u32) -> Option<f64> {
        Some(self.diversity.with(cluster, row))
    }

    fn admits(&self, _: &Cluster, _: u32) -> bool {
        true
    }

    fn join(&self, cluster: &mut Cluster, row: u32) {
        self.diversity.quasi.add(&mut cluster.quasi, row);
        self.diversity.sensitive.add(&mut cluster.sensitive, row);
        cluster.rows.push(row);
    }

    fn bounds(&self, cluster: &Cluster) -> (Reach, Hull) {
        (
            Reach::new(self.diversity.quasi, cluster.rows[0], &cluster.quasi),
            cluster.sensitive.clone(),
        )
    }

    fn bounds_of_both(&self, one: &(Reach, Hull), other: &(Reach, Hull)) -> (Reach, Hull) {
        let mut sensitive = one.1.clone();
        self.diversity.sensitive.merge(&mut sensitive, &other.1);
        (Reach::of_both(&one.0, &other.0), sensitive)
    }

    /// No cluster has its secrets further apart than all of them as one.
    fn cost_at_least(&self, (reach, sensitive): &(Reach, Hull), row: u32) -> Option<f64> {
        let (loss, _) = reach.loss_at_least(&self.gaps, self.diversity.quasi.cells(row));
        Some(self.diversity.weigh(loss, |secrets| secrets.loss_with(sensitive, row)))
    }
}
