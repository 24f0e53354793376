//! Workbooks of Excel 97 to 2003 are looked through before they are read.
//!
//! The library that reads them follows chains of sectors without an end in sight, lays out the whole rectangle between
//! the outermost cells of every sheet, and copies a shared text for each cell that shows it. So the chains are followed
//! here first, and the records counted: what is left to the library is bounded by the file.

use std::fs::File;
use std::io::BufReader;
use std::ops::Range;

use calamine::{Reader, Xls, open_workbook};

use super::super::file::{FileSource, cannot_be_read};
use super::super::guard::damaged;
use super::super::limits::{self, LAID_OUT, UNPACKED_WORKBOOK};
use super::sheet::{Filling, Sheet};
use super::wanted::{FORMAT, wanted};
use crate::error::ReadError;

/// Reads the sheet that a source names, or the first.
pub(super) fn read(source: &FileSource) -> Result<Sheet, ReadError> {
    let path = &source.path;
    let damaged = || damaged(path, FORMAT);
    let bytes = std::fs::read(path).map_err(cannot_be_read(path))?;
    let stream = workbook_stream(&bytes).ok_or_else(damaged)?;
    let count = Count::of(&stream).ok_or_else(damaged)?;
    let origin = source.origin();
    limits::check(&origin, "cells laid out", count.laid_out, LAID_OUT.of(count.filled))?;
    let most_text = UNPACKED_WORKBOOK.of(bytes.len() as u64);
    limits::check(&origin, "bytes of text", count.text, most_text)?;
    drop((bytes, stream));
    let mut workbook: Xls<BufReader<File>> = open_workbook(path).map_err(|_| damaged())?;
    let name = wanted(source, workbook.sheet_names())?;
    let range = workbook.worksheet_range(&name).map_err(|_| damaged())?;
    let (row, column) = range.start().unwrap_or_default();
    let mut filling = Filling::default();
    for (down, right, data) in range.used_cells() {
        filling.fill(row + down as u32, column + right as u32, 1, data);
    }
    Ok(filling.finish())
}

/// The number that these bytes are, lowest first; `None` beyond the end.
fn number<const N: usize>(bytes: &[u8], at: usize) -> Option<u64> {
    let part = bytes.get(at..at.checked_add(N)?)?;
    Some(part.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
}

/// The end of a chain of sectors.
const END: u32 = 0xFFFF_FFFE;
/// Numbers from here on are none of sectors.
const RESERVED: u32 = 0xFFFF_FFFA;
/// Streams shorter than this are in small sectors.
const SHORT: u64 = 4096;
const SMALL: usize = 64;
const ENTRY: usize = 128;

/// The sectors of a compound file (MS-CFB) and which one follows which.
struct Sectors<'b> {
    bytes: &'b [u8],
    size: usize,
    next: Vec<u32>,
}

impl<'b> Sectors<'b> {
    fn get(&self, sector: u32) -> Option<&'b [u8]> {
        let start = (sector as usize).checked_mul(self.size)?;
        let end = start.checked_add(self.size)?.min(self.bytes.len());
        self.bytes.get(start..end)
    }

    /// A chain up to its end or so many bytes; `None` if it leads nowhere or back to itself.
    fn chain(&self, first: u32, length: u64) -> Option<Vec<u8>> {
        let mut chain = Vec::new();
        let mut sector = first;
        let mut steps = 0;
        while sector != END && (chain.len() as u64) < length {
            steps += 1;
            if steps > self.next.len() {
                return None;
            }
            chain.extend_from_slice(self.get(sector)?);
            // The library looks up what follows only if there is more to read.
            if (chain.len() as u64) < length {
                sector = *self.next.get(sector as usize)?;
            }
        }
        chain.truncate(usize::try_from(length).unwrap_or(usize::MAX));
        Some(chain)
    }
}

fn numbers(bytes: &[u8]) -> impl Iterator<Item = u32> {
    let (numbers, _) = bytes.as_chunks::<4>();
    numbers.iter().map(|&number| u32::from_le_bytes(number))
}

