//! The level of every kind of template, straight from its definition: slow, and with nothing in common with the audit.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use scumble_privacy::{Demand, Distance, Diversity, SecretValues, Secrets, Template};
use scumble_table::{ColumnId, NodeId, SensitiveDomain, SensitiveRange, SensitiveRanges, Taxonomy};

use crate::example::{Cells, tree};
use crate::range_diversity;

/// The columns of the random tables: three to group by, a sensitive one, and each person's guarding node.
pub const HEADER: [&str; 5] = ["a", "b", "c", "disease", "guard"];
const DISEASE: ColumnId = ColumnId(3);
const GUARD: ColumnId = ColumnId(4);

/// The sensitive values are its leaves. Its branches are of different depth.
pub fn diseases() -> Arc<Taxonomy> {
    tree("all\n x\n  v0\n  v1\n y\n  v2\n  z\n   v3\n   v4")
}

/// One demand of every kind.
pub fn every_kind() -> Vec<Demand> {
    let diversity = |measure| Demand::Diversity {
        about: DISEASE,
        measure,
    };
    let closeness = |distance| Demand::Closeness {
        about: DISEASE,
        at_most: 0.2,
        distance,
    };
    let likeness = |enhanced| Demand::BetaLikeness {
        about: DISEASE,
        at_most: 1.0,
        enhanced,
    };
    let ranges = |domain| Demand::RangeDiversity {
        about: DISEASE,
        at_most: 0.5,
        ranges: SensitiveRanges::new(domain, SensitiveRange::Level(1)).expect("the level fits words"),
    };
    let confidence = |about| Demand::Confidence { at_most: 0.5, about };
    let secrets = |column, values| Secrets { column, values };
    let sets = SecretValues::Sets(vec![vec!["v0".into()], vec!["v1".into(), "v2".into()]]);
    vec![
        Demand::Anonymity { k: 2, per: vec![] },
        Demand::Anonymity {
            k: 2,
            per: vec![DISEASE, GUARD],
        },
        Demand::KMap { k: 2, population: 0 },
        confidence(vec![secrets(DISEASE, SecretValues::Every)]),
        confidence(vec![secrets(DISEASE, sets)]),
        confidence(vec![
            secrets(DISEASE, SecretValues::Sets(vec![vec!["v3".into()]])),
            secrets(GUARD, SecretValues::Every),
        ]),
        diversity(Diversity::Distinct { l: 2 }),
        diversity(Diversity::Entropy { l: 2.0 }),
        diversity(Diversity::Recursive { c: 0.5, l: 2 }),
        diversity(Diversity::Recursive { c: 2.0, l: 2 }),
        closeness(Distance::Equal),
        closeness(Distance::Ordered),
        closeness(Distance::Taxonomy(diseases())),
        Demand::DeltaDisclosure {
            about: DISEASE,
            below: 1.0,
        },
        likeness(false),
        likeness(true),
        Demand::Personal {
            about: DISEASE,
            guarding: GUARD,
            at_most: 0.5,
            taxonomy: diseases(),
        },
        ranges(SensitiveDomain::Leaves(diseases())),
        ranges(SensitiveDomain::Values),
    ]
}

/// The worst group on any set of columns that an adversary may know.
pub fn level(template: &Template, rows: &[Cells], population: &[Cells]) -> f64 {
    let sets = known_sets(template).into_iter();
    let levels = sets.flat_map(|columns| levels(template, &columns, rows, population));
    let worse = |a, b| template.sense().worse(a, b);
    levels.map(|(level, _)| level).reduce(worse).expect("there are rows")
}

/// The level and the rows of each group on these columns.
pub fn levels(template: &Template, columns: &[ColumnId], rows: &[Cells], population: &[Cells]) -> Vec<(f64, usize)> {
    let of_group = |(shown, group): (Cells, Vec<Cells>)| {
        let lookalikes = population.iter().filter(|person| cells(person, columns) == shown);
        let level = level_of_group(&template.demand, &group, rows, lookalikes.count());
        (level, group.len())
    };
    groups(rows, columns).into_iter().map(of_group).collect()
}

