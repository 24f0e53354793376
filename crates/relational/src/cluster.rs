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

use std::ops::Range;

use rayon::prelude::*;
use scumble_progress::{Interrupted, Work};
use thiserror::Error;

use crate::bitmap::Bitmap;
use crate::cost::Threshold;
use crate::gather::{Gathered, gather};
use crate::likeness::{Likeness, Trees};
use crate::merge::Pairing;
use crate::secrets::{self, Bounds, SecretBound};
use crate::tree::Tree;
use crate::{Database, TableId};

/// What persons are compared by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Their trees. Rows are paired by what they lose together with everything below them.
    Miracle,
    /// Their trees. Rows are paired by what they lose themselves: faster, and nearly as good where what is below is like
    /// what is above.
    MiracleX,
    /// One flat row for each, with a bit for every value: no value is generalized. For comparison.
    Bitmap,
}

/// How persons are gathered: settings that have been checked, and bounds to keep.
#[derive(Clone, Debug)]
pub struct Clustering {
    settings: Settings,
    bounds: Vec<SecretBound>,
}

/// So many persons make the clusters that are open between two blocks a small part of all.
pub(crate) const BLOCK: usize = 16_384;

/// The settings of algorithm 2.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    pub(crate) k: usize,
    pub(crate) threshold: Threshold,
    pub(crate) climit: usize,
    pub(crate) method: Method,
    /// How many persons are gathered in one go; others at the same time.
    pub(crate) block: usize,
}

/// A setting that makes no sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SettingError {
    /// k is 0.
    #[error("k is 0; a cluster needs at least one person")]
    NoMembers,
    /// The threshold is no share.
    #[error("the threshold is not from 0 to 1; it is a share of what can be lost")]
    Threshold,
}

/// Persons who are shown alike.
#[derive(Clone, Debug)]
pub struct Cluster {
    tree: Tree,
}

/// All clusters, in the order in which they were closed.
#[derive(Debug)]
pub struct Clusters {
    clusters: Vec<Cluster>,
    left_out: Vec<u32>,
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

    /// The same, so that these bounds hold of the release.
    pub fn with_bounds(self, bounds: Vec<SecretBound>) -> Clustering {
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
                .gather(database, &persons, bounds, gathering(work, bounds))?;
            let clusters = gathered.closed.into_iter().map(Cluster::new).collect();
            Ok(Clusters::new(clusters, gathered.left_out))
        };
        secrets::keep(database, self.settings.k, &self.bounds, gather, &|| !work.should_stop())
    }
}

/// The part of the work that is to gather persons, the first time, and again with an eye on what must not be known of them.
pub(crate) fn gathering<'w>(work: Work<'w>, bounds: Option<&Bounds>) -> Work<'w> {
    match bounds {
        None => work.phase("gathering persons", 0.0..0.6),
        Some(_) => work.phase("gathering persons with their secrets", 0.6..0.9),
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

impl Clusters {
    pub(crate) fn new(clusters: Vec<Cluster>, left_out: Vec<u32>) -> Clusters {
        Clusters { clusters, left_out }
    }

    pub(crate) fn into_parts(self) -> (Vec<Cluster>, Vec<u32>) {
        (self.clusters, self.left_out)
    }

    /// The clusters, each of at least `k` persons.
    pub fn clusters(&self) -> &[Cluster] {
        &self.clusters
    }

    /// The persons that are in none.
    pub fn left_out(&self) -> &[u32] {
        &self.left_out
    }
}

impl Cluster {
    pub(crate) fn new(tree: Tree) -> Cluster {
        Cluster { tree }
    }

    /// The rows of the table of persons.
    pub fn members(&self) -> &[u32] {
        self.tree.persons()
    }

    /// The nodes of its representative in a table.
    pub fn nodes(&self, table: TableId) -> Range<u32> {
        self.tree.nodes(table.0)
    }

    /// The nodes of a table under a node of the table that it hangs off.
    pub fn children(&self, table: TableId, node: u32) -> Range<u32> {
        self.tree.children(table.0, node)
    }

    /// The rows that a node stands for, one of each member, in their order.
    pub fn rows(&self, table: TableId, node: u32) -> &[u32] {
        self.tree.rows(table.0, node)
    }

    pub(crate) fn tree(&self) -> &Tree {
        &self.tree
    }
}