/// The stream of a compound file that holds the workbook.
fn workbook_stream(bytes: &[u8]) -> Option<Vec<u8>> {
    if !bytes.starts_with(b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1") {
        return None;
    }
    let size = match number::<2>(bytes, 30)? {
        9 => 512,
        12 => 4096,
        _ => return None,
    };
    let mut sectors = Sectors {
        bytes: bytes.get(size..)?,
        size,
        next: Vec::new(),
    };
    sectors.next = allocation_table(&sectors, bytes)?;
    let word = |at| number::<4>(bytes, at).map(|number| number as u32);
    let directory = sectors.chain(word(48)?, u64::MAX)?;
    let root = Entry::new(directory.get(..ENTRY)?, size)?;
    let small = match word(64)? {
        0 => None,
        count => {
            let followers = sectors.chain(word(60)?, u64::from(count) * size as u64)?;
            let stream = sectors.chain(root.first, root.length)?;
            Some((stream, numbers(&followers).collect()))
        }
    };
    let entries = || {
        directory
            .chunks_exact(ENTRY)
            .filter_map(|entry| Entry::new(entry, size))
    };
    let named = |name: &str| entries().find(|entry| entry.name.eq_ignore_ascii_case(name));
    let read = |entry: Entry| match &small {
        _ if entry.length >= SHORT => sectors.chain(entry.first, entry.length),
        None => None,
        Some((bytes, next)) => Sectors {
            bytes,
            size: SMALL,
            next: Vec::clone(next),
        }
        .chain(entry.first, entry.length),
    };
    // Both are looked through: where the first cannot be read, the library turns to the second.
    named("Workbook")
        .and_then(read)
        .or_else(|| named("Book").and_then(read))
}

/// Which sector follows which, from the sectors that the header and those after it list.
fn allocation_table(sectors: &Sectors, bytes: &[u8]) -> Option<Vec<u32>> {
    let most = bytes.len() / sectors.size + 1;
    let mut listed: Vec<u32> = numbers(bytes.get(76..512)?).collect();
    let mut more = number::<4>(bytes, 68)? as u32;
    let mut steps = 0;
    while more < RESERVED {
        steps += 1;
        if steps > most {
            return None;
        }
        listed.extend(numbers(sectors.get(more)?));
        more = listed.pop()?;
    }
    let listed: Vec<u32> = listed.into_iter().filter(|&sector| sector < RESERVED).collect();
    if listed.len() > most {
        return None;
    }
    let mut next = Vec::new();
    for sector in listed {
        next.extend(numbers(sectors.get(sector)?));
    }
    Some(next)
}

/// An entry of the directory of a compound file.
struct Entry {
    name: String,
    first: u32,
    length: u64,
}

impl Entry {
    fn new(bytes: &[u8], sector_size: usize) -> Option<Entry> {
        let (units, _) = bytes.get(..64)?.as_chunks::<2>();
        let units = units.iter().map(|&unit| u16::from_le_bytes(unit));
        let name = char::decode_utf16(units.take_while(|&unit| unit != 0));
        Some(Entry {
            name: name.map(|sign| sign.unwrap_or(char::REPLACEMENT_CHARACTER)).collect(),
            first: number::<4>(bytes, 116)? as u32,
            length: match sector_size {
                512 => number::<4>(bytes, 120)?,
                _ => number::<8>(bytes, 120)?,
            },
        })
    }
}

/// Numbers of kinds of records (MS-XLS 2.3).
mod kind {
    pub const FORMULA: u16 = 0x0006;
    pub const END: u16 = 0x000A;
    pub const CONTINUE: u16 = 0x003C;
    pub const SHEET: u16 = 0x0085;
    pub const NUMBERS: u16 = 0x00BD;
    pub const RICH_TEXT: u16 = 0x00D6;
    pub const TEXTS: u16 = 0x00FC;
    pub const SHARED_TEXT: u16 = 0x00FD;
    pub const DIMENSIONS: u16 = 0x0200;
    pub const NUMBER: u16 = 0x0203;
    pub const TEXT: u16 = 0x0204;
    pub const TRUTH_OR_ERROR: u16 = 0x0205;
    pub const SHORT_NUMBER: u16 = 0x027E;
    pub const BEGIN: u16 = 0x0809;
}

