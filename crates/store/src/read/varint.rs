//! Whole numbers of seven bits per byte, the lowest first, as Parquet writes them.

/// A number at the beginning of some bytes, which are then those after it.
pub(super) fn varint(bytes: &mut &[u8]) -> Option<u64> {
    number_of(|| bytes.split_off_first().copied())
}

/// A number of seven bits per byte, the lowest first.
pub(super) fn number_of(mut byte: impl FnMut() -> Option<u8>) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let byte = byte()?;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}
