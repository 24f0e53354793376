//! Bounds on secrets: what must hold in every group of rows that cannot be told apart.
//!
//! Two students are shown alike, with two courses each; `confidence` of an F at most 1/2:
//!
//! | course | shown as | grade of S1 | of S2 | group | persons with an F |
//! |---|---|---|---|---|---|
//! | Math, CS | Science | F | A | 1 | 1 of 2: kept |
//! | Physics, Biology | Science | A | F | 1 | with the row above, 2 of 2: broken |
//!
//! Alone, each row would keep the bound. But both look the same, so whoever finds S1 knows that one of the two rows is
//! an F, and the same of S2.
//!
//! A group is rows of persons who are shown the same tree; the rows show the same, with all below them, and their
//! parents are in one group, too. Diversity counts rows; confidence counts persons, by whether they have the secret in
//! any row of the group.
//!
//! Every bound that holds in two groups with different persons holds in both together. So clusters that each keep the
//! bounds do so together, if they happen to look alike.

mod groups;
mod repair;

use scumble_level::{Cell, Measure};
use scumble_privacy::{Decimal, Diversity, SecretValues};
use scumble_table::{Column, ColumnId};

use scumble_progress::Interrupted;

use crate::clusters::{Cluster, Clusters};
use crate::pairing::Ruler;
use crate::{Database, TableId};

use groups::Groups;

/// What must hold of one column.
#[derive(Clone, Debug, PartialEq)]
pub struct SecretBound {
    /// The table of the column.
    pub table: TableId,
    /// The column with the secrets.
    pub column: ColumnId,
    /// What must hold.
    pub demand: SecretDemand,
}

/// What must hold in every group of rows that cannot be told apart.
#[derive(Clone, Debug, PartialEq)]
pub enum SecretDemand {
    /// Of the persons of the group, at most this share have the same secret in a row of it.
    Confidence {
        /// The bound, from 0 to 1.
        at_most: f64,
        /// The secrets.
        values: SecretValues,
    },
    /// The rows of the group have well-represented values.
    Diversity(Diversity),
}

/// Bounds on the secrets of a database, ready to be checked.
pub(crate) struct Bounds<'b, 't> {
    database: &'b Database<'t>,
    bounds: Vec<Bound<'b>>,
}

struct Bound<'b> {
    table: usize,
    column: &'b Column,
    kind: Kind,
}

enum Kind {
    Confidence {
        at_most: f64,
        /// For each code, the secrets that it is.
        secrets_of: Vec<Vec<u32>>,
        secrets: usize,
    },
    Diversity {
        measure: Measure,
        at_least: f64,
        /// How far a level may be off by rounding alone.
        slack: f64,
    },
}

/// A group in which a bound does not hold.
pub(crate) struct Broken {
    pub(crate) table: usize,
    /// By cluster.
    pub(crate) nodes: Vec<(usize, u32)>,
    /// How far it is from the bound.
    pub(crate) excess: f64,
}

/// Two figures closer than this share of them are equal: they differ by rounding.
const ROUNDING: f64 = 1e-9;

/// A cluster that breaks a bound waits for others until it has so many times `k`.
pub(crate) const MOST_MEMBERS: usize = 4;

/// Clusters that keep all bounds. `gather` finds clusters, with an eye on the bounds if there are any.
///
/// Clusters that are found without them are taken if they keep them. Else both ways are gone, and what loses less in
/// the end is taken.
pub(crate) fn keep<'t>(
    database: &Database<'t>,
    k: usize,
    bounds: &[SecretBound],
    gather: impl Fn(Option<&Bounds<'_, 't>>) -> Result<Clusters, Interrupted>,
    go_on: &impl Fn() -> bool,
) -> Result<Clusters, Interrupted> {
    let careless = gather(None)?;
    let bounds = Bounds::new(database, bounds);
    if bounds.bounds.is_empty() || bounds.broken(careless.clusters()).is_empty() {
        return Ok(careless);
    }
    let careful = repair::repair(&bounds, k, gather(Some(&bounds))?, go_on)?;
    let careless = repair::repair(&bounds, k, careless, go_on)?;
    let ruler = Ruler::new(database);
    let lost = |clusters: &Clusters| {
        let clusters = clusters.clusters().iter();
        clusters
            .map(|cluster| repair::balance(database, ruler, cluster))
            .sum::<i64>()
    };
    Ok(if lost(&careful) < lost(&careless) {
        careful
    } else {
        careless
    })
}

/// Whether a cluster needs no more members: it has `k` and keeps the bounds, or so many that more may not help.
pub(crate) fn is_full(members: usize, k: usize, keeps_bounds: impl FnOnce() -> bool) -> bool {
    members >= k && (members >= MOST_MEMBERS * k || keeps_bounds())
}

impl<'b, 't> Bounds<'b, 't> {
    pub(crate) fn new(database: &'b Database<'t>, bounds: &[SecretBound]) -> Self {
        let bounds = bounds.iter().map(|bound| {
            let column = database.table(bound.table).column(bound.column);
            Bound {
                table: bound.table.0,
                column,
                kind: Kind::new(column, &bound.demand),
            }
        });
        Bounds {
            database,
            bounds: bounds.collect(),
        }
    }

