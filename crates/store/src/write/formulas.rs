//! [`FormulaCells`]: where a written file has cells that a spreadsheet would take for formulas.
//!
//! Rows are numbered as a spreadsheet numbers those of the file, from the order in which they are written:
//!
//! | row | note | |
//! |---|---|---|
//! | 1 | `note` | the header |
//! | 2 | `=1+1` | a formula |
//! | 3 | `=1+1` | a formula |
//! | 4 | `fine` | |
//! | 5 | `@x` | a formula |
//!
//! tells `note`: 2-3, 5. Invariant: it holds numbers and the names of columns, and no cell.

use std::fmt;
use std::ops::RangeInclusive;

use rayon::prelude::*;
use serde::{Serialize, Serializer};

use super::rows::{PublishedColumn, Rows};
use crate::formula::is_formula;

/// The cells of a written column that a spreadsheet would take for formulas; at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormulaCells {
    /// The name of the column.
    pub column: String,
    /// The rows of the file that they are in.
    pub rows: RowNumbers,
}

/// The row of the names of the columns.
const HEADER: u64 = 1;

pub(super) fn formulas(rows: &Rows) -> Vec<FormulaCells> {
    let columns = rows.columns().par_iter().enumerate();
    let found = columns.filter_map(|(place, column)| {
        let numbers = numbers(rows, place, column);
        (!numbers.is_empty()).then(|| FormulaCells {
            column: column.name.to_owned(),
            rows: numbers,
        })
    });
    found.collect()
}

fn numbers(rows: &Rows, place: usize, column: &PublishedColumn) -> RowNumbers {
    let mut numbers = RowNumbers::default();
    if is_formula(column.name) {
        numbers.push(HEADER);
    }
    let values = &column.values;
    let is_formula_rank: Vec<bool> = (0..values.len() as u32)
        .map(|rank| values.value(rank).is_some_and(is_formula))
        .collect();
    // Mostly there are none, and then no row is looked at.
    if is_formula_rank.contains(&true) {
        rows.ranks(place, 0..rows.count(), |row, rank| {
            if is_formula_rank[rank as usize] {
                numbers.push(HEADER + 1 + row as u64);
            }
        });
    }
    numbers
}

/// Numbers of rows, ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowNumbers {
    /// Ascending, with a gap after each.
    ranges: Vec<RangeInclusive<u64>>,
}

impl RowNumbers {
    /// Adds a number that is higher than all others.
    fn push(&mut self, number: u64) {
        match self.ranges.last_mut() {
            Some(last) if *last.end() + 1 == number => *last = *last.start()..=number,
            _ => self.ranges.push(number..=number),
        }
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.ranges.iter().map(|range| range.end() - range.start() + 1).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// The first of them, as so many numbers and ranges at most, and how many rows are left.
    pub fn first(&self, ranges: usize) -> (RowNumbers, u64) {
        let first = RowNumbers {
            ranges: self.ranges.iter().take(ranges).cloned().collect(),
        };
        let left = self.count() - first.count();
        (first, left)
    }

    fn texts(&self) -> impl Iterator<Item = String> {
        let text = |range: &RangeInclusive<u64>| match (range.start(), range.end()) {
            (first, last) if first == last => first.to_string(),
            (first, last) => format!("{first}-{last}"),
        };
        self.ranges.iter().map(text)
    }
}

/// `2-14, 20`.
impl fmt::Display for RowNumbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.texts().enumerate().try_for_each(|(place, text)| {
            let before = if place == 0 { "" } else { ", " };
            write!(f, "{before}{text}")
        })
    }
}

/// `["2-14", "20"]`.
impl Serialize for RowNumbers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.texts())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_told_as_a_range() {
        let mut numbers = RowNumbers::default();
        [1, 2, 3, 7, 9, 10].into_iter().for_each(|number| numbers.push(number));
        assert_eq!(numbers.to_string(), "1-3, 7, 9-10");
        assert_eq!(numbers.count(), 6);
        let (first, left) = numbers.first(2);
        assert_eq!((first.to_string(), left), ("1-3, 7".to_owned(), 2));
        assert_eq!(serde_json::to_string(&numbers).unwrap(), r#"["1-3","7","9-10"]"#);
        assert_eq!(numbers.first(3), (numbers, 0));
    }
}
