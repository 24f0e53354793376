//! Workbooks are archives of packed parts; all parts are unpacked once, into nothing, before any is read.
//!
//! What a part declares as its size may be a lie, and several parts may share their bytes, so only unpacking tells. It
//! takes a small share of the time that the reader needs for the same bytes.

use std::io::{self, BufReader, Read};
use std::path::Path;

use zip::ZipArchive;

use super::super::file::open_file;
use super::super::guard::damaged;
use super::super::limits;
use super::wanted::FORMAT;
use crate::error::{Origin, ReadError};

/// Checks that all parts together unpack to no more than this.
pub(super) fn check(path: &Path, most_unpacked: u64) -> Result<(), ReadError> {
    let file = BufReader::new(open_file(path)?);
    let mut archive = ZipArchive::new(file).map_err(|_| damaged(path, FORMAT))?;
    let origin = Origin::File(path.into());
    let mut unpacked = 0;
    for place in 0..archive.len() {
        // A part that cannot be unpacked here is none that the reader can unpack.
        let Ok(part) = archive.by_index(place) else {
            continue;
        };
        let rest = most_unpacked.saturating_sub(unpacked).saturating_add(1);
        let mut counted = Counted::default();
        // A part that breaks off is the reader's to complain of, if it needs it; what came before counts.
        let _ = io::copy(&mut part.take(rest), &mut counted);
        unpacked = counted.0.saturating_add(unpacked);
        limits::check(&origin, "unpacked bytes", unpacked, most_unpacked)?;
    }
    Ok(())
}

/// Counts bytes and forgets them.
#[derive(Default)]
struct Counted(u64);

impl io::Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
