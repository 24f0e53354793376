//! A [`Staging`] folder is where a release is written out of sight; whoever has its lock has the folder that it is for.
//!
//! | in the nearest folder that exists | is |
//! |---|---|
//! | `.scumble-0f3c….lock` | locked by whoever publishes into the folder that the number stands for |
//! | `.scumble-0f3c…/` | what was written so far, closed to others |
//!
//! Invariant: the staging folder is made, written and removed only under the lock. The system gives the lock back when its
//! holder ends, however it ends; so a staging folder whose lock nobody holds was left by a run that was killed, and the
//! next run removes it.
//!
//! The lock file is removed with its lock held. Whoever had opened it before, and gets the lock after, sees that the file
//! is no longer the one of that name, and tries again.

use std::fs::{self, DirBuilder, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use crate::WriteError;
use crate::owner::{at, is_link, is_ours, open_for_owner, owner_options};

const PREFIX: &str = ".scumble-";
const LOCK: &str = "lock";

/// How many digits a number has: enough that two folders do not share it by chance.
const DIGITS: usize = 16;

/// How often, and after how long, a lock that somebody has is looked at again. A run that publishes has it for longer; one
/// that only cleans up after another, or is just done, has not.
const LOOKS: u32 = 15;
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// A staging folder, and the lock on what it is for. Both are gone when it is dropped.
#[derive(Debug)]
pub(super) struct Staging {
    path: PathBuf,
    _lock: FolderLock,
}

impl Staging {
    /// Makes the staging folder for `folder` in `home`, which is that folder itself or one above it.
    ///
    /// # Errors
    /// [`WriteError::Busy`] if another run has it.
    pub(super) fn begin(home: &Path, folder: &Path) -> Result<Staging, WriteError> {
        let lock = FolderLock::take(home, folder)?;
        let path = lock.staging();
        let staging = Staging { path, _lock: lock };
        staging.path.parent().into_iter().for_each(sweep);
        staging.clear()?;
        let mut builder = DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&staging.path).map_err(at(&staging.path))?;
        Ok(staging)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Removes what a run left that was killed.
    fn clear(&self) -> Result<(), WriteError> {
        if is_link(&self.path) {
            let path = self.path.clone();
            return Err(WriteError::Linked { path });
        }
        match fs::remove_dir_all(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(at(&self.path)(error)),
            _ => Ok(()),
        }
    }
}

impl Drop for Staging {
    /// Before the lock goes, so that what is left without a lock is never in use.
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Nobody else publishes into a folder until this is dropped.
#[derive(Debug)]
pub(super) struct FolderLock {
    path: PathBuf,
    _file: File,
}

impl FolderLock {
    /// Takes the lock of `folder` that lies in `home`, or fails at once if a run has it.
    pub(super) fn take(home: &Path, folder: &Path) -> Result<FolderLock, WriteError> {
        let path = home.join(format!("{PREFIX}{}.{LOCK}", number(home, folder)));
        let mut looks = 0;
        loop {
            let file = open_for_owner(&path, owner_options().write(true).create(true))?;
            match file.try_lock() {
                Ok(()) if is_still(&path, &file) => return Ok(FolderLock { path, _file: file }),
                Ok(()) => {}
                Err(TryLockError::Error(error)) => return Err(at(&path)(error)),
                Err(TryLockError::WouldBlock) if looks < LOOKS => {
                    looks += 1;
                    thread::sleep(LOOK_AGAIN);
                }
                Err(TryLockError::WouldBlock) => {
                    let folder = folder.to_owned();
                    return Err(WriteError::Busy { folder });
                }
            }
        }
    }

    /// The lock of this path, if nobody has it.
    fn abandoned(path: &Path) -> Option<FolderLock> {
        let file = owner_options().write(true).open(path).ok()?;
        let is_plain = file
            .metadata()
            .is_ok_and(|metadata| metadata.is_file() && is_ours(&metadata));
        let is_free = is_plain && file.try_lock().is_ok() && is_still(path, &file);
        // Made only if it is ours: dropped, it takes the file along.
        is_free.then(|| FolderLock {
            path: path.to_owned(),
            _file: file,
        })
    }

    fn staging(&self) -> PathBuf {
        self.path.with_extension("")
    }
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        // Elsewhere an open file cannot be removed, and nobody could see that it is no longer the one of that name.
        #[cfg(unix)]
        let _ = fs::remove_file(&self.path);
    }
}

/// Removes what runs left in a folder that were killed: staging folders of ours whose lock nobody has.
pub(super) fn sweep(home: &Path) {
    let entries = fs::read_dir(home).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    for name in names.filter(|name| is_lock(name)) {
        let Some(lock) = FolderLock::abandoned(&home.join(name)) else {
            continue;
        };
        let staging = lock.staging();
        let metadata = fs::symlink_metadata(&staging);
        if metadata.is_ok_and(|metadata| metadata.is_dir() && is_ours(&metadata)) {
            // What cannot be removed is in nobody's way.
            let _ = fs::remove_dir_all(&staging);
        }
    }
}

fn is_lock(name: &str) -> bool {
    let number = name
        .strip_prefix(PREFIX)
        .and_then(|rest| rest.strip_suffix(LOCK)?.strip_suffix('.'));
    number.is_some_and(|number| number.len() == DIGITS && number.bytes().all(|digit| digit.is_ascii_hexdigit()))
}

/// What stands for a folder in the one that its lock lies in: two ways of writing one path from there are one number.
fn number(home: &Path, folder: &Path) -> String {
    let from_there = folder.strip_prefix(home).unwrap_or(folder);
    let mut hasher = blake3::Hasher::new();
    for part in from_there.components() {
        let part = part.as_os_str().as_encoded_bytes();
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hasher.finalize().to_hex()[..DIGITS].to_owned()
}

/// Whether an open file is still the one of this path.
fn is_still(path: &Path, file: &File) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
        let named = fs::symlink_metadata(path).map(identity);
        named.is_ok_and(|named| file.metadata().map(identity).is_ok_and(|open| open == named))
    }
    #[cfg(not(unix))]
    {
        let _ = (path, file);
        true
    }
}
