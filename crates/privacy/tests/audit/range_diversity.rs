//! Range diversity: how surely a group gives away the range of a secret (Loukides, section 5.1).

use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use scumble_privacy::{Demand, Finding};
use scumble_table::{Interval, NodeId, Range, SensitiveDomain, SensitiveRange, SensitiveRanges, Taxonomy};

use crate::definitions::is_under;
use crate::example::{Cells, Example, assert_close, from_cells, released, tree};

/// Definition 5.1.4, of a group of values in a table of all values.
pub fn defined(ranges: &SensitiveRanges, group: &[Option<&str>], all: &[Option<&str>]) -> f64 {
    let size = group.len() as f64;
    let frequency = |value: &Option<&str>| group.iter().filter(|other| *other == value).count() as f64;
    let mut distinct = group.to_vec();
    distinct.sort();
    distinct.dedup();
    let confidence = |u: &Option<&str>| {
        let inside = distinct.iter().filter(|x| u == *x || lies_in_range(ranges, *u, **x));
        let near = inside.map(|x| frequency(x) * contribution(ranges.domain(), *u, *x, all));
        frequency(u) * near.sum::<f64>() / size
    };
    distinct.iter().map(confidence).sum::<f64>() / size
}

/// Definition 5.1.1: whether `x` lies in the range of `u`, another value.
fn lies_in_range(ranges: &SensitiveRanges, u: Option<&str>, x: Option<&str>) -> bool {
    let (Some(u), Some(x)) = (u, x) else { return false };
    let number = |text: &str| text.parse::<f64>().unwrap();
    match (ranges.domain(), ranges.range()) {
        (_, SensitiveRange::Width(width)) => (number(u) / width).floor() == (number(x) / width).floor(),
        (_, SensitiveRange::Intervals(intervals)) => {
            let first = intervals.iter().find(|interval| interval.contains(number(u)));
            first.is_some_and(|interval| interval.contains(number(x)))
        }
        (SensitiveDomain::Leaves(tree), SensitiveRange::Level(steps)) => {
            let up = |node: NodeId, _| tree.parent(node).unwrap_or(node);
            is_under(tree, Some(x), (0..*steps).fold(tree.find(u).unwrap(), up))
        }
        (_, SensitiveRange::Level(steps)) => *steps > 0,
        (domain, SensitiveRange::Table(pairs)) => {
            let range = pairs.iter().find(|(value, _)| value == u);
            range.is_some_and(|(_, range)| match domain {
                SensitiveDomain::Leaves(tree) => is_under(tree, Some(x), tree.find(range).unwrap()),
                SensitiveDomain::Numbers(_) => Interval::parse(range).unwrap().contains(number(x)),
                SensitiveDomain::Values => range == "*",
            })
        }
    }
}

/// Definition 5.1.2.
fn contribution(domain: &SensitiveDomain, u: Option<&str>, x: Option<&str>, all: &[Option<&str>]) -> f64 {
    if u == x {
        return 1.0;
    }
    let (u, x) = (u.unwrap(), x.unwrap());
    let categorical = |spanned: usize, values: usize| 1.0 - (spanned as f64 - 1.0) / (values as f64 - 1.0);
    match domain {
        SensitiveDomain::Numbers(range) => {
            let numbers = || all.iter().flatten().map(|text| text.parse::<f64>().unwrap());
            let (from, to) = match range {
                Some(range) => (range.whole().from, range.whole().to),
                None => (numbers().reduce(f64::min).unwrap(), numbers().reduce(f64::max).unwrap()),
            };
            1.0 - (u.parse::<f64>().unwrap() - x.parse::<f64>().unwrap()).abs() / (to - from)
        }
        SensitiveDomain::Leaves(tree) => {
            let over_both = |node: &NodeId| is_under(tree, Some(u), *node) && is_under(tree, Some(x), *node);
            let leaves = |node: NodeId| tree.leaves_under(node).len();
            let closest = tree.nodes().filter(over_both).map(leaves).min().unwrap();
            categorical(closest, leaves(tree.root()))
        }
        SensitiveDomain::Values => {
            let mut values: Vec<&str> = all.iter().copied().flatten().collect();
            values.sort_unstable();
            values.dedup();
            categorical(2, values.len())
        }
    }
}

