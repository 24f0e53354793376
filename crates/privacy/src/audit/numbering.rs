//! A [`Numbering`] tells apart the rows that show different values.
//!
//! Invariant: two rows have the same number exactly if they show the same on every numbered column, and all numbers are
//! below [`count`](Numbering::count).

use hashbrown::HashMap;

/// One number per row.
#[derive(Clone)]
pub(super) struct Numbering {
    of_row: Vec<u32>,
    count: usize,
}

impl Numbering {
    /// Rows numbered by what they show on one column: numbers below `count`.
    pub(super) fn new(of_row: Vec<u32>, count: usize) -> Self {
        Numbering { of_row, count }
    }

    /// Rows of which nothing is known: all have one number.
    pub(super) fn none(rows: usize) -> Self {
        Numbering::new(vec![0; rows], 1)
    }

    /// What no number reaches. Not every number below need have a row.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The numbers, row by row.
    pub(super) fn of_row(&self) -> &[u32] {
        &self.of_row
    }

    /// How many rows have each number.
    pub(super) fn sizes(&self) -> Vec<u64> {
        let mut sizes = vec![0; self.count];
        for &number in &self.of_row {
            sizes[number as usize] += 1;
        }
        sizes
    }

    /// Tells apart what either tells apart. The new numbers are without gaps, in the order they are first met.
    pub(super) fn and(mut self, other: &Numbering) -> Numbering {
        if other.count > 1 {
            let mut pairs = Pairs::new(self.count, other.count);
            for (number, &other) in self.of_row.iter_mut().zip(&other.of_row) {
                *number = pairs.number(*number, other);
            }
            self.count = pairs.count as usize;
        }
        self
    }
}

/// New numbers for pairs of numbers.
struct Pairs {
    seconds: usize,
    count: u32,
    table: PairTable,
}

enum PairTable {
    /// One place per possible pair, 0 for not met, else the number plus one.
    Dense(Vec<u32>),
    Sparse(HashMap<u64, u32>),
}

impl Pairs {
    fn new(firsts: usize, seconds: usize) -> Self {
        // Up to 16 MiB directly indexed; a larger product is mostly pairs that never occur.
        let table = match firsts.checked_mul(seconds) {
            Some(places) if places <= 1 << 22 => PairTable::Dense(vec![0; places]),
            _ => PairTable::Sparse(HashMap::new()),
        };
        Pairs {
            seconds,
            count: 0,
            table,
        }
    }

    #[inline]
    fn number(&mut self, first: u32, second: u32) -> u32 {
        let place = u64::from(first) * self.seconds as u64 + u64::from(second);
        let number = match &mut self.table {
            PairTable::Dense(places) => &mut places[place as usize],
            PairTable::Sparse(places) => places.entry(place).or_insert(0),
        };
        if *number == 0 {
            self.count += 1;
            *number = self.count;
        }
        *number - 1
    }
}
