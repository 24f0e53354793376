//! [`Toc`]: clusters that weigh what they lose against how far apart their secrets are.
//!
//! | age | salary | diversity of the cluster with it |
//! |---|---|---|
//! | 30 | 10 | the seed: (0 + 1) / 2 = 0.5 |
//! | 32 | 40 | (2/30 + 0) / 2 = 0.03 |
//! | 37 | 10 | (7/30 + 0) / 2 = 0.12 |
//! | 60 | 30 | (30/30 + 0) / 2 = 0.5: not if δ is 0.4 |
//!
//! A row at random is the seed of a cluster. Then the nearest row joins, and so on. A cluster that has a diversity of more
//! than δ or breaks a condition dissolves. Its rows join, one by one, the cluster nearby that has the least diversity with
//! them (see [`cluster`](crate::cluster)).
//!
//! Which row is the nearest is a choice, [`Nearest`]:
//! - To the seed, as in the text. Rows join until the cluster would exceed δ. The row that is nearest to the seed has the
//!   secret furthest from that of the seed, and so has the next: they are all alike, and little is gained by them.
//! - To the cluster: the row with which the cluster has the least diversity. Rows join until there are `k` of them, and on
//!   as long as that makes the cluster less diverse.
//!
//! # Source
//! Loukides, chapter 3: definition 3.2.1 (max-range weighted tuple diversity), algorithms 1 to 5.
//!
//! Fixed by us:
//! - Rows nearest to the cluster, unless told otherwise: on Adult with even weights, the average diversity is lower by a
//!   hundredth at k = 5 and by a tenth to a quarter from k = 10 (`bench/papers`, figure 4.3).
//! - δ and `s` are judged by the average diversity of groups, which definition 3.2.2 wants least. With equal weights that is
//!   half the sum of UM and MPM, which the text judges by.
//! - If subspaces of the least size are better than any clusters tried, they are the groups: δ is 1 then.
//! - Of fewer than `k` free rows none is a seed.
//! - Without sensitive columns, utility is all that counts.
//! - Where all clusters nearby dissolve, the smallest parts of the partition that keep the conditions are clusters.
//!
//! # Cost
//! `O(n · s)` for clusters, and for each row left over some hundred clusters at most; more only where there are none nearby.
//!
//! # What is lost
//! Nobody is left out. A row far from all others makes the group that takes it in lose more.

use std::collections::BinaryHeap;

use rayon::prelude::*;
use scumble_level::Conditions;
use scumble_progress::Work;

use crate::cluster::{Clustered, Clustering, Grown, Nearby, cluster, grow_all, rows_nearby};
use crate::cost::{is_within, rank};
use crate::partition::Partition;
use crate::sample;
use crate::{Failure, Hull, Method, Problem, Space};

/// The share of the work that trying settings on a sample takes.
const TRYING: f64 = 0.2;

/// Trade-off constrained clustering.
#[derive(Debug)]
pub struct Toc {
    /// `w_u`, from 0 to 1: what utility weighs. Protection weighs the rest.
    pub utility_weight: f64,
    /// δ, from 0 to 1: the largest diversity that a cluster grows to. Without it, the best on a sample.
    pub threshold: Option<f64>,
    /// `s`: the fewest rows of a subspace. Without it, the best on a sample.
    pub subspace: Option<usize>,
    /// Which row joins a cluster.
    pub nearest: Nearest,
    /// The sensitive columns, whose values should be far apart in a group.
    pub sensitive: Space,
}

/// Which row joins a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nearest {
    /// The one that has the least diversity with its seed, as in the text.
    ToSeed,
    /// The one with which the cluster has the least diversity.
    ToCluster,
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
            nearest: self.nearest,
            threshold: 1.0,
            work: problem.work,
        };
        let trying = problem.with(problem.work.phase("trying settings", 0.0..TRYING).silent());
        let (partition, subspace) = growing.tune(self, rows, &trying)?;
        let growth = problem.with(problem.work.phase("growing clusters", TRYING..1.0));
        growing.groups(partition.finer(problem.space, subspace, problem.work), &growth)
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

    fn of_rows(&self, a: u32, b: u32) -> f64 {
        let protection = self.protection(|secrets| secrets.distance(a, b));
        self.utility_weight * self.quasi.distance(a, b) + protection
    }

    fn of_cluster(&self, cluster: &Cluster) -> f64 {
        let protection = self.protection(|secrets| secrets.loss(&cluster.sensitive));
        self.utility_weight * self.quasi.loss(&cluster.quasi) + protection
    }

    fn with(&self, cluster: &Cluster, row: u32) -> f64 {
        self.with_up_to(cluster, row, f64::INFINITY)
    }

    /// That of a cluster with one row more; or, if it is more than `most`, some figure that is more.
    fn with_up_to(&self, cluster: &Cluster, row: u32, most: f64) -> f64 {
        let protection = self.protection(|secrets| secrets.loss_with(&cluster.sensitive, row));
        let most = (most - protection) / self.utility_weight;
        self.utility_weight * self.quasi.loss_with_up_to(&cluster.quasi, row, most) + protection
    }

    /// What the sensitive columns add, from the loss of showing them as one.
    fn protection(&self, loss: impl FnOnce(&Space) -> f64) -> f64 {
        if self.utility_weight >= 1.0 {
            return 0.0;
        }
        (1.0 - self.utility_weight) * (1.0 - loss(self.sensitive))
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
    nearest: Nearest,
    threshold: f64,
    work: Work<'t>,
}

