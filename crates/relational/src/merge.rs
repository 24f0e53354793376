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

use std::ops::{ControlFlow, Range};

use crate::Database;
use crate::cost::Cost;
use crate::database::Layer;
use crate::tree::Tree;

/// What makes a partner cheap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pairing {
    /// What two nodes lose together with everything below them: MiRaCle.
    Subtrees,
    /// What two nodes lose themselves: MiRaCleX.
    Nodes,
}

/// Two trees to be merged. The first one leads where both could.
#[derive(Clone, Copy)]
pub(crate) struct Merge<'m, 't> {
    pub(crate) database: &'m Database<'t>,
    pub(crate) pairing: Pairing,
    pub(crate) first: &'m Tree,
    pub(crate) second: &'m Tree,
}

/// A node of the first tree and one of the second, of the same table.
pub(crate) type Pair = (u32, u32);

const ROOTS: Pair = (0, 0);

impl Merge<'_, '_> {
    /// What the merged tree costs, removed cells included.
    pub(crate) fn cost(&self) -> Cost {
        self.cost_of_subtrees(0, ROOTS)
    }

    /// The merged tree.
    pub(crate) fn tree(&self) -> Tree {
        let layers = self.database.layers();
        let mut merged = Tree::of_members(self.database, self.first.members() + self.second.members());
        let mut pairs: Vec<Vec<Pair>> = Vec::with_capacity(layers.len());
        for (table, layer) in layers.iter().enumerate() {
            merged.begin_table();
            let mut found = Vec::new();
            match layer.parent {
                None => {
                    self.unite(table, ROOTS, &mut merged);
                    found.push(ROOTS);
                    merged.end_children();
                }
                Some(parent) => {
                    for &parents in &pairs[parent] {
                        self.pair_children(table, parents, |pair| {
                            self.unite(table, pair, &mut merged);
                            found.push(pair);
                        });
                        merged.end_children();
                    }
                }
            }
            pairs.push(found);
        }
        merged.count_cells(self.database);
        merged
    }

    fn cost_of_subtrees(&self, table: usize, pair: Pair) -> Cost {
        let layer = &self.database.layers()[table];
        let own = layer.cost_of_nodes(self.first.cells(table), self.second.cells(table), pair);
        own + self.cost_below(layer, pair)
    }

    /// What the children of two nodes cost.
    fn cost_below(&self, layer: &Layer, pair: Pair) -> Cost {
        let below = layer.children.iter();
        below.fold(Cost::default(), |sum, &child| {
            sum + self.pair_children(child, pair, |_| ())
        })
    }

    /// Pairs the children in a table of two nodes, tells the pairs one by one, and what all of it costs.
    fn pair_children(&self, table: usize, parents: Pair, found: impl FnMut(Pair)) -> Cost {
        let layer = &self.database.layers()[table];
        let (first, second) = (self.first.cells(table), self.second.cells(table));
        match (self.pairing, layer.grid()) {
            (Pairing::Subtrees, _) => self.pair(table, parents, found, |pair| self.cost_of_subtrees(table, pair)),
            // Tables with one column of few codes are so common that they have a loop of their own.
            (Pairing::Nodes, Some(grid)) => self.pair(table, parents, found, |(a, b)| Cost {
                lost: grid.loss(first.words[a as usize], second.words[b as usize]),
                cells: 1,
            }),
            (Pairing::Nodes, None) => self.pair(table, parents, found, |pair| layer.cost_of_nodes(first, second, pair)),
        }
    }

    /// Pairs children by what a pair costs.
    #[inline]
    fn pair(&self, table: usize, parents: Pair, mut found: impl FnMut(Pair), price: impl Fn(Pair) -> Cost) -> Cost {
        let layer = &self.database.layers()[table];
        let firsts = self.first.children(table, parents.0);
        let seconds = self.second.children(table, parents.1);
        let first_leads = firsts.len() <= seconds.len();
        let (leaders, others, larger) = if first_leads {
            (firsts, seconds, self.second)
        } else {
            (seconds, firsts, self.first)
        };
        let mut few = [0; FEW];
        let mut many = Vec::new();
        let mut free = Free::all(others, &mut few, &mut many);
        let mut cost = Cost::default();
        for leader in leaders {
            let pair_with = |other: u32| if first_leads { (leader, other) } else { (other, leader) };
            let (partner, least) = free.cheapest(|other| price(pair_with(other)));
            free.take(partner);
            cost += least;
            if self.pairing == Pairing::Nodes {
                cost += self.cost_below(layer, pair_with(partner));
            }
            found(pair_with(partner));
        }
        let mut removed = 0;
        free.each(|node| {
            removed += larger.cells_below(table, node);
            ControlFlow::Continue(())
        });
        cost + self.database.unit().removed(removed)
    }

    /// Adds the node of a pair.
    fn unite(&self, table: usize, (first, second): Pair, merged: &mut Tree) {
        let rows = self
            .first
            .rows(table, first)
            .iter()
            .chain(self.second.rows(table, second));
        merged.add(rows.copied());
        let axes = &self.database.layers()[table].axes;
        let firsts = self.first.cells(table).of(axes.len(), first);
        let seconds = self.second.cells(table).of(axes.len(), second);
        for (axis, (a, b)) in axes.iter().zip(firsts.zip(seconds)) {
            merged.add_cell(|lists| axis.unite(a, b, lists));
        }
    }
}

/// Up to 64 nodes for each of these words need no allocation.
const FEW: usize = 2;

/// The nodes that nobody has taken yet, a bit for each.
struct Free<'f> {
    start: u32,
    bits: &'f mut [u64],
}

impl<'f> Free<'f> {
    fn all(nodes: Range<u32>, few: &'f mut [u64; FEW], many: &'f mut Vec<u64>) -> Free<'f> {
        let words = nodes.len().div_ceil(64);
        let bits = if words <= FEW {
            &mut few[..words]
        } else {
            many.resize(words, 0);
            &mut many[..]
        };
        bits.fill(u64::MAX);
        if let (Some(last), 1..) = (bits.last_mut(), nodes.len() % 64) {
            *last = (1 << (nodes.len() % 64)) - 1;
        }
        Free {
            start: nodes.start,
            bits,
        }
    }

    fn take(&mut self, node: u32) {
        let place = node - self.start;
        self.bits[(place / 64) as usize] &= !(1 << (place % 64));
    }

    /// The first node with the least cost, and that cost.
    #[inline]
    fn cheapest(&self, price: impl Fn(u32) -> Cost) -> (u32, Cost) {
        let mut cheapest: Option<(u32, Cost)> = None;
        self.each(|node| {
            let cost = price(node);
            if cheapest.is_none_or(|(_, least)| cost.compare(least).is_lt()) {
                cheapest = Some((node, cost));
            }
            if cost.lost == 0 {
                return ControlFlow::Break(()); // Nothing after it can be cheaper.
            }
            ControlFlow::Continue(())
        });
        cheapest.unwrap_or_default()
    }

    /// Tells the nodes in ascending order.
    #[inline]
    fn each(&self, mut tell: impl FnMut(u32) -> ControlFlow<()>) {
        for (start, &word) in (self.start..).step_by(64).zip(self.bits.iter()) {
            let mut left = word;
            while left != 0 {
                if tell(start + left.trailing_zeros()).is_break() {
                    return;
                }
                left &= left - 1;
            }
        }
    }
}
