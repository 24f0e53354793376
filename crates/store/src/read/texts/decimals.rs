//! Decimals as text: the digits of a whole number, with a point where the scale of the column has it.
//!
//! Arrow takes no more digits than the precision of the column, from the left, even of a value that has more. Such a value is
//! none that the column may hold; it keeps the text that Arrow gives it.

use std::fmt::Write;

use arrow_array::{ArrowPrimitiveType, Decimal256Array, PrimitiveArray, StringArray};
use itoa::Integer;

use super::writer::write_values;

/// Decimals of up to 38 digits.
pub(super) fn short<T: ArrowPrimitiveType<Native: Integer>>(
    array: &PrimitiveArray<T>,
    precision: u8,
    scale: i8,
) -> Option<StringArray> {
    let place = Place { precision, scale };
    write_values(array, 16, |out, value| {
        place.put(out, itoa::Buffer::new().format(value))
    })
}

/// Decimals of up to 76 digits, most of which have fewer.
pub(super) fn long(array: &Decimal256Array, precision: u8, scale: i8) -> Option<StringArray> {
    let place = Place { precision, scale };
    let mut digits = String::new();
    write_values(array, 16, |out, value| match value.to_i128() {
        Some(value) => place.put(out, itoa::Buffer::new().format(value)),
        None => {
            digits.clear();
            write!(digits, "{value}").ok()?;
            place.put(out, &digits)
        }
    })
}

/// How many digits a decimal has, and how many of them are behind the point; zeros that are not stored if fewer than none.
struct Place {
    precision: u8,
    scale: i8,
}

impl Place {
    /// Appends a number of which the digits and the sign are given; nothing if the point were outside of its digits.
    #[inline]
    fn put(&self, out: &mut Vec<u8>, number: &str) -> Option<()> {
        let number = number.as_bytes();
        let (sign, digits) = number.split_at(usize::from(number.first() == Some(&b'-')));
        let shown = &digits[..digits.len().min(usize::from(self.precision))];
        let scale = usize::from(self.scale.unsigned_abs());
        out.extend_from_slice(sign);
        if self.scale <= 0 {
            out.extend_from_slice(shown);
            out.resize(out.len() + scale, b'0');
        } else if digits.len() > scale {
            let (whole, fraction) = shown.split_at(shown.len().checked_sub(scale)?);
            out.extend_from_slice(whole);
            out.push(b'.');
            out.extend_from_slice(fraction);
        } else {
            out.extend_from_slice(b"0.");
            out.resize(out.len() + scale - digits.len(), b'0');
            out.extend_from_slice(digits);
        }
        Some(())
    }
}