/// The rows and columns that this format has room for.
const MOST_ROWS: u64 = 1 << 16;
const MOST_COLUMNS: u64 = 1 << 8;

/// What the sheets of a workbook come to.
#[derive(Default)]
struct Count {
    filled: u64,
    laid_out: u64,
    /// Bytes of shared texts, once for each cell that shows one.
    text: u64,
}

impl Count {
    /// `None` if the stream is not what the format says.
    fn of(stream: &[u8]) -> Option<Count> {
        let mut count = Count::default();
        let mut texts = Vec::new();
        let mut sheets = Vec::new();
        for record in records(stream).take_while(|record| record.kind != kind::END) {
            match record.kind {
                kind::SHEET => sheets.push(number::<4>(record.data, 0)? as usize),
                kind::TEXTS => texts = text_lengths(&record),
                _ => {}
            }
        }
        // Sheets lie one after another; if they overlap, some cells are read again and again.
        let mut looked_through = 0;
        for sheet in sheets {
            looked_through += count.add_sheet(stream.get(sheet..)?, &texts)?;
            if looked_through > stream.len().saturating_mul(2) {
                return None;
            }
        }
        Some(count)
    }

    /// Counts a sheet; how many bytes it takes.
    fn add_sheet(&mut self, stream: &[u8], texts: &[u64]) -> Option<usize> {
        let (mut values, mut formulas) = (Rectangle::default(), Rectangle::default());
        let mut within = 0;
        let mut taken = 0;
        for record in records(stream) {
            taken += record.taken;
            match record.kind {
                kind::BEGIN => within += 1,
                kind::END if within <= 1 => break,
                kind::END => within -= 1,
                // A picture within the sheet.
                _ if within > 1 => {}
                kind::DIMENSIONS => check_dimensions(record.data)?,
                kind::FORMULA => {
                    let (row, column) = record.place()?;
                    values.take_in(row, column..column);
                    formulas.take_in(row, column..column);
                    self.filled += 1;
                }
                kind::NUMBERS => {
                    let (row, column) = record.place()?;
                    let others = (record.data.len().checked_sub(6)? / 6).checked_sub(1)? as u64;
                    values.take_in(row, column..column + others);
                    self.filled += others + 1;
                }
                kind::NUMBER | kind::TEXT | kind::RICH_TEXT | kind::TRUTH_OR_ERROR | kind::SHORT_NUMBER => {
                    let (row, column) = record.place()?;
                    values.take_in(row, column..column);
                    self.filled += 1;
                }
                kind::SHARED_TEXT => {
                    let (row, column) = record.place()?;
                    values.take_in(row, column..column);
                    self.filled += 1;
                    let text = number::<4>(record.data, 6)? as usize;
                    self.text = self.text.saturating_add(texts.get(text).copied().unwrap_or(0));
                }
                _ => {}
            }
        }
        self.laid_out += values.cells() + formulas.cells();
        Some(taken)
    }
}

/// Checks that the dimensions of a sheet are those of a sheet: the library makes room for as many cells.
fn check_dimensions(data: &[u8]) -> Option<()> {
    let (rows, columns) = match data.len() {
        10 => (
            number::<2>(data, 0)?..number::<2>(data, 2)?,
            number::<2>(data, 4)?..number::<2>(data, 6)?,
        ),
        _ => (
            number::<4>(data, 0)?..number::<4>(data, 4)?,
            number::<2>(data, 8)?..number::<2>(data, 10)?,
        ),
    };
    let nothing = rows.end == 0 || columns.end == 0;
    let fits = rows.start < rows.end && rows.end <= MOST_ROWS && columns.end <= MOST_COLUMNS;
    (nothing || fits).then_some(())
}

