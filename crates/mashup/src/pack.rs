//! [`Packed`]: many small numbers in few bytes, as bits or as runs, whichever is shorter.

use serde::{Deserialize, Serialize};

/// Numbers below a power of two.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Packed {
    /// So many bits each, the lowest first.
    Bits {
        /// The bits of each number, at most 32.
        width: u8,
        /// All of them.
        #[serde(with = "serde_bytes")]
        bits: Vec<u8>,
    },
    /// A number and how often it follows.
    Runs(Vec<(u32, u32)>),
}

/// The bits that numbers below `count` take.
pub fn width_of(count: u32) -> u8 {
    (u32::BITS - count.saturating_sub(1).leading_zeros()) as u8
}

impl Packed {
    /// Packs numbers below `count`.
    pub fn new(numbers: &[u32], count: u32) -> Self {
        let width = width_of(count);
        let bytes = (numbers.len() * usize::from(width)).div_ceil(8);
        // A run takes two bytes or more.
        let runs = numbers.chunk_by(|a, b| a == b);
        if runs.clone().take(bytes / 2 + 1).count() <= bytes / 2 {
            return Packed::Runs(runs.map(|run| (run[0], run.len() as u32)).collect());
        }
        let mut bits = Vec::with_capacity(bytes);
        let (mut held, mut have) = (0u64, 0);
        for &number in numbers {
            held |= u64::from(number) << have;
            have += u32::from(width);
            while have >= 8 {
                bits.push(held as u8);
                held >>= 8;
                have -= 8;
            }
        }
        bits.resize(bytes, held as u8);
        Packed::Bits { width, bits }
    }

    /// The numbers, if they are just so many and all below `count`.
    pub fn unpack(&self, len: usize, count: u32) -> Option<Vec<u32>> {
        let numbers = match self {
            Packed::Runs(runs) => {
                let total = runs.iter().map(|&(_, times)| u64::from(times)).sum::<u64>();
                (total == len as u64).then_some(())?;
                let repeat = |&(number, times): &(u32, u32)| std::iter::repeat_n(number, times as usize);
                runs.iter().flat_map(repeat).collect()
            }
            Packed::Bits { width, bits } => {
                let width = usize::from(*width);
                let fits = width <= 32 && bits.len() == len.checked_mul(width)?.div_ceil(8);
                fits.then_some(())?;
                unpack_bits(bits, width, len)
            }
        };
        numbers.iter().all(|&number: &u32| number < count).then_some(numbers)
    }
}

fn unpack_bits(bits: &[u8], width: usize, len: usize) -> Vec<u32> {
    let mask = (1u64 << width) - 1;
    let (mut bytes, mut held, mut have) = (bits.iter(), 0u64, 0);
    let number = |_| {
        while have < width {
            held |= u64::from(*bytes.next().unwrap_or(&0)) << have;
            have += 8;
        }
        let number = (held & mask) as u32;
        held >>= width;
        have -= width;
        number
    };
    (0..len).map(number).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_packed_is_unpacked(count in 1u32..70_000, seed: Vec<u32>, times in 1usize..9) {
            let numbers: Vec<u32> = seed.iter().flat_map(|n| std::iter::repeat_n(n % count, times)).collect();
            let packed = Packed::new(&numbers, count);
            prop_assert_eq!(packed.unpack(numbers.len(), count), Some(numbers.clone()));
            prop_assert_eq!(packed.unpack(numbers.len() + 9, count), None);
        }
    }

    #[test]
    fn two_parts_take_a_bit_each_or_less() {
        let mixed: Vec<u32> = (0..8000u32).map(|n| n.count_ones() & 1).collect();
        assert!(matches!(Packed::new(&mixed, 2), Packed::Bits { bits, .. } if bits.len() == 1000));
        let halves: Vec<u32> = (0..8000).map(|n| n / 4000).collect();
        assert_eq!(Packed::new(&halves, 2), Packed::Runs(vec![(0, 4000), (1, 4000)]));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        assert_eq!(Packed::Runs(vec![(3, 2)]).unpack(2, 3), None);
        assert_eq!(Packed::Runs(vec![(0, u32::MAX), (0, u32::MAX)]).unpack(7, 1), None);
        let wide = Packed::Bits {
            width: 200,
            bits: vec![0; 25],
        };
        assert_eq!(wide.unpack(1, 2), None);
    }
}
