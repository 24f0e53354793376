//! Settings that nobody gave are found from the data: [`Clustering::tuned`].
//!
//! | setting | how it is found |
//! |---|---|
//! | `climit` | as many clusters as all persons can fill, at most 150 |
//! | `threshold` | of 0, 0.15, ... 0.75, and then 0.05 to either side, the one with which a sample loses least |
//!
//! With more open clusters less was lost on students as in section V of the paper, until there were more than could be
//! filled: then the last ones are merged as they come. 150 is the limit of the paper; any fixed one keeps the time linear
//! in the persons. A threshold cannot be told without the data: it is a distance, and what is near depends on how alike
//! persons are. Too low, and clusters are opened until the limit is reached, whoever comes first; too high, and everybody
//! joins the first cluster that is open.
//!
//! How near the nearest open cluster is depends on how many are open, not on how many persons there are in all, so a
//! sample is as dense as the data if it fills its open clusters. What is still open when its last person has come is
//! merged as it comes, and that happens once in the data, too: in the sum it is counted once, and everything closed before
//! that as often as there are more persons in the data. Of a sample of all persons, this sum is LM.
//!
//! Invariant: what is given is kept; the same seed gives the same settings.
//!
//! # Cost
//! The sample has at most 2,000 persons, who are gathered eight times, so the time does not grow with the data. If they
//! cannot fill as many clusters as may be open in the data, fewer are open.
//!
//! # What is lost
//! Such a sample tells losses apart that differ by a hundredth, hardly those that differ by less.

use rayon::prelude::*;

use crate::Database;
use scumble_progress::{Interrupted, Work};

use crate::cluster::Clustering;
use crate::cost::Threshold;
use crate::settings::{BLOCK, Method, SettingError, Settings};
use crate::tree::Tree;

/// Settings that are given, and a seed to find the others.
#[derive(Clone, Copy, Debug)]
pub struct Tuning {
    threshold: Option<Threshold>,
    climit: Option<usize>,
    seed: u64,
}

impl Tuning {
    /// The threshold, from 0 to 1, and the limit of open clusters, where they are given.
    pub fn new(threshold: Option<f64>, climit: Option<usize>, seed: u64) -> Result<Tuning, SettingError> {
        let threshold = match threshold {
            Some(share) => Some(Threshold::new(share).ok_or(SettingError::Threshold)?),
            None => None,
        };
        Ok(Tuning {
            threshold,
            climit,
            seed,
        })
    }
}

/// The limit of the paper.
const MOST_OPEN: usize = 150;
/// Persons of a sample.
const SAMPLE: usize = 2_000;
/// The thresholds that are tried first.
const COARSE: [f64; 6] = [0.0, 0.15, 0.3, 0.45, 0.6, 0.75];
/// How far from the best of them others are tried.
const FINE: f64 = 0.05;

impl Clustering {
    /// Clusters of at least `k` persons, with settings that suit a database where none are given. Of `k` = 0, as of 1.
    /// It is asked whether to go on before each person of a sample.
    pub fn tuned(
        database: &Database,
        k: usize,
        method: Method,
        tuning: Tuning,
        work: Work,
    ) -> Result<Clustering, Interrupted> {
        let k = k.max(1);
        let with = |threshold| Settings {
            k,
            threshold,
            climit: tuning.climit.unwrap_or((database.persons() / k).clamp(1, MOST_OPEN)),
            method,
            block: BLOCK,
        };
        match tuning.threshold {
            Some(threshold) => Ok(Clustering::with(with(threshold))),
            None => Sample::new(database, tuning.seed)
                .best(with, work)
                .map(Clustering::with),
        }
    }
}

/// A sample of the persons of a database.
struct Sample<'d, 't> {
    database: &'d Database<'t>,
    /// Who they are, in the order of their rows, and how many quasi cells they have.
    persons: Vec<u32>,
    cells: Vec<u64>,
}

