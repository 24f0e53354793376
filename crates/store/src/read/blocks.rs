//! [`Blocks`] cuts a text file into blocks of whole records, so that workers can parse them side by side and nobody
//! holds the whole file.
//!
//! Invariant: a block begins with the first byte of a record and ends after the last byte of one, whatever is quoted.

use scumble_progress::{Amount, Event};
use std::{
    fs::File,
    io::{self, BufReader, Read},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use flate2::bufread::MultiGzDecoder;
use memchr::{memchr, memchr_iter, memrchr};

use super::format::{Compression, formats_of};
use super::limits::{self, UNPACKED};
use crate::Watch;
use crate::error::{Origin, Place, ReadError};

/// Large enough that handing out blocks costs nothing, small enough that a block stays in the cache of its worker.
pub(super) const BLOCK_SIZE: usize = 1 << 20;

/// A record that does not end within this many blocks has lost its closing quote.
const LONGEST_RECORD: usize = 64;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// What ends a record.
#[derive(Clone, Copy, Debug)]
pub(super) enum Ends {
    /// Every line end.
    Lines,
    /// A line end outside quotes.
    Unquoted(Dialect),
}

/// How fields and comments are told from each other in separated text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dialect {
    pub separator: u8,
    pub comment: Option<u8>,
}

/// Some whole records of a file.
#[derive(Debug, Default)]
pub(super) struct Block {
    /// The block's place among all.
    pub place: usize,
    /// The line on which it begins, counted from 1.
    first_line: usize,
    bytes: Vec<u8>,
}

impl Block {
    /// The block as text.
    pub fn text(&self, path: &Path) -> Result<&str, ReadError> {
        std::str::from_utf8(&self.bytes).map_err(|error| {
            let valid = &self.bytes[..error.valid_up_to()];
            let line_start = memrchr(b'\n', valid).map_or(0, |end| end + 1);
            ReadError::NotUtf8 {
                path: path.into(),
                line: self.line_at(valid.len()),
                column: String::from_utf8_lossy(&valid[line_start..]).chars().count() + 1,
            }
        })
    }

    /// The line of the file that holds this byte of the block.
    pub fn line_at(&self, position: usize) -> usize {
        self.first_line + lines_in(&self.bytes[..position])
    }
}

fn lines_in(bytes: &[u8]) -> usize {
    memchr_iter(b'\n', bytes).count()
}

/// The blocks of a file, in order.
pub(super) struct Blocks {
    path: PathBuf,
    origin: Origin,
    input: Box<dyn Read + Send>,
    /// How many bytes of the file were read, and how many of them the watcher knows of.
    read: Arc<AtomicU64>,
    told: u64,
    ends: Ends,
    size: usize,
    expected: usize,
    /// Bytes read but not yet in a block: they begin with a record.
    rest: Vec<u8>,
    line: usize,
    place: usize,
    unpacked: u64,
    /// The most that may be unpacked.
    allowed: u64,
}

impl Blocks {
    /// Opens a file and unpacks it on the way.
    pub fn open(path: &Path, ends: Ends, size: usize) -> Result<Self, ReadError> {
        let (_, compression) = formats_of(path)?;
        #[cfg(not(feature = "zstd"))]
        if compression == Compression::Zstd {
            return Err(ReadError::NotBuilt {
                path: path.into(),
                format: "zstd",
                feature: "zstd",
            });
        }
        let read = Arc::new(AtomicU64::new(0));
        let open = || -> io::Result<(Box<dyn Read + Send>, u64)> {
            let file = File::open(path)?;
            let length = file.metadata()?.len();
            let file = Counted {
                file,
                read: Arc::clone(&read),
            };
            let input: Box<dyn Read + Send> = match compression {
                Compression::None => Box::new(file),
                Compression::Gzip => Box::new(MultiGzDecoder::new(BufReader::new(file))),
                #[cfg(feature = "zstd")]
                Compression::Zstd => Box::new(zstd::Decoder::new(file)?),
                // Refused above.
                #[cfg(not(feature = "zstd"))]
                Compression::Zstd => Box::new(file),
            };
            Ok((input, length))
        };
        let (input, length) = open().map_err(|error| cannot_read(path, error))?;
        let mut blocks = Blocks {
            path: path.into(),
            origin: Origin::File(path.into()),
            read,
            told: 0,
            input,
            ends,
            size,
            expected: length as usize / size + 1,
            rest: Vec::new(),
            line: 1,
            place: 0,
            unpacked: 0,
            allowed: match compression {
                Compression::None => u64::MAX,
                Compression::Gzip | Compression::Zstd => UNPACKED.of(length),
            },
        };
        blocks.skip_byte_order_mark()?;
        Ok(blocks)
    }

