//! The pages of a Parquet file are looked through before they are read.
//!
//! A page says how large it is unpacked, and the library makes room for that; a value that a column stores once may
//! stand in each of its rows. So the headers of all kept pages are read here first (the pages themselves are passed
//! over), which bounds what is unpacked, and the longest value bounds how many rows are read at a time.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::sync::Arc;

use flate2::bufread::MultiGzDecoder;
use parquet::basic::{Compression, Encoding, Type};
use parquet::column::page::{Page, PageReader};
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData};
use parquet::file::serialized_reader::SerializedPageReader;

use super::lengths;
use super::limits::{self, CELLS_IN_COLUMNS, TEXT_AT_A_TIME, UNPACKED};
use super::refusal::Refusal;
use super::varint::number_of;
use crate::error::Origin;

/// How much a value takes beside its bytes, and what a number takes as text.
const BESIDE: u64 = 32;

/// Headers of pages are short; statistics in them may hold two values.
const LONGEST_HEADER: u64 = 16 << 20;

/// Structures of a header lie this deep in each other at most.
const DEEPEST: u32 = 16;

/// Checks the kept columns, given by leaves, and says how many rows may be read at a time.
pub(super) fn check(
    origin: &Origin,
    file: &File,
    metadata: &ParquetMetaData,
    kept: &[usize],
    usual_rows: usize,
) -> Result<usize, Refusal> {
    let length = file.metadata()?.len();
    let mut rows: u64 = 0;
    let mut unpacked: u64 = 0;
    let mut longest = vec![0; kept.len()];
    for group in metadata.row_groups() {
        let group_rows = u64::try_from(group.num_rows()).map_err(|_| Refusal::Damaged)?;
        rows = rows.saturating_add(group_rows);
        let cells = rows.saturating_mul(kept.len() as u64);
        limits::check(origin, "cells declared", cells, CELLS_IN_COLUMNS.of(length))?;
        for (&leaf, longest) in kept.iter().zip(&mut longest) {
            let chunk = group.columns().get(leaf).ok_or(Refusal::Damaged)?;
            let pages = Pages::open(file, chunk, length)?;
            let found = pages.look_through(chunk, group_rows)?;
            unpacked = unpacked.saturating_add(found.unpacked);
            limits::check(origin, "unpacked bytes", unpacked, UNPACKED.of(length))?;
            if found.has_lengths {
                lengths::check(chunk, reader(file, chunk, group_rows)?)?;
            }
            *longest = u64::max(*longest, longest_value(file, chunk, group_rows, &found)?);
        }
    }
    let row: u64 = longest.iter().map(|longest| longest + BESIDE).sum();
    limits::check(origin, "bytes in a row", row, TEXT_AT_A_TIME)?;
    Ok(usize::try_from(TEXT_AT_A_TIME / row.max(1)).map_or(usual_rows, |rows| rows.clamp(1, usual_rows)))
}

/// What the pages of a chunk come to.
#[derive(Default)]
struct Found {
    unpacked: u64,
    largest: u64,
    has_dictionary: bool,
    /// Whether texts follow a list of their lengths in some page.
    has_lengths: bool,
}

/// The longest value that may stand in many rows though the chunk has it once.
fn longest_value(file: &File, chunk: &ColumnChunkMetaData, rows: u64, found: &Found) -> Result<u64, Refusal> {
    match chunk.column_type() {
        Type::FIXED_LEN_BYTE_ARRAY => u64::try_from(chunk.column_descr().type_length()).map_err(|_| Refusal::Damaged),
        Type::BYTE_ARRAY if chunk.encodings().any(|encoding| encoding == Encoding::DELTA_BYTE_ARRAY) => {
            // A value may repeat all of the one before it.
            Ok(found.largest)
        }
        Type::BYTE_ARRAY if found.has_dictionary => {
            match reader(file, chunk, rows)?.get_next_page()? {
                Some(Page::DictionaryPage { buf, .. }) => Ok(longest_text(&buf)),
                // A dictionary that is not the first page is none that the library would find.
                _ => Err(Refusal::Damaged),
            }
        }
        _ => Ok(0),
    }
}

/// The pages of a chunk, unpacked.
fn reader(file: &File, chunk: &ColumnChunkMetaData, rows: u64) -> Result<SerializedPageReader<File>, Refusal> {
    let file = Arc::new(file.try_clone()?);
    let rows = usize::try_from(rows).map_err(|_| Refusal::Damaged)?;
    Ok(SerializedPageReader::new(file, chunk, rows, None)?)
}

