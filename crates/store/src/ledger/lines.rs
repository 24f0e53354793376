//! `entries.jsonl`: one entry per line, added at the end.
//!
//! Invariant: only the last line may be other than a whole entry, and only after a crash in the middle of adding it. Such
//! a tail has no line end or is no JSON.
//!
//! | the file ends in | an entry was | a publisher | a reader |
//! |---|---|---|---|
//! | `…}⏎` | added | keeps it | sees it |
//! | `…}` | all but added | keeps it, and ends the line | sees it |
//! | `{"version":1,"na` | being added | cuts it off | does not see it |
//!
//! The second row errs on the side of caution: to remember a release that never was is better than to forget one.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Value;

use super::entry::Entry;
use super::error::{LedgerError, at};
use super::files::{ENTRIES, NEXT};
use crate::owner::{open_for_owner, owner_options};
use crate::staging::sync_folder_of;

/// The version of the format.
const VERSION: u32 = 1;

/// The file of entries, which nobody else writes.
#[derive(Debug)]
pub(super) struct Lines {
    path: PathBuf,
    /// Where the last entry ends.
    end: u64,
}

/// The entries of a folder, for someone who does not write.
pub(super) fn read(folder: &Path) -> Result<Vec<Entry>, LedgerError> {
    let path = folder.join(ENTRIES);
    match File::open(&path) {
        Ok(file) => Ok(Contents::read(&file, &path)?.entries),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Err(LedgerError::NoLedger {
                folder: folder.to_owned(),
            })
        }
        Err(error) => Err(at(&path)(error)),
    }
}

impl Lines {
    /// Opens the file of a folder whose lock is held, and mends what a crash left.
    pub(super) fn open(folder: &Path) -> Result<(Lines, Vec<Entry>), LedgerError> {
        let path = folder.join(ENTRIES);
        remove_if_there(&folder.join(NEXT))?;
        let file = open_for_owner(&path, owner_options().read(true).write(true).create(true))?;
        sync_folder_of(&path);
        let contents = Contents::read(&file, &path)?;
        let end = contents.mend(&file).map_err(at(&path))?;
        Ok((Lines { path, end }, contents.entries))
    }

    /// Adds a line. If that fails, it is as if it had not been tried.
    pub(super) fn append(&mut self, entry: &Entry) -> Result<(), LedgerError> {
        let line = line(entry)?;
        let mut file = open_for_owner(&self.path, owner_options().write(true).create(true))?;
        let mut append = || {
            // An earlier line that failed may have left a part of itself, if the disk would not even take that back.
            file.set_len(self.end)?;
            file.seek(SeekFrom::Start(self.end))?;
            let written = file.write_all(&line).and_then(|()| file.sync_data());
            written.inspect_err(|_| drop(file.set_len(self.end)))
        };
        append().map_err(at(&self.path))?;
        self.end += line.len() as u64;
        Ok(())
    }

    /// Puts a file with these entries in place of the old one, at once.
    pub(super) fn replace(&mut self, entries: &[Entry]) -> Result<(), LedgerError> {
        let lines = entries.iter().map(line).collect::<Result<Vec<_>, _>>()?.concat();
        // One name, so that what a crash leaves is overwritten by the next who holds the lock, or removed when it opens.
        let path = self.path.with_file_name(NEXT);
        remove_if_there(&path)?;
        let mut next = open_for_owner(&path, owner_options().write(true).create_new(true))?;
        let replaced = next.write_all(&lines).and_then(|()| next.sync_all());
        let replaced = replaced.and_then(|()| fs::rename(&path, &self.path));
        replaced.map_err(|error| {
            let _ = fs::remove_file(&path);
            at(&self.path)(error)
        })?;
        sync_folder_of(&self.path);
        self.end = lines.len() as u64;
        Ok(())
    }
}

fn remove_if_there(path: &Path) -> Result<(), LedgerError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(at(path)(error)),
        _ => Ok(()),
    }
}

/// What a file holds: entries, and perhaps the tail that a crash left.
struct Contents {
    entries: Vec<Entry>,
    /// The bytes up to the end of the last entry.
    whole: u64,
    /// Whether the last entry lacks its line end.
    unended: bool,
}

impl Contents {
    fn read(mut file: &File, path: &Path) -> Result<Contents, LedgerError> {
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(at(path))?;
        let mut contents = Contents {
            entries: Vec::new(),
            whole: 0,
            unended: false,
        };
        let mut lines = (1..).zip(bytes.split_inclusive(|&byte| byte == b'\n')).peekable();
        while let Some((number, line)) = lines.next() {
            match parse(line, path, number)? {
                Some(entry) if contents.entries.iter().all(|earlier| earlier.name != entry.name) => {
                    contents.entries.push(entry);
                }
                None if lines.peek().is_none() => break,
                _ => return Err(broken(path, number)),
            }
            contents.whole += line.len() as u64;
            contents.unended = !line.ends_with(b"\n");
        }
        Ok(contents)
    }

    /// Cuts the tail off, or ends the last line. Tells where the file then ends.
    fn mend(&self, mut file: &File) -> io::Result<u64> {
        file.set_len(self.whole)?;
        let mut end = file.seek(SeekFrom::End(0))?;
        if self.unended {
            file.write_all(b"\n")?;
            end += 1;
        }
        file.sync_data()?;
        Ok(end)
    }
}

/// The entry of a line; `None` if it is no JSON, as a crash may leave it.
fn parse(line: &[u8], path: &Path, number: usize) -> Result<Option<Entry>, LedgerError> {
    let Ok(mut fields) = serde_json::from_slice::<Value>(line) else {
        return Ok(None);
    };
    let version = fields.as_object_mut().and_then(|fields| fields.shift_remove("version"));
    match version.as_ref().and_then(Value::as_u64) {
        Some(version) if version == u64::from(VERSION) => {
            let entry = serde_json::from_value(fields).map_err(|_| broken(path, number))?;
            Ok(Some(entry))
        }
        Some(found) => Err(LedgerError::Version {
            path: path.to_owned(),
            line: number,
            found,
            known: VERSION,
        }),
        None => Err(broken(path, number)),
    }
}

fn broken(path: &Path, line: usize) -> LedgerError {
    LedgerError::Broken {
        path: path.to_owned(),
        line,
    }
}

/// An entry as it is written, its line end included.
fn line(entry: &Entry) -> Result<Vec<u8>, LedgerError> {
    #[derive(Serialize)]
    struct Line<'e> {
        version: u32,
        #[serde(flatten)]
        entry: &'e Entry,
    }
    let version = VERSION;
    // Everything in an entry is text but the path.
    let mut line = serde_json::to_vec(&Line { version, entry }).map_err(|_| LedgerError::NotUnicode {
        path: entry.file.clone(),
    })?;
    line.push(b'\n');
    Ok(line)
}
