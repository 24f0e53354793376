//! Small tables and the plain way to order their rows.

use std::cmp::Ordering;

use proptest::{collection::vec, option, prelude::*, sample::Index};
use scumble_privacy::{Audited, Demand, History, QuasiIdentifier, Requirement, Template, audit};
use scumble_store::{Unwatched, write_release};
use scumble_table::{Column, Mask, Released, Table, ValueOrder};
use scumble_table::{ReleaseFormat, RowOrder};

/// Cells by row, `None` where missing.
pub type Cells = Vec<Vec<Option<String>>>;

/// What every release keeps: that rows are at least one.
pub fn hardly_anything() -> Requirement {
    Requirement {
        templates: vec![Template {
            of: QuasiIdentifier::all(Vec::new()),
            demand: Demand::Anonymity { k: 1, per: Vec::new() },
        }],
    }
}

/// A table whose columns are called `0`, `1`, and so on.
#[derive(Clone, Debug)]
pub struct Plain {
    pub width: usize,
    pub rows: Cells,
}

impl Plain {
    /// One line per row, cells separated by `|`, `?` for a missing one.
    pub fn parse(lines: &[&str]) -> Plain {
        let cell = |text: &str| (text != "?").then(|| text.to_owned());
        let rows: Cells = lines.iter().map(|line| line.split('|').map(cell).collect()).collect();
        Plain {
            width: rows[0].len(),
            rows,
        }
    }

    /// The table as it is, audited against hardly anything.
    pub fn release(&self) -> Audited {
        let masks = vec![(Mask::Exact, None, true); self.width];
        let released = Released::new(self.table(), &masks, None);
        audit(released, &hardly_anything(), &[], &History::default()).expect("every row is one")
    }

    pub fn table(&self) -> Table {
        let cells = |column: usize| self.rows.iter().map(move |row| row[column].as_deref());
        let column = |number: usize| Column::from_cells(&number.to_string(), ValueOrder::Natural, cells(number));
        Table::new(self.rows.len(), (0..self.width).map(column).collect())
    }

    /// Sorted the plain way: column by column, numbers by size if all are, the missing value last.
    pub fn sorted(mut self) -> Plain {
        // A reader cannot tell an empty text from a missing value.
        for cell in self.rows.iter_mut().flatten() {
            cell.take_if(|text| text.is_empty());
        }
        let numeric = |column: usize| {
            let mut cells = self.rows.iter().filter_map(|row| row[column].as_deref());
            cells.all(|text| text.parse::<f64>().is_ok())
        };
        let numeric: Vec<bool> = (0..self.width).map(numeric).collect();
        self.rows.sort_by(|a, b| {
            let columns = a.iter().zip(b).zip(&numeric);
            let orders = columns.map(|((a, b), &numeric)| compare(a.as_deref(), b.as_deref(), numeric));
            orders.fold(Ordering::Equal, Ordering::then)
        });
        self
    }
}

fn compare(a: Option<&str>, b: Option<&str>, numeric: bool) -> Ordering {
    let number = |text: &str| text.parse::<f64>().unwrap();
    match (a, b) {
        (Some(a), Some(b)) if numeric => number(a).total_cmp(&number(b)).then(a.cmp(b)),
        (Some(a), Some(b)) => a.cmp(b),
        _ => b.is_some().cmp(&a.is_some()),
    }
}

pub fn written(audited: &Audited, order: RowOrder, format: ReleaseFormat) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_release(audited, order, format, &mut bytes, &Unwatched).unwrap();
    bytes
}

/// Tables whose keys take from no bit to several times 128 of them, with rows that repeat or differ in one cell.
pub fn tables() -> impl Strategy<Value = Plain> {
    let width = prop_oneof![1..4usize, 8..24usize, 40..60usize];
    width.prop_flat_map(|width| {
        let cell = || option::weighted(0.9, 0..100usize);
        let kinds = vec(any::<Index>(), width);
        let different = vec(vec(cell(), width), 1..60);
        let picks = vec((any::<Index>(), option::of((0..width, cell()))), 0..90);
        (kinds, different, picks).prop_map(move |(kinds, different, picks)| {
            let row = |(pick, change): &(Index, Option<(usize, Option<usize>)>)| {
                let mut cells = pick.get(&different).clone();
                if let Some((column, cell)) = *change {
                    cells[column] = cell;
                }
                let shown = cells.iter().zip(&kinds);
                shown.map(|(cell, kind)| cell.map(kind.get(&KINDS))).collect()
            };
            Plain {
                width,
                rows: picks.iter().map(row).collect(),
            }
        })
    })
}

/// What a column may hold.
const KINDS: [fn(usize) -> String; 5] = [
    |_| "the same".into(),
    |number| number.to_string(),
    |number| format!("{:.1}", number as f64 / 8.0 - 3.0),
    |number| ["", "a,b", "say \"no\"", "two\nlines", "cr\r", "10", "9", "é", " ", "*"][number % 10].into(),
    |number| format!("v{number}"),
];
