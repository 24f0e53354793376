//! [`Upc`]: clusters none of which loses more than `U` or tells more of a range than `P`.
//!
//! | | age | income | loss | range diversity | group diversity |
//! |---|---|---|---|---|---|
//! | seed | 30 | 1K | 0 | 1 | 0.5 |
//! | joins first | 31 | 24K | 1/17 | 2/4 | 0.28 |
//! | then | 39 | 90K | 9/17 | 3/9 | 0.43 |
//! | last, if `U` is 1: its income is in one range with 1K | 22 | 4K | 17/17 | (4 + 2 · 0.97) / 16 | 0.69 |
//!
//! A row at random is the seed of a cluster, and the row with which the cluster has the least group diversity joins, then
//! the next. Group diversity is half the loss and half the range diversity. Rows of a cluster that is no good join, one by
//! one, the cluster of any subspace that may have them and has the least group diversity then. Who fits nowhere is in no
//! group.
//!
//! Invariant: every group has at least `k` rows, loses at most `U`, has a range diversity of at most `P` in every secret,
//! and keeps all conditions.
//!
//! # Source
//! Loukides, section 5.2: definition 5.2.4 (group diversity), algorithm 6.
//!
//! Fixed by us, so that fewer rows fit nowhere:
//! - A cluster of `k` rows or more that is above `P` goes on as long as it stays within `U`; the text gives up. Once it keeps
//!   `P` it stops at the row that would break it, as in the text.
//! - Then it is cut back to the longest beginning that keeps all other conditions; the rows cut off are free again.
//! - Of several secrets, the average of their range diversities counts for distance, and each has its own `P`.
//! - `s` is found as for [`Toc`](crate::Toc), by the average group diversity; a row that fits nowhere counts as 1.
//!
//! # Cost
//! `O(n · s)` for clusters, and for each row left over the clusters that the index cannot rule out.
//!
//! # What is lost
//! Rows that fit nowhere within `U` and `P`.

use scumble_level::Conditions;

use crate::cluster::{Clustered, Clustering, cluster};
use crate::cost::{NOISE, rank};
use crate::homes::Joining;
use crate::partition::Partition;
use crate::reach::{Gaps, Reach};
use crate::sample::{sample, subspace};
use crate::secret::{Pairs, RangeSecret, Tally, range_diversity};
use crate::{Failure, Hull, Method, Problem, Space};

/// Utility and protection constrained clustering.
#[derive(Debug)]
pub struct Upc<'t> {
    /// `U`, from 0 to 1: the largest loss of a group.
    pub loss_at_most: f64,
    /// `s`: the fewest rows of a subspace. Without it, the best on a sample.
    pub subspace: Option<usize>,
    /// The secrets, each with its `P`.
    pub secrets: Vec<RangeSecret<'t>>,
}

impl Method for Upc<'_> {
    fn groups(&self, problem: &Problem, conditions: &Conditions) -> Result<Vec<Vec<u32>>, Failure> {
        let rows: Vec<u32> = (0..problem.table.rows() as u32).collect();
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let growing = Growing {
            space: problem.space,
            gaps: Gaps::new(problem.space, rows.len()),
            secrets: self.secrets.iter().map(|&secret| Pairs::new(secret)).collect(),
            loss_at_most: self.loss_at_most,
            conditions,
        };
        let subspace = match self.subspace {
            Some(subspace) => subspace,
            None => {
                let tried = sample(rows.len(), conditions.fewest_rows(), problem.seed);
                let first = Partition::fewest_rows_that_do(problem.space, &tried, conditions);
                subspace(first, |rows| growing.score(&tried, rows, problem))?
            }
        };
        let clusters = growing.clusters(rows, subspace, problem)?;
        Ok(clusters.into_iter().map(|cluster| cluster.rows).collect())
    }

    fn loss_at_most(&self) -> Option<f64> {
        Some(self.loss_at_most)
    }
}

/// How clusters grow and what joining them costs.
struct Growing<'t> {
    space: &'t Space,
    gaps: Gaps,
    secrets: Vec<Pairs<'t>>,
    loss_at_most: f64,
    conditions: &'t Conditions<'t>,
}

/// Rows, what they have in common, and what they have of each secret.
struct Cluster {
    rows: Vec<u32>,
    hull: Hull,
    tallies: Vec<Tally>,
}

/// What bounds the group diversity of clusters with one row more.
#[derive(Clone)]
struct Bounds {
    reach: Reach,
    /// Of each secret, the least range diversity that a cluster could have then.
    ranges: Vec<f64>,
    /// The least group diversity that a cluster could have then, if the row added nothing to its loss.
    diversity: f64,
}

