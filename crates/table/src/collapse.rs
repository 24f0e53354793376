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
    collapse_hashed(rows, columns, &hash_rows(rows, columns))
}

/// The same, but `None` if so few rows agree that it would not pay.
pub fn collapse_if_worth(rows: usize, columns: &[&Codes]) -> Option<Collapsed> {
    let hashes = hash_rows(rows, columns);
    (!mostly_different(&hashes)).then(|| collapse_hashed(rows, columns, &hashes))
}

fn collapse_hashed(rows: usize, columns: &[&Codes], hashes: &[u64]) -> Collapsed {
    let equal = |a: u32, b: u32| columns.iter().all(|codes| codes.at(a as usize) == codes.at(b as usize));
    let mut index: HashTable<u32> = HashTable::new();
    let mut all = Collapsed {
        rows: Vec::new(),
        weights: Vec::new(),
        kind_of: Vec::with_capacity(rows),
    };
    for row in 0..rows as u32 {
        let entry = index.entry(
            hashes[row as usize],
            |&kind| equal(all.rows[kind as usize], row),
            |&kind| hashes[all.rows[kind as usize] as usize],
        );
        let kind = match entry {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                let kind = all.rows.len() as u32;
                entry.insert(kind);
                all.rows.push(row);
                all.weights.push(0);
                kind
            }
        };
        all.weights[kind as usize] += 1;
        all.kind_of.push(kind);
    }
    all
}

/// Guesses from the hashes alone, without a table of them all, whether nearly all rows differ.
///
/// Rows that agree have one hash, so the rows whose hash ends in zeros are a sample in which nobody is parted from
/// their equals.
fn mostly_different(hashes: &[u64]) -> bool {
    const SMALL: usize = 1 << 14;
    if hashes.len() < SMALL {
        return false;
    }
    let mut sample: Vec<u64> = hashes.iter().copied().filter(|hash| hash % 64 == 0).collect();
    let rows = sample.len();
    sample.sort_unstable();
    sample.dedup();
    sample.len() * 10 > rows * 9
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

    #[test]
    fn a_table_without_equals_is_left_alone() {
        let rows = 100_000;
        let different = Codes::collect(rows, 0..rows as u32);
        assert_eq!(collapse_if_worth(rows, &[&different]), None);
        let pairs = Codes::collect(rows, (0..rows as u32).map(|row| row / 2));
        assert_eq!(collapse_if_worth(rows, &[&pairs]).unwrap().rows.len(), rows / 2);
    }
}
