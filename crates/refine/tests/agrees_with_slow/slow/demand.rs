//! The level of one group, by definition.

use std::collections::BTreeMap;

use scumble_privacy::{JoinDemand, Joined};

use super::{Cell, Row, Tree};

#[derive(Clone, Debug)]
pub enum Demand {
    Records(u64),
    People(u64),
    KMap(u64),
    /// Sets of secrets, or `None` for every one.
    Confidence(f64, Option<Vec<Vec<String>>>),
    Distinct(u64),
    Entropy(f64),
    Recursive {
        c: f64,
        l: u64,
    },
    Closeness(f64, Distance),
    Delta(f64),
    Beta {
        at_most: f64,
        enhanced: bool,
    },
    Personal(f64),
    /// The sensitive range is so many steps up the tree of secrets; without a tree, everything.
    RangeDiversity {
        at_most: f64,
        steps: Option<usize>,
    },
    /// On the join; `kept_by` finds the bound.
    Joined(Joined),
}

#[derive(Clone, Copy, Debug)]
pub enum Distance {
    Equal,
    Ordered,
    Taxonomy,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sense {
    AtLeast,
    AtMost,
}

impl Sense {
    pub fn worse(self, a: f64, b: f64) -> f64 {
        match self {
            Sense::AtLeast => a.min(b),
            Sense::AtMost => a.max(b),
        }
    }
}

type Shares = BTreeMap<Cell, f64>;

fn shares(rows: &[&Row]) -> Shares {
    let mut shares = Shares::new();
    for row in rows {
        *shares.entry(row.secret.clone()).or_insert(0.0) += 1.0;
    }
    shares.values_mut().for_each(|share| *share /= rows.len() as f64);
    shares
}

impl Demand {
    pub fn kind(&self) -> &'static str {
        match self {
            Demand::Records(_) | Demand::People(_) => "anonymity",
            Demand::KMap(_) => "k-map",
            Demand::Confidence(..) => "confidence",
            Demand::Distinct(_) | Demand::Entropy(_) | Demand::Recursive { .. } => "diversity",
            Demand::Closeness(..) => "closeness",
            Demand::Delta(_) => "delta-disclosure",
            Demand::Beta { .. } => "beta-likeness",
            Demand::Personal(_) => "personal",
            Demand::RangeDiversity { .. } => "range-diversity",
            Demand::Joined(joined) => match joined.demand {
                JoinDemand::Anonymity { .. } => "anonymity",
                JoinDemand::Confidence { .. } => "confidence",
            },
        }
    }

    /// Whether it holds for fewer columns, too.
    pub fn is_anti_monotone(&self) -> bool {
        !matches!(self.kind(), "personal" | "range-diversity")
    }

    pub fn counts_records(&self) -> bool {
        matches!(self, Demand::Records(_))
    }

    /// What is demanded of the join.
    pub fn joined(&self) -> Option<&Joined> {
        match self {
            Demand::Joined(joined) => Some(joined),
            _ => None,
        }
    }

    pub fn sense(&self) -> Sense {
        match self.kind() {
            "anonymity" | "k-map" | "diversity" => Sense::AtLeast,
            _ => Sense::AtMost,
        }
    }

    pub fn is_met_by(&self, level: f64) -> bool {
        let more = |bound: f64| level >= bound * (1.0 - 1e-9);
        let less = |bound: f64| level <= bound * (1.0 + 1e-9);
        match self {
            Demand::Records(k) | Demand::People(k) | Demand::KMap(k) => level >= *k as f64,
            Demand::Distinct(l) | Demand::Recursive { l, .. } => level >= *l as f64,
            Demand::Entropy(l) => more(*l),
            Demand::Confidence(h, _) => less(*h),
            Demand::Closeness(t, _) => less(*t),
            Demand::Delta(delta) => level < delta * (1.0 - 1e-9),
            Demand::Beta { at_most, .. } => less(*at_most),
            Demand::Personal(bound) => less(*bound),
            Demand::RangeDiversity { at_most, .. } => less(*at_most),
            Demand::Joined(joined) => match joined.demand {
                JoinDemand::Anonymity { k, .. } => level >= k as f64,
                JoinDemand::Confidence { at_most, .. } => less(at_most),
            },
        }
    }

