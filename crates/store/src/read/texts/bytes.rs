//! Columns of bytes as text: as they are, if they are UTF-8.
//!
//! Of a column whose bytes are in one piece, all of them must be: those of missing values, and those outside of the rows that are
//! asked for, too.

use arrow_array::types::ByteViewType;
use arrow_array::{Array, GenericByteViewArray, LargeBinaryArray, LargeStringArray, StringArray};
use arrow_array::{GenericBinaryArray, OffsetSizeTrait};
use arrow_buffer::OffsetBuffer;

use super::writer::write_each;

/// Texts whose ends are counted in 64 bits, if those that are asked for can be counted in 32.
pub(super) fn large(array: &LargeStringArray) -> Option<StringArray> {
    let offsets = array.value_offsets();
    let (first, last) = (*offsets.first()?, *offsets.last()?);
    let shorter = offsets.iter().map(|offset| i32::try_from(offset - first).ok());
    let shorter: Vec<i32> = shorter.collect::<Option<_>>()?;
    let (start, length) = (usize::try_from(first).ok()?, usize::try_from(last - first).ok()?);
    let values = array.values().slice_with_length(start, length);
    StringArray::try_new(OffsetBuffer::new(shorter.into()), values, array.nulls().cloned()).ok()
}

/// Bytes whose ends are counted in 64 bits.
pub(super) fn large_binary(array: &LargeBinaryArray) -> Option<StringArray> {
    large(&LargeStringArray::try_from_binary(array.clone()).ok()?)
}

/// Texts or bytes that are looked up.
pub(super) fn viewed<T: ByteViewType>(array: &GenericByteViewArray<T>) -> Option<StringArray> {
    write_each(0..array.len(), array.nulls(), 16, |out, row| {
        out.extend_from_slice(array.value(row).as_ref());
        Some(())
    })
}

/// Bytes of which only the values must be text, and not those of missing ones.
pub(super) fn values_alone<O: OffsetSizeTrait>(array: &GenericBinaryArray<O>) -> Option<StringArray> {
    write_each(0..array.len(), array.nulls(), 16, |out, row| {
        out.extend_from_slice(array.value(row));
        Some(())
    })
}