    /// Whether a cluster keeps all bounds by itself.
    pub(crate) fn hold_in(&self, cluster: &Cluster) -> bool {
        self.broken(std::slice::from_ref(cluster)).is_empty()
    }

    /// The groups of some clusters in which a bound does not hold. They look as they would in a release of nothing else.
    pub(crate) fn broken(&self, clusters: &[Cluster]) -> Vec<Broken> {
        let groups = Groups::new(self.database, clusters);
        let mut broken = Vec::new();
        for bound in &self.bounds {
            for nodes in groups.of_table(bound.table) {
                let excess = bound.excess(clusters, nodes);
                if excess > 0.0 {
                    broken.push(Broken {
                        table: bound.table,
                        nodes: nodes.clone(),
                        excess,
                    });
                }
            }
        }
        broken
    }
}

impl Bound<'_> {
    /// How far a group is from keeping the bound; 0 if it does.
    fn excess(&self, clusters: &[Cluster], nodes: &[(usize, u32)]) -> f64 {
        match &self.kind {
            Kind::Confidence {
                at_most,
                secrets_of,
                secrets,
            } => {
                let confidence = self.confidence(clusters, nodes, secrets_of, *secrets);
                // One count over another, rounded once as the bound is.
                if confidence <= *at_most {
                    0.0
                } else {
                    confidence - at_most
                }
            }
            Kind::Diversity {
                measure,
                at_least,
                slack,
            } => {
                let level = measure.level(&self.cells(clusters, nodes)).unwrap_or(f64::INFINITY);
                if level >= at_least - *slack {
                    0.0
                } else {
                    at_least - level
                }
            }
        }
    }

    /// The rows of a group by their values.
    fn cells(&self, clusters: &[Cluster], nodes: &[(usize, u32)]) -> Vec<Cell> {
        let rows = nodes
            .iter()
            .flat_map(|&(cluster, node)| clusters[cluster].rows(TableId(self.table), node));
        let mut codes: Vec<u32> = rows.map(|&row| self.column.codes().at(row as usize)).collect();
        codes.sort_unstable();
        let cell = |codes: &[u32]| Cell {
            slot: 0,
            category: codes[0],
            weight: codes.len() as u32,
        };
        codes.chunk_by(|a, b| a == b).map(cell).collect()
    }

    /// The largest share of persons with the same secret. Nodes of one cluster lie side by side.
    fn confidence(&self, clusters: &[Cluster], nodes: &[(usize, u32)], secrets_of: &[Vec<u32>], secrets: usize) -> f64 {
        let mut with = vec![0_u64; secrets];
        let mut persons = 0;
        for nodes in nodes.chunk_by(|a, b| a.0 == b.0) {
            let cluster = &clusters[nodes[0].0];
            persons += cluster.members().len() as u64;
            for member in 0..cluster.members().len() {
                let row = |&(_, node): &(usize, u32)| cluster.rows(TableId(self.table), node)[member];
                let codes = nodes.iter().map(|node| self.column.codes().at(row(node) as usize));
                let mut own: Vec<u32> = codes.flat_map(|code| &secrets_of[code as usize]).copied().collect();
                own.sort_unstable();
                own.dedup();
                own.into_iter().for_each(|secret| with[secret as usize] += 1);
            }
        }
        with.into_iter().max().unwrap_or(0) as f64 / persons as f64
    }
}

impl Kind {
    fn new(column: &Column, demand: &SecretDemand) -> Kind {
        let codes = 0..column.dictionary().len() as u32;
        match demand {
            SecretDemand::Confidence { at_most, values } => {
                let (secrets_of, secrets) = match values {
                    SecretValues::Every => (codes.clone().map(|code| vec![code]).collect(), codes.len()),
                    SecretValues::Sets(sets) => {
                        let is_in = |code: u32, set: &[String]| {
                            let text = column.dictionary().value(code);
                            text.is_some_and(|text| set.iter().any(|value| value == text))
                        };
                        let sets_of = |code| {
                            let sets = sets.iter().zip(0..).filter(|(set, _)| is_in(code, set));
                            sets.map(|(_, place)| place).collect()
                        };
                        (codes.map(sets_of).collect(), sets.len())
                    }
                };
                Kind::Confidence {
                    at_most: *at_most,
                    secrets_of,
                    secrets,
                }
            }
            SecretDemand::Diversity(diversity) => {
                let (measure, at_least, slack) = match *diversity {
                    Diversity::Distinct { l } => (Measure::Distinct, l as f64, 0.0),
                    Diversity::Entropy { l } => (Measure::Entropy, l, ROUNDING * l),
                    Diversity::Recursive { c, l } => (Measure::Recursive { c: Decimal::of(c) }, l as f64, 0.0),
                };
                Kind::Diversity {
                    measure,
                    at_least,
                    slack,
                }
            }
        }
    }
}
