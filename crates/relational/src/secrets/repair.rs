//! Repair: clusters that break a bound are merged with others, or lose the rows that break it.
//!
//! | what breaks a bound | can be mended by | as the last resort |
//! |---|---|---|
//! | rows below persons | merging, removing these rows for all members | |
//! | rows of persons | merging | leaving persons out |
//!
//! Of what helps, that is done which loses least. To remove rows changes how others look, and these may fall together
//! in a larger group with more persons who have a secret; so all is checked again until nothing is broken.
//!
//! Invariant: a cluster that was mended keeps all bounds by itself, however others look, beside the whole as it then is.
//! Mending removes rows or persons or makes one cluster of two, so there is always less to mend, and this ends. What is
//! removed changes the whole; so where bounds compare with it, others may break that kept them before, and are mended in
//! the next round. Clusters that break a bound by themselves and keep it together with others that look the same are left
//! as they are.

use crate::axis::{Axis, Cell};
use scumble_progress::Interrupted;

use crate::clusters::{Cluster, Clusters};
use crate::database::Layer;
use crate::pairing::{Pairing, Ruler};
use crate::tree::Tree;
use crate::{Database, TableId};

use super::bounds::{Bounds, Broken};
use super::compared::Tally;

/// So many clusters are compared with one that must be mended.
const COMPARED: usize = 64;
/// So many of them, the nearest, are tried.
const TRIED: usize = 6;
/// And so many if nothing else helps.
const MOST_TRIED: usize = 400;

/// Mends all clusters that break a bound.
pub(super) fn repair(
    bounds: &Bounds,
    k: usize,
    clusters: Clusters,
    go_on: &impl Fn() -> bool,
) -> Result<Clusters, Interrupted> {
    let (clusters, left_out) = clusters.into_parts();
    let mut repair = Repair {
        bounds,
        ruler: Ruler::new(bounds.database),
        k,
        all: Vec::new(),
        clusters: clusters.into_iter().map(Some).collect(),
        left_out,
    };
    let mut before = None;
    loop {
        let clusters: Vec<Cluster> = repair.clusters.into_iter().flatten().collect();
        let broken = bounds.broken(&clusters);
        if broken.is_empty() {
            repair.left_out.sort_unstable();
            return Ok(Clusters::new(clusters, repair.left_out));
        }
        repair.all = bounds.tallies(&clusters);
        let nodes = broken.iter().flat_map(|broken| &broken.nodes);
        let mut places: Vec<usize> = nodes.map(|&(cluster, _)| cluster).collect();
        places.sort_unstable();
        places.dedup();
        let nodes = clusters.iter().map(|cluster| cluster.tree().len());
        let now = (clusters.len(), nodes.sum::<usize>(), repair.left_out.len());
        repair.clusters = clusters.into_iter().map(Some).collect();
        if before.replace(now) == Some(now) {
            // Each keeps its bounds and all together do not: they are off by rounding. Whoever is left out is no more so.
            let cluster = places.first().and_then(|&place| repair.clusters[place].take());
            repair.left_out.extend(cluster.iter().flat_map(Cluster::members));
            continue;
        }
        for place in places {
            if !go_on() {
                return Err(Interrupted);
            }
            repair.mend(place);
        }
    }
}

/// The clusters without those whose secret is rare, who are left out with whom too few are left beside; `None` if nobody's is.
pub(super) fn spare(bounds: &Bounds, k: usize, clusters: &[Cluster], left_out: &[u32]) -> Option<Clusters> {
    let rare = bounds.rare(k, clusters);
    let is_rare = |person: u32| {
        let mut rare = rare.iter();
        rare.any(|(column, is_rare)| is_rare[column.codes().at(person as usize) as usize])
    };
    let mut left_out = left_out.to_vec();
    let before = left_out.len();
    let mut spared = Vec::with_capacity(clusters.len());
    for cluster in clusters {
        let mut rest = cluster.clone();
        while let Some(member) = rest.members().iter().position(|&person| is_rare(person))
            && rest.members().len() > k
        {
            left_out.push(rest.members()[member]);
            rest = leave_out_one(bounds.database, &rest, member);
        }
        if rest.members().iter().any(|&person| is_rare(person)) {
            left_out.extend(rest.members());
        } else {
            spared.push(rest);
        }
    }
    (left_out.len() > before).then(|| Clusters::new(spared, left_out))
}