/// The longest of texts that each follow their length.
fn longest_text(mut bytes: &[u8]) -> u64 {
    let mut longest = 0;
    while let Some((length, rest)) = bytes.split_first_chunk() {
        let length = u32::from_le_bytes(*length);
        longest = longest.max(u64::from(length));
        bytes = rest.get(length as usize..).unwrap_or_default();
    }
    longest
}

/// The pages of a chunk, of which the headers are read.
struct Pages {
    bytes: BufReader<File>,
    left: u64,
}

impl Pages {
    fn open(file: &File, chunk: &ColumnChunkMetaData, length: u64) -> Result<Self, Refusal> {
        let first = chunk.dictionary_page_offset().unwrap_or(chunk.data_page_offset());
        let start = u64::try_from(first).map_err(|_| Refusal::Damaged)?;
        let left = u64::try_from(chunk.compressed_size()).map_err(|_| Refusal::Damaged)?;
        if start.checked_add(left).is_none_or(|end| end > length) {
            return Err(Refusal::Damaged);
        }
        let mut bytes = BufReader::with_capacity(1 << 12, file.try_clone()?);
        bytes.seek(SeekFrom::Start(start))?;
        Ok(Pages { bytes, left })
    }

    fn look_through(mut self, chunk: &ColumnChunkMetaData, rows: u64) -> Result<Found, Refusal> {
        let mut found = Found::default();
        let mut values: u64 = 0;
        while self.left > 0 {
            let header = self.header()?;
            if header.packed > self.left {
                return Err(Refusal::Damaged);
            }
            self.left -= header.packed;
            found.unpacked = found.unpacked.saturating_add(header.unpacked);
            found.largest = found.largest.max(header.unpacked);
            match header.kind {
                Some(PageKind::Dictionary) => {
                    // A value takes a bit at least, and those that are texts four bytes.
                    if found.has_dictionary || header.values > header.unpacked.saturating_mul(8) {
                        return Err(Refusal::Damaged);
                    }
                    found.has_dictionary = true;
                }
                Some(PageKind::Data) => {
                    found.has_lengths |= lengths::begins_with_lengths(header.encoding);
                    values = values.saturating_add(header.values);
                }
                None => {}
            }
            // Flat columns have one value per row.
            if values > rows {
                return Err(Refusal::Damaged);
            }
            self.pass_over(&header, chunk.compression())?;
        }
        Ok(found)
    }

    /// Goes to the end of a page. What gzip unpacks to nobody bounds, so that is unpacked into nothing.
    fn pass_over(&mut self, header: &Header, compression: Compression) -> Result<(), Refusal> {
        match compression {
            Compression::GZIP(_) if header.packed > 0 && header.unpacked > 0 => {
                let packed = (&mut self.bytes).take(header.packed);
                let mut packed = BufReader::new(packed);
                let most = header.unpacked.saturating_add(1);
                let unpacked = io::copy(&mut MultiGzDecoder::new(&mut packed).take(most), &mut io::sink());
                // Pages of the second version may have a part that is not packed; the library copes with that.
                if unpacked.is_ok_and(|unpacked| unpacked > header.unpacked) {
                    return Err(Refusal::Damaged);
                }
                io::copy(&mut packed, &mut io::sink())?;
            }
            _ => self
                .bytes
                .seek_relative(i64::try_from(header.packed).map_err(|_| Refusal::Damaged)?)?,
        }
        Ok(())
    }

    fn header(&mut self) -> Result<Header, Refusal> {
        let mut thrift = Thrift {
            bytes: (&mut self.bytes).take(self.left.min(LONGEST_HEADER)),
            taken: 0,
        };
        let header = Header::read(&mut thrift).ok_or(Refusal::Damaged)?;
        self.left -= thrift.taken;
        Ok(header)
    }
}

#[derive(Clone, Copy)]
enum PageKind {
    Data,
    Dictionary,
}

/// What the header of a page says, as far as it is asked.
#[derive(Default)]
struct Header {
    unpacked: u64,
    packed: u64,
    values: u64,
    encoding: u64,
    kind: Option<PageKind>,
}