fn numbers(from: f64, to: f64) -> SensitiveDomain {
    SensitiveDomain::Numbers(Some(Range::new(from, to).unwrap()))
}

fn table(pairs: &[(&str, &str)]) -> SensitiveRange {
    let pairs = pairs.iter().map(|&(value, range)| (value.to_owned(), range.to_owned()));
    SensitiveRange::Table(pairs.collect())
}

fn demand(people: &Example, at_most: f64, domain: SensitiveDomain, range: SensitiveRange) -> Demand {
    Demand::RangeDiversity {
        about: people.column("income"),
        at_most,
        ranges: SensitiveRanges::new(domain, range).unwrap(),
    }
}

fn audited(people: &Example, of: &str, domain: SensitiveDomain, range: SensitiveRange) -> Finding {
    people.finding(of, demand(people, 0.5, domain, range))
}

/// Table 5.3, with the range [10K, 30K] of the incomes that lie in it and each other income by itself. In the second group
/// dc(22K) = (5 − 10/99) / 6 ≈ 0.82; with those of 23K to 26K and 1/6 of 0K that makes (26 − 40/99) / 36.
#[test]
fn a_group_of_like_incomes_gives_them_away() {
    let people = released(
        "age     income
         [22-45] 1
         [22-45] 4
         [22-45] 9
         [22-45] 9
         [22-45] 90
         [22-45] 90
         [29-42] 0
         [29-42] 22
         [29-42] 23
         [29-42] 24
         [29-42] 25
         [29-42] 26",
    );
    let middle = SensitiveRange::Intervals(vec![Interval::parse("[10, 30]").unwrap()]);
    let finding = audited(&people, "age", numbers(0.0, 99.0), middle);
    assert_close(finding.level, (26.0 - 40.0 / 99.0) / 36.0);
    assert!(!finding.holds);
    // Of the first group, 9K and 90K are twice in it.
    assert_close(finding.spread[0].level, (1.0 + 1.0 + 4.0 + 4.0) / 36.0);
}

/// 1K and 4K are under [0-4]K, which has 5 of 100 leaves: pc = 1 − 4/99 ≈ 0.96.
#[test]
fn leaves_are_as_close_as_their_closest_common_ancestor_is_narrow() {
    let leaves: String = (0..100)
        .map(|income| format!("\n{}{income}", if income < 5 { "  " } else { " " }))
        .collect();
    let incomes = tree(&format!("all\n [0-4]{leaves}"));
    let people = released("age income\n x 1\n x 4");
    let finding = audited(
        &people,
        "age",
        SensitiveDomain::Leaves(incomes),
        SensitiveRange::Level(1),
    );
    assert_close(finding.level, (2.0 + 2.0 * (1.0 - 4.0 / 99.0)) / 4.0);
}

#[test]
fn one_value_gives_itself_away_for_certain() {
    let people = released("age income\n x 7\n x 7\n y 7");
    let domains = [SensitiveDomain::Numbers(None), SensitiveDomain::Values];
    for (domain, range) in domains
        .into_iter()
        .zip([SensitiveRange::Width(1.0), SensitiveRange::Level(1)])
    {
        assert_eq!(audited(&people, "age", domain, range).level, 1.0);
    }
}

/// A missing income is like no other, so it is in no range but its own.
#[test]
fn a_missing_value_counts_by_itself() {
    let people = released("age income\n x 1\n x -\n x -");
    let finding = audited(&people, "age", numbers(0.0, 10.0), SensitiveRange::Width(100.0));
    assert_close(finding.level, (1.0 + 4.0) / 9.0);
}

