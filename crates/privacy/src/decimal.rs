//! A [`Decimal`] is a number exactly as a policy writes it: 0.55 is 55/100, not the binary fraction next to it.
//!
//! | rows of the first | c | rows of the others | first < c · others? |
//! |---|---|---|---|
//! | 55 | 0.55 | 100 | no: they are equal |
//! | 55 | 0.55 | 100, as binary fractions | yes, by 7 · 10⁻¹⁵ |
//!
//! Invariant: it is the shortest decimal that reads back as the number that it was made of, which is what was written
//! unless that had more than 17 digits.

/// A decimal number that is not below 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimal {
    digits: u64,
    exponent: i32,
}

impl Decimal {
    /// The decimal of a number. One that is below 0, or none, is 0, which no count is less than.
    pub fn of(number: f64) -> Self {
        if number == f64::INFINITY {
            return Decimal {
                digits: 1,
                exponent: i32::MAX,
            };
        }
        // "5.5e-1": all digits, one of them before the point.
        let text = format!("{number:e}");
        let decimal = text.split_once('e').and_then(|(digits, exponent)| {
            let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
            Some(Decimal {
                digits: format!("{whole}{fraction}").parse().ok()?,
                exponent: exponent.parse::<i32>().ok()? - fraction.len() as i32,
            })
        });
        decimal.unwrap_or(Decimal { digits: 0, exponent: 0 })
    }

    /// Whether `count` is less than this times `of`, to the last digit.
    pub fn exceeds(self, count: u64, of: u64) -> bool {
        // At most 17 digits times 2⁶⁴, which is below 2¹²⁸.
        let product = u128::from(self.digits) * u128::from(of);
        let power = 10u128.checked_pow(self.exponent.unsigned_abs());
        match (self.exponent >= 0, power) {
            _ if product == 0 => false,
            _ if count == 0 => true,
            // What does not fit is larger than what does.
            (true, power) => {
                let times = power.and_then(|power| product.checked_mul(power));
                times.is_none_or(|times| u128::from(count) < times)
            }
            (false, power) => {
                let count = power.and_then(|power| u128::from(count).checked_mul(power));
                count.is_some_and(|count| count < product)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_decimal_is_what_was_written() {
        let decimal = |digits, exponent| Decimal { digits, exponent };
        assert_eq!(Decimal::of(0.55), decimal(55, -2));
        assert_eq!(Decimal::of(2.0), decimal(2, 0));
        assert_eq!(Decimal::of(1200.0), decimal(12, 2));
        assert_eq!(Decimal::of(5e-324), decimal(5, -324));
        for nothing in [0.0, -0.0, -1.0, f64::NAN, f64::NEG_INFINITY] {
            assert!(!Decimal::of(nothing).exceeds(0, u64::MAX), "{nothing}");
        }
    }

    #[test]
    fn at_the_bound_nothing_is_rounded() {
        // As binary fractions, 0.55 times 100 is more than 55.
        assert!(!Decimal::of(0.55).exceeds(55, 100));
        assert!(Decimal::of(0.55).exceeds(54, 100));
        assert!(!Decimal::of(0.1).exceeds(u64::MAX / 10, u64::MAX / 10 * 10));
        assert!(Decimal::of(0.1).exceeds(u64::MAX / 10 - 1, u64::MAX / 10 * 10));
    }

    #[test]
    fn very_small_and_very_large_factors_are_compared_too() {
        assert!(Decimal::of(1e308).exceeds(u64::MAX, 1));
        assert!(Decimal::of(f64::INFINITY).exceeds(u64::MAX, 1));
        assert!(!Decimal::of(f64::INFINITY).exceeds(0, 0));
        assert!(!Decimal::of(5e-324).exceeds(1, u64::MAX));
        assert!(Decimal::of(5e-324).exceeds(0, 1));
    }

    proptest! {
        /// The obvious way: c with four digits, all counts ten thousand times as large.
        #[test]
        fn it_agrees_with_whole_numbers(tenthousandths in 0u64..100_000, count in 0u64..1_000_000, of in 0u64..1_000_000) {
            let c = format!("{}.{:04}", tenthousandths / 10_000, tenthousandths % 10_000);
            let found = Decimal::of(c.parse().unwrap()).exceeds(count, of);
            prop_assert_eq!(found, count * 10_000 < tenthousandths * of);
        }
    }
}
