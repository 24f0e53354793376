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
use crate::sketch::Horizon;
use crate::tree::{Nodes, Tree};

/// What makes a partner cheap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pairing {
    /// What two nodes lose together with everything below them: MiRaCle.
    Subtrees,
    /// What two nodes lose themselves: MiRaCleX.
    Nodes,
}

/// Two trees to be merged. The first one leads where both could.
pub(crate) struct Merge<'m, 't> {
    database: &'m Database<'t>,
    pairing: Pairing,
    members: usize,
    most_nodes: usize,
    tables: Vec<Both<'m>>,
}

/// One table of both trees.
struct Both<'m> {
    layer: &'m Layer,
    first: Nodes<'m>,
    second: Nodes<'m>,
}

/// A node of the first tree and one of the second, of the same table.
type Pair = (u32, u32);

const ROOTS: Pair = (0, 0);

impl<'m, 't> Merge<'m, 't> {
    pub(crate) fn new(database: &'m Database<'t>, pairing: Pairing, first: &'m Tree, second: &'m Tree) -> Self {
        let both = |(table, layer): (usize, &'m Layer)| Both {
            layer,
            first: first.table(table),
            second: second.table(table),
        };
        Merge {
            database,
            pairing,
            members: first.members() + second.members(),
            most_nodes: first.len().min(second.len()),
            tables: database.layers().iter().enumerate().map(both).collect(),
        }
    }

    /// What the merged tree costs, removed cells included. If it loses more than `most`, the rest may not be counted.
    pub(crate) fn cost(&self, most: u64) -> Cost {
        self.cost_of_subtrees(0, ROOTS, most)
    }

    /// The merged tree.
    pub(crate) fn tree(&self) -> Tree {
        let mut merged = Tree::with_room(self.database, self.members, self.most_nodes);
        let mut pairs: Vec<Vec<Pair>> = Vec::with_capacity(self.tables.len());
        for (table, both) in self.tables.iter().enumerate() {
            merged.begin_table();
            let mut found = Vec::new();
            let mut add = |pair: Pair, merged: &mut Tree| {
                both.unite(pair, merged);
                found.push(pair);
            };
            match both.layer.parent {
                None => {
                    add(ROOTS, &mut merged);
                    merged.end_children();
                }
                Some(parent) => {
                    for &parents in &pairs[parent] {
                        self.pair(table, parents, u64::MAX, |pair| add(pair, &mut merged));
                        merged.end_children();
                    }
                }
            }
            pairs.push(found);
        }
        merged.count_cells(self.database);
        merged
    }

    fn cost_of_subtrees(&self, table: usize, pair: Pair, most: u64) -> Cost {
        let Both { layer, first, second } = &self.tables[table];
        let mut cost = Cost {
            lost: layer.loss_of_nodes(first, pair.0, second, pair.1),
            cells: layer.axes.len() as u64,
        };
        for &child in &layer.children {
            if cost.lost > most {
                break;
            }
            cost += self.cost_of_children(child, pair, most - cost.lost);
        }
        cost
    }

    /// What the children in a table of two nodes cost with all below them, as far as they lose no more than `most`.
    fn cost_of_children(&self, table: usize, parents: Pair, most: u64) -> Cost {
        let both = &self.tables[table];
        if self.pairing == Pairing::Subtrees || both.layer.children.is_empty() {
            return self.pair(table, parents, most, |_| ());
        }
        let (mut few, mut many) = ([ROOTS; FEW_PAIRS], Vec::new());
        let (first, second) = both.children(parents);
        let pairs = slots(first.len().min(second.len()), &mut few, &mut many);
        let mut next = 0;
        let mut cost = self.pair(table, parents, most, |pair| {
            pairs[next] = pair;
            next += 1;
        });
        let pairs = &pairs[..next];
        // What is removed for sure often tells enough.
        let removed = self.removed_below(both.layer, pairs);
        if cost.lost.saturating_add(removed) > most {
            cost.lost += removed;
            return cost;
        }
        for &child in &both.layer.children {
            for &pair in pairs {
                if cost.lost > most {
                    return cost;
                }
                cost += self.cost_of_children(child, pair, most - cost.lost);
            }
        }
        cost
    }

    /// What the children of pairs lose at least, as there are more of the one than of the other.
    fn removed_below(&self, layer: &Layer, pairs: &[Pair]) -> u64 {
        let cells = layer.children.iter().map(|&child| {
            let both = &self.tables[child];
            let removed = pairs.iter().map(|&pair| {
                let (first, second) = both.children(pair);
                first.len().abs_diff(second.len())
            });
            removed.sum::<usize>() * both.layer.axes.len()
        });
        self.database.unit().removed(cells.sum::<usize>() as u64).lost
    }

    /// Pairs the children in a table of two nodes, and tells the pairs one by one. What they cost and what nobody takes;
    /// if that is more than `most`, there may be more pairs.
    fn pair(&self, table: usize, parents: Pair, most: u64, found: impl FnMut(Pair)) -> Cost {
        let both = &self.tables[table];
        let width = both.layer.axes.len() as u64;
        match (self.pairing, both.layer.grid()) {
            // Where nothing is below, a node is its subtree.
            (Pairing::Subtrees, _) if !both.layer.children.is_empty() => {
                self.pair_by(both, parents, most, found, |free, leader| {
                    self.cheapest_subtrees(table, free, leader)
                })
            }
            // Tables with one column of few codes are so common that they have a loop of their own.
            (_, Some(grid)) => self.pair_by(both, parents, most, found, |free, leader| {
                let (own, others) = both.sides(leader);
                let word = own.words[leader.node as usize];
                free.cheapest(width, |node| grid.loss(word, others.words[node as usize]))
            }),
            (_, None) => self.pair_by(both, parents, most, found, |free, leader| {
                let (own, others) = both.sides(leader);
                free.cheapest(width, |node| both.layer.loss_of_nodes(own, leader.node, others, node))
            }),
        }
    }

