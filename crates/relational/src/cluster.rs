//! [`Clustering`]: persons join clusters until each has `k` of them, whom its representative then stands for.
//!
//! With k = 2, a threshold of 0.5 and the students of the paper, S3 before S2:
//!
//! | student | nearest open cluster | |
//! |---|---|---|
//! | S1 | none | opens {S1} |
//! | S3 | {S1}, 0.81 | opens {S3}: 0.81 exceeds the threshold |
//! | S2 | {S1}, 0.31 | joins: {S1, S2} has 2 and closes |
//! | S4 | {S3}, 0.50 | joins: {S3, S4} has 2 and closes |
//!
//! The distance of two trees is what merging them costs (see [`merge`](crate::merge)). At the end, clusters that are
//! still open join their nearest ones, and a last one of fewer than `k` is left out.
//!
//! Invariant: every cluster has at least `k` members, and no person is in two.
//!
//! # Source
//! Nergiz and Clifton, *MultiRelational k-Anonymity*, 2008: algorithm 2.
//!
//! Fixed by us:
//! - A cluster closes at `k` members. The text says at more than `k`, which its own table III does not do.
//! - While at most `climit` clusters are open one more may be opened, as in line 6, so `climit + 1` can be.
//! - On equal distances the cluster that was opened first is taken. In line 14, the cluster that looks for another
//!   leads.
//! - The bitmap is clustered by the same algorithm (see [`bitmap`](crate::bitmap)).
//! - A threshold has nine decimals. Distances are compared with it, and with each other, exactly.
//! - More than 16,384 persons are gathered in blocks of as many, in the order of their rows and all at once. Clusters that
//!   a block has left open then join those of the first one, by lines 3 to 12, as persons do.
//!
//! # Cost
//! For `n` persons, at most `n · (climit + 1)` distances and `n` merges: linear in the number of persons. Most distances
//! are never found: a [`Sketch`](crate::sketch::Sketch) tells that they are too far. All cores compare persons ahead.
//!
//! # What is lost
//! Persons join in the order of their rows, so who comes late finds clusters that others have made. Fewer than `k`
//! persons, whom nobody is left for, are not released.

use rayon::prelude::*;
use scumble_privacy::EntityDemand;
use scumble_progress::{Interrupted, Work};

use crate::bitmap::Bitmap;
use crate::clusters::{Cluster, Clusters};
use crate::cost::Threshold;
use crate::database::Database;
use crate::gather::{Gathered, gather, gathering};
use crate::likeness::{Likeness, Trees};
use crate::merge::Pairing;
use crate::secrets::{self, Bounds};
use crate::settings::{BLOCK, Method, SettingError, Settings};
use crate::tree::Tree;

/// How persons are gathered: settings that have been checked, and bounds to keep.
#[derive(Clone, Debug)]
pub struct Clustering {
    settings: Settings,
    bounds: Vec<EntityDemand>,
}

impl Clustering {
    /// Clusters of at least `k` persons. A person opens a new one if the nearest is further than the threshold, from 0
    /// to 1, and at most `climit` are open.
    pub fn new(k: usize, threshold: f64, climit: usize, method: Method) -> Result<Clustering, SettingError> {
        if k == 0 {
            return Err(SettingError::NoMembers);
        }
        let threshold = Threshold::new(threshold).ok_or(SettingError::Threshold)?;
        Ok(Clustering::with(Settings {
            k,
            threshold,
            climit,
            method,
            block: BLOCK,
        }))
    }

    /// The same, with so many persons in a block, at least one; else it is 16,384.
    pub fn in_blocks_of(self, persons: usize) -> Clustering {
        let settings = Settings {
            block: persons.max(1),
            ..self.settings
        };
        Clustering { settings, ..self }
    }

    /// Without bounds.
    pub(crate) fn with(settings: Settings) -> Clustering {
        Clustering {
            settings,
            bounds: Vec::new(),
        }
    }

    /// The same, so that what is demanded of secrets holds of the release.
    pub fn with_bounds(self, bounds: Vec<EntityDemand>) -> Clustering {
        Clustering { bounds, ..self }
    }

    /// How far the nearest cluster may be to be joined, from 0 to 1.
    pub fn threshold(&self) -> f64 {
        self.settings.threshold.share()
    }

    /// While no more than this are open, one more may be opened.
    pub fn climit(&self) -> usize {
        self.settings.climit
    }

    /// Gathers the persons of a database. It is asked whether to go on before each of them, and before each merge at the end.
    pub fn run(&self, database: &Database, work: Work) -> Result<Clusters, Interrupted> {
        let persons: Vec<u32> = (0..database.persons() as u32).collect();
        let gather = |bounds: Option<&Bounds>| {
            let gathered = self
                .settings
                .gather(database, &persons, bounds, gathering(work, bounds.is_some()))?;
            let clusters = gathered.closed.into_iter().map(Cluster::new).collect();
            Ok(Clusters::new(clusters, gathered.left_out))
        };
        secrets::keep(database, self.settings.k, &self.bounds, gather, &|| !work.should_stop())
    }
}

impl Settings {
    /// Gathers some persons of a database, into clusters that keep these bounds where that is possible.
    pub(crate) fn gather(
        self,
        database: &Database,
        persons: &[u32],
        bounds: Option<&Bounds>,
        work: Work,
    ) -> Result<Gathered<Tree>, Interrupted> {
        let trees = |pairing| Trees { database, pairing };
        match self.method {
            Method::Miracle => self.gather_by(&trees(Pairing::Subtrees), database, persons, bounds, work),
            Method::MiracleX => self.gather_by(&trees(Pairing::Nodes), database, persons, bounds, work),
            Method::Bitmap => self.gather_by(&Bitmap::new(database, persons), database, persons, bounds, work),
        }
    }

    fn gather_by<L: Likeness>(
        self,
        likeness: &L,
        database: &Database,
        persons: &[u32],
        bounds: Option<&Bounds>,
        work: Work,
    ) -> Result<Gathered<Tree>, Interrupted> {
        let is_full = |shape: &L::Shape| {
            let keeps = |bounds: &Bounds| bounds.hold_in(&Cluster::new(likeness.tree(shape.clone())));
            secrets::is_full(likeness.members(shape).len(), self.k, || bounds.is_none_or(keeps))
        };
        let Gathered {
            closed,
            closed_in_time,
            left_out,
        } = gather(likeness, database.unit(), self, persons, is_full, work)?;
        Ok(Gathered {
            closed: closed.into_par_iter().map(|shape| likeness.tree(shape)).collect(),
            closed_in_time,
            left_out,
        })
    }
}