    fn skip_byte_order_mark(&mut self) -> Result<(), ReadError> {
        let mut start = Vec::new();
        self.read_more(&mut start, BYTE_ORDER_MARK.len())?;
        if start != BYTE_ORDER_MARK {
            self.rest = start;
        }
        Ok(())
    }

    /// Replaces `block` by the next one; `false` if there is none.
    pub fn next_into(&mut self, block: &mut Block) -> Result<bool, ReadError> {
        block.bytes.clear();
        block.bytes.append(&mut self.rest);
        let end = loop {
            let at_end = self.read_more(&mut block.bytes, self.size)? < self.size;
            let cut = self.ends.cut(&block.bytes);
            if at_end {
                if cut.open_quote {
                    let line = self.line + lines_in(&block.bytes[..cut.end]);
                    return Err(ReadError::OpenQuote {
                        path: self.path.clone(),
                        line,
                    });
                }
                break block.bytes.len();
            }
            if cut.end > 0 {
                break cut.end;
            }
            let limit = LONGEST_RECORD * self.size;
            if block.bytes.len() > limit {
                return Err(ReadError::LongRow {
                    path: self.path.clone(),
                    line: self.line,
                    limit,
                });
            }
        };
        self.rest.extend_from_slice(&block.bytes[end..]);
        block.bytes.truncate(end);
        block.place = self.place;
        block.first_line = self.line;
        self.place += 1;
        self.line += lines_in(&block.bytes);
        Ok(end > 0)
    }

    /// Takes back the end of the block that was handed out last, from a record's first byte on.
    pub fn put_back(&mut self, block: &Block, from: usize) {
        self.rest.splice(..0, block.bytes[from..].iter().copied());
        self.line = block.line_at(from);
        self.place = block.place;
    }

    fn read_more(&mut self, bytes: &mut Vec<u8>, size: usize) -> Result<usize, ReadError> {
        bytes.reserve(size);
        let more = (&mut self.input).take(size as u64).read_to_end(bytes);
        let more = more.map_err(|error| cannot_read(&self.path, error))?;
        self.unpacked += more as u64;
        limits::check(&self.origin, "unpacked bytes", self.unpacked, self.allowed)?;
        Ok(more)
    }

    /// What messages call the file.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Tells how many more bytes of the file were read.
    pub fn tell(&mut self, watch: &dyn Watch) {
        let read = self.read.load(Ordering::Relaxed);
        let by = Amount::Bytes(read - self.told);
        watch.event(&Event::Advanced { by });
        self.told = read;
    }

    /// The place of the next block.
    pub fn next_place(&self) -> usize {
        self.place
    }

    /// How many blocks to expect; packed files have more.
    pub fn expected(&self) -> usize {
        self.expected
    }

    /// The lines of some records, given by ascending numbers; `starts` tells where the records of a block begin.
    ///
    /// Only a report of bad values needs lines, so they are not kept while reading but found by a second walk.
    pub fn locate(&mut self, records: &[usize], starts: impl Fn(&str) -> Vec<usize>) -> Result<Vec<Place>, ReadError> {
        let mut places = Vec::new();
        let mut block = Block::default();
        let mut seen = 0;
        while places.len() < records.len() && self.next_into(&mut block)? {
            let starts = starts(block.text(&self.path)?);
            let within = records[places.len()..]
                .iter()
                .map_while(|&record| starts.get(record - seen));
            places.extend(within.map(|&start| Place::Line(block.line_at(start))));
            seen += starts.len();
        }
        Ok(places)
    }
}