    /// The same demand with a bound that a level keeps, just so.
    pub fn kept_by(&self, level: f64) -> Demand {
        match self.clone() {
            Demand::Records(_) => Demand::Records(level as u64),
            Demand::People(_) => Demand::People(level as u64),
            Demand::KMap(_) => Demand::KMap(level as u64),
            Demand::Confidence(_, sets) => Demand::Confidence(level, sets),
            Demand::Distinct(_) => Demand::Distinct(level as u64),
            Demand::Entropy(_) => Demand::Entropy(level),
            Demand::Recursive { c, .. } => Demand::Recursive { c, l: level as u64 },
            Demand::Closeness(_, distance) => Demand::Closeness(level, distance),
            Demand::Delta(_) => Demand::Delta(level + 0.1),
            Demand::Beta { enhanced, .. } => Demand::Beta {
                at_most: level,
                enhanced,
            },
            Demand::Personal(_) => Demand::Personal(level),
            Demand::RangeDiversity { steps, .. } => Demand::RangeDiversity { at_most: level, steps },
            Demand::Joined(mut joined) => {
                match &mut joined.demand {
                    JoinDemand::Anonymity { k, .. } => *k = level as u64,
                    JoinDemand::Confidence { at_most, .. } => *at_most = level,
                }
                Demand::Joined(joined)
            }
        }
    }

    /// The level of a group, given how many people of the population look like it, all rows, and the tree of secrets.
    pub fn level(&self, group: &[&Row], people: usize, everyone: &[&Row], tree: &Tree) -> f64 {
        let (p, q) = (shares(group), shares(everyone));
        let n = group.len() as f64;
        match self {
            Demand::Records(_) => n,
            Demand::People(_) => {
                let mut people: Vec<&String> = group.iter().map(|row| &row.person).collect();
                people.sort();
                people.dedup();
                people.len() as f64
            }
            Demand::KMap(_) => people as f64,
            Demand::Confidence(_, None) => p.values().copied().fold(0.0, f64::max),
            Demand::Confidence(_, Some(sets)) => sets
                .iter()
                .map(|set| {
                    let is_in = |row: &&&Row| row.secret.as_ref().is_some_and(|secret| set.contains(secret));
                    group.iter().filter(is_in).count() as f64 / n
                })
                .fold(0.0, f64::max),
            Demand::Distinct(_) => p.len() as f64,
            Demand::Entropy(_) => 2f64.powf(p.values().map(|share| -share * share.log2()).sum()),
            Demand::Recursive { c, .. } => {
                let mut counts: Vec<f64> = p.values().map(|share| (share * n).round()).collect();
                counts.sort_by(|a, b| b.total_cmp(a));
                let holds = |l: &usize| counts[0] < c * counts[l - 1..].iter().sum::<f64>();
                (1..=counts.len()).filter(holds).max().unwrap_or(0) as f64
            }
            Demand::Closeness(_, Distance::Equal) => {
                let difference = |(value, q): (&Cell, &f64)| (p.get(value).unwrap_or(&0.0) - q).abs();
                q.iter().map(difference).sum::<f64>() / 2.0
            }
            Demand::Closeness(_, Distance::Ordered) => ordered(&p, &q, tree),
            Demand::Closeness(_, Distance::Taxonomy) => by_tree(&p, &q, tree),
            Demand::Delta(_) => {
                let change = |(value, q): (&Cell, &f64)| (p.get(value).unwrap_or(&0.0) / q).ln().abs();
                q.iter().map(change).fold(0.0, f64::max)
            }
            Demand::Beta { enhanced, .. } => {
                let gain = |(value, p): (&Cell, &f64)| {
                    let gain = (p - q[value]) / q[value];
                    let cap = -q[value].ln();
                    if *enhanced && gain > cap + 1e-9 {
                        f64::INFINITY
                    } else {
                        gain
                    }
                };
                p.iter().map(gain).fold(0.0, f64::max)
            }
            Demand::Personal(_) => group
                .iter()
                .filter_map(|row| row.guarding.as_ref())
                .filter(|&node| *node != tree.label)
                .map(|node| {
                    let under = tree.find(node).unwrap().leaves();
                    let is_under = |row: &&&Row| row.secret.as_ref().is_some_and(|secret| under.contains(secret));
                    group.iter().filter(is_under).count() as f64 / n
                })
                .fold(0.0, f64::max),
            Demand::RangeDiversity { steps, .. } => {
                // Of the values that there are, if there is no tree; the missing one is none of them.
                let plain = q.keys().flatten().count();
                p.iter()
                    .flat_map(|u| p.iter().map(move |x| (u, x)))
                    .map(|((u, f), (x, g))| f * g * contribution(u, x, *steps, plain, tree))
                    .sum()
            }
            Demand::Joined(_) => unreachable!("the join has no such groups"),
        }
    }
}

