//! [`WriteError`]: why a release was not written.
//!
//! Every message says what to change. No message holds a released value.

use std::{io, path::PathBuf};

use scumble_fault::{Blame, Fault};
use scumble_progress::Interrupted;

/// Why a release was not written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The file system refused.
    #[error("{}: cannot be written: {source}; check the path, its permissions and the free space", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What it answered.
        source: io::Error,
    },
    /// The output refused the bytes of the release.
    #[error("the released rows cannot be written: {0}; check the free space")]
    Output(#[from] io::Error),
    /// A release is already there, and replacing it was not asked for.
    #[error("{}: already exists; choose another folder, or use --force to replace the release in it", path.display())]
    Exists {
        /// The file that would be replaced.
        path: PathBuf,
    },
    /// Another run has the folder.
    #[error("{}: another run is publishing into this folder; wait until it is done, or choose another folder", folder.display())]
    Busy {
        /// The folder.
        folder: PathBuf,
    },
    /// A link stands where a file or folder of a release belongs.
    #[error("{}: is a link, which might lead a private file out of the house; remove it, or choose another folder", path.display())]
    Linked {
        /// The link.
        path: PathBuf,
    },
    /// A file is in the way that is not of the release which may be replaced.
    #[error(
        "{}: is not of the release that --force replaces, and a file of the new one has this name; move it away, or \
         choose another folder",
        path.display()
    )]
    NotOfRelease {
        /// The file.
        path: PathBuf,
    },
    /// Private files would stand beside what may leave the house.
    #[error(
        "{}: holds a release, which may leave the house, and what is to be written may not; choose another folder, such \
         as the one for private files in it",
        folder.display()
    )]
    HoldsRelease {
        /// The folder.
        folder: PathBuf,
    },
    /// A format that this build leaves out.
    #[error("this build does not write {format} files; build it with the cargo feature `{feature}`, or write CSV")]
    NotBuilt {
        /// The format.
        format: &'static str,
        /// What to build with.
        feature: &'static str,
    },
    /// Nothing but identifiers.
    #[error("no column would be published; give at least one column a role other than identifier")]
    NoColumns,
    /// The watcher asked to stop.
    #[error("stopped before the release was complete")]
    Interrupted,
}

impl Blame for WriteError {
    fn fault(&self) -> Fault {
        match self {
            WriteError::Exists { .. }
            | WriteError::Linked { .. }
            | WriteError::NotOfRelease { .. }
            | WriteError::HoldsRelease { .. }
            | WriteError::NotBuilt { .. }
            | WriteError::NoColumns => Fault::Input,
            WriteError::Interrupted => Fault::Interrupted,
            WriteError::Busy { .. } | WriteError::Io { .. } | WriteError::Output(_) => Fault::Environment,
        }
    }
}

impl From<Interrupted> for WriteError {
    fn from(_: Interrupted) -> Self {
        WriteError::Interrupted
    }
}
