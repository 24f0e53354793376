//! A release beside the tables that it was made from: whose row each row is, and whether what it shows is true.
//!
//! | released: row of the original | of | course | grade | | original: of | course | grade | |
//! |---|---|---|---|---|---|---|---|---|
//! | 0 | 1 | Science | 93 | | S1 | Math | 93 | fits, if row 1 of the parent is S1 |
//! | 1 | 1 | Science | 91 | | S2 | Physics | 62 | another parent, another grade |
//! | 2 | 2 | Science | 85 | | S2 | History | 85 | does not cover it |
//!
//! # Cost
//! Whether a label covers a value is asked once for each pair of them that meets in a row.

use rayon::prelude::*;
use scumble_progress::{Interrupted, Work};
use scumble_table::{Column, FormsOf, Label, ReleasedColumn};

use super::fault::{Fault, Faults, Wrong};
use super::keys::{Cells, NONE};
use super::lineage::Lineage;
use super::numbers::{first_of, packed};
use crate::database::{OriginalTable, Originals, ReleasedDatabase, ReleasedTable};

/// Compares every row with the row of the original that it is said to be.
pub(super) fn compare(
    database: &ReleasedDatabase,
    lineage: &Lineage,
    originals: Originals,
    faults: &mut Faults,
    work: Work,
) -> Result<(), Interrupted> {
    let of_originals = Lineage::of_originals(database, originals.tables);
    let tables = database.tables.iter().zip(originals.tables).zip(originals.rows);
    let rows: Vec<Vec<u32>> = tables
        .clone()
        .map(|((table, original), rows)| existing(table, original, rows))
        .collect();
    for (place, ((table, original), _)) in tables.enumerate() {
        work.done(place, rows.len());
        work.go_on()?;
        let own = &rows[place];
        check_rows(table, own, original.table.rows(), faults);
        if let Some(parent) = lineage.parent_of(place) {
            let of_original = |row: u32| of_originals.parent_rows(place)[row as usize];
            let belongs = lineage.parent_rows(place).iter().zip(own);
            let moved = |(&released, &row): (&u32, &u32)| {
                released != NONE && row != NONE && rows[parent][released as usize] != of_original(row)
            };
            let moved = belongs.enumerate().filter(|(_, pair)| moved(*pair));
            for (row, _) in moved {
                let parent = || database.tables[parent].name.clone();
                faults.add(|| Fault::of_row(&table.name, row, Wrong::OtherParent { parent: parent() }));
            }
        }
        compare_cells(table, original, own, faults, work)?;
    }
    Ok(())
}

/// The row of the original of each released row; [`NONE`] if there is no such row.
fn existing(table: &ReleasedTable, original: &OriginalTable, rows: &[u32]) -> Vec<u32> {
    let there = |&row: &u32| {
        if (row as usize) < original.table.rows() {
            row
        } else {
            NONE
        }
    };
    let mut rows: Vec<u32> = rows.iter().map(there).collect();
    rows.resize(table.release.rows(), NONE);
    rows
}

/// Reports rows that are of no row of the original, or of the same as an earlier one.
fn check_rows(table: &ReleasedTable, rows: &[u32], rows_of_original: usize, faults: &mut Faults) {
    let mut first_of = vec![NONE; rows_of_original];
    for (place, &row) in rows.iter().enumerate() {
        if row == NONE {
            faults.add(|| Fault::of_row(&table.name, place, Wrong::NoOriginal));
            continue;
        }
        match &mut first_of[row as usize] {
            first if *first == NONE => *first = place as u32,
            first => {
                let first = u64::from(*first) + 1;
                faults.add(|| Fault::of_row(&table.name, place, Wrong::SameOriginal { first }));
            }
        }
    }
}

fn compare_cells(
    table: &ReleasedTable,
    original: &OriginalTable,
    rows: &[u32],
    faults: &mut Faults,
    work: Work,
) -> Result<(), Interrupted> {
    let columns = table.release.columns().iter().zip(&original.columns).enumerate();
    let columns = columns.filter_map(|(place, (released, column))| Some((place, released, column.as_ref()?)));
    for (place, released, column) in columns {
        work.go_on()?;
        let is_quasi = table.quasi.iter().any(|quasi| quasi.0 == place);
        let own = original.table.column(column.id);
        for row in rows_that_fail(released, own, rows, &covering(released, column.forms)) {
            let column = released.name.clone();
            faults.add(|| {
                let wrong = if is_quasi {
                    Wrong::NotCovering { column }
                } else {
                    Wrong::Differs { column }
                };
                Fault::of_row(&table.name, row, wrong)
            });
        }
    }
    Ok(())
}

/// Whether a label of a column in these forms covers a value.
fn covering<'a>(released: &'a ReleasedColumn, forms: FormsOf<'a>) -> impl Fn(u32, Option<&str>) -> bool + Sync + 'a {
    let labels = 0..released.labels().len() as u32;
    let text = |label| Cells::Released(released).text(label);
    let labels: Vec<Label> = labels.map(|label| Label::parse(text(label), forms)).collect();
    move |label, value| labels[label as usize].covers(value)
}

/// The rows whose label does not fit the value of their original, ascending.
fn rows_that_fail(
    released: &ReleasedColumn,
    original: &Column,
    rows: &[u32],
    fits: &(dyn Fn(u32, Option<&str>) -> bool + Sync),
) -> Vec<usize> {
    let label_of = released.label_of_code();
    let pair = |row: usize| match rows[row] {
        NONE => None,
        of => {
            let label = label_of[released.codes().at(row) as usize];
            Some(packed(label, original.codes().at(of as usize)))
        }
    };
    let mut pairs: Vec<u64> = (0..rows.len()).into_par_iter().filter_map(pair).collect();
    pairs.par_sort_unstable();
    pairs.dedup();
    let value = |pair: u64| Cells::Original(original).text(pair as u32);
    let failing: Vec<u64> = pairs
        .into_par_iter()
        .filter(|&pair| !fits(first_of(pair), value(pair)))
        .collect();
    if failing.is_empty() {
        return Vec::new();
    }
    let fails = |row: &usize| pair(*row).is_some_and(|pair| failing.binary_search(&pair).is_ok());
    (0..rows.len()).filter(fails).collect()
}