struct Repair<'r, 't> {
    bounds: &'r Bounds<'r, 't>,
    ruler: Ruler,
    k: usize,
    /// How often values are in all clusters, for each bound that compares with that.
    all: Vec<Tally>,
    /// `None` where one has been merged or left out.
    clusters: Vec<Option<Cluster>>,
    left_out: Vec<u32>,
}

impl Repair<'_, '_> {
    /// Makes a cluster keep all bounds, or leaves persons out.
    fn mend(&mut self, place: usize) {
        while let Some(cluster) = self.clusters[place].take() {
            let others = without_cluster(self.bounds, &self.all, &cluster);
            if self
                .bounds
                .broken_beside(std::slice::from_ref(&cluster), &others)
                .is_empty()
            {
                self.clusters[place] = Some(cluster);
                return;
            }
            let near = self.nearest(place, &cluster);
            let merged = self
                .mended(&cluster, &near, &others)
                .or_else(|| self.merged_further(&cluster, &near, &others));
            let Some((other, mended)) = merged else {
                let rest = self.leave_out(cluster, &others);
                self.all = and_cluster(self.bounds, &others, rest.as_ref());
                self.clusters[place] = rest;
                return;
            };
            let partner = other.and_then(|other| self.clusters[other].take());
            let others = partner.map_or(others.clone(), |partner| {
                without_cluster(self.bounds, &others, &partner)
            });
            self.all = and_cluster(self.bounds, &others, Some(&mended));
            self.clusters[place] = Some(mended);
        }
    }

    /// What keeps all bounds and loses least: the cluster without some rows, or with another.
    fn mended(&self, cluster: &Cluster, near: &[usize], others: &[Tally]) -> Option<(Option<usize>, Cluster)> {
        let alone = strip(self.bounds, cluster.clone(), others).map(|mended| (self.balance(&mended), None, mended));
        let (nearest, farther) = near.split_at(TRIED.min(near.len()));
        let merged = nearest.iter().filter_map(|&other| self.merged(cluster, other, others));
        let best = alone
            .into_iter()
            .chain(merged)
            .min_by_key(|&(balance, other, _)| (balance, other));
        // Those farther away are tried only if nothing else helps.
        let best = best.or_else(|| farther.iter().find_map(|&other| self.merged(cluster, other, others)));
        best.map(|(_, other, mended)| (other, mended))
    }

    /// No other cluster helps by itself: the one with which least is missing, if that is less than without it.
    fn merged_further(&self, cluster: &Cluster, near: &[usize], others: &[Tally]) -> Option<(Option<usize>, Cluster)> {
        let merge = |&other: &usize| {
            let partner = self.clusters[other].as_ref()?;
            let merged = self.merge(cluster, partner);
            let others = without_cluster(self.bounds, others, partner);
            Some((self.excess(&merged, &others), other, merged))
        };
        let merged = near.iter().take(COMPARED).filter_map(merge);
        let least = merged.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let (_, other, merged) = least.filter(|(excess, ..)| *excess < self.excess(cluster, others))?;
        Some((Some(other), merged))
    }

