//! Checking: that a header names its columns, and that values are what their readings say.

use std::collections::HashMap;

use scumble_table::{Column, Table, parse_number, with_codes};

use super::keep::Keep;
use crate::error::{ColumnProblem, Fault, Origin, Place, ReadError};
use scumble_table::Reading;

/// How many rows of one kind of problem are named.
const NAMED_ROWS: usize = 5;

/// Checks that every column has a name of its own. Looked up, not compared with all before it: a header may be long.
pub(super) fn check_header(origin: &Origin, header: &[String]) -> Result<(), ReadError> {
    let mut first_with = HashMap::with_capacity(header.len());
    for (place, name) in header.iter().enumerate() {
        if name.is_empty() {
            return Err(ReadError::EmptyName {
                origin: origin.clone(),
                column: place + 1,
            });
        }
        if let Some(first) = first_with.insert(name, place) {
            return Err(ReadError::RepeatedName {
                origin: origin.clone(),
                first: first + 1,
                second: place + 1,
            });
        }
    }
    Ok(())
}

/// Checks every value against the reading of its column. `locate` tells where rows are, given by ascending numbers.
pub(super) fn check_values(
    origin: &Origin,
    keep: &Keep,
    table: &Table,
    locate: impl FnOnce(&[usize]) -> Result<Vec<Place>, ReadError>,
) -> Result<(), ReadError> {
    let columns = table.columns().iter().zip(keep.kept());
    let found: Vec<Found> = columns
        .flat_map(|(column, (.., reading))| check_column(column, reading))
        .collect();
    if found.is_empty() {
        return Ok(());
    }
    let mut rows: Vec<usize> = found.iter().flat_map(|found| found.first.iter().copied()).collect();
    rows.sort_unstable();
    rows.dedup();
    let places = locate(&rows)?;
    // A file that shrank since it was read has no place for a row any more; its number still helps.
    let place = |row: &usize| {
        let located = rows.binary_search(row).ok().and_then(|at| places.get(at));
        located.copied().unwrap_or(Place::Row(row + 1))
    };
    let problems = found.iter().map(|found| ColumnProblem {
        column: found.column.to_owned(),
        fault: found.fault,
        rows: found.rows,
        places: found.first.iter().map(place).collect(),
    });
    Err(ReadError::Columns {
        origin: origin.clone(),
        problems: problems.collect(),
    })
}

/// A problem whose rows are not yet located.
struct Found<'c> {
    column: &'c str,
    fault: Fault,
    rows: usize,
    first: Vec<usize>,
}

fn check_column<'c>(column: &'c Column, reading: &Reading) -> Vec<Found<'c>> {
    let texts = column.dictionary().texts();
    let mut found = Vec::new();
    let mut report = |fault: &dyn Fn(usize) -> Fault, bad: Vec<bool>| {
        let distinct = bad.iter().filter(|&&bad| bad).count();
        if distinct > 0 {
            found.push(rows_with(column, fault(distinct), &bad));
        }
    };
    match reading {
        Reading::Skip | Reading::Text | Reading::Ids => {}
        Reading::Number { range } => {
            let numbers: Vec<Option<f64>> = texts.iter().map(parse_number).collect();
            report(&|_| Fault::NotANumber, numbers.iter().map(Option::is_none).collect());
            if let Some(range) = range {
                let outside = |number: &Option<f64>| number.is_some_and(|number| !range.whole().contains(number));
                report(&|_| Fault::OutsideRange(*range), numbers.iter().map(outside).collect());
            }
        }
        Reading::Leaves(taxonomy) => {
            let lacks = |text: &str| taxonomy.leaf(text).is_none();
            report(
                &|distinct| Fault::NotALeaf { distinct },
                texts.iter().map(lacks).collect(),
            );
        }
    }
    found
}

/// The rows whose code is bad; codes past the end of `bad` (the missing value's) are good.
fn rows_with<'c>(column: &'c Column, fault: Fault, bad: &[bool]) -> Found<'c> {
    let mut found = Found {
        column: &column.name,
        fault,
        rows: 0,
        first: Vec::new(),
    };
    with_codes!(column.codes(), |codes| for (row, &code) in codes.iter().enumerate() {
        if bad.get(code as usize) == Some(&true) {
            found.rows += 1;
            if found.first.len() < NAMED_ROWS {
                found.first.push(row);
            }
        }
    });
    found
}
