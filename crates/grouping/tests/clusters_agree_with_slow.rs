//! The clustering methods make the groups that slow, obvious versions of their algorithms make, on random tables.
//!
//! The slow versions are the algorithms of Loukides as printed, with what the modules of the methods say is fixed by us.
//! They measure every set of rows from scratch. They share the seed rows, and that costs are compared to nine digits.

mod clusters;
mod dice;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use clusters::{anonymity, confidence, diversity, groups, groups_unless_stopped, range_diversity};
use dice::{Dice, Kind, World};
use proptest::prelude::*;
use scumble_grouping::{Failure, Method, Nearest, RangeSecret, Space, Toc, Upc};
use scumble_level::{Apart, Conditions, Contributions};
use scumble_privacy::{Requirement, Template};
use scumble_progress::{Running, Stage};
use scumble_table::{ColumnId, Interval, Range};

/// A random table with what is asked of its groups.
struct Case {
    world: World,
    quasi: Space,
    requirement: Requirement,
    subspace: usize,
    seed: u64,
}

impl Case {
    fn new(dice: &mut Dice, sensitive: usize) -> Self {
        let columns = 1 + dice.roll(3);
        // Now and then enough for several neighbourhoods.
        let rows = 1 + if dice.roll(10) == 0 {
            dice.roll(400)
        } else {
            dice.roll(60)
        };
        let world = dice.world(rows, columns, sensitive);
        let k = 1 + dice.roll(4);
        let mut templates = vec![anonymity(k, columns)];
        match dice.roll(4) {
            0 if sensitive > 0 => templates.push(diversity(2, ColumnId(columns), columns)),
            1 if sensitive > 0 => templates.push(confidence(0.6, ColumnId(columns), columns)),
            _ => {}
        }
        Case {
            quasi: Space::new(&world.table, &world.quasi()),
            requirement: Requirement { templates },
            subspace: k + dice.roll(6),
            seed: dice.roll(1000) as u64,
            world,
        }
    }

    fn templates(&self) -> &[Template] {
        &self.requirement.templates
    }

    fn keeps_conditions(&self, rows: &[u32]) -> bool {
        Conditions::new(&self.world.table, &self.requirement).are_met_by(rows)
    }

    /// Clusters as made in each subspace, among which rows that are left over find a home in the smallest part, of 32 groups
    /// of `k` rows at least, that has one, or else make clusters of their own. A subspace is given in the order in which its rows are seeds.
    fn clusters(
        &self,
        cluster_all: &dyn Fn(Vec<u32>) -> (Vec<Vec<u32>>, Vec<u32>),
        is_good: &dyn Fn(&[u32]) -> bool,
        cost: &dyn Fn(&[u32]) -> Option<f64>,
    ) -> Vec<Vec<u32>> {
        let k = Conditions::new(&self.world.table, &self.requirement).fewest_rows();
        let all = (0..self.world.table.rows() as u32).collect();
        let (mut clusters, homeless) = self.settle(all, 0, 32 * k, cluster_all, is_good, cost);
        for rows in homeless.chunks(32 * k) {
            clusters.extend(cluster_all(rows.to_vec()).0);
        }
        clusters
    }