impl Growing<'_> {
    /// Finds what is not given on a sample. Returns a partition, and the size of subspaces that it is to be cut into.
    fn tune(&mut self, toc: &Toc, rows: Vec<u32>, problem: &Problem) -> Result<(Partition, usize), Failure> {
        let first = match toc.subspace {
            Some(subspace) => subspace,
            None => sample::fewest_rows_that_do(problem, rows.len(), self.conditions),
        };
        let largest = toc.subspace.unwrap_or(sample::largest_subspace(first));
        let partition = Partition::new(problem.space, rows, largest, problem.work);
        problem.work.go_on()?;
        let tried = sample::sample(problem, &partition.subspaces());
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
                // A cluster may have all rows of its subspace then.
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
            return Ok(vec![partition.rows(partition.root()).to_vec()]);
        }
        Ok(clusters.into_iter().map(|cluster| cluster.rows).collect())
    }

    /// The average diversity of the groups of these parts (definition 3.2.2).
    fn score(&self, parts: &[Vec<u32>], subspace: usize, problem: &Problem) -> Result<f64, Failure> {
        let diversities = parts.par_iter().map(|rows| {
            let partition = Partition::new(self.diversity.quasi, rows.clone(), subspace, problem.work);
            let groups = self.groups(partition, problem)?;
            let clusters = groups.into_iter().map(|rows| self.cluster(rows));
            Ok(clusters.map(|cluster| self.diversity.of_cluster(&cluster)).collect())
        });
        let diversities = diversities.collect::<Result<Vec<Vec<f64>>, Failure>>()?.concat();
        Ok(diversities.iter().sum::<f64>() / diversities.len() as f64)
    }

    /// A seed and the rows nearest to it, as far as δ lets them join.
    fn grow_around_seed(&self, rows: &[u32], seed: usize, free: &[usize], near: &mut Vec<Near>) -> Grown<Cluster> {
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
        let is_kept = self.conditions.are_met_by(&cluster.rows);
        Grown {
            places,
            kept: is_kept.then_some(cluster),
        }
    }

    /// A seed and the rows nearest to the cluster of those before, as long as that makes it less diverse or it lacks some.
    fn grow_cluster(&self, rows: &[u32], seed: usize, free: &[usize]) -> Grown<Cluster> {
        let mut free = free.to_vec();
        let mut nearby = Nearby::new(rows.len());
        let mut cluster = self.cluster(vec![rows[seed]]);
        let mut places = vec![seed];
        let mut diversity = rank(self.diversity.of_cluster(&cluster));
        loop {
            let rest = |place: usize| {
                let row = rows[place];
                self.diversity
                    .protection(|secrets| secrets.loss_with(&cluster.sensitive, row))
            };
            let loss = |row: u32, most: f64| self.diversity.quasi.loss_with_up_to(&cluster.quasi, row, most);
            let nearest = nearby.nearest(rows, &free, self.diversity.utility_weight, rest, loss);
            let has_enough = self.conditions.are_met_by(&cluster.rows);
            let goes_on = |next: u64| (next < diversity || !has_enough) && !self.work.should_stop();
            let Some((next, at)) = nearest.filter(|&(next, _)| goes_on(next)) else {
                let is_kept = has_enough && is_within(self.diversity.of_cluster(&cluster), self.threshold);
                return Grown {
                    places,
                    kept: is_kept.then_some(cluster),
                };
            };
            let place = free.swap_remove(at);
            self.join(&mut cluster, rows[place]);
            places.push(place);
            diversity = next;
        }
    }
}

/// A row by its distance from a seed, its number, and its place among the rows of the subspace.
type Near = std::cmp::Reverse<(u64, u32, usize)>;

impl Clustering for Growing<'_> {
    type Cluster = Cluster;

    fn cluster_all(&self, rows: &[u32]) -> Clustered<Cluster> {
        let mut near = Vec::with_capacity(rows.len());
        grow_all(
            rows,
            self.conditions.fewest_rows(),
            self.work,
            |seed, free| match self.nearest {
                Nearest::ToSeed => self.grow_around_seed(rows, seed, free, &mut near),
                Nearest::ToCluster => self.grow_cluster(rows, seed, free),
            },
        )
    }

    fn cluster(&self, rows: Vec<u32>) -> Cluster {
        Cluster {
            quasi: self.diversity.quasi.hull(&rows),
            sensitive: self.diversity.sensitive.hull(&rows),
            rows,
        }
    }

    fn is_good(&self, rows: &[u32]) -> bool {
        self.conditions.are_met_by(rows)
    }

    fn cost(&self, cluster: &Cluster, row: u32, most: f64) -> Option<f64> {
        Some(self.diversity.with_up_to(cluster, row, most))
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
