//! The ledger of earlier releases: looking into it, forgetting one of them, and publishing with it.
//!
//! - `past`: which entries concern a table, and how;
//! - `remember`: the ledger while a release is made, and the entry of that release;
//! - `versions`: a release beside earlier versions of the same columns.

mod past;
mod remember;
mod versions;

use std::path::{Path, PathBuf};

use scumble_store::{Entries, Entry, Ledger, LedgerError, Watch};
use serde::Serialize;

use crate::error::Error;

pub(crate) use past::{Past, is_same_file};
pub use remember::{OpenLedger, Remember};
pub(crate) use versions::{Newest, ReadVersion, read_version};

/// An entry of a ledger, and what became of its file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Remembered {
    /// What the ledger has.
    #[serde(flatten)]
    pub entry: Entry,
    /// The rows that were published, by the certificate.
    pub rows: Option<u64>,
    /// What became of the released file.
    pub file_is: FileState,
}

/// The releases of a ledger.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RememberedReleases {
    /// The oldest first.
    pub releases: Vec<ListedRelease>,
}

/// What fits on a line of an entry of a ledger.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ListedRelease {
    /// What the ledger calls it.
    pub name: String,
    /// Whom it is about.
    pub population: String,
    /// When it was published, in UTC.
    pub published_at: String,
    /// The rows that were published, by the certificate.
    pub rows: Option<u64>,
    /// How many columns it has.
    pub columns: usize,
    /// The released file.
    pub file: PathBuf,
    /// What became of it.
    pub file_is: FileState,
}

/// What the ledger had of a release that it was told to forget.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Forgotten {
    /// Its entry.
    pub forgotten: Entry,
}

/// What became of a released file since it was published.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FileState {
    /// It is there as it was.
    There,
    /// It is not where it was.
    Gone,
    /// It is not what it was.
    Changed,
    /// It is there, but may not be read.
    Unreadable,
}

/// The releases of the ledger in a folder, the oldest first.
pub fn remembered_releases(ledger: &Path) -> Result<RememberedReleases, Error> {
    let entries = Ledger::read(ledger)?;
    let listed = |entry| ListedRelease::of(Remembered::new(entry, &entries));
    Ok(RememberedReleases {
        releases: entries.as_slice().iter().map(listed).collect(),
    })
}

/// The release of this name of the ledger in a folder.
pub fn remembered_release(ledger: &Path, name: &str) -> Result<Remembered, Error> {
    let entries = Ledger::read(ledger)?;
    Ok(Remembered::new(entries.find(name)?, &entries))
}

/// Takes a release out of the ledger in a folder. Waits until no publisher has the ledger open.
pub fn forget_release(ledger: &Path, name: &str, watch: &dyn Watch) -> Result<Forgotten, Error> {
    // A folder named by mistake must not become a ledger, as it would by opening one there.
    Ledger::read(ledger)?.find(name)?;
    let forgotten = Ledger::open(ledger, watch)?.forget(name)?;
    Ok(Forgotten { forgotten })
}

impl ListedRelease {
    fn of(remembered: Remembered) -> ListedRelease {
        let Remembered { entry, rows, file_is } = remembered;
        ListedRelease {
            name: entry.name,
            population: entry.population,
            published_at: entry.published_at,
            rows,
            columns: entry.columns.len(),
            file: entry.file,
            file_is,
        }
    }
}

impl Remembered {
    fn new(entry: &Entry, entries: &Entries) -> Remembered {
        Remembered {
            rows: entry.certificate["rows"]["published"].as_u64(),
            file_is: match entries.check_file(entry) {
                Ok(()) => FileState::There,
                Err(LedgerError::FileGone { .. }) => FileState::Gone,
                Err(LedgerError::FileChanged { .. }) => FileState::Changed,
                Err(_) => FileState::Unreadable,
            },
            entry: entry.clone(),
        }
    }
}
