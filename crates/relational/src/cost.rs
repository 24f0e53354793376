//! A [`Cost`] is the loss metric of a tree (definition 8), kept as whole numbers, so that equal costs are equal.
//!
//! A cell that stands for `n` of the `d` leaves of its column loses `(n - 1) / (d - 1)`, a removed cell 1. The [`Unit`]
//! is a common multiple of all such denominators: in it every loss is a whole number. Means are compared by cross
//! multiplication.
//!
//! | tree | losses | unit 21 | cost |
//! |---|---|---|---|
//! | Science, Physics | 3/7, 0 | 9 + 0 | 9 of 2 cells |
//! | Science, Discrete, Calc removed | 3/7, 0, 1 | 9 + 0 + 21 | 30 of 3 cells |
//!
//! Where there is no common multiple of a size to count with, losses are rounded down to a unit that is far finer than
//! data. They are whole numbers then, too: which cost is less depends on nothing but the two.
//!
//! Invariant: what two persons lose together is less than 2^63, so that it is added up in 64 bits.

use std::cmp::Ordering;
use std::ops::{Add, AddAssign};

/// What a whole cell costs, as a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unit(u64);

/// Finer than any data.
const LARGEST_UNIT: u64 = 1 << 56;
/// More than one person may lose, so that two can be added.
const MOST_LOST: u64 = 1 << 62;

impl Unit {
    /// The least common multiple of some denominators, if it is not too large for persons of so many cells.
    pub(crate) fn of(denominators: impl IntoIterator<Item = u64>, most_cells: u64) -> Unit {
        let largest = LARGEST_UNIT.min(MOST_LOST / most_cells.max(1)).max(1);
        let multiple = denominators.into_iter().try_fold(1, |multiple, next| {
            let more = next / greatest_common_divisor(multiple, next);
            u64::checked_mul(multiple, more).filter(|&multiple| multiple <= largest)
        });
        Unit(multiple.unwrap_or(largest))
    }

    /// What a whole cell costs.
    pub(crate) fn whole(self) -> u64 {
        self.0
    }

    /// How much `numerator / denominator` of a cell costs.
    pub(crate) fn share(self, numerator: u64, denominator: u64) -> u64 {
        // Not more than the unit, as a share is not more than 1.
        (u128::from(self.0) * u128::from(numerator.min(denominator)) / u128::from(denominator)) as u64
    }

    /// The cost of so many removed cells.
    pub(crate) fn removed(self, cells: u64) -> Cost {
        Cost {
            lost: self.0 * cells,
            cells,
        }
    }

    /// What so many cells lose on average, as a number from 0 to 1.
    pub(crate) fn mean(self, lost: u128, cells: u64) -> f64 {
        lost as f64 / (self.0 as f64 * cells.max(1) as f64)
    }

    /// Whether a cost is more than a threshold.
    pub(crate) fn exceeds(self, cost: Cost, threshold: Threshold) -> bool {
        let most = u128::from(threshold.0) * u128::from(self.0) * u128::from(cost.cells);
        u128::from(cost.lost) * u128::from(BILLION) > most
    }
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

const BILLION: u64 = 1_000_000_000;

/// A bound on costs, in billionths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Threshold(u64);

impl Threshold {
    /// `None` if it is not from 0 to 1.
    pub(crate) fn new(share: f64) -> Option<Threshold> {
        (0.0..=1.0)
            .contains(&share)
            .then(|| Threshold((share * BILLION as f64).round() as u64))
    }

    /// As a number from 0 to 1.
    pub(crate) fn share(self) -> f64 {
        self.0 as f64 / BILLION as f64
    }
}

/// What the cells of a tree lose, and how many there are. Its value is the mean; of no cells it is 0.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cost {
    pub(crate) lost: u64,
    pub(crate) cells: u64,
}

impl Cost {
    /// Which mean is less.
    #[inline]
    pub(crate) fn compare(self, other: Cost) -> Ordering {
        if self.cells == other.cells {
            return self.lost.cmp(&other.lost);
        }
        let (own, others) = (self.cells.max(1), other.cells.max(1));
        (u128::from(self.lost) * u128::from(others)).cmp(&(u128::from(other.lost) * u128::from(own)))
    }
}

impl Add for Cost {
    type Output = Cost;

    fn add(self, other: Cost) -> Cost {
        Cost {
            lost: self.lost + other.lost,
            cells: self.cells + other.cells,
        }
    }
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Cost) {
        *self = *self + other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1/3 + 1/3 of two cells and 1/6 + 1/2 of two are the same mean; as floats they are not.
    #[test]
    fn equal_means_are_equal() {
        let unit = Unit::of([3, 6, 2], 2);
        let sum = |parts: &[(u64, u64)]| {
            let cost = |&(n, d): &(u64, u64)| Cost {
                lost: unit.share(n, d),
                cells: 1,
            };
            parts.iter().map(cost).fold(Cost::default(), Add::add)
        };
        let (thirds, other) = (sum(&[(1, 3), (1, 3)]), sum(&[(1, 6), (1, 2)]));
        assert_eq!(thirds.compare(other), Ordering::Equal);
        assert_eq!(thirds.compare(sum(&[(1, 3)])), Ordering::Equal);
        assert_eq!(thirds.compare(sum(&[(1, 2), (1, 3)])), Ordering::Less);
        assert_eq!(Cost::default().compare(sum(&[(0, 3)])), Ordering::Equal);
    }

    #[test]
    fn a_threshold_is_exceeded_by_more_than_itself() {
        let unit = Unit::of([4], 3);
        let quarter = Cost { lost: 1, cells: 1 };
        assert!(!unit.exceeds(quarter, Threshold::new(0.25).unwrap()));
        assert!(unit.exceeds(quarter, Threshold::new(0.249_999_999).unwrap()));
        assert!(!unit.exceeds(unit.removed(3), Threshold::new(1.0).unwrap()));
        assert_eq!(Threshold::new(1.5), None);
        assert_eq!(Threshold::new(f64::NAN), None);
    }

    #[test]
    fn without_a_common_multiple_losses_are_rounded() {
        let primes = [1_000_003, 1_000_033, 1_000_037, 1_000_039];
        let unit = Unit::of(primes, 1);
        assert_eq!(unit, Unit(LARGEST_UNIT));
        let half = unit.share(500_001, primes[0]);
        assert!((unit.mean(half.into(), 1) - 500_001.0 / 1_000_003.0).abs() < 1e-9);
    }

    #[test]
    fn what_two_large_persons_lose_fits() {
        let cells = 1 << 33;
        let unit = Unit::of([1 << 40], cells);
        assert_eq!(unit, Unit(1 << 29));
        assert!((unit.removed(cells) + unit.removed(cells)).lost <= 1 << 63);
        // The unit is less than the denominator, so shares are rounded down.
        assert_eq!(unit.share(1, 1 << 40), 0);
        assert_eq!(unit.share(1 << 39, 1 << 40), 1 << 28);
    }
}
