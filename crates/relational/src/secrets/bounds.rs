//! [`Bounds`]: what must hold of the secrets of persons who are put together.

use scumble_level::{Cell, Measure};
use scumble_privacy::{Decimal, Diversity, EntityDemand, SecretValues, Secrets, Template};
use scumble_table::{Column, ColumnId};

use crate::clusters::Cluster;
use crate::{Database, TableId};

use super::compared::{Beside, Comparison, Counts, Tally};
use super::groups::Groups;

/// Bounds on the secrets of a database, ready to be checked.
pub(crate) struct Bounds<'b, 't> {
    pub(super) database: &'b Database<'t>,
    pub(super) bounds: Vec<Bound<'b>>,
}

pub(super) struct Bound<'b> {
    table: usize,
    column: &'b Column,
    /// Which levels are kept.
    template: Template,
    kind: Kind,
}

enum Kind {
    Confidence {
        /// For each code, the secrets that it is.
        secrets_of: Vec<Vec<u32>>,
        secrets: usize,
    },
    Diversity(Measure),
    Compared {
        comparison: Comparison,
        /// Beside all rows of the data, while it is not known which of them will be published.
        beside_data: Beside,
    },
}

/// A group in which a bound does not hold.
pub(crate) struct Broken {
    pub(crate) table: usize,
    /// By cluster.
    pub(crate) nodes: Vec<(usize, u32)>,
    /// How far it is from the bound.
    pub(crate) excess: f64,
    /// Whether it is a bound beside the whole, which other rows may have broken.
    pub(super) is_compared: bool,
}

/// A level without an end is at least so far from every bound.
const ENDLESS: f64 = 1e6;
/// A level that is not kept is at least so far from the bound.
const LEAST_EXCESS: f64 = 1e-12;

/// A cluster that breaks a bound waits for others until it has so many times `k`.
pub(crate) const MOST_MEMBERS: usize = 4;

/// Whether a cluster needs no more members: it has `k` and keeps the bounds, or so many that more may not help.
pub(crate) fn is_full(members: usize, k: usize, keeps_bounds: impl FnOnce() -> bool) -> bool {
    members >= k && (members >= MOST_MEMBERS * k || keeps_bounds())
}

impl<'b, 't> Bounds<'b, 't> {
    /// What is demanded of secrets; how many persons must look the same is no bound on them.
    pub(crate) fn new(database: &'b Database<'t>, demands: &[EntityDemand]) -> Self {
        Bounds {
            database,
            bounds: demands
                .iter()
                .filter_map(|demand| Bound::new(database, demand))
                .collect(),
        }
    }

    /// Whether a cluster keeps all bounds by itself, beside all rows of the data.
    pub(crate) fn hold_in(&self, cluster: &Cluster) -> bool {
        self.broken_in(std::slice::from_ref(cluster), None).is_empty()
    }

    /// The groups of some clusters in which a bound does not hold. They look as they would in a release of nothing else.
    pub(crate) fn broken(&self, clusters: &[Cluster]) -> Vec<Broken> {
        self.broken_beside(clusters, &self.tallies(&[]))
    }

    /// The same in a release of these clusters and of others, of which the tallies are given.
    pub(super) fn broken_beside(&self, clusters: &[Cluster], others: &[Tally]) -> Vec<Broken> {
        self.broken_in(clusters, Some(others))
    }

    /// Bounds that compare do so with these clusters and others; if none are given, with the data.
    pub(super) fn broken_in(&self, clusters: &[Cluster], others: Option<&[Tally]>) -> Vec<Broken> {
        let groups = Groups::new(self.database, clusters);
        let mut tallies = others.unwrap_or_default().iter();
        let mut broken = Vec::new();
        for bound in &self.bounds {
            let others = if bound.is_compared() { tallies.next() } else { None };
            let groups = groups.of_table(bound.table);
            let excesses = bound.excesses(clusters, groups, others);
            let far = groups.iter().zip(excesses).filter(|&(_, excess)| excess > 0.0);
            broken.extend(far.map(|(nodes, excess)| Broken {
                table: bound.table,
                nodes: nodes.clone(),
                excess,
                is_compared: bound.is_compared(),
            }));
        }
        broken
    }

    /// For each code of a secret of persons, whether it is so rare in some clusters that groups with it cannot be small, and
    /// of which column; one list for each bound that this can be said of. A group that may not lack a value has to be as
    /// large as all, divided by those who have it; one in which it may not gain much, by that and the gain.
    pub(super) fn rare(&self, k: usize, clusters: &[Cluster]) -> Vec<(&Column, Vec<bool>)> {
        let tallies = self.tallies(clusters);
        let compared = self.bounds.iter().filter(|bound| bound.is_compared()).zip(&tallies);
        let of_persons = compared.filter(|(bound, _)| bound.table == TableId::PERSONS.0);
        let rare = of_persons.filter_map(|(bound, tally)| {
            let gain = match &bound.kind {
                Kind::Compared { comparison, .. } => comparison.most_gain(bound.template.bound())?,
                Kind::Confidence { .. } | Kind::Diversity(_) => return None,
            };
            Some((bound.column, tally.rarer_than(gain, MOST_MEMBERS * k)))
        });
        rare.collect()
    }

    /// For each bound that compares, how often each value is in some clusters.
    pub(super) fn tallies(&self, clusters: &[Cluster]) -> Vec<Tally> {
        let mut comparing = self.bounds.iter().filter(|bound| bound.is_compared()).peekable();
        if comparing.peek().is_none() {
            return Vec::new();
        }
        let groups = Groups::new(self.database, clusters);
        let tally = |bound: &Bound| {
            let mut tally = Tally::none(bound.column);
            let groups = groups.of_table(bound.table).iter();
            groups.for_each(|nodes| tally.add_group(&bound.counts(clusters, nodes)));
            tally
        };
        comparing.map(tally).collect()
    }
}