/// Two incomes far from each other, three rows of each: 18/36. One row more of either makes 25/49.
#[test]
fn the_bound_and_one_row_either_side() {
    let holds = |low: u32, high: u32| {
        let people = released(&format!("age income #\n x 1 {low}\n x 90 {high}"));
        audited(&people, "age", numbers(0.0, 99.0), SensitiveRange::Width(10.0)).holds
    };
    assert_eq!([holds(3, 3), holds(4, 3), holds(3, 4)], [true, false, false]);
}

/// Without a range of its own, a column reaches from the smallest to the largest number that is shown.
#[test]
fn the_domain_is_what_the_release_shows() {
    let level = |far: &str| {
        let people = released(&format!("age income\n x 0\n x 5\n y {far}\n y 0"));
        let finding = audited(
            &people,
            "age",
            SensitiveDomain::Numbers(None),
            SensitiveRange::Width(10.0),
        );
        finding.spread[1].level
    };
    assert_close(level("10"), (2.0 + 2.0 * 0.5) / 4.0);
    assert_close(level("50"), (2.0 + 2.0 * 0.9) / 4.0);
}

/// Why it is not anti-monotone: the range of each income is itself and its neighbours. Neither part has neighbours.
#[test]
fn a_finer_release_may_be_better() {
    let people = released(
        "age sex income
         x   F   0
         x   F   2
         x   F   4
         x   M   1
         x   M   3
         x   M   50",
    );
    let neighbours = || {
        table(&[
            ("0", "[0, 1]"),
            ("1", "[0, 2]"),
            ("2", "[1, 3]"),
            ("3", "[2, 4]"),
            ("4", "[3, 4]"),
        ])
    };
    let level = |of| audited(&people, of, numbers(0.0, 50.0), neighbours()).level;
    assert_close(level("age sex"), 1.0 / 3.0);
    assert_close(level("age"), (6.0 + 8.0 * 0.98) / 36.0);
    let demand = demand(&people, 0.35, numbers(0.0, 50.0), neighbours());
    assert!(people.finding("age sex", demand.clone()).holds);
    assert!(!people.finding("age", demand).holds);
}

/// A tree with branches of different depth.
fn incomes() -> Arc<Taxonomy> {
    tree("all\n low\n  0\n  1\n  few\n   2\n   5\n 20\n high\n  21\n  50")
}

/// Every form of range, on every domain that it fits.
fn ranges() -> impl Strategy<Value = SensitiveRanges> {
    let of_numbers = [
        SensitiveRange::Width(5.0),
        SensitiveRange::Width(1000.0),
        SensitiveRange::Intervals(vec![
            Interval::parse("[1, 5)").unwrap(),
            Interval::parse("[2, 21]").unwrap(),
        ]),
        table(&[("0", "[0, 20]"), ("20", "[2, 21)"), ("21", "[21, 21]")]),
    ];
    let of_leaves = [0, 1, 2, 9].map(SensitiveRange::Level);
    let of_leaves = of_leaves
        .into_iter()
        .chain([table(&[("2", "few"), ("5", "low"), ("50", "all")])]);
    let of_values = [SensitiveRange::Level(1), table(&[("2", "*"), ("50", "*")])];
    let numbers = [SensitiveDomain::Numbers(None), numbers(0.0, 99.0)];
    let pairs = numbers
        .into_iter()
        .flat_map(|domain| of_numbers.clone().map(|range| (domain.clone(), range)))
        .chain(of_leaves.map(|range| (SensitiveDomain::Leaves(incomes()), range)))
        .chain(of_values.map(|range| (SensitiveDomain::Values, range)));
    let checked = pairs.map(|(domain, range)| SensitiveRanges::new(domain, range).unwrap());
    select(checked.collect::<Vec<_>>())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn the_level_is_that_of_the_definition(
        ranges in ranges(),
        rows in vec(("[pq]", prop::option::weighted(0.9, select(vec!["0", "1", "2", "5", "20", "21", "50"]))), 1..30),
    ) {
        let cells: Vec<Cells> = rows.iter().map(|(a, income)| vec![Some(a.clone()), income.map(str::to_owned)]).collect();
        let people = from_cells(&["age", "income"], &cells);
        let all: Vec<Option<&str>> = rows.iter().map(|(_, income)| *income).collect();
        let of_group = |group: &str| {
            let own = rows.iter().filter(|(age, _)| age == group).map(|(_, income)| *income);
            let own: Vec<Option<&str>> = own.collect();
            if own.is_empty() { 0.0 } else { defined(&ranges, &own, &all) }
        };
        let expected = of_group("p").max(of_group("q"));
        let about = people.column("income");
        let found = people.level("age", Demand::RangeDiversity { about, at_most: 0.5, ranges: ranges.clone() });
        prop_assert!((found - expected).abs() < 1e-9, "{} is not {}", found, expected);
    }
}