impl Header {
    /// Reads `PageHeader` of the format.
    fn read(thrift: &mut Thrift<impl Read>) -> Option<Header> {
        let mut header = Header::default();
        let mut field = 0;
        while let Some(kind) = thrift.field(&mut field)? {
            match (field, kind) {
                (2, Thrift::<io::Empty>::I32) => header.unpacked = u64::try_from(thrift.zigzag()?).ok()?,
                (3, Thrift::<io::Empty>::I32) => header.packed = u64::try_from(thrift.zigzag()?).ok()?,
                (5, Thrift::<io::Empty>::STRUCT) => {
                    header.kind = Some(PageKind::Data);
                    (header.values, header.encoding) = values_and_encoding(thrift, 2)?;
                }
                (7, Thrift::<io::Empty>::STRUCT) => {
                    header.kind = Some(PageKind::Dictionary);
                    (header.values, header.encoding) = values_and_encoding(thrift, 2)?;
                }
                (8, Thrift::<io::Empty>::STRUCT) => {
                    header.kind = Some(PageKind::Data);
                    (header.values, header.encoding) = values_and_encoding(thrift, 4)?;
                }
                _ => thrift.skip(kind, DEEPEST)?,
            }
        }
        Some(header)
    }
}

/// The number of values, which is the first field of each kind of page, and their encoding, whose field differs.
fn values_and_encoding(thrift: &mut Thrift<impl Read>, encoding_field: i64) -> Option<(u64, u64)> {
    let (mut values, mut encoding) = (0, 0);
    let mut field = 0;
    while let Some(kind) = thrift.field(&mut field)? {
        match (field, kind) {
            (1, Thrift::<io::Empty>::I32) => values = u64::try_from(thrift.zigzag()?).ok()?,
            (number, Thrift::<io::Empty>::I32) if number == encoding_field => {
                encoding = u64::try_from(thrift.zigzag()?).ok()?;
            }
            _ => thrift.skip(kind, DEEPEST)?,
        }
    }
    Some((values, encoding))
}

/// The compact protocol of Thrift, as far as headers need it.
struct Thrift<R> {
    bytes: R,
    taken: u64,
}

impl<R: Read> Thrift<R> {
    const I32: u8 = 5;
    const STRUCT: u8 = 12;

    fn byte(&mut self) -> Option<u8> {
        let mut byte = [0];
        self.bytes.read_exact(&mut byte).ok()?;
        self.taken += 1;
        Some(byte[0])
    }

    fn varint(&mut self) -> Option<u64> {
        number_of(|| self.byte())
    }

    fn zigzag(&mut self) -> Option<i64> {
        let number = self.varint()?;
        Some((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    /// The kind of the next field, with its number; `Some(None)` at the end of a structure.
    fn field(&mut self, number: &mut i64) -> Option<Option<u8>> {
        let byte = self.byte()?;
        if byte == 0 {
            return Some(None);
        }
        *number = match byte >> 4 {
            0 => self.zigzag()?,
            more => number.checked_add(i64::from(more))?,
        };
        Some(Some(byte & 0x0f))
    }

    fn skip(&mut self, kind: u8, depth: u32) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        match kind {
            // The two truth values are in the kind itself.
            1 | 2 => {}
            3 => drop(self.byte()?),
            4..=6 => drop(self.varint()?),
            7 => self.pass(8)?,
            8 => {
                let length = self.varint()?;
                self.pass(length)?;
            }
            9 | 10 => {
                let byte = self.byte()?;
                let count = match byte >> 4 {
                    15 => self.varint()?,
                    few => u64::from(few),
                };
                for _ in 0..count {
                    self.skip_element(byte & 0x0f, depth)?;
                }
            }
            11 => {
                let count = self.varint()?;
                let kinds = if count > 0 { self.byte()? } else { 0 };
                for _ in 0..count {
                    self.skip_element(kinds >> 4, depth)?;
                    self.skip_element(kinds & 0x0f, depth)?;
                }
            }
            Self::STRUCT => {
                let mut field = 0;
                while let Some(kind) = self.field(&mut field)? {
                    self.skip(kind, depth)?;
                }
            }
            _ => return None,
        }
        Some(())
    }

    /// Within lists truth values take a byte.
    fn skip_element(&mut self, kind: u8, depth: u32) -> Option<()> {
        match kind {
            1 | 2 => self.byte().map(drop),
            kind => self.skip(kind, depth),
        }
    }

    fn pass(&mut self, length: u64) -> Option<()> {
        let passed = io::copy(&mut (&mut self.bytes).take(length), &mut io::sink()).ok()?;
        self.taken += passed;
        (passed == length).then_some(())
    }
}