impl Growing<'_> {
    fn clusters(&self, rows: Vec<u32>, subspace: usize, problem: &Problem) -> Result<Vec<Cluster>, Failure> {
        cluster(self, &Partition::new(self.space, rows, subspace), problem)
    }

    /// The average group diversity of the clusters of these rows, where rows in none of them have the worst.
    fn score(&self, rows: &[u32], subspace: usize, problem: &Problem) -> Result<f64, Failure> {
        let clusters = self.clusters(rows.to_vec(), subspace, problem)?;
        let kept: usize = clusters.iter().map(|cluster| cluster.rows.len()).sum();
        let share = kept as f64 / rows.len() as f64;
        let diversities = clusters.iter().map(|cluster| {
            let ranges = cluster.tallies.iter().map(Tally::range_diversity);
            self.diversity(self.space.loss(&cluster.hull), ranges)
        });
        let average = diversities.sum::<f64>() / clusters.len().max(1) as f64;
        Ok(share * average + (1.0 - share))
    }

    /// Definition 5.2.4, from the loss and the range diversity of each secret.
    fn diversity(&self, loss: f64, ranges: impl Iterator<Item = f64>) -> f64 {
        let secrets = self.secrets.len().max(1) as f64;
        0.5 * loss + 0.5 * ranges.sum::<f64>() / secrets
    }
}

impl Clustering for Growing<'_> {
    fn cluster_all(&self, rows: &[u32]) -> Clustered {
        let mut clustered = Clustered::default();
        let mut is_free = vec![true; rows.len()];
        let mut free = Vec::with_capacity(rows.len());
        for seed in 0..rows.len() {
            if !is_free[seed] {
                continue;
            }
            free.clear();
            free.extend((seed + 1..rows.len()).filter(|&place| is_free[place]));
            let mut sprout = Sprout::new(self, rows, seed, &free);
            sprout.grow(&mut free);
            let is_kept = sprout.cut_back();
            sprout.places.iter().for_each(|&place| is_free[place] = false);
            clustered.push(sprout.members, is_kept);
        }
        clustered
    }
}

/// A cluster that grows in a subspace.
struct Sprout<'g> {
    growing: &'g Growing<'g>,
    /// The rows of the subspace.
    rows: &'g [u32],
    /// The places of those that are in the cluster, as they joined.
    places: Vec<usize>,
    members: Vec<u32>,
    hull: Hull,
    /// For each secret, what all pairs of members contribute.
    sums: Vec<f64>,
    /// For each secret and each row of the subspace that is free, what it contributes with the members.
    pulls: Vec<f64>,
    /// How many members there were when it first had enough, with all secrets within their bounds.
    good_from: Option<usize>,
}

impl<'g> Sprout<'g> {
    fn new(growing: &'g Growing, rows: &'g [u32], seed: usize, free: &[usize]) -> Self {
        let mut sprout = Sprout {
            growing,
            rows,
            places: Vec::new(),
            members: Vec::new(),
            hull: growing.space.point(rows[seed]),
            sums: vec![0.0; growing.secrets.len()],
            pulls: vec![0.0; growing.secrets.len() * rows.len()],
            good_from: None,
        };
        sprout.take(seed, free);
        sprout
    }

    /// Takes free rows, the nearest first, as long as the bounds allow.
    fn grow(&mut self, free: &mut Vec<usize>) {
        while let Some(at) = self.nearest(free) {
            let place = free[at];
            let loss = self.growing.space.loss_with(&self.hull, self.rows[place]);
            let breaks_what_it_kept = self.good_from.is_some() && !self.is_good_with(place);
            if loss > self.growing.loss_at_most || breaks_what_it_kept {
                return;
            }
            free.swap_remove(at);
            self.take(place, free);
        }
    }

    /// Cuts it back to its longest beginning that keeps all conditions. If there is none it stays as it is: no good.
    fn cut_back(&mut self) -> bool {
        let Some(good_from) = self.good_from else {
            return false;
        };
        let mut lengths = (good_from..=self.members.len()).rev();
        let longest = lengths.find(|&length| self.growing.conditions.are_met_by(&self.members[..length]));
        let length = longest.unwrap_or(self.members.len());
        self.members.truncate(length);
        self.places.truncate(length);
        longest.is_some()
    }