fn known_sets(template: &Template) -> Vec<Vec<ColumnId>> {
    let columns = &template.of.columns;
    let chosen = |set: u32| (0..columns.len()).filter(move |place| set >> place & 1 == 1);
    let sets = (0..1u32 << columns.len()).filter(|set| set.count_ones() as usize == template.of.known());
    sets.map(|set| chosen(set).map(|place| columns[place]).collect())
        .collect()
}

fn cells(row: &Cells, columns: &[ColumnId]) -> Cells {
    columns.iter().map(|&ColumnId(column)| row[column].clone()).collect()
}

fn groups(rows: &[Cells], columns: &[ColumnId]) -> BTreeMap<Cells, Vec<Cells>> {
    let mut groups: BTreeMap<Cells, Vec<Cells>> = BTreeMap::new();
    for row in rows {
        groups.entry(cells(row, columns)).or_default().push(row.clone());
    }
    groups
}

fn level_of_group(demand: &Demand, group: &[Cells], all: &[Cells], lookalikes: usize) -> f64 {
    match demand {
        Demand::Anonymity { per, .. } if per.is_empty() => group.len() as f64,
        Demand::Anonymity { per, .. } => {
            let different: BTreeSet<Cells> = group.iter().map(|row| cells(row, per)).collect();
            different.len() as f64
        }
        Demand::KMap { .. } => lookalikes as f64,
        Demand::Confidence { about, .. } => largest(about.iter().map(|secrets| confidence(secrets, group))),
        Demand::Diversity { about, measure } => diversity(*measure, &shares(group, *about, all)),
        Demand::Closeness { about, distance, .. } => {
            let (p, q) = (shares(group, *about, all), shares(all, *about, all));
            match distance {
                Distance::Equal => p.iter().zip(&q).map(|((_, p), (_, q))| (p - q).abs()).sum::<f64>() / 2.0,
                Distance::Ordered => ordered_distance(&p, &q),
                Distance::Taxonomy(taxonomy) => {
                    let below_root = cost_under(taxonomy, taxonomy.root(), &p, &q);
                    below_root.1 / height(taxonomy, taxonomy.root()) as f64
                }
            }
        }
        Demand::DeltaDisclosure { about, .. } => {
            let (p, q) = (shares(group, *about, all), shares(all, *about, all));
            largest(p.iter().zip(q).map(|((_, p), (_, q))| (p / q).ln().abs()))
        }
        Demand::BetaLikeness { about, enhanced, .. } => {
            let (p, q) = (shares(group, *about, all), shares(all, *about, all));
            let gain = |((_, p), (_, q)): ((_, &f64), (_, &f64))| match (p - q) / q {
                gain if *enhanced && gain > -q.ln() + 1e-9 => f64::INFINITY,
                gain => gain,
            };
            largest(p.iter().zip(&q).map(gain))
        }
        Demand::Personal {
            about,
            guarding,
            taxonomy,
            ..
        } => {
            let node = |row: &Cells| row[guarding.0].as_deref().and_then(|label| taxonomy.find(label));
            let guards = group.iter().filter_map(node).filter(|&node| node != taxonomy.root());
            let under = |guard| {
                group
                    .iter()
                    .filter(|row| is_under(taxonomy, row[about.0].as_deref(), guard))
                    .count()
            };
            largest(guards.map(|guard| under(guard) as f64 / group.len() as f64))
        }
        Demand::RangeDiversity { about, ranges, .. } => {
            fn column(rows: &[Cells], ColumnId(column): ColumnId) -> Vec<Option<&str>> {
                rows.iter().map(|row| row[column].as_deref()).collect()
            }
            range_diversity::defined(ranges, &column(group, *about), &column(all, *about))
        }
        Demand::Joined(_) => unreachable!("the join has definitions of its own"),
    }
}

fn largest(levels: impl Iterator<Item = f64>) -> f64 {
    levels.fold(0.0, f64::max)
}

