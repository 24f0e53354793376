//! `Local`: every row in a group, all conditions kept, and close to the best of all partitions.

mod asked;
mod dice;

use asked::{Asked, anonymity};
use dice::Dice;
use proptest::prelude::*;
use scumble_grouping::{Local, Method, gather};

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]

    /// If all rows as one group keep the templates, the method itself breaks none and has no row twice.
    #[test]
    fn what_the_whole_keeps_is_never_broken(seed in any::<u64>()) {
        let asked = Asked::roll(seed, 60);
        prop_assume!(asked.rows() > 0 && asked.can_be_met());
        let conditions = asked.conditions();
        let groups = Local.groups(&asked.problem(), &conditions).unwrap();
        prop_assert!(groups.iter().all(|group| conditions.are_met_by(group)));
        let mut rows = groups.concat();
        rows.sort_unstable();
        prop_assert!(rows.windows(2).all(|pair| pair[0] < pair[1]), "a row is in two groups");
    }

    /// A row more in a group never breaks its size, so none is left over.
    #[test]
    fn every_row_is_in_a_group_if_only_size_counts(seed in any::<u64>(), k in 1u64..6) {
        let asked = Asked::roll(seed, 60).of_one(anonymity(k));
        let groups = Local.groups(&asked.problem(), &asked.conditions()).unwrap();
        prop_assert_eq!(groups.iter().map(Vec::len).sum::<usize>(), asked.rows());
        prop_assert!(groups.iter().all(|group| group.len() as u64 >= k) || (asked.rows() as u64) < k);
    }
}

/// Calls `body` with every partition of the rows from `row` on, beside groups that are there already.
fn each_partition(row: u32, rows: u32, groups: &mut Vec<Vec<u32>>, body: &mut impl FnMut(&[Vec<u32>])) {
    if row == rows {
        return body(groups);
    }
    for place in 0..groups.len() {
        groups[place].push(row);
        each_partition(row + 1, rows, groups, body);
        groups[place].pop();
    }
    groups.push(vec![row]);
    each_partition(row + 1, rows, groups, body);
    groups.pop();
}

/// The least total loss of a partition all of whose groups keep the conditions.
fn optimum(asked: &Asked) -> Option<f64> {
    let conditions = asked.conditions();
    let mut least: Option<f64> = None;
    each_partition(0, asked.rows() as u32, &mut Vec::new(), &mut |groups| {
        if groups.iter().all(|group| conditions.are_met_by(group)) {
            let total = asked.total(groups);
            least = Some(least.map_or(total, |least| least.min(total)));
        }
    });
    least
}

/// How close groups come to the optimum, over many tables.
#[derive(Debug, Default)]
struct Closeness {
    tables: usize,
    /// Those whose groups are the best.
    optimal: usize,
    found: f64,
    best: f64,
    /// The largest multiple of the optimum.
    worst: f64,
}

impl Closeness {
    fn of(all: impl Iterator<Item = Asked>) -> Closeness {
        let mut closeness = Closeness::default();
        for asked in all.filter(|asked| asked.rows() > 0) {
            let Some(best) = optimum(&asked) else { continue };
            // Parts may keep what the whole does not, if a template is not anti-monotone. Then it may give up.
            let Ok(grouping) = gather(&Local, &asked.problem()) else {
                assert!(!asked.can_be_met());
                continue;
            };
            closeness.add(asked.total(&grouping.rows()), best);
        }
        closeness
    }

    fn add(&mut self, found: f64, best: f64) {
        let is_optimal = found <= best + 1e-9;
        self.tables += 1;
        self.optimal += usize::from(is_optimal);
        self.found += found;
        self.best += best;
        self.worst = self.worst.max(if is_optimal { 1.0 } else { found / best });
    }
}

/// Tables of up to 7 rows, all partitions of which can be looked at.
fn small_tables() -> impl Iterator<Item = Asked> {
    (0..1200).map(|seed| Asked::roll(seed * 7919, 7))
}

/// The bounds are what was found, with a little room.
#[test]
fn small_tables_are_close_to_the_optimum_if_only_size_counts() {
    let asked = small_tables().zip([2, 3].into_iter().cycle());
    let found = Closeness::of(asked.map(|(asked, k)| asked.of_one(anonymity(k))));
    assert!(found.tables > 500, "{found:?}");
    assert!(found.optimal as f64 > 0.85 * found.tables as f64, "{found:?}");
    assert!(found.found < 1.05 * found.best, "{found:?}");
    assert!(found.worst < 3.5, "{found:?}");
}

/// The bounds are what was found, with a little room.
#[test]
fn small_tables_are_close_to_the_optimum_of_all_templates() {
    let found = Closeness::of(small_tables().map(|asked| Asked {
        rows_left_out_at_most: 0,
        ..asked
    }));
    assert!(found.tables > 500, "{found:?}");
    assert!(found.optimal as f64 > 0.85 * found.tables as f64, "{found:?}");
    assert!(found.found < 1.07 * found.best, "{found:?}");
    assert!(found.worst < 3.5, "{found:?}");
}

/// More rows than one block has: each of the few different ones is shown as it is, but for the rare.
#[test]
fn large_tables_are_grouped_in_blocks() {
    let world = Dice(5).world(40_000, 2, 1);
    let asked = Asked::of(world, anonymity(5));
    let grouping = gather(&Local, &asked.problem()).unwrap();
    assert_eq!(grouping.left_out(), None);
    assert!(grouping.rows().iter().all(|group| group.len() >= 5));
    assert!(asked.total(&grouping.rows()) < 0.01 * asked.rows() as f64);
}
