//! Collapsing: rows that agree on some columns become one row with a weight.

use foldhash::fast::FixedState;
use hashbrown::{HashTable, hash_table::Entry};
use rayon::prelude::*;
use std::hash::{BuildHasher, Hasher};

use crate::{Codes, with_codes};

/// Rows that differ, each with the number of rows it stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collapsed {
    /// The first row of each kind, ascending.
    pub rows: Vec<u32>,
    /// How many rows are of that kind.
    pub weights: Vec<u32>,
    /// For each row of the table, the place of its kind in `rows`.
    pub kind_of: Vec<u32>,
}

/// Collapses the rows that agree on all of `columns`.
pub fn collapse(rows: usize, columns: &[&Codes]) -> Collapsed {
    match number_rows(rows, columns) {
        Some(numbers) => {
            let kinds = expected_kinds(rows, numbers.iter().map(|&number| mix(number)));
            collapse_numbered(&numbers, kinds)
        }
        None => {
            let hashes = hash_rows(rows, columns);
            let kinds = expected_kinds(rows, hashes.iter().copied());
            collapse_hashed(columns, &hashes, kinds)
        }
    }
}

/// The same, but `None` if so few rows agree that it would not pay.
pub fn collapse_if_worth(rows: usize, columns: &[&Codes]) -> Option<Collapsed> {
    let worth = |kinds: &usize| *kinds * 10 <= rows * 9;
    match number_rows(rows, columns) {
        Some(numbers) => {
            let kinds = expected_kinds(rows, numbers.iter().map(|&number| mix(number)));
            Some(kinds)
                .filter(worth)
                .map(|kinds| collapse_numbered(&numbers, kinds))
        }
        None => {
            let hashes = hash_rows(rows, columns);
            let kinds = expected_kinds(rows, hashes.iter().copied());
            Some(kinds)
                .filter(worth)
                .map(|kinds| collapse_hashed(columns, &hashes, kinds))
        }
    }
}

fn collapse_numbered(numbers: &[u64], kinds: usize) -> Collapsed {
    collapse_by(
        numbers.len(),
        kinds,
        |row| mix(numbers[row]),
        |a, b| numbers[a] == numbers[b],
    )
}

fn collapse_hashed(columns: &[&Codes], hashes: &[u64], kinds: usize) -> Collapsed {
    let equal = |a, b| columns.iter().all(|codes| codes.at(a) == codes.at(b));
    collapse_by(hashes.len(), kinds, |row| hashes[row], equal)
}

/// `kinds` is how many different rows to expect.
fn collapse_by(
    rows: usize,
    kinds: usize,
    hash: impl Fn(usize) -> u64,
    equal: impl Fn(usize, usize) -> bool,
) -> Collapsed {
    let mut index: HashTable<u32> = HashTable::with_capacity(kinds);
    let mut all = Collapsed {
        rows: Vec::new(),
        weights: Vec::new(),
        kind_of: Vec::with_capacity(rows),
    };
    for row in 0..rows {
        let entry = index.entry(
            hash(row),
            |&kind| equal(all.rows[kind as usize] as usize, row),
            |&kind| hash(all.rows[kind as usize] as usize),
        );
        let kind = match entry {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                let kind = all.rows.len() as u32;
                entry.insert(kind);
                all.rows.push(row as u32);
                all.weights.push(0);
                kind
            }
        };
        all.weights[kind as usize] += 1;
        all.kind_of.push(kind);
    }
    all
}

/// One number per row that says all its codes, as digits of as many values as each column has; `None` if there are
/// more combinations than numbers. Comparing numbers is far cheaper than comparing columns.
fn number_rows(rows: usize, columns: &[&Codes]) -> Option<Vec<u64>> {
    let distinct =
        |codes: &&Codes| with_codes!(codes, |codes| codes.iter().max().map_or(1, |&most| u64::from(most) + 1));
    let distinct: Vec<u64> = columns.iter().map(distinct).collect();
    distinct
        .iter()
        .try_fold(1u64, |product, &distinct| product.checked_mul(distinct))?;
    let mut numbers = vec![0u64; rows];
    for (codes, distinct) in columns.iter().zip(distinct) {
        with_codes!(codes, |codes| numbers
            .par_iter_mut()
            .zip(codes)
            .for_each(|(number, &code)| *number = *number * distinct + u64::from(code)));
    }
    Some(numbers)
}

/// Spreads neighbouring numbers over all bits.
fn mix(number: u64) -> u64 {
    let product = u128::from(number ^ 0x9E37_79B9_7F4A_7C15) * 0xD6E8_FEB8_6659_FD93;
    (product >> 64) as u64 ^ product as u64
}

/// Guesses from the hashes alone, without a table of them all, how many rows differ; 0 for a table so small that
/// guessing would not pay.
///
/// Rows that agree have one hash, so the rows whose hash ends in zeros are a sample in which nobody is parted from
/// their equals.
fn expected_kinds(rows: usize, hashes: impl Iterator<Item = u64>) -> usize {
    const SMALL: usize = 1 << 14;
    const ONE_IN: u64 = 64;
    if rows < SMALL {
        return 0;
    }
    let mut sample: Vec<u64> = hashes.filter(|hash| hash % ONE_IN == 0).collect();
    sample.sort_unstable();
    sample.dedup();
    sample.len() * ONE_IN as usize
}

fn hash_rows(rows: usize, columns: &[&Codes]) -> Vec<u64> {
    let state = FixedState::with_seed(0);
    let mut hashes = vec![0u64; rows];
    for codes in columns {
        with_codes!(codes, |codes| hashes.par_iter_mut().zip(codes).for_each(
            |(hash, &code)| {
                let mut hasher = state.build_hasher();
                hasher.write_u64(*hash ^ u64::from(code));
                *hash = hasher.finish();
            }
        ));
    }
    hashes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_agree_become_one_with_their_number() {
        let a = Codes::collect(3, [0, 1, 0, 0, 1]);
        let b = Codes::collect(400, [5, 5, 5, 300, 5]);
        let collapsed = collapse(5, &[&a, &b]);
        assert_eq!(collapsed.rows, [0, 1, 3]);
        assert_eq!(collapsed.weights, [2, 2, 1]);
        assert_eq!(collapsed.kind_of, [0, 1, 0, 2, 1]);
        assert_eq!(collapse(5, &[]).weights, [5]);
    }

    /// Ten columns of 65,536 values have more combinations than there are numbers.
    #[test]
    fn wide_rows_are_compared_column_by_column() {
        let last = |row: u32| if row == 4 { 7 } else { 65_535 };
        let wide: Vec<Codes> = (0..10).map(|_| Codes::collect(65_536, (0..6).map(last))).collect();
        let columns: Vec<&Codes> = wide.iter().collect();
        assert_eq!(number_rows(6, &columns), None);
        assert_eq!(collapse(6, &columns).weights, [5, 1]);
    }

    #[test]
    fn a_table_without_equals_is_left_alone() {
        let rows = 100_000;
        let different = Codes::collect(rows, 0..rows as u32);
        assert_eq!(collapse_if_worth(rows, &[&different]), None);
        let pairs = Codes::collect(rows, (0..rows as u32).map(|row| row / 2));
        assert_eq!(collapse_if_worth(rows, &[&pairs]).unwrap().rows.len(), rows / 2);
    }
}
