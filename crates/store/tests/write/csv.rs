use std::io;

use proptest::prelude::*;
use scumble_privacy::{History, audit};
use scumble_store::{Unwatched, Watch, WriteError, write_columns, write_release};
use scumble_table::{ColumnId, Labels, Mask, Released, ReleasedColumn};
use scumble_table::{ReleaseFormat, RowOrder};

use crate::tables::{Plain, hardly_anything, tables, written};

fn csv(plain: &Plain, order: RowOrder) -> String {
    String::from_utf8(written(&plain.release(), order, ReleaseFormat::Csv)).unwrap()
}

/// The table as the csv crate writes it, row by row.
fn plainly_written(plain: &Plain) -> String {
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    writer
        .write_record((0..plain.width).map(|number| number.to_string()))
        .unwrap();
    for row in &plain.rows {
        writer
            .write_record(row.iter().map(|cell| cell.as_deref().unwrap_or_default()))
            .unwrap();
    }
    String::from_utf8(writer.into_inner().unwrap()).unwrap()
}

/// Numbers sort by size, texts by bytes, and a missing value comes last.
#[test]
fn sorted_rows_are_quoted_where_needed() {
    let patients = Plain::parse(&["10|Lawyer, tax", "9|\"Jo\"", "?|Mover", "9|?", "10|Janitor", "9|\"Jo\""]);
    assert_eq!(
        csv(&patients, RowOrder::Sorted),
        "0,1\n9,\"\"\"Jo\"\"\"\n9,\"\"\"Jo\"\"\"\n9,\n10,Janitor\n10,\"Lawyer, tax\"\n,Mover\n"
    );
    assert_eq!(csv(&patients, RowOrder::Input), plainly_written(&patients));
}

/// A blank line would be no row to a reader.
#[test]
fn a_lone_missing_value_is_not_a_blank_line() {
    let plain = Plain::parse(&["?", "a"]);
    assert_eq!(csv(&plain, RowOrder::Sorted), "0\na\n\"\"\n");
}

#[test]
fn a_release_without_rows_is_a_header() {
    let plain = Plain { width: 2, rows: vec![] };
    assert_eq!(csv(&plain, RowOrder::Sorted), "0,1\n");
}

#[test]
fn identifiers_are_not_written() {
    let plain = Plain::parse(&["Ann|30", "Bob|20"]);
    let masks = [(Mask::Exact, None, false), (Mask::Exact, None, true)];
    let released = Released::new(plain.table(), &masks, None);
    let audited = audit(released, &hardly_anything(), &[], &History::default()).unwrap();
    assert_eq!(written(&audited, RowOrder::Sorted, ReleaseFormat::Csv), b"1\n20\n30\n");
}

/// Some columns, in another order, sorted by what they show: which of the first column goes with which is gone.
#[test]
fn columns_are_written_as_a_table_of_their_own() {
    let plain = Plain::parse(&["Ann|30|x", "Bob|20|x", "Cid|40|a"]);
    let mut bytes = Vec::new();
    let columns = [ColumnId(2), ColumnId(1)];
    let (order, format) = (RowOrder::Sorted, ReleaseFormat::Csv);
    write_columns(&plain.release(), &columns, order, format, &mut bytes, &Unwatched).unwrap();
    assert_eq!(bytes, b"2,1\na,40\nx,20\nx,30\n");
}

#[test]
fn a_release_of_identifiers_alone_is_refused() {
    let plain = Plain::parse(&["Ann"]);
    let released = Released::new(plain.table(), &[(Mask::Exact, None, false)], None);
    let audited = audit(released, &hardly_anything(), &[], &History::default()).unwrap();
    let refused = write_release(&audited, RowOrder::Sorted, ReleaseFormat::Csv, io::sink(), &Unwatched);
    assert!(matches!(refused, Err(WriteError::NoColumns)));
}

/// Were `x` of the row left out still known, 10 and 9 would be in byte order.
#[test]
fn rows_left_out_do_not_show() {
    let with = Plain::parse(&["10", "x", "9"]);
    let released = Released::new(with.table(), &[(Mask::Exact, None, true)], Some(&[false, true, false]));
    let audited = audit(released, &hardly_anything(), &[], &History::default()).unwrap();
    assert_eq!(written(&audited, RowOrder::Sorted, ReleaseFormat::Csv), b"0\n9\n10\n");
}

/// Enough rows for many blocks, once more than fits in one key and once not.
#[test]
fn the_number_of_threads_does_not_show() {
    for width in [4, 24] {
        let cell = |row: u64, column: u64| (row.wrapping_mul(0x9E3779B97F4A7C15) >> (column + 20)) % 150;
        let row = |row: u64| {
            (0..width)
                .map(|column| Some(cell(row / 2, column).to_string()))
                .collect()
        };
        let plain = Plain {
            width: width as usize,
            rows: (0..10_000).map(row).collect(),
        };
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| csv(&plain, RowOrder::Sorted))
        };
        let one = on(1);
        assert_eq!(one, on(5));
        assert!(one == plainly_written(&plain.clone().sorted()), "width {width}");
        assert!(csv(&plain, RowOrder::Input) == plainly_written(&plain), "width {width}");
    }
}

struct Impatient;

impl Watch for Impatient {
    fn should_stop(&self) -> bool {
        true
    }
}

#[test]
fn writing_stops_when_asked() {
    let audited = Plain::parse(&["a", "b"]).release();
    for format in ReleaseFormat::ALL {
        let stopped = write_release(&audited, RowOrder::Sorted, format, io::sink(), &Impatient);
        assert!(matches!(stopped, Err(WriteError::Interrupted)), "{format:?}");
    }
}

proptest! {
    #[test]
    fn sorted_rows_are_those_of_a_plain_sort(plain in tables()) {
        prop_assert_eq!(csv(&plain, RowOrder::Sorted), plainly_written(&plain.sorted()));
    }

    #[test]
    fn rows_in_input_order_are_those_of_the_table(plain in tables()) {
        prop_assert_eq!(csv(&plain, RowOrder::Input), plainly_written(&plain));
    }

    #[test]
    fn the_order_of_the_input_does_not_show(
        (plain, shuffled) in tables().prop_flat_map(|plain| {
            let rows = Just(plain.rows.clone()).prop_shuffle();
            (Just(plain), rows)
        })
    ) {
        let shuffled = Plain { rows: shuffled, ..plain.clone() };
        prop_assert_eq!(csv(&plain, RowOrder::Sorted), csv(&shuffled, RowOrder::Sorted));
    }
}

/// Labels of one text are written alike, so a reader gets as many values as the audit counts.
#[test]
fn what_is_written_is_what_is_audited() {
    let labels = Labels::from_iter([Some("37"), Some("4"), Some("37"), None, Some("")]);
    let column = ReleasedColumn::told("age", true, labels, &[0, 2, 1, 3, 4], 0.0);
    let distinct = column.labels().len();
    let released = Released::of_columns(5, vec![column]);
    let audited = audit(released, &hardly_anything(), &[], &History::default()).unwrap();
    let text = String::from_utf8(written(&audited, RowOrder::Sorted, ReleaseFormat::Csv)).unwrap();
    assert_eq!(text, "age\n4\n37\n37\n\"\"\n\"\"\n");
    let mut cells: Vec<&str> = text.lines().skip(1).collect();
    cells.dedup();
    assert_eq!(cells.len(), distinct);
}
