//! Truth values and numbers as text: whole ones by their digits, floating-point ones by the fewest that give them back.

use arrow_array::types::Float16Type;
use arrow_array::{Array, ArrowPrimitiveType, BooleanArray, Float16Array, PrimitiveArray, StringArray};
use std::io::Write;

use super::writer::{write_each, write_values};

/// `true` and `false`.
pub(super) fn truths(array: &BooleanArray) -> Option<StringArray> {
    write_each(array.values().iter(), array.nulls(), 5, |out, value| {
        out.extend_from_slice(if value { b"true" } else { b"false" });
        Some(())
    })
}

/// Whole numbers.
pub(super) fn integers<T: ArrowPrimitiveType<Native: itoa::Integer>>(array: &PrimitiveArray<T>) -> Option<StringArray> {
    write_values(array, 8, |out, value| {
        out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
        Some(())
    })
}

/// Floating-point numbers: `1.0`, `-0.0`, `1e21`, `NaN`, `inf`. Of those below `exact`, no whole number is left out.
pub(super) fn floats<T: ArrowPrimitiveType<Native: ryu::Float + Into<f64>>>(
    array: &PrimitiveArray<T>,
    exact: u64,
) -> Option<StringArray> {
    write_values(array, 16, |out, value| {
        let double: f64 = value.into();
        let whole = double as i64;
        // Whole numbers with missing cells are often stored like this, and their digits are found far faster.
        if whole as f64 == double && whole.unsigned_abs() < exact && (whole != 0 || double.is_sign_positive()) {
            out.extend_from_slice(itoa::Buffer::new().format(whole).as_bytes());
            out.extend_from_slice(b".0");
        } else {
            out.extend_from_slice(ryu::Buffer::new().format(value).as_bytes());
        }
        Some(())
    })
}

/// Floating-point numbers of half the length, which Arrow writes without exponent and without `.0`.
pub(super) fn halves(array: &Float16Array) -> Option<StringArray> {
    write_values::<Float16Type>(array, 8, |out, value| write!(out, "{value}").ok())
}
