//! Pairwise association.

use proptest::prelude::*;
use scumble_progress::Work;
use scumble_utility::{AssociationKind, associations};

use crate::tables::*;

fn midpoint(column: usize, cell: Cell) -> Option<f64> {
    match means(column, cell) {
        Means::Numbers(from, to) => Some((from + to) / 2.0),
        _ => None,
    }
}

fn spearman(pairs: &[(f64, f64)]) -> f64 {
    let rank = |numbers: Vec<f64>| -> Vec<f64> {
        let rank_of = |x: &f64| {
            let below = numbers.iter().filter(|y| *y < x).count() as f64;
            let equal = numbers.iter().filter(|y| *y == x).count() as f64;
            below + (equal + 1.0) / 2.0
        };
        numbers.iter().map(rank_of).collect()
    };
    let (a, b) = (
        rank(pairs.iter().map(|pair| pair.0).collect()),
        rank(pairs.iter().map(|pair| pair.1).collect()),
    );
    let mean = (pairs.len() as f64 + 1.0) / 2.0;
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - mean) * (b - mean)).sum::<f64>();
    let scale = (product(&a, &a) * product(&b, &b)).sqrt();
    if scale == 0.0 { 0.0 } else { product(&a, &b) / scale }
}

fn cramers_v(pairs: &[(String, String)]) -> f64 {
    let distinct = |mut all: Vec<&String>| {
        all.sort();
        all.dedup();
        all.into_iter().cloned().collect::<Vec<String>>()
    };
    let a = distinct(pairs.iter().map(|pair| &pair.0).collect());
    let b = distinct(pairs.iter().map(|pair| &pair.1).collect());
    let (n, r, c) = (pairs.len() as f64, a.len() as f64, b.len() as f64);
    if n < 2.0 {
        return 0.0;
    }
    let count = |test: &dyn Fn(&(String, String)) -> bool| pairs.iter().filter(|pair| test(pair)).count() as f64;
    let mut chi_squared = 0.0;
    for x in &a {
        for y in &b {
            let expected = count(&|pair| pair.0 == *x) * count(&|pair| pair.1 == *y) / n;
            chi_squared += (count(&|pair| pair.0 == *x && pair.1 == *y) - expected).powi(2) / expected;
        }
    }
    let phi = (chi_squared / n - (r - 1.0) * (c - 1.0) / (n - 1.0)).max(0.0);
    let corrected = |k: f64| k - (k - 1.0).powi(2) / (n - 1.0);
    let smaller = corrected(r).min(corrected(c)) - 1.0;
    if smaller <= 0.0 {
        0.0
    } else {
        (phi / smaller).sqrt().min(1.0)
    }
}

/// The category of a cell: its text, or its tenth of the numbers before masking.
fn category(tables: &Tables, column: usize, cell: Cell) -> Option<String> {
    if length(column).is_none() {
        return cell.map(str::to_owned);
    }
    let number = midpoint(column, cell)?;
    let numbers: Vec<f64> = tables
        .before
        .iter()
        .filter_map(|row| midpoint(column, row[column]))
        .collect();
    let tenths = |rows: usize| rows * 10 / numbers.len();
    let is_cut = |x: &&f64| {
        let (below, at_most) = (
            numbers.iter().filter(|y| y < x).count(),
            numbers.iter().filter(|y| y <= x).count(),
        );
        tenths(at_most) > tenths(below) && at_most < numbers.len()
    };
    let mut cuts: Vec<f64> = numbers.iter().filter(is_cut).copied().collect();
    cuts.sort_by(f64::total_cmp);
    cuts.dedup();
    Some(cuts.iter().filter(|&&cut| cut < number).count().to_string())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn association_is_what_its_definition_says(tables in tables()) {
        let built = tables.build();
        let fast = associations(&built.comparison(), &built.before, Work::unwatched()).unwrap();
        prop_assert_eq!(fast.pairs.len(), 15);
        for pair in &fast.pairs {
            let [a, b] = pair.columns.clone().map(|name| NAMES.iter().position(|other| *other == name).unwrap());
            let naive = |rows: &[Row]| match length(a).is_some() && length(b).is_some() {
                true => {
                    let numbers = rows.iter().filter_map(|row| Some((midpoint(a, row[a])?, midpoint(b, row[b])?)));
                    (AssociationKind::RankCorrelation, spearman(&numbers.collect::<Vec<_>>()))
                }
                false => {
                    let category = |row: &Row, column: usize| category(&tables, column, row[column]);
                    let words = rows.iter().filter_map(|row| Some((category(row, a)?, category(row, b)?)));
                    (AssociationKind::CramersV, cramers_v(&words.collect::<Vec<_>>()))
                }
            };
            let (kind, before) = naive(&tables.before);
            prop_assert_eq!(pair.kind, kind);
            // The square root makes much of a rounding error at 0.
            prop_assert!((pair.before - before).abs() < 1e-6, "{pair:?} {before}");
            prop_assert!((pair.after - naive(&tables.after).1).abs() < 1e-6, "{pair:?}");
        }
        let changes = fast.pairs.iter().map(|pair| (pair.after - pair.before).abs());
        prop_assert!(close(fast.mean_absolute_change.unwrap(), changes.sum::<f64>() / 15.0));
    }
}
