//! The [`Lock`] of a ledger: one holder at a time, in all processes.
//!
//! It is a file of its own, not the file of entries: that one is replaced as a whole when an entry is forgotten, and a
//! lock on a file that has been replaced keeps nobody out. The system gives the lock back when its holder ends, however it
//! ends.

use scumble_progress::{Running, Stage};
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;
use std::thread;
use std::time::Duration;

use super::error::{LedgerError, at};
use super::files::{LOCK, is_own_file};
use crate::Watch;
use crate::owner::{close_to_others, open_for_owner, owner_options};
use crate::staging::create_parent;

/// How often a waiting publisher looks again. Waiting inside the system could not be interrupted.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// Held until dropped.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    /// Waits for the lock of a folder, which is made if it is not there.
    pub(super) fn take(folder: &Path, watch: &dyn Watch) -> Result<Lock, LedgerError> {
        let path = folder.join(LOCK);
        create_parent(&path).map_err(at(folder))?;
        close(folder).map_err(at(folder))?;
        let file = open_for_owner(&path, owner_options().write(true).create(true))?;
        let mut waiting = None;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Lock { _file: file }),
                Err(TryLockError::Error(error)) => return Err(at(&path)(error)),
                Err(TryLockError::WouldBlock) if watch.should_stop() => return Err(LedgerError::Interrupted),
                Err(TryLockError::WouldBlock) if waiting.is_none() => {
                    waiting = Some(Running::begin(watch, Stage::WaitingForLedger, None));
                }
                Err(TryLockError::WouldBlock) => thread::sleep(LOOK_AGAIN),
            }
        }
    }
}

/// Closes the folder of a ledger to others. One that also holds other things is a folder of its owner's, in which only the
/// files of the ledger are closed.
fn close(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        if !is_own_file(&entry?.file_name()) {
            return Ok(());
        }
    }
    close_to_others(&File::open(folder)?)
}
