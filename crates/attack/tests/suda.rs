//! Minimal sample uniques: the example of the page, every set of columns tried one by one, and tables at the edge.

use proptest::prelude::*;
use scumble_attack::{MSU_AT_MOST, Quantile, Suda, suda, suda_cost};
use scumble_progress::Work;
use scumble_table::{Column, ColumnId, Table, ValueOrder};

/// A table of rows of small numbers; 0 is a missing value.
fn table(columns: usize, rows: &[Vec<u8>]) -> Table {
    let column = |place: usize| {
        let cells: Vec<Option<String>> = rows
            .iter()
            .map(|row| Some(row[place].to_string()).filter(|cell| cell != "0"))
            .collect();
        let name = format!("c{place}");
        Column::from_cells(&name, ValueOrder::Natural, cells.iter().map(Option::as_deref))
    };
    Table::new(rows.len(), (0..columns).map(column).collect())
}

fn found(columns: usize, rows: &[Vec<u8>], at_most: usize) -> Suda {
    let all: Vec<ColumnId> = (0..columns).map(ColumnId).collect();
    suda(&table(columns, rows), &all, at_most, None, Work::unwatched()).unwrap()
}

fn smallest(suda: &Suda) -> Vec<(usize, u64)> {
    suda.smallest.iter().map(|of| (of.size, of.rows)).collect()
}

/// The table of the module's page. It is also the one that sdcMicro 5 is tested with (`test_suda2.R`), where the columns
/// contribute 50, 37.5 and 37.5 % of the score.
#[test]
fn the_page_is_right_and_so_is_sdc_micro() {
    let suda = found(3, &[vec![2, 7, 7], vec![1, 3, 6], vec![1, 7, 7]], 3);
    assert_eq!((suda.rows, suda.rows_with_msu, suda.msus), (3, 3, 5));
    assert_eq!(smallest(&suda), [(1, 2), (2, 1), (3, 0)]);
    let of_score: Vec<f64> = suda.columns.iter().map(|column| column.share_of_score).collect();
    assert_eq!(of_score, [0.5, 0.375, 0.375]);
    let msus: Vec<u64> = suda.columns.iter().map(|column| column.msus).collect();
    assert_eq!((msus, suda.columns[0].share), (vec![3, 2, 2], 0.6));
    let scores: Vec<f64> = suda.scores.iter().map(|quantile| quantile.score).collect();
    assert_eq!(scores, [2.0, 4.0, 4.0, 4.0, 4.0]);
}

/// Three rows alone, none in a pair: each single match is right. With a fourth that is the third again, two rows are
/// alone and two in a pair, so at 1 % of the population 2 · 0.01 / (2 · 0.01 + 2 · 0.99) = 0.01 of them are.
#[test]
fn pairs_lower_the_chance_of_a_correct_match() {
    let columns: Vec<ColumnId> = (0..3).map(ColumnId).collect();
    let dis = |rows: &[Vec<u8>]| {
        suda(&table(3, rows), &columns, 3, Some(0.01), Work::unwatched())
            .unwrap()
            .dis
            .unwrap()
    };
    let mut rows = vec![vec![2, 7, 7], vec![1, 3, 6], vec![1, 7, 7]];
    let highest = |quantiles: &[Quantile]| quantiles.last().unwrap().score;
    let alone = dis(&rows);
    assert_eq!((alone.file, highest(&alone.rows)), (1.0, 1.0));
    rows.push(vec![1, 7, 7]);
    let paired = dis(&rows);
    assert!((paired.file - 0.01).abs() < 1e-12);
    // The scores are 2 and 4, so the second row has the higher chance; the harmonic mean of both is that of the file.
    let against = |score: f64| score.powf(-1.25);
    let spread = (2.0 / 0.01 - 2.0) / (against(2.0) + against(4.0));
    assert!((highest(&paired.rows) - 1.0 / (1.0 + spread * against(4.0))).abs() < 1e-12);
}