    /// The clusters of a part with so many rows to its left, and the rows that none of them may have.
    fn settle(
        &self,
        part: Vec<u32>,
        left_of_it: usize,
        nearby: usize,
        cluster_all: &dyn Fn(Vec<u32>) -> (Vec<Vec<u32>>, Vec<u32>),
        is_good: &dyn Fn(&[u32]) -> bool,
        cost: &dyn Fn(&[u32]) -> Option<f64>,
    ) -> (Vec<Vec<u32>>, Vec<u32>) {
        let whole = part.clone();
        let (mut clusters, mut left_over) = (Vec::new(), Vec::new());
        if part.len() >= 2 * nearby.max(self.subspace) {
            let [left, right] = halves(&self.quasi, part);
            let middle = left_of_it + left.len();
            for (half, start) in [(left, left_of_it), (right, middle)] {
                let (made, homeless) = self.settle(half, start, nearby, cluster_all, is_good, cost);
                clusters.extend(made);
                left_over.extend(homeless);
            }
        } else {
            let mut start = left_of_it as u64;
            for mut rows in partition(&self.quasi, part, self.subspace) {
                let seed = self.seed ^ (start + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                start += rows.len() as u64;
                fastrand::Rng::with_seed(seed).shuffle(&mut rows);
                let (kept, dissolved) = cluster_all(rows);
                clusters.extend(kept);
                left_over.extend(dissolved);
            }
        }
        if clusters.is_empty()
            && let Some(parts) = self.smallest(whole, is_good)
        {
            return (parts, Vec::new());
        }
        let mut homeless = Vec::new();
        for row in left_over {
            // Of many clusters it looks at 128 at most.
            let step = clusters.len().div_ceil(128).max(1);
            let is_seen = |place: usize| place % step == row as usize % step;
            let costs = clusters.iter().enumerate();
            let costs = costs.map(|(place, cluster)| is_seen(place).then(|| cost(&with(cluster, row))).flatten());
            match least(costs) {
                Some(best) => clusters[best].push(row),
                None => homeless.push(row),
            }
        }
        (clusters, homeless)
    }

    /// The smallest good parts of a part.
    fn smallest(&self, part: Vec<u32>, is_good: &dyn Fn(&[u32]) -> bool) -> Option<Vec<Vec<u32>>> {
        let rows = partition(&self.quasi, part.clone(), self.subspace).concat();
        let of_halves = || {
            let [left, right] = halves(&self.quasi, part);
            Some([self.smallest(left, is_good)?, self.smallest(right, is_good)?].concat())
        };
        let parts = if rows.len() >= 2 * self.subspace {
            of_halves()
        } else {
            None
        };
        parts.or_else(|| is_good(&rows).then(|| vec![rows]))
    }

    fn loss(&self, rows: &[u32]) -> f64 {
        self.quasi.loss(&self.quasi.hull(rows))
    }
}

/// Algorithm 2.
fn partition(space: &Space, mut rows: Vec<u32>, size: usize) -> Vec<Vec<u32>> {
    if rows.len() < 2 * size {
        rows.sort();
        return vec![rows];
    }
    halves(space, rows).map(|half| partition(space, half, size)).concat()
}

fn halves(space: &Space, mut rows: Vec<u32>) -> [Vec<u32>; 2] {
    let hull = space.hull(&rows);
    let range = |axis: &usize| space.loss_on(*axis, &hull);
    let widest = (0..space.axes()).rev().max_by(|a, b| range(a).total_cmp(&range(b)));
    rows.sort_by_key(|&row| (space.cells(row)[widest.unwrap()], row));
    let right = rows.split_off(rows.len().div_ceil(2));
    [rows, right]
}

fn with(rows: &[u32], row: u32) -> Vec<u32> {
    [rows, &[row]].concat()
}

/// The place of the least cost, to nine digits; the first of equals.
fn least(costs: impl Iterator<Item = Option<f64>>) -> Option<usize> {
    let rounded = costs.map(|cost| cost.map(|cost| (cost * f64::from(1 << 30)).round() as u64));
    let numbered = rounded.enumerate().filter_map(|(place, cost)| Some((cost?, place)));
    numbered.min().map(|(_, place)| place)
}

/// Algorithms 1 and 5; none if no part of the table keeps the conditions.
fn slow_toc(case: &Case, toc: &Toc) -> Vec<Vec<u32>> {
    let delta = toc.threshold.unwrap() * (1.0 + 1e-9);
    let mr_wtd = |rows: &[u32]| {
        let protection = 1.0 - toc.sensitive.loss(&toc.sensitive.hull(rows));
        toc.utility_weight * case.loss(rows) + (1.0 - toc.utility_weight) * protection
    };
    let k = Conditions::new(&case.world.table, &case.requirement).fewest_rows();
    let cluster_all = |mut rows: Vec<u32>| {
        let (mut kept, mut left_over) = (Vec::new(), Vec::new());
        while rows.len() >= k {
            let seed = rows.remove(0);
            let mut cluster = vec![seed];
            let mut by_number = rows.clone();
            by_number.sort();
            loop {
                let distance = |row: u32| match toc.nearest {
                    Nearest::ToSeed => mr_wtd(&[seed, row]),
                    Nearest::ToCluster => mr_wtd(&with(&cluster, row)),
                };
                let Some(place) = least(by_number.iter().map(|&row| Some(distance(row)))) else {
                    break;
                };
                let larger = with(&cluster, by_number[place]);
                let is_enough = match toc.nearest {
                    Nearest::ToSeed => mr_wtd(&larger) > delta,
                    Nearest::ToCluster => {
                        let gains_nothing =
                            least([&cluster, &larger].map(|rows| Some(mr_wtd(rows))).into_iter()) == Some(0);
                        case.keeps_conditions(&cluster) && gains_nothing
                    }
                };
                if is_enough {
                    break;
                }
                cluster = larger;
                by_number.remove(place);
            }
            rows.retain(|row| !cluster.contains(row));
            let is_close = toc.nearest == Nearest::ToSeed || mr_wtd(&cluster) <= delta;
            if case.keeps_conditions(&cluster) && is_close {
                kept.push(cluster);
            } else {
                left_over.extend(cluster);
            }
        }
        left_over.extend(rows);
        (kept, left_over)
    };
    case.clusters(&cluster_all, &|rows| case.keeps_conditions(rows), &|rows| {
        Some(mr_wtd(rows))
    })
}

/// Algorithm 6.
fn slow_upc(case: &Case, upc: &Upc) -> Vec<Vec<u32>> {
    let ranges = |rows: &[u32]| -> Vec<f64> {
        let secrets = upc.secrets.iter();
        secrets
            .map(|secret| range_diversity(secret.codes, secret.contributions, rows))
            .collect()
    };
    let average = |ranges: Vec<f64>| ranges.iter().sum::<f64>() / ranges.len().max(1) as f64;
    let gd = |rows: &[u32]| 0.5 * case.loss(rows) + 0.5 * average(ranges(rows));
    let keeps_u = |rows: &[u32]| case.loss(rows) <= upc.loss_at_most;
    let keeps_p = |rows: &[u32]| {
        let bounds = upc.secrets.iter().map(|secret| secret.at_most * (1.0 + 1e-9));
        ranges(rows)
            .into_iter()
            .zip(bounds)
            .all(|(range, bound)| range <= bound)
    };
    let k = Conditions::new(&case.world.table, &case.requirement).fewest_rows();
    let is_good = |rows: &[u32]| rows.len() >= k && keeps_p(rows);
    let cluster_all = |mut rows: Vec<u32>| {
        let (mut kept, mut left_over) = (Vec::new(), Vec::new());
        while rows.len() >= k {
            let mut cluster = vec![rows[0]];
            let mut free = rows[1..].to_vec();
            free.sort();
            while let Some(place) = least(free.iter().map(|&row| Some(gd(&with(&cluster, row))))) {
                let larger = with(&cluster, free[place]);
                if !keeps_u(&larger) || (is_good(&cluster) && !is_good(&larger)) {
                    break;
                }
                cluster = larger;
                free.remove(place);
            }
            let mut beginnings = (1..=cluster.len()).rev().map(|length| &cluster[..length]);
            let longest = beginnings.find(|rows| is_good(rows) && case.keeps_conditions(rows));
            match longest.filter(|_| is_good(&cluster)) {
                Some(longest) => {
                    rows.retain(|row| !longest.contains(row));
                    kept.push(longest.to_vec());
                }
                None => {
                    rows.retain(|row| !cluster.contains(row));
                    left_over.extend(cluster);
                }
            }
        }
        left_over.extend(rows);
        (kept, left_over)
    };
    let may_have = |rows: &[u32]| keeps_u(rows) && keeps_p(rows) && case.keeps_conditions(rows);
    case.clusters(&cluster_all, &may_have, &|rows| may_have(rows).then(|| gd(rows)))
}

/// Sensitive ranges of a random column: a few numbers around a value, more above than below; the siblings of a leaf; or the
/// value itself.
fn contributions(world: &World, id: ColumnId, kind: Kind) -> Contributions {
    let dictionary = world.table.column(id).dictionary();
    let codes = 0..dictionary.len() as u32;
    let stretch = |from: f64, to: f64| Interval { from, to, closed: true };
    let of_value = |position: &dyn Fn(&str) -> f64, range: &dyn Fn(&str) -> Interval, apart: Apart| {
        let nothing = stretch(-1.0, -1.0);
        let positions = codes.clone().map(|code| dictionary.value(code).map(position));
        let ranges = codes.clone().map(|code| dictionary.value(code).map_or(nothing, range));
        Contributions::new(positions.collect(), ranges.collect(), apart)
    };
    match kind {
        Kind::Numbers => {
            let number = |text: &str| text.parse::<f64>().unwrap();
            let around = |text: &str| stretch(number(text) - 5.0, number(text) + 10.0);
            of_value(&number, &around, Apart::Numbers(Range::new(0.0, 100.0).ok()))
        }
        Kind::Tree => {
            let leaf = |text: &str| world.tree().leaf(text).unwrap() as f64;
            let siblings = |text: &str| {
                let parent = world.tree().parent(world.tree().find(text).unwrap()).unwrap();
                let leaves = world.tree().leaves_under(parent);
                stretch(leaves.start as f64, leaves.end as f64 - 1.0)
            };
            of_value(&leaf, &siblings, Apart::Leaves(Arc::new(world.tree().clone())))
        }
        Kind::Values => {
            let letter = |text: &str| f64::from(text.as_bytes()[0]);
            let itself = |text: &str| stretch(letter(text), letter(text));
            let count = dictionary.len();
            of_value(&letter, &itself, Apart::Values { count })
        }
    }
}

fn toc(dice: &mut Dice, case: &Case) -> Toc {
    Toc {
        utility_weight: [0.0, 0.3, 0.5, 0.8, 1.0][dice.roll(5)],
        threshold: Some(dice.roll(8) as f64 / 10.0),
        subspace: Some(case.subspace),
        nearest: [Nearest::ToSeed, Nearest::ToCluster][dice.roll(2)],
        sensitive: Space::new(&case.world.table, &case.world.sensitive()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    #[test]
    fn toc_makes_the_same_groups(seed in any::<u64>()) {
        let mut dice = Dice(seed);
        let sensitive = 1 + dice.roll(2);
        let case = Case::new(&mut dice, sensitive);
        let toc = toc(&mut dice, &case);
        let made = groups(&toc, &case.world.table, &case.quasi, case.templates(), case.seed);
        let slow = slow_toc(&case, &toc);
        if slow.is_empty() {
            prop_assert_eq!(made.len(), 1);
            prop_assert_eq!(made.concat().len(), case.world.table.rows());
        } else {
            prop_assert_eq!(made, slow);
        }
    }

    #[test]
    fn upc_makes_the_same_groups_and_they_keep_every_bound(seed in any::<u64>()) {
        let mut dice = Dice(seed);
        let sensitive = dice.roll(3);
        let case = Case::new(&mut dice, sensitive);
        let columns = case.world.sensitive.iter();
        let pairs: Vec<(ColumnId, Contributions)> =
            columns.map(|&(id, kind)| (id, contributions(&case.world, id, kind))).collect();
        let secrets = pairs.iter().map(|(id, contributions)| RangeSecret {
            codes: case.world.table.column(*id).codes(),
            contributions,
            at_most: (3 + dice.roll(7)) as f64 / 10.0,
        });
        let secrets = secrets.collect();
        let upc = Upc { loss_at_most: (2 + dice.roll(9)) as f64 / 10.0, subspace: Some(case.subspace), secrets };
        let made = groups(&upc, &case.world.table, &case.quasi, case.templates(), case.seed);
        for rows in &made {
            prop_assert!(case.keeps_conditions(rows));
            prop_assert!(case.loss(rows) <= upc.loss_at_most);
            for secret in &upc.secrets {
                let level = range_diversity(secret.codes, secret.contributions, rows);
                prop_assert!(level <= secret.at_most + 1e-9);
            }
        }
        prop_assert_eq!(made, slow_upc(&case, &upc));
    }
}

/// Settings from a sample, thousands of rows, far more left over than look for a home at once.
#[test]
fn groups_do_not_depend_on_the_number_of_threads() {
    let mut dice = Dice(7);
    let world = dice.world(6000, 3, 1);
    let quasi = Space::new(&world.table, &world.quasi());
    let pairs = contributions(&world, world.sensitive[0].0, world.sensitive[0].1);
    let toc = Toc {
        utility_weight: 0.5,
        threshold: None,
        subspace: None,
        nearest: Nearest::ToCluster,
        sensitive: Space::new(&world.table, &world.sensitive()),
    };
    let upc = Upc {
        loss_at_most: 0.5,
        subspace: None,
        secrets: vec![RangeSecret {
            codes: world.table.column(world.sensitive[0].0).codes(),
            contributions: &pairs,
            at_most: 0.4,
        }],
    };
    let on_threads = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let templates = [anonymity(3, 3)];
            let toc = groups(&toc, &world.table, &quasi, &templates, 5);
            (toc, groups(&upc, &world.table, &quasi, &templates, 5))
        })
    };
    assert!(on_threads(1) == on_threads(3));
}

