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
//! - A threshold has nine decimals. Distances are compared with it, and with each other, exactly.
//!
//! # Cost
//! For `n` persons, `n · (climit + 1)` distances and `n` merges: linear in the number of persons.
//!
//! # What is lost
//! Persons join in the order of their rows, so who comes late finds clusters that others have made. Fewer than `k`
//! persons, whom nobody is left for, are not released.

use std::ops::Range;

use thiserror::Error;

use crate::cost::{Cost, Threshold};
use crate::merge::{Merge, Method};
use crate::secrets::{self, Bounds, SecretBound};
use crate::tree::Tree;
use crate::{Database, TableId};

/// How persons are gathered: settings that have been checked.
#[derive(Clone, Debug)]
pub struct Clustering {
    k: usize,
    threshold: Threshold,
    climit: usize,
    method: Method,
    bounds: Vec<SecretBound>,
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

/// It was told to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("interrupted")]
pub struct Interrupted;

/// Persons who are shown alike.
#[derive(Clone, Debug)]
pub struct Cluster {
    members: Vec<u32>,
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
        Ok(Clustering {
            k,
            threshold,
            climit,
            method,
            bounds: Vec::new(),
        })
    }

    /// The same, so that these bounds hold of the release.
    pub fn with_bounds(self, bounds: Vec<SecretBound>) -> Clustering {
        Clustering { bounds, ..self }
    }

    /// Gathers the persons of a database. `go_on` is asked before each of them, and before each merge at the end.
    pub fn run(&self, database: &Database, go_on: impl Fn() -> bool) -> Result<Clusters, Interrupted> {
        let gather = |bounds: Option<&Bounds>| self.gather(database, bounds, &go_on);
        secrets::keep(database, self.k, &self.bounds, gather, &go_on)
    }

    fn gather(
        &self,
        database: &Database,
        bounds: Option<&Bounds>,
        go_on: &impl Fn() -> bool,
    ) -> Result<Clusters, Interrupted> {
        let mut run = Run {
            settings: self,
            database,
            bounds,
            open: Vec::new(),
            closed: Vec::new(),
        };
        for person in 0..database.persons() as u32 {
            if !go_on() {
                return Err(Interrupted);
            }
            run.take(Cluster {
                members: vec![person],
                tree: Tree::of(database, person),
            });
        }
        while run.gather_open() {
            if !go_on() {
                return Err(Interrupted);
            }
        }
        // A cluster that waited for others because of a bound may have enough members by now.
        let (enough, few): (Vec<Cluster>, _) = run.open.into_iter().partition(|open| open.members.len() >= self.k);
        run.closed.extend(enough);
        Ok(Clusters {
            clusters: run.closed,
            left_out: few.into_iter().flat_map(|cluster| cluster.members).collect(),
        })
    }
}

struct Run<'r, 't> {
    settings: &'r Clustering,
    database: &'r Database<'t>,
    bounds: Option<&'r Bounds<'r, 't>>,
    /// In the order in which they were opened.
    open: Vec<Cluster>,
    closed: Vec<Cluster>,
}

impl Run<'_, '_> {
    /// Lines 3 to 12: a person joins the nearest cluster, or opens one.
    fn take(&mut self, person: Cluster) {
        let distances = self.open.iter().map(|cluster| self.merge(cluster, &person).cost());
        let too_far = |cost| self.database.unit().exceeds(cost, self.settings.threshold);
        match nearest(distances) {
            Some((place, cost)) if self.open.len() > self.settings.climit || !too_far(cost) => {
                self.join(place, &person)
            }
            _ => {
                self.open.push(person);
                self.close_if_full(self.open.len() - 1);
            }
        }
    }

    /// Lines 13 to 20: the first open cluster takes the nearest one. False if it is the last.
    fn gather_open(&mut self) -> bool {
        let [first, others @ ..] = &self.open[..] else {
            return false;
        };
        let distances = others.iter().map(|other| self.merge(first, other).cost());
        let Some((place, _)) = nearest(distances) else {
            return false;
        };
        let other = self.open.remove(1 + place);
        self.join(0, &other);
        true
    }

    fn join(&mut self, place: usize, other: &Cluster) {
        let tree = self.merge(&self.open[place], other).tree();
        let cluster = &mut self.open[place];
        cluster.tree = tree;
        cluster.members.extend(&other.members);
        self.close_if_full(place);
    }

    fn close_if_full(&mut self, place: usize) {
        if secrets::is_full(&self.open[place], self.settings.k, self.bounds) {
            self.closed.push(self.open.remove(place));
        }
    }

    fn merge<'m>(&'m self, first: &'m Cluster, second: &'m Cluster) -> Merge<'m, 'm> {
        Merge {
            database: self.database,
            method: self.settings.method,
            first: &first.tree,
            second: &second.tree,
        }
    }
}

/// The place of the first of the least costs.
fn nearest(costs: impl Iterator<Item = Cost>) -> Option<(usize, Cost)> {
    // Of equal costs `min_by` takes the first.
    costs.enumerate().min_by(|(_, a), (_, b)| a.compare(*b))
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
    pub(crate) fn new(members: Vec<u32>, tree: Tree) -> Cluster {
        Cluster { members, tree }
    }

    /// The rows of the table of persons.
    pub fn members(&self) -> &[u32] {
        &self.members
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
