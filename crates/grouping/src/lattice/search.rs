//! The search: the cheapest node that nothing rules out, again and again.
//!
//! A *refusal* is a node that is proven to fail together with everything finer; or to leave out rows, together with
//! everything finer, which makes these cost more. Where that is too much to beat the best, some column must be coarser than
//! in the refusal, and the search goes on from there, column by column, in the order of what a node costs at least:
//!
//! ```text
//! open = { finest }
//! while the cheapest open node v may still beat the best
//!     if a refusal r rules v out:   open each node that lifts one column of v just above r
//!     else if v rules itself out:   climb from v to a coarser node that does, too; refuse that; v stays open
//!     else:                         v may be the best; if it failed or left out rows, open the next coarser nodes
//! ```
//!
//! Invariant: every node that could still be the best is an open one, or coarser than one.
//!
//! Climbing is what makes refusals few: a node refused far up is one look that rules out all below it, and it has few
//! groups to look at. Refused with all other columns at their coarsest, it is what Incognito learns from a subset of columns.

use std::cell::LazyCell;

use rayon::prelude::*;
use scumble_progress::Work;

use super::cost::{Cost, Costs};
use super::judge::{Judge, LeftOut, Verdict};
use super::known::{FAILS, Known, Open, Refusal};
use super::node::Node;
use super::rows::Rows;
use crate::Failure;

/// As many nodes are looked at side by side. Not the number of threads: the same nodes are looked at on any machine.
const SIDE_BY_SIDE: usize = 4;

/// The share of the work that each column by itself, and a first good node, take.
const COLUMNS: f64 = 0.1;

/// What a search works with.
pub(super) struct Search<'p> {
    pub costs: Costs<'p>,
    pub judge: Judge<'p>,
    pub top: Node,
    pub work: Work<'p>,
}

/// What a search finds.
pub(super) struct Found {
    /// The best node and its cost; `None` if every node fails.
    pub best: Option<(Cost, Node)>,
    /// How many nodes were looked at.
    pub looked_at: u64,
}

/// What a look at a node told.
struct Seen {
    /// What it costs with all rows in.
    at_least: Cost,
    sight: Sight,
    /// The nodes that were looked at.
    looks: Vec<Refusal>,
}

enum Sight {
    /// It keeps the requirement.
    Kept { cost: Cost, leaves_out: bool },
    /// It does not, which says nothing of others.
    Failed,
    /// It and everything between it and this node cannot be the best.
    RuledOut(Refusal),
    /// It and everything coarser costs too much.
    TooDear,
}

