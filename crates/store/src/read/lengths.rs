//! How many texts a page of Parquet says it holds, where their lengths stand before them.
//!
//! The library makes room for as many lengths as the page says before it looks for the first of them, so a page of a few
//! bytes could ask for gigabytes. Invariant: no list of lengths says that it has more values than the header of its page.
//!
//! | encoding | a page has |
//! |---|---|
//! | `DELTA_LENGTH_BYTE_ARRAY` | lengths, texts |
//! | `DELTA_BYTE_ARRAY` | lengths of what a text shares with the one before, lengths of the rest, the rests |

use parquet::basic::Encoding;
use parquet::column::page::{Page, PageReader};
use parquet::file::metadata::ColumnChunkMetaData;

use super::refusal::Refusal;
use super::varint::varint;

/// Whether pages of an encoding, by its number in the format, begin with lengths.
pub(super) fn begins_with_lengths(encoding: u64) -> bool {
    matches!(encoding, 6 | 7)
}

/// Checks all pages of a chunk that begin with lengths.
pub(super) fn check(chunk: &ColumnChunkMetaData, mut pages: impl PageReader) -> Result<(), Refusal> {
    while let Some(page) = pages.get_next_page()? {
        let lists = match page.encoding() {
            Encoding::DELTA_LENGTH_BYTE_ARRAY => 1,
            Encoding::DELTA_BYTE_ARRAY => 2,
            _ => continue,
        };
        let most = u64::from(page.num_values());
        let mut bytes = values(chunk, &page).ok_or(Refusal::Damaged)?;
        for _ in 0..lists {
            bytes = after_lengths(bytes, most).ok_or(Refusal::Damaged)?;
        }
    }
    Ok(())
}

/// The bytes of a page after those that say which of its values are missing.
fn values<'p>(chunk: &ColumnChunkMetaData, page: &'p Page) -> Option<&'p [u8]> {
    let column = chunk.column_descr();
    match page {
        Page::DictionaryPage { .. } => None,
        Page::DataPageV2 {
            buf,
            def_levels_byte_len,
            rep_levels_byte_len,
            ..
        } => buf.get(def_levels_byte_len.checked_add(*rep_levels_byte_len)? as usize..),
        // Only flat columns are read.
        Page::DataPage { .. } if column.max_rep_level() > 0 => None,
        Page::DataPage { buf, .. } if column.max_def_level() == 0 => Some(buf),
        Page::DataPage {
            buf,
            def_level_encoding: Encoding::RLE,
            ..
        } => {
            let (length, rest) = buf.split_first_chunk()?;
            rest.get(u32::from_le_bytes(*length) as usize..)
        }
        // Bits packed side by side, which nobody writes any more.
        Page::DataPage { .. } => None,
    }
}

/// What follows a list of at most so many lengths: `DELTA_BINARY_PACKED` of the format.
fn after_lengths(mut bytes: &[u8], most: u64) -> Option<&[u8]> {
    let block_size = varint(&mut bytes)?;
    let parts = varint(&mut bytes)?;
    let values = varint(&mut bytes)?;
    varint(&mut bytes)?;
    if values > most || parts == 0 || block_size % 128 != 0 {
        return None;
    }
    let values_per_part = block_size / parts;
    // Of the lengths after the first, a block says how far each is from the one before.
    let mut left = values.saturating_sub(1);
    while left > 0 {
        varint(&mut bytes)?;
        let (widths, mut rest) = bytes.split_at_checked(usize::try_from(parts).ok()?)?;
        for &width in widths {
            if left == 0 {
                break;
            }
            let length = u64::from(width).checked_mul(values_per_part)? / 8;
            rest = rest.get(usize::try_from(length).ok()?..)?;
            left = left.saturating_sub(values_per_part.max(1));
        }
        bytes = rest;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blocks of 128 in four parts, five values, the first 3; each later one is 1 more: all of it in the smallest difference.
    const LENGTHS: [u8; 9] = [0x80, 0x01, 4, 5, 6, 2, 0, 0, 0];

    #[test]
    fn a_list_ends_where_its_last_part_does() {
        let mut bytes = LENGTHS.to_vec();
        bytes.extend([0, b'x']);
        assert_eq!(after_lengths(&bytes, 5), Some(&b"x"[..]));
        // Widths of one bit: the first part has 32 values in four bytes, the others have none.
        bytes[6..10].copy_from_slice(&[1, 9, 9, 9]);
        bytes.truncate(10);
        bytes.extend([1, 2, 3, 4, b'x']);
        assert_eq!(after_lengths(&bytes, 5), Some(&b"x"[..]));
    }

    #[test]
    fn more_lengths_than_values_are_refused() {
        let mut bytes = LENGTHS.to_vec();
        bytes.push(0);
        assert_eq!(after_lengths(&bytes, 4), None);
        let many = [0x80, 0x01, 4, 0xff, 0xff, 0xff, 0xff, 0x0f, 0];
        assert_eq!(after_lengths(&many, 1000), None);
        assert_eq!(after_lengths(&many[..3], 1000), None);
    }
}
