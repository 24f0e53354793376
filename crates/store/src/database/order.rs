//! The order of rows that have none: a database may store and give them in any.
//!
//! Rows are sorted by their key, then by the other columns that are kept. Numbers count as numbers, and so do numbers
//! within text:
//!
//! | stored | read |
//! |---|---|
//! | SC10, SC2, SC1 | SC1, SC2, SC10 |
//! | 10, 9.5, -1 | -1, 9.5, 10 |
//!
//! That is the order in which people number, and so mostly that of a file of the same table. Sorting here and not in
//! the database makes it the same for every database and every collation of one.
//!
//! Invariant: rows that are given in another order become the same table. Rows that are equal in all kept columns
//! cannot be told apart, so nothing tells in which order they were.
//!
//! # Cost
//! O(n log n) comparisons of codes, after each distinct value was compared once as text.

use std::cmp::Ordering;

use rayon::prelude::*;
use scumble_table::{Column, Encoder, Table, ValueOrder};

/// The rows in their order; `key` are places of columns in the table.
pub(super) fn order_of_rows(table: &Table, key: &[usize]) -> Vec<u32> {
    let others = (0..table.columns().len()).filter(|place| !key.contains(place));
    let by: Vec<usize> = key.iter().copied().chain(others).collect();
    let ranks: Vec<Vec<u32>> = by
        .into_par_iter()
        .map(|place| {
            let column = &table.columns()[place];
            column.codes().look_up(&ranks_of_codes(column))
        })
        .collect();
    let mut order: Vec<u32> = (0..table.rows() as u32).collect();
    let compare = |a: &u32, b: &u32| {
        let ranks = ranks.iter();
        let mut differences = ranks.map(|rank| rank[*a as usize].cmp(&rank[*b as usize]));
        differences
            .find(|difference| difference.is_ne())
            .unwrap_or(Ordering::Equal)
    };
    // Stable, so on any number of threads the same.
    order.par_sort_by(compare);
    order
}

/// The table with its rows in this order; `ids` tells which columns were read as such.
pub(super) fn in_order(table: Table, order: &[u32], ids: &[bool]) -> Table {
    let rows = table.rows();
    let columns = table.into_columns().into_iter().zip(ids);
    let columns = columns.map(|(column, is_of_ids)| match is_of_ids {
        true => ids_in_order(&column, order),
        false => column.with_codes(column.codes().pick(order)),
    });
    Table::new(rows, columns.collect())
}

/// Values without order are numbered as they are met, so they are met again.
fn ids_in_order(column: &Column, order: &[u32]) -> Column {
    let mut encoder = Encoder::of_ids();
    for &row in order {
        encoder.push(column.dictionary().value(column.codes().at(row as usize)));
    }
    let block = encoder.take_block();
    Column::merge(&column.name, ValueOrder::AsMet, vec![(encoder, vec![(0, block)])])
}

/// The place of each code among the values; equal texts have one, the missing value has the last.
fn ranks_of_codes(column: &Column) -> Vec<u32> {
    let dictionary = column.dictionary();
    let codes = 0..dictionary.len() as u32;
    if dictionary.numbers().is_some() {
        return codes.collect();
    }
    let mut sorted: Vec<u32> = codes.collect();
    let text = |code: u32| dictionary.value(code);
    sorted.par_sort_by(|&a, &b| match (text(a), text(b)) {
        (Some(a), Some(b)) => by_runs(a, b),
        (a, b) => a.is_none().cmp(&b.is_none()),
    });
    let mut ranks = vec![0; dictionary.len()];
    let mut rank = 0;
    for pair in sorted.windows(2) {
        rank += u32::from(text(pair[0]) != text(pair[1]));
        ranks[pair[1] as usize] = rank;
    }
    ranks
}

/// The order of two texts in which a run of digits is a number; bytes decide between equals.
fn by_runs(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a.as_bytes(), b.as_bytes());
    while let (Some(&x), Some(&y)) = (left.first(), right.first()) {
        let difference = if x.is_ascii_digit() && y.is_ascii_digit() {
            compare_numbers(take_digits(&mut left), take_digits(&mut right))
        } else {
            (left, right) = (&left[1..], &right[1..]);
            x.cmp(&y)
        };
        if difference.is_ne() {
            return difference;
        }
    }
    left.len().cmp(&right.len()).then_with(|| a.cmp(b))
}

/// Takes the digits off the front, and returns them without leading zeros.
fn take_digits<'t>(text: &mut &'t [u8]) -> &'t [u8] {
    let end = text.iter().position(|byte| !byte.is_ascii_digit());
    let (digits, rest) = text.split_at(end.unwrap_or(text.len()));
    *text = rest;
    let zeros = digits.iter().take_while(|&&digit| digit == b'0').count();
    &digits[zeros..]
}