/// They are asked before each subspace and before rows look for a home, so whenever the answer is no, they stop.
#[test]
fn a_method_that_is_told_to_stop_stops() {
    let world = Dice(3).world(300, 2, 0);
    let quasi = Space::new(&world.table, &world.quasi());
    let toc = Toc {
        utility_weight: 1.0,
        threshold: Some(0.1),
        subspace: Some(10),
        nearest: Nearest::ToCluster,
        sensitive: Space::new(&world.table, &[]),
    };
    let upc = Upc {
        loss_at_most: 0.2,
        subspace: Some(10),
        secrets: Vec::new(),
    };
    for method in [&toc as &dyn Method, &upc] {
        let ask_up_to = |most: usize| {
            let asked = AtomicUsize::new(0);
            let stops = || asked.fetch_add(1, Ordering::Relaxed) >= most;
            let searching = Running::begin(&stops, Stage::Searching, None);
            let work = searching.work();
            let groups = groups_unless_stopped(method, &world.table, &quasi, &[anonymity(5, 2)], 1, work);
            drop(searching);
            (groups, asked.into_inner())
        };
        let (groups, asked) = ask_up_to(usize::MAX);
        assert!(groups.is_ok() && asked > 16);
        assert!(ask_up_to(asked).0.is_ok());
        assert_eq!(ask_up_to(asked - 1).0, Err(Failure::Interrupted));
        assert_eq!(ask_up_to(0).0, Err(Failure::Interrupted));
    }
}