/// What `x` gives away of the sensitive range of `u`: how close they are, if it lies in it (Loukides, 5.1.2 and 5.1.3).
fn contribution(u: &Cell, x: &Cell, steps: Option<usize>, plain: usize, tree: &Tree) -> f64 {
    if u == x {
        return 1.0;
    }
    let (Some(u), Some(x)) = (u, x) else { return 0.0 };
    let closeness = |spanned: usize, all: usize| 1.0 - (spanned as f64 - 1.0) / (all as f64 - 1.0);
    let Some(steps) = steps else {
        return closeness(2, plain);
    };
    let above = tree.above(u);
    let range = &above[steps.min(above.len() - 1)];
    let closest = above.iter().find(|leaves| leaves.contains(x)).unwrap();
    if range.contains(x) {
        closeness(closest.len(), tree.leaves().len())
    } else {
        0.0
    }
}

/// The earth moved between neighbours, in the order of the leaves, over the number of ways between them.
fn ordered(p: &Shares, q: &Shares, tree: &Tree) -> f64 {
    let values: Vec<Cell> = tree
        .leaves()
        .into_iter()
        .map(Some)
        .filter(|value| q.contains_key(value))
        .collect();
    if values.len() < 2 {
        return 0.0;
    }
    let ahead = |at: usize| -> f64 {
        values[..=at]
            .iter()
            .map(|value| p.get(value).unwrap_or(&0.0) - q[value])
            .sum()
    };
    (0..values.len() - 1).map(|at| ahead(at).abs()).sum::<f64>() / (values.len() - 1) as f64
}

/// Li, Li and Venkatasubramanian 2007: every inner node moves what its children can settle among themselves, at the
/// cost of its height.
fn by_tree(p: &Shares, q: &Shares, tree: &Tree) -> f64 {
    fn extra(p: &Shares, q: &Shares, node: &Tree) -> f64 {
        let of = |value: String| {
            let value = Some(value);
            p.get(&value).unwrap_or(&0.0) - q.get(&value).unwrap_or(&0.0)
        };
        node.leaves().into_iter().map(of).sum()
    }
    fn cost(p: &Shares, q: &Shares, node: &Tree, height: f64, missing: f64) -> f64 {
        let mut extras: Vec<f64> = node.children.iter().map(|child| extra(p, q, child)).collect();
        extras.push(missing);
        let positive: f64 = extras.iter().filter(|&&extra| extra > 0.0).sum();
        let negative: f64 = extras.iter().filter(|&&extra| extra < 0.0).map(|extra| -extra).sum();
        let below: f64 = node.children.iter().map(|child| cost(p, q, child, height, 0.0)).sum();
        below + node.height() as f64 / height * positive.min(negative)
    }
    let height = tree.height() as f64;
    if height == 0.0 {
        return 0.0;
    }
    let missing = p.get(&None).unwrap_or(&0.0) - q.get(&None).unwrap_or(&0.0);
    cost(p, q, tree, height, missing)
}

impl Tree {
    fn height(&self) -> usize {
        self.children.iter().map(|child| child.height() + 1).max().unwrap_or(0)
    }

    /// The leaves under a leaf and under each node above it, the root last; nothing for a leaf that is not there.
    fn above(&self, leaf: &str) -> Vec<Vec<String>> {
        if self.children.is_empty() {
            return if self.label == leaf {
                vec![self.leaves()]
            } else {
                vec![]
            };
        }
        let mut above: Vec<Vec<String>> = self.children.iter().flat_map(|child| child.above(leaf)).collect();
        if !above.is_empty() {
            above.push(self.leaves());
        }
        above
    }

    pub fn find(&self, label: &str) -> Option<&Tree> {
        if self.label == label {
            return Some(self);
        }
        self.children.iter().find_map(|child| child.find(label))
    }

    pub fn labels(&self) -> Vec<String> {
        let below = self.children.iter().flat_map(Tree::labels);
        std::iter::once(self.label.clone()).chain(below).collect()
    }
}