/// Whole numbers of any length.
fn compare_numbers(a: &[u8], b: &[u8]) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sorted(texts: &[&'static str]) -> Vec<&'static str> {
        let mut sorted = texts.to_vec();
        sorted.sort_by(|a, b| by_runs(a, b));
        sorted
    }

    #[test]
    fn numbers_within_text_count_as_numbers() {
        assert_eq!(sorted(&["SC10", "SC2", "SC1", "S9"]), ["S9", "SC1", "SC2", "SC10"]);
        assert_eq!(sorted(&["a7b", "a07", "a7", "a", ""]), ["", "a", "a07", "a7", "a7b"]);
        assert_eq!(
            sorted(&[
                "2024-10-01",
                "2024-9-30",
                "99999999999999999999x",
                "100000000000000000000x"
            ]),
            [
                "2024-9-30",
                "2024-10-01",
                "99999999999999999999x",
                "100000000000000000000x"
            ]
        );
    }

    /// The plain way: runs of text and of digits, as a list that is compared run by run.
    fn runs(text: &str) -> Vec<(String, Option<u128>)> {
        let mut runs: Vec<(String, Option<u128>)> = Vec::new();
        for sign in text.chars() {
            match (sign.to_digit(10), runs.last_mut()) {
                (Some(digit), Some((_, Some(number)))) => *number = *number * 10 + u128::from(digit),
                (Some(digit), _) => runs.push((String::new(), Some(digit.into()))),
                (None, _) => runs.push((sign.to_string(), None)),
            }
        }
        runs
    }

    fn compare_runs(a: &str, b: &str) -> Ordering {
        let digit = |run: &(String, Option<u128>)| run.1.map(|number| number.to_string());
        for (x, y) in runs(a).iter().zip(&runs(b)) {
            let difference = match (x, y) {
                ((_, Some(x)), (_, Some(y))) => x.cmp(y),
                // A digit against a sign: their bytes.
                (x, y) => {
                    let first = |run| digit(run).map_or_else(|| run.0.clone(), |_| "0".to_owned());
                    first(x).cmp(&first(y))
                }
            };
            if difference.is_ne() {
                return difference;
            }
        }
        (runs(a).len().cmp(&runs(b).len())).then_with(|| a.cmp(b))
    }

    type Row = (Option<String>, Option<String>, String);

    /// Rows, and the same in another order.
    fn rows_twice() -> impl Strategy<Value = (Vec<Row>, Vec<Row>)> {
        let cell = |signs: &'static str| proptest::option::of(signs);
        let rows = proptest::collection::vec((cell("[a1]{0,2}"), cell("-?[0-9]"), "[xy]{0,1}"), 1..12);
        rows.prop_flat_map(|rows| (Just(rows.clone()), Just(rows).prop_shuffle()))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn texts_are_compared_run_by_run(a in "[0-2ab]{0,8}", b in "[0-2ab]{0,8}") {
            prop_assert_eq!(by_runs(&a, &b), compare_runs(&a, &b));
            prop_assert_eq!(by_runs(&a, &b).reverse(), by_runs(&b, &a));
            prop_assert_eq!(by_runs(&a, &b).is_eq(), a == b);
        }

        /// However rows are given, the table is the same, and it holds the same rows.
        #[test]
        fn the_order_in_which_rows_are_given_does_not_show(
            (rows, other) in rows_twice(),
            key in proptest::sample::subsequence(vec![0usize, 1, 2], 0..3),
        ) {
            let table = |rows: &[Row]| {
                let text = |cell: &Option<String>| cell.clone();
                let columns = vec![
                    from_cells("a", ValueOrder::Natural, rows.iter().map(|row| text(&row.0))),
                    from_cells("b", ValueOrder::Natural, rows.iter().map(|row| text(&row.1))),
                    from_cells("c", ValueOrder::AsMet, rows.iter().map(|row| Some(row.2.clone()))),
                ];
                let table = Table::new(rows.len(), columns);
                let order = order_of_rows(&table, &key);
                in_order(table, &order, &[false, false, true])
            };
            let given = table(&rows);
            prop_assert_eq!(&given, &table(&other));
            let cells = |row: usize| {
                let cell = |column: &Column| column.dictionary().value(column.codes().at(row)).map(str::to_owned);
                given.columns().iter().map(cell).collect::<Vec<_>>()
            };
            let mut read: Vec<_> = (0..rows.len()).map(cells).collect();
            let mut written: Vec<_> = rows.into_iter().map(|(a, b, c)| vec![a, b, Some(c)]).collect();
            read.sort();
            written.sort();
            prop_assert_eq!(read, written);
        }
    }

    fn from_cells(name: &str, order: ValueOrder, cells: impl Iterator<Item = Option<String>>) -> Column {
        let mut encoder = match order {
            ValueOrder::AsMet => Encoder::of_ids(),
            _ => Encoder::new(),
        };
        cells.for_each(|cell| encoder.push(cell.as_deref()));
        let block = encoder.take_block();
        Column::merge(name, order, vec![(encoder, vec![(0, block)])])
    }
}