impl<'b> Bound<'b> {
    fn new(database: &'b Database, demand: &EntityDemand) -> Option<Self> {
        let column_of = |table: usize, column: ColumnId| database.table(TableId(table)).column(column);
        let compared = |table: usize, about: ColumnId, comparison: Comparison| {
            let column = column_of(table, about);
            let beside_data = comparison.beside(column, &Tally::of_all(column));
            let kind = Kind::Compared {
                comparison,
                beside_data,
            };
            (table, about, kind)
        };
        let (table, about, kind) = match demand {
            EntityDemand::Anonymity { .. } => return None,
            EntityDemand::Confidence { table, about, .. } => {
                let kind = of_confidence(column_of(*table, about.column), about);
                (*table, about.column, kind)
            }
            EntityDemand::Diversity { table, about, measure } => {
                let measure = match *measure {
                    Diversity::Distinct { .. } => Measure::Distinct,
                    Diversity::Entropy { .. } => Measure::Entropy,
                    Diversity::Recursive { c, .. } => Measure::Recursive { c: Decimal::of(c) },
                };
                (*table, *about, Kind::Diversity(measure))
            }
            EntityDemand::Closeness {
                table, about, distance, ..
            } => compared(*table, *about, Comparison::Distance(distance.clone())),
            EntityDemand::DeltaDisclosure { table, about, .. } => compared(*table, *about, Comparison::Disclosure),
            EntityDemand::BetaLikeness {
                table, about, enhanced, ..
            } => compared(*table, *about, Comparison::Likeness { enhanced: *enhanced }),
        };
        Some(Bound {
            table,
            column: column_of(table, about),
            template: demand.template(),
            kind,
        })
    }

    /// How far a level is from keeping the bound; 0 if it does.
    pub(super) fn excess_of(&self, level: f64) -> f64 {
        if self.template.is_met_by(level) {
            0.0
        } else {
            (level - self.template.bound()).abs().max(LEAST_EXCESS)
        }
    }

    fn is_compared(&self) -> bool {
        match self.kind {
            Kind::Compared { .. } => true,
            Kind::Confidence { .. } | Kind::Diversity(_) => false,
        }
    }

    /// How far each of these groups is from keeping the bound. If it compares, then beside these groups and others; if
    /// none are given, beside the data.
    pub(super) fn excesses(
        &self,
        clusters: &[Cluster],
        groups: &[Vec<(usize, u32)>],
        others: Option<&Tally>,
    ) -> Vec<f64> {
        let groups = groups.iter();
        match &self.kind {
            Kind::Confidence { secrets_of, secrets } => groups
                .map(|nodes| self.excess_of(self.confidence(clusters, nodes, secrets_of, *secrets)))
                .collect(),
            Kind::Diversity(measure) => {
                let level = |nodes: &Vec<_>| measure.level(&self.cells(clusters, nodes));
                groups
                    .map(|nodes| self.excess_of(level(nodes).unwrap_or(f64::INFINITY)))
                    .collect()
            }
            Kind::Compared {
                comparison,
                beside_data,
            } => {
                let counts: Vec<Counts> = groups.map(|nodes| self.counts(clusters, nodes)).collect();
                let published = others.map(|others| {
                    let mut whole = others.clone();
                    counts.iter().for_each(|group| whole.add_group(group));
                    comparison.beside(self.column, &whole)
                });
                let beside = published.as_ref().unwrap_or(beside_data);
                counts.iter().map(|group| self.excess_beside(beside, group)).collect()
            }
        }
    }

    /// How far a group is from keeping a bound beside a whole.
    pub(super) fn excess_beside(&self, beside: &Beside, group: &Counts) -> f64 {
        let excess = self.excess_of(beside.level(group));
        if excess.is_finite() {
            excess
        } else {
            ENDLESS * beside.far(group)
        }
    }

    /// How often each value is in a group. Nodes of one cluster lie side by side.
    fn counts(&self, clusters: &[Cluster], nodes: &[(usize, u32)]) -> Counts {
        let mut of_persons: Vec<u32> = Vec::new();
        let mut all_persons = 0;
        for nodes in nodes.chunk_by(|a, b| a.0 == b.0) {
            let cluster = &clusters[nodes[0].0];
            all_persons += cluster.members().len() as u64;
            for member in 0..cluster.members().len() {
                let row = |&(_, node): &(usize, u32)| cluster.rows(TableId(self.table), node)[member];
                let mut own: Vec<u32> = nodes
                    .iter()
                    .map(|node| self.column.codes().at(row(node) as usize))
                    .collect();
                own.sort_unstable();
                own.dedup();
                of_persons.extend(own);
            }
        }
        of_persons.sort_unstable();
        let persons = of_persons.chunk_by(|a, b| a == b);
        let rows = self.cells(clusters, nodes);
        Counts {
            rows: rows.iter().map(|cell| (cell.category, cell.weight)).collect(),
            persons: persons.map(|same| (same[0], same.len() as u32)).collect(),
            all_persons,
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

fn of_confidence(column: &Column, about: &Secrets) -> Kind {
    let codes = 0..column.dictionary().len() as u32;
    let (secrets_of, secrets) = match &about.values {
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
    Kind::Confidence { secrets_of, secrets }
}