    /// Where among the free rows the one is with which group diversity is least; the first row of equals.
    fn nearest(&self, free: &[usize]) -> Option<usize> {
        let candidates = free.iter().enumerate().map(|(at, &place)| {
            let loss = self.growing.space.loss_with(&self.hull, self.rows[place]);
            let diversity = self.growing.diversity(loss, self.ranges_with(place));
            (rank(diversity), self.rows[place], at)
        });
        candidates.min().map(|(_, _, at)| at)
    }

    /// The range diversity of each secret with one row more.
    fn ranges_with(&self, place: usize) -> impl Iterator<Item = f64> {
        let rows = self.members.len() + 1;
        let pulls = self.pulls.iter().skip(place).step_by(self.rows.len());
        let sums = self.sums.iter().zip(pulls).map(|(sum, pull)| sum + pull + 1.0);
        sums.map(move |sum| range_diversity(sum, rows))
    }

    fn is_good_with(&self, place: usize) -> bool {
        let mut ranges = self.growing.secrets.iter().zip(self.ranges_with(place));
        self.members.len() + 1 >= self.growing.conditions.fewest_rows()
            && ranges.all(|(secret, range)| secret.allow(range))
    }

    fn take(&mut self, taken: usize, free: &[usize]) {
        if self.good_from.is_none() && self.is_good_with(taken) {
            self.good_from = Some(self.members.len() + 1);
        }
        let row = self.rows[taken];
        let pulls = self.pulls.chunks_exact_mut(self.rows.len());
        for ((secret, sum), pulls) in self.growing.secrets.iter().zip(&mut self.sums).zip(pulls) {
            let value = secret.value(row);
            *sum += pulls[taken] + 1.0;
            for &place in free {
                pulls[place] += secret.both_ways(value, secret.value(self.rows[place]));
            }
        }
        self.growing.space.add(&mut self.hull, row);
        self.places.push(taken);
        self.members.push(row);
    }
}

impl Joining for Growing<'_> {
    type Cluster = Cluster;
    type Bounds = Bounds;

    fn cluster(&self, rows: Vec<u32>) -> Cluster {
        let tally = |secret: &Pairs| {
            let mut tally = Tally::new();
            rows.iter().for_each(|&row| tally.add(secret, row));
            tally
        };
        Cluster {
            tallies: self.secrets.iter().map(tally).collect(),
            hull: self.space.hull(&rows),
            rows,
        }
    }

    fn cost(&self, cluster: &Cluster, row: u32) -> Option<f64> {
        let loss = self.space.loss_with(&cluster.hull, row);
        if loss > self.loss_at_most {
            return None;
        }
        let mut sum = 0.0;
        for (secret, tally) in self.secrets.iter().zip(&cluster.tallies) {
            let range = tally.with(secret, row);
            if !secret.allow(range) {
                return None;
            }
            sum += range;
        }
        Some(self.diversity(loss, std::iter::once(sum)))
    }

    fn admits(&self, cluster: &Cluster, row: u32) -> bool {
        self.conditions.are_of_size_only() || self.conditions.are_met_by(&[&cluster.rows[..], &[row]].concat())
    }

    fn join(&self, cluster: &mut Cluster, row: u32) {
        self.space.add(&mut cluster.hull, row);
        let tallies = self.secrets.iter().zip(&mut cluster.tallies);
        tallies.for_each(|(secret, tally)| tally.add(secret, row));
        cluster.rows.push(row);
    }

    fn bounds(&self, cluster: &Cluster) -> Bounds {
        let reach = Reach::new(self.space, cluster.rows[0], &cluster.hull);
        let ranges: Vec<f64> = cluster.tallies.iter().map(Tally::at_least).collect();
        Bounds {
            diversity: self.diversity(self.space.loss(&cluster.hull), ranges.iter().copied()),
            reach,
            ranges,
        }
    }

    fn bounds_of_both(&self, one: &Bounds, other: &Bounds) -> Bounds {
        let ranges = one.ranges.iter().zip(&other.ranges).map(|(one, other)| one.min(*other));
        Bounds {
            reach: Reach::of_both(&one.reach, &other.reach),
            ranges: ranges.collect(),
            diversity: one.diversity.min(other.diversity),
        }
    }

    fn cost_at_least(&self, bounds: &Bounds, row: u32) -> Option<f64> {
        let (loss, added) = bounds.reach.loss_at_least(&self.gaps, self.space.cells(row));
        let apart = self.diversity(loss, bounds.ranges.iter().copied());
        (loss <= self.loss_at_most + NOISE).then(|| apart.max(bounds.diversity + 0.5 * added))
    }
}