/// Where a run of bytes can be cut.
struct Cut {
    /// After the last whole record; 0 if there is none.
    end: usize,
    /// Whether the bytes end inside quotes.
    open_quote: bool,
}

impl Ends {
    /// Finds the last record end in bytes that begin with a record.
    fn cut(self, bytes: &[u8]) -> Cut {
        let last_line_end = |bytes: &[u8]| memrchr(b'\n', bytes).map(|end| end + 1);
        let Ends::Unquoted(dialect) = self else {
            return Cut {
                end: last_line_end(bytes).unwrap_or(0),
                open_quote: false,
            };
        };
        let mut end = 0;
        let mut position = 0;
        // Each turn takes the text up to an opening quote, then the quoted part.
        loop {
            let opening = dialect.opening_quote(bytes, position);
            let plain = &bytes[position..opening.unwrap_or(bytes.len())];
            end = last_line_end(plain).map_or(end, |within| position + within);
            let Some(opening) = opening else {
                return Cut { end, open_quote: false };
            };
            match closing_quote(bytes, opening + 1) {
                Some(closing) => position = closing + 1,
                None => return Cut { end, open_quote: true },
            }
        }
    }
}

impl Dialect {
    /// The next quote that opens a quoted field, from a position outside quotes. A quote opens only where a field
    /// begins, and not in a comment.
    fn opening_quote(self, bytes: &[u8], from: usize) -> Option<usize> {
        memchr_iter(b'"', &bytes[from..])
            .map(|quote| from + quote)
            .find(|&quote| {
                let begins_field = match quote.checked_sub(1) {
                    Some(before) => bytes[before] == self.separator || matches!(bytes[before], b'\n' | b'\r'),
                    None => true,
                };
                begins_field && !self.ends_in_comment(&bytes[from..quote], from == 0)
            })
    }

    /// Whether text without quoted fields ends in a comment; `at_record` if it begins with a record.
    fn ends_in_comment(self, text: &[u8], at_record: bool) -> bool {
        let Some(comment) = self.comment else { return false };
        let (line, at_record) = match memrchr(b'\n', text) {
            Some(end) => (&text[end + 1..], true),
            None => (text, at_record),
        };
        // A lone carriage return ends a record, but it does not end a comment.
        let records = line.split(|&byte| byte == b'\r').skip(usize::from(!at_record));
        records.into_iter().any(|record| record.first() == Some(&comment))
    }
}

/// The quote that closes a quoted field whose text begins at `from`; a doubled quote is part of the text.
pub(super) fn closing_quote(bytes: &[u8], from: usize) -> Option<usize> {
    let mut position = from;
    loop {
        let quote = position + memchr(b'"', &bytes[position..])?;
        if bytes.get(quote + 1) != Some(&b'"') {
            return Some(quote);
        }
        position = quote + 2;
    }
}

/// A failure of the system if it has a system's number, else of a decoder.
fn cannot_read(path: &Path, error: io::Error) -> ReadError {
    let compression = formats_of(path).map_or(Compression::None, |(_, compression)| compression);
    let format = match compression {
        Compression::Gzip if error.raw_os_error().is_none() => "gzip",
        Compression::Zstd if error.raw_os_error().is_none() => "zstd",
        _ => {
            return ReadError::Io {
                path: path.into(),
                source: error,
            };
        }
    };
    ReadError::Damaged {
        path: path.into(),
        format,
    }
}

/// A file that counts how much of it was read.
struct Counted {
    file: File,
    read: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.file.read(buffer)?;
        self.read.fetch_add(bytes as u64, Ordering::Relaxed);
        Ok(bytes)
    }
}