impl<'d, 't> Sample<'d, 't> {
    fn new(database: &'d Database<'t>, seed: u64) -> Self {
        let everybody = 0..database.persons() as u32;
        let mut persons = fastrand::Rng::with_seed(seed).choose_multiple(everybody, SAMPLE);
        persons.sort_unstable();
        let cells = persons
            .iter()
            .map(|&person| Tree::of(database, person).size())
            .collect();
        Sample {
            database,
            persons,
            cells,
        }
    }

    /// The settings whose threshold loses least.
    fn best(&self, with: impl Fn(Threshold) -> Settings, work: Work) -> Result<Settings, Interrupted> {
        let tries = work.phase("trying settings", 0.0..1.0).count(COARSE.len() + 2);
        let best_of = |settings: &[Settings]| -> Result<(f64, Settings), Interrupted> {
            let losses = settings.par_iter().map(|&settings| {
                let loss = self.loss(settings, work.silent())?;
                tries.add(1);
                Ok(loss)
            });
            let losses = losses.collect::<Result<Vec<f64>, _>>()?;
            let tried = losses.into_iter().zip(settings.iter().copied());
            Ok(tried.reduce(better).expect("one is tried at least"))
        };
        let tried = |shares: &[f64]| -> Vec<Settings> {
            let thresholds = shares.iter().filter_map(|&share| Threshold::new(share));
            thresholds.map(&with).collect()
        };
        let coarse = best_of(&tried(&COARSE))?;
        let share = coarse.1.threshold.share();
        // Of 0 there is nothing below, but something above.
        let fine = best_of(&tried(&[share - FINE, share + FINE]))?;
        Ok(better(coarse, fine).1)
    }

    /// What a cell of the database would lose on average, as far as the sample tells.
    fn loss(&self, settings: Settings, work: Work) -> Result<f64, Interrupted> {
        let settings = Settings {
            climit: settings.climit.min((self.persons.len() / settings.k).max(1)),
            ..settings
        };
        let gathered = settings.gather(self.database, &self.persons, None, work)?;
        let (in_time, late) = gathered.closed.split_at(gathered.closed_in_time);
        let (in_time, late) = (self.lost(in_time, &[]), self.lost(late, &gathered.left_out));
        let unsampled = (self.database.persons() - self.persons.len()) as f64;
        let times = if in_time.persons > 0.0 {
            1.0 + unsampled / in_time.persons
        } else {
            1.0
        };
        Ok((in_time.lost * times + late.lost) / (in_time.cells * times + late.cells).max(1.0))
    }

    /// What the members of some clusters lose, and some who are in none.
    fn lost(&self, clusters: &[Tree], left_out: &[u32]) -> Lost {
        let mut sum = Lost::default();
        for tree in clusters {
            let (lost, kept) = tree.kept(self.database);
            sum.add(self.cells(tree.persons()), kept, self.database.unit().mean(lost, 1));
            sum.persons += tree.members() as f64;
        }
        sum.add(self.cells(left_out), 0, 0.0);
        sum
    }

    /// How many quasi cells some persons of the sample have.
    fn cells(&self, persons: &[u32]) -> u64 {
        let places = persons
            .iter()
            .filter_map(|person| self.persons.binary_search(person).ok());
        places.map(|place| self.cells[place]).sum()
    }
}

/// The settings that lose less; of equals those with the higher threshold, as fewer clusters are open then.
fn better(a: (f64, Settings), b: (f64, Settings)) -> (f64, Settings) {
    let is_better = b.0 < a.0 || b.0 == a.0 && b.1.threshold > a.1.threshold;
    if is_better { b } else { a }
}

/// What some persons lose.
#[derive(Default)]
struct Lost {
    persons: f64,
    cells: f64,
    lost: f64,
}

impl Lost {
    /// So many cells, of which some are kept and lose so much in all.
    fn add(&mut self, cells: u64, kept: u64, lost: f64) {
        self.cells += cells as f64;
        self.lost += (cells - kept) as f64 + lost;
    }
}
