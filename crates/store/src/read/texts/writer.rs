//! [`write_each`]: the texts of a column, one after the other in one buffer.
//!
//! Invariant: there is an end for every row, in the order of the rows; a missing value has no bytes. That the bytes are UTF-8 is
//! checked once, when all of them are there.

use arrow_array::{Array, ArrowPrimitiveType, PrimitiveArray, StringArray};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer};

/// The texts that `put` appends of the values that are not missing; nothing if a value has no text, or if it is more text than
/// a column can hold. Room is made for so many bytes per row.
pub(super) fn write_each<V>(
    values: impl ExactSizeIterator<Item = V>,
    nulls: Option<&NullBuffer>,
    bytes_per_row: usize,
    mut put: impl FnMut(&mut Vec<u8>, V) -> Option<()>,
) -> Option<StringArray> {
    let rows = values.len();
    let mut bytes = Vec::with_capacity(rows.saturating_mul(bytes_per_row));
    let mut offsets = Vec::with_capacity(rows + 1);
    offsets.push(0);
    match nulls.filter(|nulls| nulls.null_count() > 0) {
        None => {
            for value in values {
                put(&mut bytes, value)?;
                offsets.push(i32::try_from(bytes.len()).ok()?);
            }
        }
        Some(nulls) => {
            for (value, valid) in values.zip(nulls) {
                if valid {
                    put(&mut bytes, value)?;
                }
                offsets.push(i32::try_from(bytes.len()).ok()?);
            }
        }
    }
    let offsets = OffsetBuffer::new(offsets.into());
    StringArray::try_new(offsets, Buffer::from_vec(bytes), nulls.cloned()).ok()
}

/// [`write_each`] of the values of an array.
pub(super) fn write_values<T: ArrowPrimitiveType>(
    array: &PrimitiveArray<T>,
    bytes_per_row: usize,
    put: impl FnMut(&mut Vec<u8>, T::Native) -> Option<()>,
) -> Option<StringArray> {
    write_each(array.values().iter().copied(), array.nulls(), bytes_per_row, put)
}
