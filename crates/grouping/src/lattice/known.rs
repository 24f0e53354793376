//! What a search knows so far: the best node, which nodes are open, and which are ruled out.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use hashbrown::{HashMap, HashSet};

use super::cost::Cost;
use super::node::Node;

/// What is known so far.
#[derive(Default)]
pub(super) struct Known {
    open: BinaryHeap<Reverse<Open>>,
    /// All nodes that were ever open.
    opened: HashSet<Node>,
    refusals: Vec<Refusal>,
    /// The nodes that were looked at, and by how much everything within each costs more than with all rows in.
    surcharges: HashMap<Node, Cost>,
    best: Option<Open>,
}

/// A node in the order in which nodes are preferred: by cost, then fewer levels, then finer columns first.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Open {
    /// What it and everything coarser costs at least; of the best node, what it costs.
    pub cost: Cost,
    height: usize,
    pub node: Node,
}

impl Open {
    pub fn new(cost: Cost, node: Node) -> Self {
        let height = node.height();
        Open { cost, height, node }
    }
}

/// A node that everything within costs more than with all rows in.
#[derive(Clone)]
pub(super) struct Refusal {
    pub node: Node,
    /// By how much; [`FAILS`] if nothing within it keeps the requirement.
    pub surcharge: Cost,
}

/// The surcharge of what cannot be had.
pub(super) const FAILS: Cost = Cost::MAX;

impl Refusal {
    /// Whether it says all that another says.
    fn covers(&self, other: &Refusal) -> bool {
        other.node.is_within(&self.node) && other.surcharge <= self.surcharge
    }
}

impl Known {
    /// The best node that was found.
    pub fn best(&self) -> Option<&Open> {
        self.best.as_ref()
    }

    /// How many nodes were looked at.
    pub fn looked_at(&self) -> u64 {
        self.surcharges.len() as u64
    }

    /// The surcharge of a node that was looked at.
    pub fn surcharge(&self, node: &Node) -> Option<Cost> {
        self.surcharges.get(node).copied()
    }

    /// Remembers nodes that were looked at. A look that stopped early knows of a smaller surcharge.
    pub fn remember(&mut self, looks: impl IntoIterator<Item = Refusal>) {
        for Refusal { node, surcharge } in looks {
            let known = self.surcharges.entry(node).or_insert(0);
            *known = surcharge.max(*known);
        }
    }

    /// Takes a node with its cost; whether it is the best so far.
    pub fn offer(&mut self, kept: Open) -> bool {
        let is_best = self.best.as_ref().is_none_or(|best| kept < *best);
        if is_best {
            self.best = Some(kept);
        }
        is_best
    }

    /// Whether a node and everything coarser, with this surcharge, cannot beat the best.
    pub fn rules_out(&self, open: &Open, surcharge: Cost) -> bool {
        let dearer = Open {
            cost: open.cost.saturating_add(surcharge),
            ..open.clone()
        };
        surcharge == FAILS || self.best.as_ref().is_some_and(|best| *best < dearer)
    }

    /// Opens a node, unless it ever was open.
    pub fn open(&mut self, at_least: Cost, node: Node) {
        if self.opened.insert(node.clone()) {
            self.reopen(at_least, node);
        }
    }

    /// Opens a node again, of which more is known now.
    pub fn reopen(&mut self, at_least: Cost, node: Node) {
        self.open.push(Reverse(Open::new(at_least, node)));
    }

    /// The cheapest open node, which is open no more; `None` if none can beat the best.
    pub fn cheapest(&mut self) -> Option<Open> {
        let Reverse(open) = self.open.pop()?;
        if self.rules_out(&open, 0) {
            self.open.clear();
            return None;
        }
        Some(open)
    }

    /// Takes a refusal.
    pub fn refuse(&mut self, refusal: Refusal) {
        if !self.refusals.iter().any(|other| other.covers(&refusal)) {
            self.refusals.retain(|other| !refusal.covers(other));
            self.refusals.push(refusal);
        }
    }

    /// A node that rules out an open one together with everything between them. Of several, it is the one with fewest
    /// columns below the top, which leaves fewest ways around it.
    pub fn over(&self, open: &Open, top: &Node) -> Option<&Node> {
        let refusals = self.refusals.iter();
        let over =
            refusals.filter(|refusal| open.node.is_within(&refusal.node) && self.rules_out(open, refusal.surcharge));
        over.map(|refusal| &refusal.node)
            .min_by_key(|node| node.columns_below(top).count())
    }
}