    /// Leaves out one person after the other, each time the one without whom most is won; all if that does not help.
    fn leave_out(&mut self, mut cluster: Cluster, others: &[Tally]) -> Option<Cluster> {
        while cluster.members().len() > self.k {
            let without = (0..cluster.members().len()).map(|member| {
                let rest = leave_out_one(self.bounds.database, &cluster, member);
                (self.excess(&rest, others), member, rest)
            });
            let least = without.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let Some((excess, member, rest)) = least.filter(|(excess, ..)| *excess < self.excess(&cluster, others))
            else {
                break;
            };
            self.left_out.push(cluster.members()[member]);
            cluster = rest;
            if excess == 0.0 {
                return strip(self.bounds, cluster, others);
            }
        }
        self.left_out.extend(cluster.members());
        None
    }

    /// How far the rows of persons are from all bounds on them.
    fn excess(&self, cluster: &Cluster, others: &[Tally]) -> f64 {
        let broken = self.bounds.broken_beside(std::slice::from_ref(cluster), others);
        let persons = broken.iter().filter(|broken| broken.table == TableId::PERSONS.0);
        persons.map(|broken| broken.excess).sum()
    }

    /// The cluster merged with another and mended, and what that loses.
    fn merged(&self, cluster: &Cluster, other: usize, others: &[Tally]) -> Option<(i64, Option<usize>, Cluster)> {
        let partner = self.clusters[other].as_ref()?;
        let others = without_cluster(self.bounds, others, partner);
        let mended = strip(self.bounds, self.merge(cluster, partner), &others)?;
        Some((self.balance(&mended) - self.balance(partner), Some(other), mended))
    }

    /// Other clusters: of those that were found about the same time the nearest first, then some others.
    fn nearest(&self, place: usize, cluster: &Cluster) -> Vec<usize> {
        let others = (0..self.clusters.len()).filter(|&other| self.clusters[other].is_some());
        let mut others: Vec<usize> = others.collect();
        others.sort_by_key(|&other| (other.abs_diff(place), other));
        others.truncate(MOST_TRIED);
        let lost = |&other: &usize| {
            let partner = self.clusters[other].as_ref().map_or(cluster.tree(), Cluster::tree);
            let before = self.ruler.lost_in(self.bounds.database, partner) * partner.members() as i64;
            (self.pairing(cluster.tree(), partner).lost() - before, other)
        };
        let compared = others.len().min(COMPARED);
        others[..compared].sort_by_cached_key(lost);
        others
    }

    fn pairing<'m>(&'m self, first: &'m Tree, second: &'m Tree) -> Pairing<'m, 'm> {
        Pairing {
            database: self.bounds.database,
            ruler: self.ruler,
            first: (first, first.members()),
            second: (second, second.members()),
            known: None,
        }
    }

    fn merge(&self, first: &Cluster, second: &Cluster) -> Cluster {
        let tree = self.pairing(first.tree(), second.tree()).tree(true);
        Cluster::new(tree)
    }

    fn balance(&self, cluster: &Cluster) -> i64 {
        balance(self.bounds.database, self.ruler, cluster)
    }
}

/// What the members of a cluster lose, less what it would cost to remove what they keep. The least is the best.
pub(super) fn balance(database: &Database, ruler: Ruler, cluster: &Cluster) -> i64 {
    let tree = cluster.tree();
    let kept = ruler.removed(tree.size());
    (ruler.lost_in(database, tree) - kept) * tree.members() as i64
}

/// The tallies of all but one of them.
fn without_cluster(bounds: &Bounds, all: &[Tally], cluster: &Cluster) -> Vec<Tally> {
    let own = bounds.tallies(std::slice::from_ref(cluster));
    all.iter().zip(&own).map(|(all, own)| all.without(own)).collect()
}

/// The tallies with one more, if there is one.
fn and_cluster(bounds: &Bounds, others: &[Tally], cluster: Option<&Cluster>) -> Vec<Tally> {
    let own = cluster.map(|cluster| bounds.tallies(std::slice::from_ref(cluster)));
    own.map_or_else(
        || others.to_vec(),
        |own| others.iter().zip(&own).map(|(others, own)| others.and(own)).collect(),
    )
}

