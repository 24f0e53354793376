//! What a node costs, as a whole number, so that equal costs are equal however they were added up.
//!
//! Every row has a price at a node, and a higher one if it is left out. Groups leave whole, so what stays keeps its price:
//! a node costs what it costs with all rows in, and for each row that leaves a *surcharge*, what its price lacks of the
//! highest.
//!
//! Invariant: no price is lower at a coarser node. So the cost with all rows in is a lower bound for everything coarser, and
//! the surcharge of rows that leave every finer node is one for the surcharge of those.

use scumble_table::Table;

use super::judge::LeftOut;
use super::ladder::{Rung, WHOLE_LOSS};
use super::node::Node;
use super::rows::Rows;
use crate::Ladder;

/// What is to be as small as can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FullDomainObjective {
    /// LM: the average over all quasi cells of the share of the *other* values of its domain that a cell may stand for
    /// (Iyengar 2002). The domain of a tree is its leaves. A cell of a row that is left out costs 1.
    Loss,
    /// DM: a row costs as many rows as its group has, and as many as the table has if it is left out.
    Discernibility,
}

/// A cost: losses in parts of [`WHOLE_LOSS`], or pairs of rows.
pub(super) type Cost = u128;

/// What the nodes of a lattice cost.
pub(super) struct Costs<'p> {
    objective: FullDomainObjective,
    ladders: &'p [Ladder<'p>],
    /// What all rows lose, column by column and level by level.
    losses: Vec<Vec<Cost>>,
    rows: Cost,
}

impl<'p> Costs<'p> {
    pub fn new(table: &Table, ladders: &'p [Ladder<'p>], objective: FullDomainObjective) -> Self {
        let losses = ladders.iter().map(|ladder| {
            let column = table.column(ladder.column());
            let mut rows = vec![0; column.dictionary().len()];
            column.codes().iter().for_each(|code| rows[code as usize] += 1);
            let loss = |rung: &Rung| {
                let labels = rung.of_code.iter().zip(&rows);
                labels
                    .map(|(&label, &rows)| Cost::from(rung.losses[label as usize]) * rows)
                    .sum()
            };
            ladder.rungs().iter().map(loss).collect()
        });
        Costs {
            objective,
            ladders,
            losses: losses.collect(),
            rows: table.rows() as Cost,
        }
    }

    /// A lower bound for a node without a look at its groups, given one for a finer node.
    pub fn at_least(&self, node: &Node, finer: Cost) -> Cost {
        match self.objective {
            FullDomainObjective::Loss => self.loss(node),
            FullDomainObjective::Discernibility => finer,
        }
    }

    /// The prices of a node.
    pub fn prices<'r>(&'r self, rows: &'r Rows, node: &'r Node) -> Prices<'r> {
        let of_kind = match self.objective {
            FullDomainObjective::Loss => PerRow::Loss,
            FullDomainObjective::Discernibility => PerRow::Discernibility(group_sizes(rows, node)),
        };
        Prices {
            costs: self,
            rows,
            node,
            of_kind,
        }
    }

    /// The cost in the unit of its definition.
    pub fn value(&self, cost: Cost) -> f64 {
        match self.objective {
            FullDomainObjective::Loss => {
                let cells = self.rows * self.ladders.len() as Cost;
                cost as f64 / (cells.max(1) * Cost::from(WHOLE_LOSS)) as f64
            }
            FullDomainObjective::Discernibility => cost as f64,
        }
    }

    fn loss(&self, node: &Node) -> Cost {
        let columns = self.losses.iter().zip(node.levels());
        columns.map(|(losses, &level)| losses[level]).sum()
    }

    /// The highest price of a row: that of one left out.
    fn highest(&self) -> Cost {
        match self.objective {
            FullDomainObjective::Loss => self.ladders.len() as Cost * Cost::from(WHOLE_LOSS),
            FullDomainObjective::Discernibility => self.rows,
        }
    }
}

/// What rows cost at a node.
pub(super) struct Prices<'r> {
    costs: &'r Costs<'r>,
    rows: &'r Rows,
    node: &'r Node,
    of_kind: PerRow,
}

enum PerRow {
    /// Found where needed: few rows are asked for.
    Loss,
    /// The size of the group of each kind.
    Discernibility(Vec<u64>),
}

impl Prices<'_> {
    /// What the node costs with all rows in.
    pub fn all(&self) -> Cost {
        match &self.of_kind {
            PerRow::Loss => self.costs.loss(self.node),
            PerRow::Discernibility(sizes) => {
                let kinds = sizes.iter().enumerate();
                kinds
                    .map(|(kind, &size)| Cost::from(size) * Cost::from(self.rows.weight(kind)))
                    .sum()
            }
        }
    }

    /// What rows cost more if they are left out.
    pub fn surcharge(&self, out: &LeftOut) -> Cost {
        let kinds = (0..self.rows.kinds()).filter(|&kind| out.kinds[kind]);
        let highest = self.costs.highest();
        kinds
            .map(|kind| (highest - self.of_row(kind)) * Cost::from(self.rows.weight(kind)))
            .sum()
    }

    /// The price of each row of a kind.
    fn of_row(&self, kind: usize) -> Cost {
        let loss = |(column, ladder): (usize, &Ladder)| {
            let label = self.rows.labels(column, self.node).at(kind);
            Cost::from(ladder.rungs()[self.node.level(column)].losses[label as usize])
        };
        match &self.of_kind {
            PerRow::Loss => self.costs.ladders.iter().enumerate().map(loss).sum(),
            PerRow::Discernibility(sizes) => sizes[kind].into(),
        }
    }
}

/// For each kind, how many rows its group has.
fn group_sizes(rows: &Rows, node: &Node) -> Vec<u64> {
    let groups = rows.groups(0..node.levels().len(), node, false);
    let mut sizes = vec![0; groups.rows.len()];
    for (kind, &group) in groups.kind_of.iter().enumerate() {
        sizes[group as usize] += rows.weight(kind);
    }
    groups.kind_of.iter().map(|&group| sizes[group as usize]).collect()
}
