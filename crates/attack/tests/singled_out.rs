//! Rows that stand out on what is published as it is: the definition word by word, beside the fast count.

use proptest::prelude::*;
use scumble_attack::{GroupCounts, ShownColumns, VIOLATED, singled_out, singled_out_of_table};
use scumble_table::{Column, ColumnId, Mask, Released, Table, ValueOrder};

type Row = Vec<Option<String>>;

fn table(rows: &[Row], columns: usize) -> Table {
    let column = |place: usize| {
        let cells = rows.iter().map(|row| row[place].as_deref());
        Column::from_cells(&format!("c{place}"), ValueOrder::Natural, cells)
    };
    Table::new(rows.len(), (0..columns).map(column).collect())
}

/// For every row, how many rows look the same on these columns; an empty cell looks like a missing one.
fn alike(rows: &[Row], columns: &[ColumnId]) -> Vec<usize> {
    let look = |row: &Row| -> Vec<String> { columns.iter().map(|id| row[id.0].clone().unwrap_or_default()).collect() };
    let same = |row: &Row| rows.iter().filter(|other| look(other) == look(row)).count();
    rows.iter().map(same).collect()
}

fn assert_counts(found: &GroupCounts, rows: &[Row], columns: &[ColumnId], k: u64) {
    let alike = alike(rows, columns);
    let below = |k: u64| alike.iter().filter(|&&rows| (rows as u64) < k).count() as u64;
    assert_eq!(
        found.of,
        columns.iter().map(|id| format!("c{}", id.0)).collect::<Vec<_>>()
    );
    assert_eq!(found.rows, rows.len() as u64);
    assert_eq!(found.uniques, below(2));
    let marks: Vec<u64> = found.violating.iter().map(|violating| violating.k).collect();
    assert!(VIOLATED.iter().chain([&k]).all(|k| marks.contains(k)), "{marks:?}");
    assert!(marks.is_sorted_by(|a, b| a < b));
    for violating in &found.violating {
        assert_eq!(violating.rows, below(violating.k), "{violating:?}");
    }
    let groups: f64 = alike.iter().map(|&rows| 1.0 / rows as f64).sum();
    assert_eq!(found.groups, groups.round() as u64);
}

proptest! {
    #[test]
    fn rows_that_stand_out_are_those_that_few_others_look_like(
        rows in prop::collection::vec(prop::collection::vec(prop::option::of("[a-c]?"), 4), 0..30),
        k in 2u64..8,
    ) {
        let shown = ShownColumns {
            as_they_are: vec![ColumnId(2), ColumnId(0)],
            masked: vec![ColumnId(1)],
            secrets: vec![ColumnId(3)],
        };
        let table = table(&rows, 4);
        let masks = vec![(Mask::Exact, None, true); 4];
        let released = Released::new(table.clone(), &masks, None);
        let found = singled_out(&released, &shown, Some(k)).unwrap();
        assert_counts(&found.as_they_are, &rows, &shown.as_they_are, k);
        assert_counts(found.with_masked.as_ref().unwrap(), &rows, &[ColumnId(2), ColumnId(0), ColumnId(1)], k);
        assert_counts(found.secrets.as_ref().unwrap(), &rows, &shown.secrets, k);
        // In a file an empty text is a missing cell, so there are no other tables to read.
        let read: Vec<Row> = rows
            .iter()
            .map(|row| row.iter().map(|cell| cell.clone().filter(|text| !text.is_empty())).collect())
            .collect();
        let of_file = singled_out_of_table(&self::table(&read, 4), &shown, Some(k)).unwrap();
        prop_assert_eq!(of_file.as_they_are.uniques, found.as_they_are.uniques);
        prop_assert_eq!(of_file.with_masked, found.with_masked);
    }
}

/// The columns to blame are those with the most values, whatever their order.
#[test]
fn the_columns_with_the_most_values_are_named() {
    let values = [1, 5, 2, 7, 5];
    let row = |row: usize| -> Row { values.iter().map(|values| Some(format!("v{}", row % values))).collect() };
    let rows: Vec<Row> = (0..70).map(row).collect();
    let shown = ShownColumns {
        as_they_are: (0..5).map(ColumnId).collect(),
        ..ShownColumns::default()
    };
    let found = singled_out_of_table(&table(&rows, 5), &shown, None).unwrap();
    assert_eq!(found.as_they_are.most_values, ["c3", "c1", "c4"]);
    assert_eq!((found.with_masked, found.secrets), (None, None));
}

#[test]
fn a_release_without_such_columns_has_nothing_to_tell() {
    let shown = ShownColumns {
        masked: vec![ColumnId(0)],
        ..ShownColumns::default()
    };
    let rows = vec![vec![Some("a".to_owned())]];
    assert_eq!(singled_out_of_table(&table(&rows, 1), &shown, None), None);
}