/// Removes rows until no bound is broken, beside other clusters; `None` if rows of persons break one.
fn strip(bounds: &Bounds, mut cluster: Cluster, others: &[Tally]) -> Option<Cluster> {
    loop {
        let broken = bounds.broken_beside(std::slice::from_ref(&cluster), others);
        if broken.is_empty() {
            return Some(cluster);
        }
        if broken.iter().any(|broken| broken.table == TableId::PERSONS.0) {
            return None;
        }
        cluster = Cluster::new(without(bounds.database, cluster.tree(), &broken));
    }
}

/// A tree without the last node of each broken group. Of those that are broken beside the whole only of the worst: without
/// it the whole is another, and the others may be like that.
fn without(database: &Database, tree: &Tree, broken: &[Broken]) -> Tree {
    let compared = broken.iter().filter(|broken| broken.is_compared);
    let worst = compared.max_by(|a, b| a.excess.total_cmp(&b.excess));
    let removed = broken.iter().filter(|broken| !broken.is_compared).chain(worst);
    let last = removed.filter_map(|broken| Some((broken.table, broken.nodes.last()?.1)));
    let removed: Vec<(usize, u32)> = last.collect();
    copy(database, tree, |table, node| !removed.contains(&(table, node)), None)
}

/// The cluster without one member: the same pairs, and cells without its values.
fn leave_out_one(database: &Database, cluster: &Cluster, member: usize) -> Cluster {
    Cluster::new(copy(database, cluster.tree(), |_, _| true, Some(member)))
}

fn leave_out_place(rows: &[u32], place: Option<usize>) -> Vec<u32> {
    let rows = rows.iter().enumerate().filter(|&(own, _)| Some(own) != place);
    rows.map(|(_, &row)| row).collect()
}

/// A tree with some of its nodes, all or all but one of its members. Nodes under a removed one are removed, too.
fn copy(database: &Database, tree: &Tree, is_kept: impl Fn(usize, u32) -> bool, leaves: Option<usize>) -> Tree {
    let members = tree.members() - usize::from(leaves.is_some());
    let mut copied = Tree::with_room(database, members, tree.len());
    let mut kept: Vec<Vec<u32>> = Vec::with_capacity(database.layers().len());
    for (table, layer) in database.layers().iter().enumerate() {
        copied.begin_table();
        let mut own = Vec::new();
        let siblings = match layer.parent {
            None => vec![tree.nodes(table)],
            Some(parent) => kept[parent]
                .iter()
                .map(|&parent| tree.children(table, parent))
                .collect(),
        };
        for siblings in siblings {
            for node in siblings.filter(|&node| is_kept(table, node)) {
                let rows = leave_out_place(tree.rows(table, node), leaves);
                for (place, axis) in layer.axes.iter().enumerate() {
                    copied.add_cell(|lists| in_common(layer, axis, place, &rows, lists));
                }
                copied.add(rows);
                own.push(node);
            }
            copied.end_children();
        }
        kept.push(own);
    }
    copied.count_cells(database);
    copied
}

/// What the cells of some rows on an axis have in common.
fn in_common(layer: &Layer, axis: &Axis, place: usize, rows: &[u32], lists: &mut Vec<u32>) -> u64 {
    let mut codes = rows.iter().map(|&row| layer.cells(row)[place]);
    let mut common = Vec::new();
    let word = codes.next().map_or(0, |code| axis.cell(code, &mut common));
    let word = codes.fold(word, |word, code| {
        let mut own = Vec::new();
        let other = axis.cell(code, &mut own);
        let mut both = Vec::new();
        let lists = (&common[..], &own[..]);
        let word = axis.unite(
            Cell { word, lists: lists.0 },
            Cell {
                word: other,
                lists: lists.1,
            },
            &mut both,
        );
        common = both;
        word
    });
    let cell = Cell { word, lists: &common };
    axis.unite(cell, cell, lists)
}
