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
//! cluster nearby that has the least diversity with them (see [`cluster`](crate::cluster)).
//!
//! # Source
//! Loukides, chapter 3: definition 3.2.1 (max-range weighted tuple diversity), algorithms 1 to 5.
//!
//! Fixed by us:
//! - A cluster of `k` rows goes on growing, as in the text, as far as δ lets it.
//! - δ and `s` are judged by the average diversity of groups, which definition 3.2.2 wants least. With equal weights that is
//!   half the sum of UM and MPM, which the text judges by.
//! - If subspaces of the least size are better than any clusters tried, they are the groups: δ is 1 then.
//! - Of fewer than `k` free rows none is a seed.
//! - Without sensitive columns, utility is all that counts.
//! - If every cluster dissolves, the groups are the smallest parts of the partition that keep the conditions.
//!
//! # Cost
//! `O(n · s)` for clusters, and for each row left over some hundred clusters at most; more only where there are none nearby.
//!
//! # What is lost
//! Nobody is left out. A row far from all others makes the group that takes it in lose more.

use std::collections::BinaryHeap;

use rayon::prelude::*;
use scumble_level::Conditions;

use crate::cluster::{Clustered, Clustering, Grown, cluster, grow_all, rows_nearby};
use crate::cost::{is_within, rank};
use crate::partition::Partition;
use crate::sample;
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
            conditions,
            threshold: 1.0,
        };
        let (partition, subspace) = growing.tune(self, rows, problem)?;
        growing.groups(partition.finer(problem.space, subspace), problem)
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
    conditions: &'t Conditions<'t>,
    threshold: f64,
}

impl Growing<'_> {
    /// Finds what is not given on a sample. Returns a partition, and the size of subspaces that it is to be cut into.
    fn tune(&mut self, toc: &Toc, rows: Vec<u32>, problem: &Problem) -> Result<(Partition, usize), Failure> {
        let first = match toc.subspace {
            Some(subspace) => subspace,
            None => sample::fewest_rows_that_do(problem.space, rows.len(), self.conditions, problem.seed),
        };
        let largest = toc.subspace.unwrap_or(sample::largest_subspace(first));
        let partition = Partition::new(problem.space, rows, largest.max(rows_nearby(self.conditions)));
        let tried = sample::sample(&partition.subspaces(), problem.seed);
        let mut score = |threshold: f64, subspace: usize| {
            self.threshold = threshold;
            self.score(&tried, subspace, problem)
        };
        let (threshold, subspace) = match (toc.threshold, toc.subspace) {
            (Some(threshold), Some(subspace)) => (threshold, subspace),
            (Some(threshold), None) => (threshold, sample::subspace(first, |size| score(threshold, size))?.1),
            (None, Some(subspace)) => (sample::threshold(|threshold| score(threshold, subspace))?, subspace),
            (None, None) => {
                let threshold = sample::threshold(|threshold| score(threshold, largest))?;
                let (best, subspace) = sample::subspace(first, |size| score(threshold, size))?;
                // Any cluster may have all rows of its subspace then.
                let of_subspaces = score(1.0, first)?;
                if of_subspaces <= best {
                    (1.0, first)
                } else {
                    (threshold, subspace)
                }
            }
        };
        self.threshold = threshold;
        Ok((partition, subspace))
    }

    /// Groups of the rows of a partition.
    fn groups(&self, partition: Partition, problem: &Problem) -> Result<Vec<Vec<u32>>, Failure> {
        let clusters = cluster(self, &partition, problem, rows_nearby(self.conditions))?;
        if clusters.is_empty() {
            return Ok(partition.smallest(&|rows| self.conditions.are_met_by(rows)));
        }
        Ok(clusters.into_iter().map(|cluster| cluster.rows).collect())
    }

    /// The average diversity of the groups of these parts (definition 3.2.2).
    fn score(&self, parts: &[&[u32]], subspace: usize, problem: &Problem) -> Result<f64, Failure> {
        let diversities = parts.par_iter().map(|rows| {
            let partition = Partition::new(self.diversity.quasi, rows.to_vec(), subspace);
            let groups = self.groups(partition, problem)?;
            let clusters = groups.into_iter().map(|rows| self.cluster(rows));
            Ok(clusters.map(|cluster| self.diversity.of_cluster(&cluster)).collect())
        });
        let diversities = diversities.collect::<Result<Vec<Vec<f64>>, Failure>>()?.concat();
        Ok(diversities.iter().sum::<f64>() / diversities.len() as f64)
    }

    /// The places of a seed and of the rows near it that make a cluster.
    fn grow(&self, rows: &[u32], seed: usize, free: &[usize], near: &mut Vec<Near>) -> Vec<usize> {
        near.clear();
        near.extend(free.iter().map(|&place| {
            let distance = self.diversity.of_rows(rows[seed], rows[place]);
            std::cmp::Reverse((rank(distance), rows[place], place))
        }));
        // Few rows join, so a heap that finds the nearest serves better than all of them in order.
        let mut nearest = BinaryHeap::from(std::mem::take(near));
        let mut cluster = self.cluster(vec![rows[seed]]);
        let mut places = vec![seed];
        while let Some(std::cmp::Reverse((_, row, place))) = nearest.pop() {
            if !is_within(self.diversity.with(&cluster, row), self.threshold) {
                break;
            }
            self.join(&mut cluster, row);
            places.push(place);
        }
        *near = nearest.into_vec();
        places
    }
}

/// A row by its distance from a seed, its number, and its place among the rows of the subspace.
type Near = std::cmp::Reverse<(u64, u32, usize)>;

impl Clustering for Growing<'_> {
    type Cluster = Cluster;

    fn cluster_all(&self, rows: &[u32]) -> Clustered {
        let mut near = Vec::with_capacity(rows.len());
        grow_all(rows, self.conditions.fewest_rows(), |seed, free| {
            let places = self.grow(rows, seed, free, &mut near);
            let members: Vec<u32> = places.iter().map(|&place| rows[place]).collect();
            Grown {
                places,
                is_kept: self.conditions.are_met_by(&members),
                rows: members,
            }
        })
    }

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
}
