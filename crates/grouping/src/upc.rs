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
//! one, the cluster nearby that may have them and has the least group diversity then, or one further away if there is none
//! (see [`cluster`](crate::cluster)). Who finds none is in no group.
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
//! - Of fewer than `k` free rows none is a seed.
//!
//! # Cost
//! `O(n · s)` for clusters, and for each row left over some hundred clusters, times `log n` where those nearby refuse it.
//!
//! # What is lost
//! Rows that find no cluster within `U` and `P`.

use rayon::prelude::*;
use scumble_level::Conditions;
use scumble_privacy::{Requirement, Template, TemplateKind};
use scumble_progress::Work;

use crate::cluster::{Clustered, Clustering, Grown, Nearby, cluster, grow_all, rows_nearby};
use crate::partition::Partition;
use crate::sample;
use crate::secret::{Pairs, RangeSecret, Tally, range_diversity};
use crate::{Failure, Hull, Method, Problem, Space};

/// What loss weighs in group diversity; range diversity has the rest.
const LOSS_WEIGHT: f64 = 0.5;

/// Utility and protection constrained clustering.
#[derive(Debug)]
pub struct Upc<'t> {
    /// `U`, from 0 to 1: the largest loss of a group.
    pub loss_at_most: f64,
    /// `s`: the fewest rows of a subspace. Without it, the best on a sample.
    pub subspace: Option<usize>,
    /// The secrets, each with its `P`: those of all templates on range diversity.
    pub secrets: Vec<RangeSecret<'t>>,
}

impl Method for Upc<'_> {
    fn groups(&self, problem: &Problem, conditions: &Conditions) -> Result<Vec<Vec<u32>>, Failure> {
        let rows: Vec<u32> = (0..problem.table.rows() as u32).collect();
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        // Ranges are checked as clusters grow, row by row; from scratch would take longer.
        let is_other = |template: &&Template| template.template_kind() != TemplateKind::RangeDiversity;
        let others = Requirement {
            templates: problem.requirement.templates.iter().filter(is_other).cloned().collect(),
        };
        let growing = Growing {
            space: problem.space,
            secrets: self.secrets.iter().map(|&secret| Pairs::new(secret)).collect(),
            loss_at_most: self.loss_at_most,
            others: Conditions::new(problem.table, &others),
            work: problem.work,
        };
        let trying = problem.with(problem.work.phase("trying settings", 0.0..TRYING).silent());
        let (partition, subspace) = growing.tune(self, rows, &trying, conditions)?;
        let growth = problem.with(problem.work.phase("growing clusters", TRYING..1.0));
        let clusters = growing.clusters(&partition.finer(problem.space, subspace, problem.work), &growth)?;
        Ok(clusters.into_iter().map(|cluster| cluster.rows).collect())
    }

    fn loss_at_most(&self) -> Option<f64> {
        Some(self.loss_at_most)
    }
}

/// The share of the work that trying settings on a sample takes.
const TRYING: f64 = 0.2;

/// How clusters grow and what joining them costs.
struct Growing<'t> {
    space: &'t Space,
    secrets: Vec<Pairs<'t>>,
    loss_at_most: f64,
    /// All conditions but those on the ranges of secrets.
    others: Conditions<'t>,
    work: Work<'t>,
}

/// Rows, what they have in common, and what they have of each secret.
struct Cluster {
    rows: Vec<u32>,
    hull: Hull,
    tallies: Vec<Tally>,
}

impl Growing<'_> {
    /// Finds what is not given on a sample. Returns a partition that need only be finer, and the subspaces it should have.
    fn tune(
        &self,
        upc: &Upc,
        rows: Vec<u32>,
        problem: &Problem,
        conditions: &Conditions,
    ) -> Result<(Partition, usize), Failure> {
        if let Some(subspace) = upc.subspace {
            return Ok((Partition::new(problem.space, rows, subspace, problem.work), subspace));
        }
        let first = sample::fewest_rows_that_do(problem, rows.len(), conditions);
        let most = sample::largest_subspace(first);
        let partition = Partition::new(problem.space, rows, most, problem.work);
        problem.work.go_on()?;
        let tried = sample::sample(problem, &partition.subspaces());
        let (_, subspace) = sample::subspace(first, |rows| self.score(&tried, rows, problem))?;
        Ok((partition, subspace))
    }

    fn clusters(&self, partition: &Partition, problem: &Problem) -> Result<Vec<Cluster>, Failure> {
        cluster(self, partition, problem, rows_nearby(&self.others))
    }

    /// The average group diversity of the clusters of these parts, where rows in none of them have the worst.
    fn score(&self, parts: &[Vec<u32>], subspace: usize, problem: &Problem) -> Result<f64, Failure> {
        let clusters = parts.par_iter().map(|rows| {
            let partition = Partition::new(self.space, rows.clone(), subspace, problem.work);
            self.clusters(&partition, problem)
        });
        let clusters: Vec<Vec<Cluster>> = clusters.collect::<Result<_, Failure>>()?;
        let clusters: Vec<Cluster> = clusters.into_iter().flatten().collect();
        let kept: usize = clusters.iter().map(|cluster| cluster.rows.len()).sum();
        let share = kept as f64 / parts.iter().map(|rows| rows.len()).sum::<usize>() as f64;
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
        LOSS_WEIGHT * loss + (1.0 - LOSS_WEIGHT) * ranges.sum::<f64>() / secrets
    }
}

