//! The worked examples of chapter 5 of Loukides' thesis: incomes whose range must not be told.

mod clusters;

use clusters::{anonymity, groups, range_diversity, sorted};
use scumble_grouping::{RangeSecret, Scale, Space, Upc};
use scumble_level::{Apart, Contributions};
use scumble_table::{Column, ColumnId, Interval, Range, Table, ValueOrder};

fn numbers(name: &str, cells: &[u32]) -> Column {
    let cells: Vec<String> = cells.iter().map(u32::to_string).collect();
    Column::from_cells(name, ValueOrder::Number, cells.iter().map(|cell| Some(&cell[..])))
}

/// Table 5.1, t1 to t12.
const AGES: [u32; 12] = [30, 22, 29, 29, 31, 35, 37, 39, 41, 42, 44, 45];
const INCOMES: [u32; 12] = [1, 4, 22, 23, 24, 9, 0, 9, 25, 26, 90, 90];

/// Some rows of Table 5.1.
fn people(rows: &[usize]) -> Table {
    let pick = |cells: [u32; 12]| rows.iter().map(|&row| cells[row]).collect::<Vec<u32>>();
    Table::new(
        rows.len(),
        vec![numbers("Age", &pick(AGES)), numbers("Income", &pick(INCOMES))],
    )
}

fn all() -> Table {
    people(&(0..12).collect::<Vec<_>>())
}

/// Incomes from 0 to 9 are low, from 80 to 99 high, from 10 to 30 in between (section 5.1).
fn contributions(table: &Table) -> Contributions {
    let incomes = table.column(ColumnId(1)).dictionary().numbers().unwrap();
    let range = |&income: &f64| {
        let (from, to) = match income {
            ..10.0 => (0.0, 9.0),
            ..=30.0 => (10.0, 30.0),
            _ => (80.0, 99.0),
        };
        Interval { from, to, closed: true }
    };
    let positions = incomes.iter().copied().map(Some).collect();
    Contributions::new(
        positions,
        incomes.iter().map(range).collect(),
        Apart::Numbers(Range::new(0.0, 99.0).ok()),
    )
}

/// What UPC makes of a table, within a loss `u` and a range diversity `p`.
fn upc(table: &Table, k: usize, u: f64, p: f64, seed: u64) -> Vec<Vec<u32>> {
    let space = Space::new(table, &[(ColumnId(0), Scale::Numbers { range: None })]);
    let contributions = contributions(table);
    let upc = Upc {
        loss_at_most: u,
        subspace: Some(12),
        secrets: vec![RangeSecret {
            codes: table.column(ColumnId(1)).codes(),
            contributions: &contributions,
            at_most: p,
        }],
    };
    sorted(groups(&upc, table, &space, &[anonymity(k, 1)], seed))
}

/// The second group of Table 5.3: t7 earns nothing, the five others from 22 to 26, between which there are 40 in all. So
/// their range diversity is (1 + 25 - 40/99) / 36.
#[test]
fn the_second_group_of_table_5_3_is_within_its_range_diversity_and_no_less() {
    let second = people(&[6, 2, 3, 4, 8, 9]);
    let level = (26.0 - 40.0 / 99.0) / 36.0;
    let rows: Vec<u32> = (0..6).collect();
    let codes = second.column(ColumnId(1)).codes();
    assert!((range_diversity(codes, &contributions(&second), &rows) - level).abs() < 1e-12);
    for seed in 0..5 {
        assert_eq!(upc(&second, 6, 1.0, level, seed), std::slice::from_ref(&rows));
        assert!(upc(&second, 6, 1.0, level - 1e-6, seed).is_empty());
    }
}

/// Ages from 29 to 42, all lost: one group, or none.
#[test]
fn a_group_loses_no_more_than_it_may() {
    let second = people(&[6, 2, 3, 4, 8, 9]);
    assert_eq!(upc(&second, 6, 1.0, 1.0, 1).len(), 1);
    assert!(upc(&second, 6, 0.99, 1.0, 1).is_empty());
}

/// Section 5.1: nobody's low or high income should be inferred with more than 0.5, in groups of three. Some seeds lead to
/// groups with everybody in them.
#[test]
fn table_5_1_can_be_had_within_a_half() {
    let table = all();
    let codes = table.column(ColumnId(1)).codes();
    let found: Vec<Vec<Vec<u32>>> = (0..50).map(|seed| upc(&table, 3, 0.7, 0.5, seed)).collect();
    for group in found.iter().flatten() {
        let ages: Vec<u32> = group.iter().map(|&row| AGES[row as usize]).collect();
        let years = ages.iter().max().unwrap() - ages.iter().min().unwrap();
        assert!(group.len() >= 3 && f64::from(years) / 23.0 <= 0.7);
        assert!(range_diversity(codes, &contributions(&table), group) <= 0.5 + 1e-9);
    }
    assert!(found.iter().any(|groups| groups.concat().len() == 12));
}

/// Three of one income and three of another, `k` = 2: a group of two different ones has a range diversity of 1/2, one of
/// three has 5/9. So pairs it is, whoever is the seed.
#[test]
fn a_group_stops_at_the_row_that_would_tell_too_much() {
    let table = Table::new(
        6,
        vec![
            numbers("Age", &[30, 30, 30, 30, 30, 30]),
            numbers("Income", &[1, 1, 1, 90, 90, 90]),
        ],
    );
    for seed in 0..20 {
        let groups = upc(&table, 2, 1.0, 0.5, seed);
        assert_eq!(groups.len(), 3);
        assert!(
            groups
                .iter()
                .all(|group| group[0] < 3 && group[1] >= 3 && group.len() == 2)
        );
    }
}

/// The nearest to a low income are the other low ones, which tell more and more; only the fourth row, much older, brings
/// the range diversity down to (9 + 1) / 16.
#[test]
fn a_group_of_k_rows_that_tells_too_much_goes_on() {
    let table = Table::new(
        4,
        vec![numbers("Age", &[20, 20, 20, 99]), numbers("Income", &[1, 1, 1, 90])],
    );
    for seed in 0..10 {
        assert_eq!(upc(&table, 2, 1.0, 0.63, seed), [[0, 1, 2, 3]]);
        assert!(upc(&table, 2, 1.0, 0.62, seed).len() <= 1);
    }
}

/// Without secrets there is no P: what counts is the loss alone. The last two ages are too far from the others, and from
/// each other.
#[test]
fn rows_that_fit_nowhere_are_in_no_group() {
    let table = Table::new(5, vec![numbers("Age", &[0, 5, 10, 60, 100])]);
    let space = Space::new(&table, &[(ColumnId(0), Scale::Numbers { range: None })]);
    let upc = Upc {
        loss_at_most: 0.3,
        subspace: None,
        secrets: Vec::new(),
    };
    for seed in 0..10 {
        let groups = sorted(groups(&upc, &table, &space, &[anonymity(2, 1)], seed));
        assert_eq!(groups, [[0, 1, 2]]);
    }
}