/// Half of the rows have one income and half another, each in a range of its own: 0.5, however far apart the incomes are
/// and however large beside what they differ by.
#[test]
fn incomes_at_the_edge_of_what_numbers_can_hold_are_counted_as_any() {
    let pairs = [
        ("-1e308", "1.5e308", 1.0),
        ("-1.7976931348623157e308", "1.7976931348623157e308", 1e300),
        ("10000000000000000", "10000000000000004", 1.0),
        ("0", "5e-324", 5e-324),
        ("-5e-324", "5e-324", 5e-324),
        ("-0.0", "1e-310", 1e-310),
    ];
    for (low, high, width) in pairs {
        let people = released(&format!("zip income #\na {low} 3\na {high} 3\n"));
        let found = people.finding(
            "zip",
            demand(
                &people,
                0.1,
                SensitiveDomain::Numbers(None),
                SensitiveRange::Width(width),
            ),
        );
        assert_close(found.level, 0.5);
        assert!(!found.holds, "{low} and {high}");
    }
}

proptest! {
    /// Between 1/n and 1, in one range or in several, whatever the numbers are. In a range of everything the slow sum over
    /// pairs agrees, as far as it can be made.
    #[test]
    fn range_diversity_is_a_number_whatever_the_numbers_are(
        incomes in vec(
            select(vec![
                "-1.7976931348623157e308", "-1e308", "-1e16", "-1", "-5e-324", "-0.0", "0", "5e-324", "2.5e-310", "0.1",
                "1", "1e16", "10000000000000004", "1e300", "1.5e308", "1.7976931348623157e308",
            ]),
            1..12,
        ),
        width in select(vec![5e-324, 1e-300, 1.0, 1e16, 1e308]),
    ) {
        let lines: String = incomes.iter().map(|income| format!("a {income}\n")).collect();
        let people = released(&format!("zip income\n{lines}"));
        for range in [SensitiveRange::Width(width), table(&[(incomes[0], "*")])] {
            let found = people.finding("zip", demand(&people, 1.0, SensitiveDomain::Numbers(None), range));
            let n = incomes.len() as f64;
            prop_assert!(found.level > 1.0 / n - 1e-9 && found.level < 1.0 + 1e-9, "{}", found.level);
        }
        let everything: Vec<(&str, &str)> = incomes.iter().map(|income| (*income, "*")).collect();
        let found = people.finding("zip", demand(&people, 1.0, SensitiveDomain::Numbers(None), table(&everything)));
        let numbers: Vec<f64> = incomes.iter().map(|income| income.parse().unwrap()).collect();
        let (low, high) = (numbers.iter().copied().reduce(f64::min).unwrap(), numbers.iter().copied().reduce(f64::max).unwrap());
        let near = |a: f64, b: f64| if low == high { 1.0 } else { 1.0 - (a / 2.0 - b / 2.0).abs() / (high / 2.0 - low / 2.0) };
        let pairs = numbers.iter().flat_map(|&a| numbers.iter().map(move |&b| near(a, b)));
        let slow = pairs.sum::<f64>() / (numbers.len() as f64).powi(2);
        // Halves of the smallest numbers are 0.
        if high / 2.0 - low / 2.0 > 1e-300 || low == high {
            prop_assert!((found.level - slow).abs() < 1e-9, "{} for {}", found.level, slow);
        }
    }
}