impl Clustering for Growing<'_> {
    type Cluster = Cluster;

    fn cluster_all(&self, rows: &[u32]) -> Clustered<Cluster> {
        let mut candidates = Vec::with_capacity(rows.len());
        grow_all(rows, self.others.fewest_rows(), self.work, |seed, free| {
            candidates.clear();
            candidates.extend_from_slice(free);
            let mut sprout = Sprout::new(self, rows, seed, free);
            sprout.grow(&mut candidates);
            let is_kept = sprout.cut_back();
            Grown {
                places: sprout.places,
                kept: is_kept.then(|| self.cluster(sprout.members)),
            }
        })
    }

    fn cluster(&self, rows: Vec<u32>) -> Cluster {
        let tally = |secret: &Pairs| {
            let mut tally = Tally::new(secret);
            rows.iter().for_each(|&row| tally.add(secret, row));
            tally
        };
        Cluster {
            tallies: self.secrets.iter().map(tally).collect(),
            hull: self.space.hull(&rows),
            rows,
        }
    }

    fn is_good(&self, rows: &[u32]) -> bool {
        let cluster = self.cluster(rows.to_vec());
        let mut ranges = self.secrets.iter().zip(&cluster.tallies);
        self.space.loss(&cluster.hull) <= self.loss_at_most
            && ranges.all(|(secret, tally)| secret.allow(tally.range_diversity()))
            && self.others.are_met_by(rows)
    }

    fn cost(&self, cluster: &Cluster, row: u32, most: f64) -> Option<f64> {
        // Ranges first: where a region has no home for its rows, it is they that refuse.
        let mut sum = 0.0;
        for (secret, tally) in self.secrets.iter().zip(&cluster.tallies) {
            let range = tally.with(secret, row);
            if !secret.allow(range) {
                return None;
            }
            sum += range;
        }
        let of_ranges = self.diversity(0.0, std::iter::once(sum));
        let most = ((most - of_ranges) / LOSS_WEIGHT).min(self.loss_at_most);
        let loss = self.space.loss_with_up_to(&cluster.hull, row, most);
        (loss <= most).then_some(LOSS_WEIGHT * loss + of_ranges)
    }

    fn admits(&self, cluster: &Cluster, row: u32) -> bool {
        self.others.are_of_size_only() || self.others.are_met_by(&[&cluster.rows[..], &[row]].concat())
    }

    fn join(&self, cluster: &mut Cluster, row: u32) {
        self.space.add(&mut cluster.hull, row);
        let tallies = self.secrets.iter().zip(&mut cluster.tallies);
        tallies.for_each(|(secret, tally)| tally.add(secret, row));
        cluster.rows.push(row);
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
    nearby: Nearby,
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
            nearby: Nearby::new(rows.len()),
            good_from: None,
        };
        sprout.take(seed, free);
        sprout
    }

    /// Takes free rows, the nearest first, as long as the bounds allow.
    fn grow(&mut self, free: &mut Vec<usize>) {
        while let Some(at) = self.nearest(free).filter(|_| !self.growing.work.should_stop()) {
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
        let longest = lengths.find(|&length| self.growing.others.are_met_by(&self.members[..length]));
        let length = longest.unwrap_or(self.members.len());
        self.members.truncate(length);
        self.places.truncate(length);
        longest.is_some()
    }

    /// Where among the free rows the one is with which group diversity is least; the first row of equals.
    fn nearest(&mut self, free: &[usize]) -> Option<usize> {
        let mut nearby = std::mem::take(&mut self.nearby);
        let rest = |place: usize| self.growing.diversity(0.0, self.ranges_with(place));
        let loss = |row: u32, most: f64| self.growing.space.loss_with_up_to(&self.hull, row, most);
        let nearest = nearby.nearest(self.rows, free, LOSS_WEIGHT, rest, loss);
        self.nearby = nearby;
        nearest.map(|(_, at)| at)
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
        self.members.len() + 1 >= self.growing.others.fewest_rows() && ranges.all(|(secret, range)| secret.allow(range))
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
