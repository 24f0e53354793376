//! A [`Ledger`] is a private folder that remembers every release of some people.
//!
//! | file | holds |
//! |---|---|
//! | `entries.jsonl` | one line of JSON per release, the oldest first |
//! | `lock` | nothing; whoever publishes holds its lock |
//!
//! All of it is closed to everybody but its owner.
//!
//! What a release gives away depends on the releases before it, so a publisher must know of all of them. Two promises
//! make that so:
//!
//! - **Nobody misses another's release.** An open [`Ledger`] is the only one, in all processes. A publisher opens it before
//!   reading the entries and drops it after adding its own. So publishers with one ledger work one after the other:
//!   behind a run of an hour the next one waits an hour. Tables that have nothing to do with each other are better
//!   kept in ledgers of their own. Readers ([`Ledger::read`]) wait for nobody.
//! - **A crash loses no release that was added.** A line is synced before [`Ledger::add`] returns. What a crash leaves of a
//!   line that was being written is cut off by the next publisher, and not seen by readers.
//!
//! Invariant: the names of the entries differ, and every path in them is absolute.

mod entry;
mod error;
mod files;
mod lines;
mod lock;

use std::fs;
use std::path::{Path, PathBuf};

pub use entry::{Entry, LedgerColumn, fingerprint_of_file, fingerprint_of_taxonomy, utc_now};
pub use error::LedgerError;
use error::at;
use lines::Lines;
use lock::Lock;

use crate::Watch;

/// The earlier releases, open to be added to. Nobody else has it open until it is dropped.
#[derive(Debug)]
pub struct Ledger {
    entries: Entries,
    lines: Lines,
    _lock: Lock,
}

/// The entries of a ledger as they were when it was read, the oldest first.
#[derive(Clone, Debug, PartialEq)]
pub struct Entries {
    folder: PathBuf,
    list: Vec<Entry>,
}

impl Ledger {
    /// Opens the ledger in a folder, which is made if it is not there, closed to others. Waits until nobody else has it
    /// open, or until the watcher asks to stop.
    pub fn open(folder: &Path, watch: &dyn Watch) -> Result<Ledger, LedgerError> {
        let lock = Lock::take(folder, watch)?;
        let (lines, list) = Lines::open(folder)?;
        Ok(Ledger {
            entries: Entries {
                folder: folder.to_owned(),
                list,
            },
            lines,
            _lock: lock,
        })
    }

    /// Reads what is in a ledger now, without waiting for a publisher that has it open.
    pub fn read(folder: &Path) -> Result<Entries, LedgerError> {
        let list = lines::read(folder)?;
        Ok(Entries {
            folder: folder.to_owned(),
            list,
        })
    }

    /// The entries.
    pub fn entries(&self) -> &Entries {
        &self.entries
    }

    /// Adds an entry under a name that is new. When this returns, the entry lasts.
    pub fn add(&mut self, mut entry: Entry) -> Result<(), LedgerError> {
        if self.entries.find(&entry.name).is_ok() {
            return Err(LedgerError::NameTaken {
                free: self.entries.unused_name(&entry.name),
                folder: self.entries.folder.clone(),
                name: entry.name,
            });
        }
        entry.file = std::path::absolute(&entry.file).map_err(at(&entry.file))?;
        self.lines.append(&entry)?;
        self.entries.list.push(entry);
        Ok(())
    }

    /// Takes an entry out and gives it back. The release is then no longer taken into account: only right if it was never
    /// given away.
    pub fn forget(&mut self, name: &str) -> Result<Entry, LedgerError> {
        let place = self.entries.place(name)?;
        let mut kept = self.entries.list.clone();
        let forgotten = kept.remove(place);
        self.lines.replace(&kept)?;
        self.entries.list = kept;
        Ok(forgotten)
    }
}

impl Entries {
    /// All entries.
    pub fn as_slice(&self) -> &[Entry] {
        &self.list
    }

    /// The entry with this name.
    pub fn find(&self, name: &str) -> Result<&Entry, LedgerError> {
        self.place(name).map(|place| &self.list[place])
    }

    /// A name that no entry has: `base` itself, or else `base-2`, `base-3` and so on.
    pub fn unused_name(&self, base: &str) -> String {
        let mut name = base.to_owned();
        let mut number = 2;
        while self.find(&name).is_ok() {
            name = format!("{base}-{number}");
            number += 1;
        }
        name
    }

    /// Checks that the released file of an entry is still there, and still what was published.
    pub fn check_file(&self, entry: &Entry) -> Result<(), LedgerError> {
        let (name, file, folder) = (entry.name.clone(), entry.file.clone(), self.folder.clone());
        match fs::exists(&entry.file) {
            Ok(true) if fingerprint_of_file(&entry.file)? == entry.fingerprint => Ok(()),
            Ok(true) => Err(LedgerError::FileChanged { name, file, folder }),
            Ok(false) => Err(LedgerError::FileGone { name, file, folder }),
            Err(source) => Err(at(&file)(source)),
        }
    }

    fn place(&self, name: &str) -> Result<usize, LedgerError> {
        let place = self.list.iter().position(|entry| entry.name == name);
        place.ok_or_else(|| LedgerError::Unknown {
            folder: self.folder.clone(),
            name: name.to_owned(),
            known: self.list.iter().map(|entry| entry.name.clone()).collect(),
        })
    }
}
