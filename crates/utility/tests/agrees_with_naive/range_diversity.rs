//! Range diversity.

use proptest::prelude::*;
use proptest::sample::select;
use scumble_table::{Interval, SensitiveRange, SensitiveRanges};
use scumble_utility::range_diversity;

use crate::tables::*;

/// A value by itself, or the values that its range holds.
fn in_range(column: usize, ranges: &SensitiveRange, u: Cell, x: Cell) -> bool {
    if u == x {
        return true;
    }
    let number = |cell: Cell| cell.and_then(|text| text.parse::<f64>().ok());
    match (ranges, number(u), number(x)) {
        (SensitiveRange::Width(width), Some(u), Some(x)) => (u / width).floor() == (x / width).floor(),
        (SensitiveRange::Intervals(intervals), Some(u), Some(x)) => intervals
            .iter()
            .find(|interval| interval.contains(u))
            .is_some_and(|interval| interval.contains(x)),
        (SensitiveRange::Table(pairs), Some(_), Some(x)) => {
            let range = pairs.iter().find(|(value, _)| Some(&value[..]) == u);
            range.is_some_and(|(_, range)| Interval::parse(range).unwrap().contains(x))
        }
        (SensitiveRange::Level(level), None, None) => {
            let (Means::Values([u]), Means::Values([x])) = (means(column, u), means(column, x)) else {
                return false;
            };
            // All leaves are two steps below the root.
            let above: Vec<_> = nodes(column).iter().filter(|leaves| leaves.contains(u)).collect();
            above[(*level as usize).min(2)].contains(x)
        }
        (SensitiveRange::Table(pairs), None, None) => {
            let range = pairs.iter().find(|(value, _)| Some(&value[..]) == u);
            let leaves = nodes(column)
                .iter()
                .find(|leaves| leaves.contains(&"Ulcer") && leaves.len() == 3);
            range.is_some() && x.is_some_and(|x| leaves.unwrap().contains(&x))
        }
        _ => false,
    }
}

fn pairwise_contribution(column: usize, u: Cell, x: Cell) -> f64 {
    match (means(column, u), means(column, x)) {
        (Means::Numbers(u, _), Means::Numbers(x, _)) => 1.0 - (u - x).abs() / length(column).unwrap(),
        _ if u == x => 1.0,
        (Means::Values(u), Means::Values(x)) => {
            let above = nodes(column)
                .iter()
                .find(|leaves| leaves.contains(&u[0]) && leaves.contains(&x[0]));
            1.0 - (above.unwrap().len() as f64 - 1.0) / (domain(column).len() as f64 - 1.0)
        }
        _ => 0.0,
    }
}

/// `rd` of a group.
fn naive(column: usize, ranges: &SensitiveRange, group: &[&Row]) -> f64 {
    let cells: Vec<Cell> = group.iter().map(|row| row[column]).collect();
    let mut distinct = cells.clone();
    distinct.sort();
    distinct.dedup();
    let size = cells.len() as f64;
    let confidence = |&u: &Cell| {
        let rows = cells.iter().filter(|&&cell| cell == u).count() as f64;
        let within = cells.iter().filter(|&&x| in_range(column, ranges, u, x));
        rows * within.map(|&x| pairwise_contribution(column, u, x)).sum::<f64>() / size
    };
    distinct.iter().map(confidence).sum::<f64>() / size
}

fn ranges() -> impl Strategy<Value = (usize, SensitiveRange)> {
    let interval = |from, to, closed| Interval { from, to, closed };
    let pair = |value: &str, range: &str| (value.to_owned(), range.to_owned());
    select(vec![
        (SALARY, SensitiveRange::Width(20.0)),
        (SALARY, SensitiveRange::Width(1000.0)),
        (SALARY, SensitiveRange::Width(0.5)),
        (
            SALARY,
            SensitiveRange::Intervals(vec![interval(5.0, 19.0, true), interval(19.0, 200.0, false)]),
        ),
        (
            SALARY,
            SensitiveRange::Table(vec![pair("10", "[0, 20)"), pair("100", "[20, 100]")]),
        ),
        (DISEASE, SensitiveRange::Level(0)),
        (DISEASE, SensitiveRange::Level(1)),
        (DISEASE, SensitiveRange::Level(7)),
        (
            DISEASE,
            SensitiveRange::Table(vec![pair("Ulcer", "Organ"), pair("Heart", "Organ")]),
        ),
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn range_diversity_is_what_its_definition_says(tables in tables(), (column, ranges) in ranges()) {
        let built = tables.build();
        let checked = SensitiveRanges::new(built.sensitive_domain(column), ranges.clone()).unwrap();
        let fast = range_diversity(&built.comparison(), NAMES[column], &checked).unwrap();
        let groups: Vec<f64> = tables.groups().iter().map(|group| naive(column, &ranges, group)).collect();
        match groups.iter().copied().reduce(f64::max) {
            Some(worst) => {
                prop_assert!(close(fast.worst_group.unwrap(), worst));
                prop_assert!(close(fast.mean.unwrap(), groups.iter().sum::<f64>() / groups.len() as f64));
            }
            None => prop_assert_eq!((fast.worst_group, fast.mean), (None, None)),
        }
    }
}