/// The outermost cells.
#[derive(Default)]
struct Rectangle {
    bounds: Option<(Range<u64>, Range<u64>)>,
}

impl Rectangle {
    /// Takes in cells of a row, from the first column to the last.
    fn take_in(&mut self, row: u64, columns: Range<u64>) {
        let (rows, across) = self
            .bounds
            .get_or_insert((row..row + 1, columns.start..columns.end + 1));
        *rows = rows.start.min(row)..rows.end.max(row + 1);
        *across = across.start.min(columns.start)..across.end.max(columns.end + 1);
    }

    fn cells(&self) -> u64 {
        match &self.bounds {
            Some((rows, columns)) => (rows.end - rows.start) * (columns.end - columns.start),
            None => 0,
        }
    }
}

/// A record and those that continue it.
struct Record<'s> {
    kind: u16,
    data: &'s [u8],
    more: Vec<&'s [u8]>,
    /// How many bytes they take.
    taken: usize,
}

impl Record<'_> {
    /// The row and the column of a cell.
    fn place(&self) -> Option<(u64, u64)> {
        Some((number::<2>(self.data, 0)?, number::<2>(self.data, 2)?))
    }
}

/// The records of a stream, up to one that is cut off.
fn records(stream: &[u8]) -> impl Iterator<Item = Record<'_>> {
    let mut rest = stream;
    std::iter::from_fn(move || {
        let before = rest.len();
        let (kind, data) = take_record(&mut rest)?;
        let mut more = Vec::new();
        while number::<2>(rest, 0) == Some(u64::from(kind::CONTINUE)) {
            let Some((_, data)) = take_record(&mut rest) else { break };
            more.push(data);
        }
        Some(Record {
            kind,
            data,
            more,
            taken: before - rest.len(),
        })
    })
}

fn take_record<'s>(rest: &mut &'s [u8]) -> Option<(u16, &'s [u8])> {
    let kind = number::<2>(rest, 0)? as u16;
    let length = number::<2>(rest, 2)? as usize;
    let data = rest.get(4..4 + length)?;
    *rest = &rest[4 + length..];
    Some((kind, data))
}

/// The lengths of the shared texts (MS-XLS 2.5.293), as far as they are whole.
fn text_lengths(record: &Record) -> Vec<u64> {
    let mut parts = Parts {
        part: record.data.get(8..).unwrap_or_default(),
        more: record.more.iter(),
    };
    std::iter::from_fn(|| parts.skip_text()).collect()
}

/// The bytes of a record and those that continue it.
struct Parts<'r, 's> {
    part: &'s [u8],
    more: std::slice::Iter<'r, &'s [u8]>,
}

impl Parts<'_, '_> {
    /// Skips a text; how many bytes it may take in memory.
    fn skip_text(&mut self) -> Option<u64> {
        while self.part.is_empty() {
            self.part = self.more.next()?;
        }
        let mut left = number::<2>(self.part, 0)? as usize;
        let length = left as u64;
        let flags = *self.part.get(2)?;
        let mut at = 3;
        let mut after = 0;
        if flags & 8 != 0 {
            after += number::<2>(self.part, at)? as usize * 4;
            at += 2;
        }
        if flags & 4 != 0 {
            after += number::<4>(self.part, at)? as usize;
            at += 4;
        }
        self.part = self.part.get(at..)?;
        let mut wide = flags & 1 != 0;
        while left > 0 {
            let each = if wide { 2 } else { 1 };
            let here = left.min(self.part.len() / each);
            self.part = &self.part[here * each..];
            left -= here;
            if left > 0 {
                let (&flags, rest) = self.more.next()?.split_first()?;
                wide = flags & 1 != 0;
                self.part = rest;
            }
        }
        while after > self.part.len() {
            after -= self.part.len();
            self.part = self.more.next()?;
        }
        self.part = &self.part[after..];
        // A sign of UTF-16 takes three bytes at most.
        Some(length * 3)
    }
}