/// The share of each value that is shown in any row, in value order with the missing value last.
type Shares<'r> = BTreeMap<(bool, Option<&'r str>), f64>;

fn shares<'r>(group: &'r [Cells], ColumnId(column): ColumnId, all: &'r [Cells]) -> Shares<'r> {
    let key = |row: &'r Cells| (row[column].is_none(), row[column].as_deref());
    let mut shares: Shares = all.iter().map(|row| (key(row), 0.0)).collect();
    for row in group {
        *shares.entry(key(row)).or_default() += 1.0 / group.len() as f64;
    }
    shares
}

fn confidence(secrets: &Secrets, group: &[Cells]) -> f64 {
    let share_of = |is_secret: &dyn Fn(&Option<String>) -> bool| {
        let rows = group.iter().filter(|row| is_secret(&row[secrets.column.0])).count();
        rows as f64 / group.len() as f64
    };
    match &secrets.values {
        SecretValues::Every => largest(group.iter().map(|row| share_of(&|cell| *cell == row[secrets.column.0]))),
        SecretValues::Sets(sets) => largest(
            sets.iter()
                .map(|set| share_of(&|cell| cell.as_ref().is_some_and(|cell| set.contains(cell)))),
        ),
    }
}

fn diversity(measure: Diversity, shares: &Shares) -> f64 {
    let mut present: Vec<f64> = shares.values().copied().filter(|&share| share > 0.0).collect();
    present.sort_by(|a, b| b.total_cmp(a));
    match measure {
        Diversity::Distinct { .. } => present.len() as f64,
        Diversity::Entropy { .. } => (-present.iter().map(|p| p * p.log2()).sum::<f64>()).exp2(),
        Diversity::Recursive { c, .. } => {
            // Shares are rounded, so what is not clearly less is equal, and equal is not less.
            let holds = |l: &usize| present[0] < c * present[l - 1..].iter().sum::<f64>() - 1e-9;
            (1..=present.len()).filter(holds).max().unwrap_or(0) as f64
        }
    }
}

fn ordered_distance(p: &Shares, q: &Shares) -> f64 {
    let steps = p.len() - 1;
    let (mut moved, mut passing) = (0.0, 0.0);
    for (p, q) in p.values().zip(q.values()) {
        passing += p - q;
        moved += f64::abs(passing);
    }
    if steps == 0 { 0.0 } else { moved / steps as f64 }
}

/// Li, Li and Venkatasubramanian 2007, section 4.2: what a node has too much of, and what moving costs under it, in units
/// of height. At each node what some children have too much of goes to those that have too little.
fn cost_under(tree: &Taxonomy, node: NodeId, p: &Shares, q: &Shares) -> (f64, f64) {
    let extra = |key| p.get(&key).copied().unwrap_or(0.0) - q.get(&key).copied().unwrap_or(0.0);
    if tree.children(node).is_empty() {
        return (extra((false, Some(tree.label(node)))), 0.0);
    }
    let mut children: Vec<(f64, f64)> = tree
        .children(node)
        .iter()
        .map(|&child| cost_under(tree, child, p, q))
        .collect();
    if node == tree.root() {
        children.push((extra((true, None)), 0.0));
    }
    let positive: f64 = children.iter().map(|(extra, _)| extra.max(0.0)).sum();
    let negative: f64 = children.iter().map(|(extra, _)| (-extra).max(0.0)).sum();
    let below: f64 = children.iter().map(|(_, cost)| cost).sum();
    let here = height(tree, node) as f64 * positive.min(negative);
    (positive - negative, here + below)
}

fn height(tree: &Taxonomy, node: NodeId) -> usize {
    let below = tree.children(node).iter().map(|&child| height(tree, child) + 1);
    below.max().unwrap_or(0)
}

pub fn is_under(tree: &Taxonomy, value: Option<&str>, node: NodeId) -> bool {
    let leaf = value.and_then(|value| tree.find(value));
    std::iter::successors(leaf, |&node| tree.parent(node)).any(|ancestor| ancestor == node)
}
