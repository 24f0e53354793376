//! [`Bits`]: a set of small numbers, such as the labels of a column.

/// A set of numbers below a limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    /// The numbers below `limit` for which `is_in` holds.
    pub fn collect(limit: usize, is_in: impl Fn(u32) -> bool) -> Bits {
        let mut bits = Bits(vec![0; limit.div_ceil(64)]);
        (0..limit as u32)
            .filter(|&number| is_in(number))
            .for_each(|number| bits.insert(number));
        bits
    }

    pub fn insert(&mut self, number: u32) {
        self.0[number as usize / 64] |= 1 << (number % 64);
    }

    pub fn remove(&mut self, number: u32) {
        self.0[number as usize / 64] &= !(1 << (number % 64));
    }

    pub fn contains(&self, number: u32) -> bool {
        self.0[number as usize / 64] & (1 << (number % 64)) != 0
    }
}