impl Search<'_> {
    /// The best of all nodes.
    pub fn run(&self, rows: &Rows) -> Result<Found, Failure> {
        let mut known = Known::default();
        if let Some(floor) = self.floor(rows, &mut known)? {
            let rows = rows.rolled_up(&floor);
            self.descend(&rows, &floor, &mut known)?;
            known.open(0, floor);
            self.spread(&rows, &mut known)?;
        }
        Ok(Found {
            best: known.best().map(|best| (best.cost, best.node.clone())),
            looked_at: known.looked_at(),
        })
    }

    /// The rows that a node leaves out; `None` if it fails.
    pub fn left_out(&self, rows: &Rows, node: &Node) -> Option<LeftOut> {
        match self.judge.judge(rows, node) {
            Verdict::Open { own, .. } => own,
            Verdict::Refused => None,
        }
    }

    /// The finest level of each column that does not fail with all others at their coarsest; `None` if the coarsest node
    /// fails, together with everything finer.
    fn floor(&self, rows: &Rows, known: &mut Known) -> Result<Option<Node>, Failure> {
        let top = self.look_at(rows, &self.top)?;
        let fails = top.surcharge == FAILS;
        known.remember([top]);
        if fails {
            return Ok(None);
        }
        let columns = 0..self.top.levels().len();
        let done = self.work.phase("looking at columns", 0.0..COLUMNS).count(columns.len());
        let looks = columns.into_par_iter().map(|column| {
            let mut looks = Vec::new();
            for level in 0..self.top.level(column) {
                looks.push(self.look_at(rows, &self.top.with(column, level))?);
                if looks.last().is_some_and(|look| look.surcharge < FAILS) {
                    break;
                }
            }
            done.add(1);
            Ok(looks)
        });
        let looks = looks.collect::<Result<Vec<Vec<Refusal>>, Failure>>()?;
        let failed = |looks: &Vec<Refusal>| looks.iter().filter(|look| look.surcharge == FAILS).count();
        let lowest = looks.iter().map(failed).enumerate();
        let floor = lowest.fold(self.top.clone(), |node, (column, level)| node.with(column, level));
        known.remember(looks.into_iter().flatten());
        Ok(Some(floor))
    }

    /// A good node to begin with, so that much is too dear from the start: from the coarsest on down, each time to the best of
    /// the next finer nodes, as long as that is better.
    fn descend(&self, rows: &Rows, floor: &Node, known: &mut Known) -> Result<(), Failure> {
        let mut node = self.top.clone();
        loop {
            let columns: Vec<usize> = floor.columns_below(&node).collect();
            let finer = columns.par_iter().map(|&column| {
                let finer = node.with(column, node.level(column) - 1);
                self.look(rows, known, &finer).map(|seen| (finer, seen))
            });
            let mut best = None;
            for (finer, seen) in finer.collect::<Result<Vec<(Node, Seen)>, Failure>>()? {
                known.remember(seen.looks);
                if let Sight::Kept { cost, .. } = seen.sight
                    && known.offer(Open::new(cost, finer.clone()))
                {
                    best = Some(finer);
                }
            }
            let Some(best) = best else { return Ok(()) };
            node = best;
        }
    }

    /// Looks at open nodes until none can beat the best.
    fn spread(&self, rows: &Rows, known: &mut Known) -> Result<(), Failure> {
        let work = self.work.phase("looking at nodes", COLUMNS..1.0);
        loop {
            let next = self.next(known)?;
            let Some(cheapest) = next.first() else {
                return Ok(());
            };
            // What is open costs ever more, until it costs as much as the best.
            if let Some(best) = known.best() {
                work.at(cheapest.cost as f64 / best.cost.max(1) as f64);
            }
            let looks = next.par_iter().enumerate().map(|(turn, open)| {
                let mut seen = self.look(rows, known, &open.node)?;
                if let Sight::RuledOut(refusal) = &mut seen.sight {
                    let own = Open::new(seen.at_least, open.node.clone());
                    self.climb(rows, known, &own, turn, refusal, &mut seen.looks)?;
                }
                Ok(seen)
            });
            let looks = looks.collect::<Result<Vec<Seen>, Failure>>()?;
            for (open, seen) in next.into_iter().zip(looks) {
                self.settle(known, open.node, seen);
            }
        }
    }

    /// The next open nodes to look at: the cheapest that no refusal rules out.
    fn next(&self, known: &mut Known) -> Result<Vec<Open>, Failure> {
        let mut next = Vec::new();
        while next.len() < SIDE_BY_SIDE {
            self.work.go_on()?;
            let Some(open) = known.cheapest() else { break };
            let Some(over) = known.over(&open, &self.top).cloned() else {
                next.push(open);
                continue;
            };
            for column in over.columns_below(&self.top) {
                let lifted = open.node.with(column, over.level(column) + 1);
                known.open(self.costs.at_least(&lifted, open.cost), lifted);
            }
        }
        Ok(next)
    }

    /// Looks at a node.
    fn look(&self, rows: &Rows, known: &Known, node: &Node) -> Result<Seen, Failure> {
        let prices = self.costs.prices(rows, node);
        let own = Open::new(prices.all(), node.clone());
        let seen = |surcharge, sight| {
            let node = node.clone();
            Seen {
                at_least: own.cost,
                sight,
                looks: vec![Refusal { node, surcharge }],
            }
        };
        if known.rules_out(&own, 0) {
            return Ok(seen(0, Sight::TooDear));
        }
        let (surcharge, left_out) = match self.judge(rows, node)? {
            Verdict::Refused => (FAILS, None),
            Verdict::Open { finer_too, own } => (prices.surcharge(&finer_too), own),
        };
        let sight = match left_out {
            _ if known.rules_out(&own, surcharge) => {
                let node = node.clone();
                Sight::RuledOut(Refusal { node, surcharge })
            }
            None => Sight::Failed,
            Some(out) => Sight::Kept {
                cost: own.cost + prices.surcharge(&out),
                leaves_out: out.rows > 0,
            },
        };
        Ok(seen(surcharge, sight))
    }

    /// Raises a refusal of an open node, column by column, as far as it rules that out: what does not in one column, will not
    /// when others are coarser. Nodes that take turns begin with different columns, and so learn different things.
    fn climb(
        &self,
        rows: &Rows,
        known: &Known,
        open: &Open,
        turn: usize,
        refusal: &mut Refusal,
        looks: &mut Vec<Refusal>,
    ) -> Result<(), Failure> {
        let rows = LazyCell::new(|| rows.rolled_up(&open.node));
        let columns = self.top.levels().len();
        let first = turn * columns / SIDE_BY_SIDE;
        for column in (first..first + columns).map(|column| column % columns) {
            let mut highest = self.top.level(column);
            // The top first: most columns have no part in why a node is ruled out.
            let mut tried = highest;
            while refusal.node.level(column) < highest {
                let node = refusal.node.with(column, tried);
                let raised = match known.surcharge(&node) {
                    Some(surcharge) => Refusal { node, surcharge },
                    None => {
                        looks.push(self.look_at(&rows, &node)?);
                        looks[looks.len() - 1].clone()
                    }
                };
                if known.rules_out(open, raised.surcharge) {
                    *refusal = raised;
                } else {
                    highest = tried - 1;
                }
                tried = (refusal.node.level(column) + highest).div_ceil(2);
            }
        }
        Ok(())
    }

    /// By how much a node and everything finer costs more than with all rows in.
    fn look_at(&self, rows: &Rows, node: &Node) -> Result<Refusal, Failure> {
        let surcharge = match self.judge(rows, node)? {
            Verdict::Refused => FAILS,
            Verdict::Open { finer_too, .. } if finer_too.rows == 0 => 0,
            Verdict::Open { finer_too, .. } => self.costs.prices(rows, node).surcharge(&finer_too),
        };
        let node = node.clone();
        Ok(Refusal { node, surcharge })
    }

    fn judge(&self, rows: &Rows, node: &Node) -> Result<Verdict, Failure> {
        self.work.go_on()?;
        Ok(self.judge.judge(rows, node))
    }

    /// Takes in what a look told.
    fn settle(&self, known: &mut Known, node: Node, seen: Seen) {
        known.remember(seen.looks);
        let goes_on = match seen.sight {
            Sight::TooDear => false,
            Sight::Failed => true,
            Sight::Kept { cost, leaves_out } => {
                known.offer(Open::new(cost, node.clone()));
                leaves_out
            }
            Sight::RuledOut(refusal) => {
                known.refuse(refusal);
                known.reopen(seen.at_least, node);
                return;
            }
        };
        if goes_on {
            for column in node.columns_below(&self.top) {
                let coarser = node.with(column, node.level(column) + 1);
                known.open(self.costs.at_least(&coarser, seen.at_least), coarser);
            }
        }
    }
}
