//! What a peer may send: [`Allowance`] in bytes over a run, [`Bounded`] in pieces within a message.
//!
//! Invariant: what a peer says of lengths and counts never decides what is allocated. A message takes memory that follows
//! from the bytes that have arrived and the number of common records, whatever it declares.

use postcard::de_flavors::Flavor;
use postcard::{Error, Result};

/// The bytes of the longest text of a cell.
pub(crate) const LONGEST_TEXT: usize = 1 << 20;

/// The bytes of the longest canonical form of an agreement: thousands of columns take less than one.
pub(crate) const LONGEST_AGREEMENT: usize = 4 << 20;

/// What a party may tell of each common record, over a whole run. A row of a release has less.
const PER_RECORD: usize = 4096;

/// What a message takes beside its bytes, so that empty ones count, too.
const PER_MESSAGE: usize = 64;

/// What a message has that is not about records, of which digests are most: one of 32 bytes for each of 4,096 columns.
const FIXED: usize = 32 << 12;

/// The bytes that one peer may have sent: those that nobody has read yet, and of those that were read all but the parts
/// of secure computations, for which the circuits set their own bounds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance {
    /// Whatever the number of records.
    pub base: usize,
    /// The common records, once they are known.
    pub records: usize,
}

impl Allowance {
    pub fn new(base: usize) -> Self {
        Allowance { base, records: 0 }
    }

    /// Whether a peer that has sent so much keeps within it.
    pub fn covers(&self, spent: usize) -> bool {
        spent <= self.base.saturating_add(self.records.saturating_mul(PER_RECORD))
    }
}

/// What a message counts for.
pub(crate) fn cost(bytes: usize) -> usize {
    bytes.saturating_add(PER_MESSAGE)
}

/// The bytes of a message, of which only so many are read one by one.
///
/// A text or a list of bytes is taken in one piece and takes as much memory as it has bytes. But an element of a list may
/// be a single byte and take 24 in memory: it is these that are counted.
pub(crate) struct Bounded<'b> {
    rest: &'b [u8],
    singles: usize,
}

impl<'b> Bounded<'b> {
    /// A message of someone who knows so many common records.
    ///
    /// An honest message has at most as many texts and as many runs as there are records: a text takes 5 bytes beside its
    /// own, a run 10.
    pub fn new(bytes: &'b [u8], records: usize) -> Self {
        Bounded {
            rest: bytes,
            singles: records.saturating_mul(16).saturating_add(FIXED),
        }
    }
}

impl<'b> Flavor<'b> for Bounded<'b> {
    type Remainder = &'b [u8];
    type Source = &'b [u8];

    fn pop(&mut self) -> Result<u8> {
        let (&first, rest) = self.rest.split_first().ok_or(Error::DeserializeUnexpectedEnd)?;
        self.singles = self.singles.checked_sub(1).ok_or(Error::SerdeDeCustom)?;
        self.rest = rest;
        Ok(first)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }

    fn try_take_n(&mut self, count: usize) -> Result<&'b [u8]> {
        let (taken, rest) = self
            .rest
            .split_at_checked(count)
            .ok_or(Error::DeserializeUnexpectedEnd)?;
        self.rest = rest;
        Ok(taken)
    }

    fn finalize(self) -> Result<&'b [u8]> {
        Ok(self.rest)
    }
}