#[test]
fn a_sampling_fraction_is_above_0_and_at_most_1() {
    let rows = table(1, &[vec![1], vec![2]]);
    for (fraction, is_one) in [
        (0.0, false),
        (-1.0, false),
        (f64::NAN, false),
        (1.5, false),
        (1.0, true),
    ] {
        let dis = suda(&rows, &[ColumnId(0)], 1, Some(fraction), Work::unwatched())
            .unwrap()
            .dis;
        assert_eq!(dis.is_some(), is_one, "{fraction}");
    }
}

#[test]
fn tables_at_the_edge() {
    let none = found(2, &[], 2);
    assert_eq!((none.rows, none.msus, none.scores.len()), (0, 0, 0));
    // Whatever is known of the only row, it is the only one.
    let one = found(2, &[vec![1, 1]], 2);
    assert_eq!((one.msus, smallest(&one)), (2, vec![(1, 1), (2, 0)]));
    let all_alike = found(2, &[vec![1, 2], vec![1, 2]], 2);
    assert_eq!((all_alike.rows_with_msu, all_alike.columns[0].share_of_score), (0, 0.0));
    let no_columns = found(0, &[vec![], vec![]], MSU_AT_MOST);
    assert_eq!((no_columns.at_most, no_columns.msus), (0, 0));
    // Sizes that no set can have are not looked for.
    assert_eq!(found(2, &[vec![1, 2], vec![3, 2]], 9).at_most, 2);
}

#[test]
fn the_cost_counts_rows_for_each_set_of_columns() {
    assert_eq!(suda_cost(1, 14, 3), 14 + 91 + 364);
    assert_eq!(suda_cost(45_000, 14, 3), 45_000 * 469);
    assert_eq!(suda_cost(10, 4, 9), 10 * 15);
    assert_eq!((suda_cost(10, 0, 3), suda_cost(0, 5, 3)), (0, 0));
    assert_eq!(suda_cost(usize::MAX, 200, 100), u64::MAX);
}

/// The MSUs of a row as sets of columns, by the definition.
fn slow_msus(rows: &[Vec<u8>], row: usize, columns: usize, at_most: usize) -> Vec<Vec<usize>> {
    let is_alone = |set: usize| {
        let agrees = |other: &&Vec<u8>| (0..columns).all(|c| set >> c & 1 == 0 || other[c] == rows[row][c]);
        rows.iter().filter(agrees).count() == 1
    };
    let is_part = |part: usize, set: usize| part != 0 && part != set && part & set == part;
    let sets = (1..1usize << columns).filter(|set| set.count_ones() as usize <= at_most);
    let minimal = sets.filter(|&set| is_alone(set) && !(1..set).any(|part| is_part(part, set) && is_alone(part)));
    minimal
        .map(|set| (0..columns).filter(|c| set >> c & 1 == 1).collect())
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]
    #[test]
    fn agrees_with_the_definition(
        (columns, rows) in (1..=5usize).prop_flat_map(|columns| {
            let row = prop::collection::vec(0..4u8, columns);
            (Just(columns), prop::collection::vec(row, 0..14))
        }),
        at_most in 0..6usize,
    ) {
        let suda = found(columns, &rows, at_most);
        let at_most = at_most.min(columns);
        let msus: Vec<Vec<Vec<usize>>> = (0..rows.len()).map(|row| slow_msus(&rows, row, columns, at_most)).collect();
        prop_assert_eq!(suda.msus as usize, msus.iter().flatten().count());
        prop_assert_eq!(suda.rows_with_msu as usize, msus.iter().filter(|msus| !msus.is_empty()).count());
        for of in &suda.smallest {
            let size = |msus: &&Vec<Vec<usize>>| msus.iter().map(Vec::len).min() == Some(of.size);
            prop_assert_eq!(of.rows as usize, msus.iter().filter(size).count());
        }
        for (place, column) in suda.columns.iter().enumerate() {
            let holding = msus.iter().flatten().filter(|set| set.contains(&place)).count();
            prop_assert_eq!(column.msus as usize, holding);
        }
        let score = |msus: &Vec<Vec<usize>>| -> usize {
            let score = |set: &Vec<usize>| (set.len()..at_most).map(|size| columns - size).product::<usize>();
            msus.iter().map(score).sum()
        };
        let highest = msus.iter().map(score).max();
        prop_assert_eq!(suda.scores.last().map(|quantile| quantile.score), highest.map(|score| score as f64));
    }
}
