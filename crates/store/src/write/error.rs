//! [`WriteError`]: why a release was not written.
//!
//! Every message says what to change. No message holds a released value.

use std::{io, path::PathBuf};

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
    /// Nothing but identifiers.
    #[error("no column would be published; give at least one column a role other than identifier")]
    NoColumns,
    /// The watcher asked to stop.
    #[error("stopped before the release was complete")]
    Interrupted,
}