    /// Pairs children; `cheapest` tells the partner of the next leader, and what the pair costs.
    #[inline]
    fn pair_by(
        &self,
        both: &Both,
        parents: Pair,
        most: u64,
        mut found: impl FnMut(Pair),
        cheapest: impl Fn(&Free, Leader) -> (u32, Cost),
    ) -> Cost {
        let (firsts, seconds) = both.children(parents);
        let first_leads = firsts.len() <= seconds.len();
        let (leaders, others, larger) = if first_leads {
            (firsts, seconds, &both.second)
        } else {
            (seconds, firsts, &both.first)
        };
        let (mut few, mut many) = ([0; FEW_WORDS], Vec::new());
        let mut free = Free::all(others, &mut few, &mut many);
        let mut cost = Cost::default();
        for node in leaders {
            let leader = Leader {
                node,
                is_first: first_leads,
            };
            let (partner, least) = cheapest(&free, leader);
            free.take(partner);
            cost += least;
            if cost.lost > most {
                return cost;
            }
            found(leader.with(partner));
        }
        let mut removed = 0;
        free.each(|node| {
            removed += larger.below[node as usize];
            ControlFlow::Continue(())
        });
        cost + self.database.unit().removed(removed)
    }

    /// The free node whose subtree is the cheapest. Of others no more is counted than rules them out.
    fn cheapest_subtrees(&self, table: usize, free: &Free, leader: Leader) -> (u32, Cost) {
        let both = &self.tables[table];
        let mut horizon: Option<Horizon> = None;
        let mut cheapest = (free.start, Cost::default());
        free.each(|node| {
            let pair = leader.with(node);
            let cells = both.first.below[pair.0 as usize] + both.second.below[pair.1 as usize];
            let most = horizon.map_or(u64::MAX, |horizon| horizon.most(cells));
            let cost = self.cost_of_subtrees(table, pair, most);
            if horizon.is_none() || cost.lost <= most && cost.compare(cheapest.1).is_lt() {
                cheapest = (node, cost);
                horizon = Some(Horizon::new(self.database.unit(), cost));
            }
            if cost.lost == 0 {
                return ControlFlow::Break(()); // Nothing after it can be cheaper.
            }
            ControlFlow::Continue(())
        });
        cheapest
    }
}

impl Both<'_> {
    /// The nodes under two nodes of the parent table.
    #[inline]
    fn children(&self, (first, second): Pair) -> (Range<u32>, Range<u32>) {
        (self.first.children(first), self.second.children(second))
    }

    /// The tree of a leader, and the other one.
    #[inline]
    fn sides(&self, leader: Leader) -> (&Nodes<'_>, &Nodes<'_>) {
        if leader.is_first {
            (&self.first, &self.second)
        } else {
            (&self.second, &self.first)
        }
    }

    /// Adds the node of a pair.
    fn unite(&self, (first, second): Pair, merged: &mut Tree) {
        let rows = self.first.rows(first).iter().chain(self.second.rows(second));
        merged.add(rows.copied());
        let width = self.layer.axes.len();
        let cells = self.first.cells(width, first).zip(self.second.cells(width, second));
        for (axis, (a, b)) in self.layer.axes.iter().zip(cells) {
            merged.add_cell(|lists| axis.unite(a, b, lists));
        }
    }
}

/// A node that takes a partner of the other tree.
#[derive(Clone, Copy)]
struct Leader {
    node: u32,
    is_first: bool,
}

impl Leader {
    fn with(self, other: u32) -> Pair {
        if self.is_first {
            (self.node, other)
        } else {
            (other, self.node)
        }
    }
}

/// Up to 64 nodes for each of these words need no allocation.
const FEW_WORDS: usize = 2;
/// As many pairs need none.
const FEW_PAIRS: usize = 16;

/// So many slots, on the stack if they are few.
fn slots<'s, T: Copy + Default>(count: usize, few: &'s mut [T], many: &'s mut Vec<T>) -> &'s mut [T] {
    if count <= few.len() {
        return &mut few[..count];
    }
    many.resize(count, T::default());
    many
}

/// The nodes that nobody has taken yet, a bit for each.
struct Free<'f> {
    start: u32,
    bits: &'f mut [u64],
}

impl<'f> Free<'f> {
    fn all(nodes: Range<u32>, few: &'f mut [u64], many: &'f mut Vec<u64>) -> Free<'f> {
        let bits = slots(nodes.len().div_ceil(64), few, many);
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

    /// The first node that loses least, and what it costs with so many cells.
    #[inline]
    fn cheapest(&self, cells: u64, loss: impl Fn(u32) -> u64) -> (u32, Cost) {
        let (mut cheapest, mut least) = (self.start, u64::MAX);
        self.each(|node| {
            let lost = loss(node);
            if lost < least {
                (cheapest, least) = (node, lost);
                if lost == 0 {
                    return ControlFlow::Break(()); // Nothing after it can be cheaper.
                }
            }
            ControlFlow::Continue(())
        });
        (cheapest, Cost { lost: least, cells })
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
