//! Merging: two trees become one that both have in common.
//!
//! Roots go together, and what their cells have in common is what the merged root shows. Then their children are
//! paired, table by table: of the smaller set, one after the other takes the cheapest that is left of the larger set.
//! What nobody takes is removed, with all below it: a row that one person alone has left would give that person away.
//!
//! | students | S1 | S2 | merged | loss |
//! |---|---|---|---|---|
//! | courses | Math, Physics, History | CS, Physics, Religion | Science, Physics, Social | 3/7, 0, 3/7 |
//! | books of Physics | Calc, Dyn | Dyn | Dyn | 0, and 1 for Calc |
//!
//! Invariant: the merged tree has a node for every pair and no other, so it stands for one row of every member of both
//! trees.
//!
//! # Source
//! Nergiz and Clifton, *MultiRelational k-Anonymity*, 2008: definition 8, algorithms 1, 3, 4 (MiRaCle) and 5
//! (MiRaCleX).
//!
//! Fixed by us:
//! - Unpaired rows are removed, where the text shows them with every cell suppressed. They cost as much.
//! - On equal sizes, the children of the first tree lead. On equal costs, the first partner is taken.
//! - Merged children are in the order in which their leaders were.
//!
//! # Cost
//! With `n` nodes in each tree, `O(n²)` for a distance of MiRaCle: a pair of nodes is looked at once at most, since its
//! parents are one pair. For MiRaCleX only nodes whose parents were paired are compared: with `c` children to a node,
//! `O(n · c)`. Distances keep no pairs, so the one merge that follows many of them finds its pairs again.
//!
//! # What is lost
//! Pairing is greedy: an early leader may take the partner that a later one needs more.

use crate::Database;
use crate::cost::Cost;
use crate::database::Layer;
use crate::tree::{Nodes, Tree};

/// What makes a partner cheap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// What the two nodes lose together with everything below them.
    Miracle,
    /// What the two nodes lose themselves: faster, and nearly as good where what is below is like what is above.
    MiracleX,
}

/// Two trees to be merged. The first one leads where both could.
pub(crate) struct Merge<'m, 't> {
    pub(crate) database: &'m Database<'t>,
    pub(crate) method: Method,
    pub(crate) first: &'m Tree,
    pub(crate) second: &'m Tree,
}

/// A node of the first tree and one of the second, of the same table.
type Pair = (u32, u32);

const ROOTS: Pair = (0, 0);

impl Merge<'_, '_> {
    /// What the merged tree costs, removed cells included.
    pub(crate) fn cost(&self) -> Cost {
        self.cost_of_subtrees(0, ROOTS)
    }

    /// The merged tree.
    pub(crate) fn tree(&self) -> Tree {
        let layers = self.database.layers();
        let mut merged: Vec<Nodes> = Vec::with_capacity(layers.len());
        let mut pairs: Vec<Vec<Pair>> = Vec::with_capacity(layers.len());
        for (table, layer) in layers.iter().enumerate() {
            let siblings: Vec<Vec<Pair>> = match layer.parent {
                None => vec![vec![ROOTS]],
                Some(parent) => pairs[parent]
                    .iter()
                    .map(|&parents| self.children(table, parents))
                    .collect(),
            };
            let mut nodes = Nodes::default();
            for children in &siblings {
                for &pair in children {
                    self.unite(table, layer, pair, &mut nodes);
                }
                nodes.end_children();
            }
            merged.push(nodes);
            pairs.push(siblings.concat());
        }
        Tree::new(self.database, self.first.members() + self.second.members(), merged)
    }

    /// The pairs of children in a table of two nodes.
    fn children(&self, table: usize, parents: Pair) -> Vec<Pair> {
        let mut pairs = Vec::new();
        self.pair_children(table, parents, |pair| pairs.push(pair));
        pairs
    }

    fn cost_of_subtrees(&self, table: usize, pair: Pair) -> Cost {
        let below = self.database.layers()[table].children.iter();
        let below = below.map(|&child| self.pair_children(child, pair, |_| ()));
        below.fold(self.cost_of_nodes(table, pair), |sum, cost| sum + cost)
    }

    fn cost_of_nodes(&self, table: usize, (first, second): Pair) -> Cost {
        let axes = &self.database.layers()[table].axes;
        let firsts = self.first.cells(table, axes.len(), first);
        let cells = firsts.zip(self.second.cells(table, axes.len(), second));
        let losses = axes.iter().zip(cells).map(|(axis, (a, b))| axis.loss_of_both(a, b));
        Cost {
            lost: losses.sum(),
            cells: axes.len() as u64,
        }
    }

    /// Pairs the children in a table of two nodes, tells the pairs one by one, and what all of it costs.
    fn pair_children(&self, table: usize, parents: Pair, mut found: impl FnMut(Pair)) -> Cost {
        let firsts = self.first.children(table, parents.0);
        let seconds = self.second.children(table, parents.1);
        let first_leads = firsts.len() <= seconds.len();
        let (leaders, others, larger) = if first_leads {
            (firsts, seconds, self.second)
        } else {
            (seconds, firsts, self.first)
        };
        let mut free: Vec<u32> = others.collect();
        let mut cost = Cost::default();
        for leader in leaders {
            let pair_with = |other: u32| if first_leads { (leader, other) } else { (other, leader) };
            let (place, least) = self.cheapest(table, free.iter().map(|&other| pair_with(other)));
            let pair = pair_with(free.remove(place));
            cost += match self.method {
                Method::Miracle => least,
                Method::MiracleX => self.cost_of_subtrees(table, pair),
            };
            found(pair);
        }
        let removed: u64 = free.iter().map(|&node| larger.cells_below(table, node)).sum();
        cost + self.database.unit().removed(removed)
    }

    /// The place of the first pair with the least cost, and that cost; of no pairs, the first place and nothing.
    fn cheapest(&self, table: usize, pairs: impl Iterator<Item = Pair>) -> (usize, Cost) {
        let mut cheapest: Option<(usize, Cost)> = None;
        for (place, pair) in pairs.enumerate() {
            let cost = match self.method {
                Method::Miracle => self.cost_of_subtrees(table, pair),
                Method::MiracleX => self.cost_of_nodes(table, pair),
            };
            if cheapest.is_none_or(|(_, least)| cost.compare(least).is_lt()) {
                cheapest = Some((place, cost));
            }
            if cost.lost == 0 {
                break; // Nothing after it can be cheaper.
            }
        }
        cheapest.unwrap_or_default()
    }

    /// Adds the node of a pair.
    fn unite(&self, table: usize, layer: &Layer, (first, second): Pair, nodes: &mut Nodes) {
        nodes.add(self.first.rows(table, first), self.second.rows(table, second));
        let width = layer.axes.len();
        let firsts = self.first.cells(table, width, first);
        let cells = firsts.zip(self.second.cells(table, width, second));
        for (axis, (a, b)) in layer.axes.iter().zip(cells) {
            nodes.add_cell(|codes| axis.unite(a, b, codes));
        }
    }
}
