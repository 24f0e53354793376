//! [`GroupSizes`]: how many groups of each size the rows of a table make.
//!
//! A group is the rows that show the same on some columns. All figures about the release alone need no more than this.
//!
//! | job | sex | | size | groups |
//! |---|---|---|---|---|
//! | Professional | F | | 1 | 1 |
//! | Professional | F | | 3 | 1 |
//! | Professional | F | | | |
//! | Janitor | M | | | |
//!
//! # Cost
//! One number per row, sorted.

use std::collections::BTreeMap;
use std::ops::{Add, Mul};

use rayon::prelude::*;
use scumble_table::{Codes, Column, ColumnId, Released, ReleasedColumn, Table, collapse, with_codes};

/// How many groups there are of each size that occurs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroupSizes {
    groups_of: BTreeMap<u64, u64>,
}

impl GroupSizes {
    /// The groups of a release on some columns, from what a reader sees.
    pub fn of_release(released: &Released, columns: &[ColumnId]) -> Self {
        let shown = columns.iter().map(|id| Shown::of_released(&released.columns()[id.0]));
        let shown: Vec<Shown> = shown.collect();
        group_sizes(released.rows(), &shown.iter().collect::<Vec<_>>())
    }

    /// The groups of a table as it is: a release that was read from a file, or the original.
    pub fn of_table(table: &Table, columns: &[ColumnId]) -> Self {
        let shown: Vec<Shown> = columns.iter().map(|&id| Shown::of_column(table.column(id))).collect();
        group_sizes(table.rows(), &shown.iter().collect::<Vec<_>>())
    }

    /// Each size that occurs with its number of groups, smallest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (u64, u64)> + Clone {
        self.groups_of.iter().map(|(&size, &groups)| (size, groups))
    }

    /// How many groups have exactly this size.
    pub fn groups_of(&self, size: u64) -> u64 {
        self.groups_of.get(&size).copied().unwrap_or(0)
    }

    /// How many groups there are.
    pub fn groups(&self) -> u64 {
        self.groups_of.values().sum()
    }

    /// How many rows they have together.
    pub fn rows(&self) -> u64 {
        self.iter().map(|(size, groups)| size * groups).sum()
    }

    /// How many rows are in groups of fewer than `k`.
    pub fn rows_below(&self, k: u64) -> u64 {
        let below = self.groups_of.range(..k);
        below.map(|(size, groups)| size * groups).sum()
    }
}

/// Collects the sizes of single groups. A group of no rows is none.
impl FromIterator<u64> for GroupSizes {
    fn from_iter<I: IntoIterator<Item = u64>>(sizes: I) -> Self {
        let mut groups_of = BTreeMap::new();
        for size in sizes.into_iter().filter(|&size| size > 0) {
            *groups_of.entry(size).or_insert(0) += 1;
        }
        GroupSizes { groups_of }
    }
}

/// What the rows of a column show.
pub(crate) struct Shown<'c> {
    codes: &'c Codes,
    /// For each code, the place of what it shows among all that is shown.
    place_of_code: Vec<u32>,
    places: usize,
}

impl<'c> Shown<'c> {
    /// A released column, as a reader sees it.
    pub fn of_released(column: &'c ReleasedColumn) -> Self {
        let (shown, place_of_code) = column.shown();
        Shown {
            codes: column.codes(),
            place_of_code,
            places: shown.len(),
        }
    }

    /// A column as it is.
    pub fn of_column(column: &'c Column) -> Self {
        let places = column.dictionary().len();
        Shown {
            codes: column.codes(),
            place_of_code: (0..places as u32).collect(),
            places,
        }
    }

    /// How many different values there are, the missing one among them.
    pub fn values(&self) -> usize {
        self.places
    }
}

/// Rows are numbered by all that they show and the numbers sorted: where most rows differ, which is where risks are
/// high, that takes less memory and time than to look each row up.
pub(crate) fn group_sizes(rows: usize, columns: &[&Shown]) -> GroupSizes {
    let combinations = |all: Option<u128>, column: &&Shown| all?.checked_mul(column.places.max(1) as u128);
    match columns.iter().fold(Some(1), combinations) {
        Some(all) if all <= u128::from(u64::MAX) => sizes_of_equals(numbered::<u64>(rows, columns)),
        Some(_) => sizes_of_equals(numbered::<u128>(rows, columns)),
        // More combinations than numbers.
        None => {
            let codes = columns.iter().map(|column| {
                let places = column.codes.iter().map(|code| column.place_of_code[code as usize]);
                Codes::collect(column.places, places)
            });
            let codes: Vec<Codes> = codes.collect();
            let collapsed = collapse(rows, &codes.iter().collect::<Vec<_>>());
            collapsed.weights.into_iter().map(u64::from).collect()
        }
    }
}

/// One number per row that says all it shows, as digits of as many values as each column has.
fn numbered<N>(rows: usize, columns: &[&Shown]) -> Vec<N>
where
    N: Copy + From<u32> + Add<Output = N> + Mul<Output = N>,
{
    let mut numbers = vec![N::from(0); rows];
    for column in columns {
        let base = N::from(column.places as u32);
        with_codes!(
            column.codes,
            |codes| for (number, &code) in numbers.iter_mut().zip(codes) {
                *number = *number * base + N::from(column.place_of_code[code as usize]);
            }
        );
    }
    numbers
}

fn sizes_of_equals<N: Ord + Copy + Send>(mut numbers: Vec<N>) -> GroupSizes {
    numbers.par_sort_unstable();
    numbers
        .chunk_by(|a, b| a == b)
        .map(|equal| equal.len() as u64)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Groups of 3, 2 and 1 rows, whether the combinations of all columns fit into 64 bits, into 128 or into neither.
    #[test]
    fn the_sizes_do_not_depend_on_how_many_combinations_there_are() {
        let codes = Codes::collect(4, [2, 0, 2, 3, 0, 2]);
        let sizes = |columns: usize| {
            let shown = || Shown {
                codes: &codes,
                place_of_code: vec![5, 0, 1 << 21, 7],
                places: 1 << 22,
            };
            let columns: Vec<Shown> = (0..columns).map(|_| shown()).collect();
            let columns: Vec<&Shown> = columns.iter().collect();
            group_sizes(6, &columns).iter().collect::<Vec<_>>()
        };
        for columns in [1, 2, 4, 9] {
            assert_eq!(sizes(columns), [(1, 1), (2, 1), (3, 1)], "{columns} columns");
        }
        assert_eq!(sizes(0), [(6, 1)]);
    }

    #[test]
    fn rows_and_groups_are_counted_from_the_sizes() {
        let sizes: GroupSizes = [3, 1, 3, 1, 1, 7].into_iter().collect();
        assert_eq!((sizes.rows(), sizes.groups()), (16, 6));
        assert_eq!((sizes.groups_of(1), sizes.groups_of(2), sizes.groups_of(3)), (3, 0, 2));
        assert_eq!(
            (sizes.rows_below(1), sizes.rows_below(3), sizes.rows_below(4)),
            (0, 3, 9)
        );
    }

    #[test]
    fn no_rows_make_no_groups() {
        assert_eq!(group_sizes(0, &[]), GroupSizes::default());
        assert_eq!([0, 0].into_iter().collect::<GroupSizes>(), GroupSizes::default());
        assert_eq!(GroupSizes::default().rows(), 0);
    }
}
