//! [`LedgerError`]: why a ledger cannot be used.
//!
//! Messages name files, lines and releases, and say what to do. No message holds a released value.

use std::io;
use std::path::{Path, PathBuf};

use scumble_fault::{Blame, Fault};

use crate::write::WriteError;

/// Why a ledger cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// The file system refused.
    #[error("{}: cannot be used: {source}; check the path, its permissions and the free space", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What it answered.
        source: io::Error,
    },
    /// There is no ledger to read.
    #[error("{}: there is no ledger here; `scumble publish --ledger` makes one", folder.display())]
    NoLedger {
        /// The folder.
        folder: PathBuf,
    },
    /// A line is no entry, or has the name of an earlier one, and no crash can have left it so.
    #[error(
        "{}:{line}: this line is not an entry with a name of its own; put back a copy of the ledger, or remove the \
         line if its release was never given away",
        path.display()
    )]
    Broken {
        /// The file of entries.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
    },
    /// A line is of a version that this program does not know.
    #[error("{}:{line}: this entry is of version {found}; this program reads version {known}, use a newer one", path.display())]
    Version {
        /// The file of entries.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// Its version.
        found: u64,
        /// The version that is known.
        known: u32,
    },
    /// A name cannot be used twice.
    #[error("{}: the ledger already has a release `{name}`; choose another name, `{free}` is free", folder.display())]
    NameTaken {
        /// The ledger.
        folder: PathBuf,
        /// The name.
        name: String,
        /// The nearest name that is free.
        free: String,
    },
    /// There is no such entry.
    #[error("{}: the ledger has no release `{name}`; {}", folder.display(), listed(known))]
    Unknown {
        /// The ledger.
        folder: PathBuf,
        /// The name.
        name: String,
        /// The names that there are.
        known: Vec<String>,
    },
    /// The released file is not where it was published.
    #[error("{}: the file of the earlier release `{name}` is gone; {}", file.display(), remedy(name, folder))]
    FileGone {
        /// The name of the entry.
        name: String,
        /// The released file.
        file: PathBuf,
        /// The ledger.
        folder: PathBuf,
    },
    /// The released file is not what was published.
    #[error(
        "{}: the file of the earlier release `{name}` has changed since it was published; {}",
        file.display(),
        remedy(name, folder)
    )]
    FileChanged {
        /// The name of the entry.
        name: String,
        /// The released file.
        file: PathBuf,
        /// The ledger.
        folder: PathBuf,
    },
    /// A path that JSON cannot hold.
    #[error("{}: the ledger cannot hold this path, which is not Unicode; publish to another folder", path.display())]
    NotUnicode {
        /// The released file.
        path: PathBuf,
    },
    /// It cannot be kept to its owner.
    #[error(transparent)]
    Private(WriteError),
    /// The watcher asked to stop.
    #[error("stopped while another run had the ledger")]
    Interrupted,
}

impl Blame for LedgerError {
    fn fault(&self) -> Fault {
        match self {
            LedgerError::Private(error) => error.fault(),
            LedgerError::Io { .. } => Fault::Environment,
            LedgerError::Interrupted => Fault::Interrupted,
            LedgerError::NoLedger { .. }
            | LedgerError::Broken { .. }
            | LedgerError::Version { .. }
            | LedgerError::NameTaken { .. }
            | LedgerError::Unknown { .. }
            | LedgerError::FileGone { .. }
            | LedgerError::FileChanged { .. }
            | LedgerError::NotUnicode { .. } => Fault::Input,
        }
    }
}

fn listed(names: &[String]) -> String {
    match names {
        [] => "it has none".to_owned(),
        names => format!("it has: {}", names.join(", ")),
    }
}

fn remedy(name: &str, folder: &Path) -> String {
    let folder = folder.display();
    format!("put it back, or if it was never given away: scumble ledger forget {name} --ledger {folder}")
}

/// Says why a file of a ledger cannot be used.
impl From<WriteError> for LedgerError {
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::Io { path, source } => LedgerError::Io { path, source },
            other => LedgerError::Private(other),
        }
    }
}

/// Says what could not be used.
pub(super) fn at(path: &Path) -> impl FnOnce(io::Error) -> LedgerError {
    let path = path.to_owned();
    move |source| LedgerError::Io { path, source }
}
