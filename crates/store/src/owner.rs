//! What is for its owner alone: files and folders that nobody else may read, and that no link leads away from.
//!
//! Invariant: what is opened here is the very file or folder of that name, never what a link points to, and by the time it is
//! written to nobody but its owner may read it. Where there are no permissions as on Unix, only links are looked for.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use crate::WriteError;

/// Opens a file for its owner alone, empty, to be written. One that is there is closed to others first.
///
/// # Errors
/// [`WriteError::Linked`] for a link, and whatever the file system answers.
pub fn create_for_owner(path: &Path) -> Result<File, WriteError> {
    let file = open_for_owner(path, owner_options().write(true).create(true))?;
    // A terminal or a pipe has no length.
    if file.metadata().is_ok_and(|metadata| metadata.is_file()) {
        file.set_len(0).map_err(at(path))?;
    }
    Ok(file)
}

/// Opens a file, which is made if the options say so, and closes it to others.
pub(crate) fn open_for_owner(path: &Path, options: &OpenOptions) -> Result<File, WriteError> {
    let opened = options.open(path).and_then(|file| {
        close_to_others(&file)?;
        Ok(file)
    });
    opened.map_err(|error| {
        if is_link(path) {
            WriteError::Linked { path: path.to_owned() }
        } else {
            at(path)(error)
        }
    })
}

/// How a file is opened that is for its owner alone, if it is made, and no link.
pub(crate) fn owner_options() -> OpenOptions {
    let mut options = File::options();
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
        options.custom_flags(rustix::fs::OFlags::NOFOLLOW.bits() as i32);
    }
    options
}

/// Takes from everybody else what they may do with a file or a folder. Of what is neither, there is nothing to take.
pub(crate) fn close_to_others(file: &File) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let metadata = file.metadata()?;
        let mode = metadata.permissions().mode();
        if mode & 0o077 != 0 && (metadata.is_file() || metadata.is_dir()) {
            file.set_permissions(fs::Permissions::from_mode(mode & 0o700))?;
        }
    }
    #[cfg(not(unix))]
    let _ = file;
    Ok(())
}

/// Whether a link stands at a path, wherever it leads.
pub(crate) fn is_link(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink())
}

/// Whether anything stands at a path, a link that leads nowhere included.
pub(crate) fn is_there(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// Whether whoever runs this owns a file.
pub(crate) fn is_ours(metadata: &Metadata) -> bool {
    #[cfg(unix)]
    return std::os::unix::fs::MetadataExt::uid(metadata) == rustix::process::geteuid().as_raw();
    #[cfg(not(unix))]
    {
        let _ = metadata;
        true
    }
}

/// A folder held open: what is done in it is done in the folder that was looked at, whatever its path leads to by then.
#[derive(Debug)]
pub(crate) struct OpenFolder {
    path: PathBuf,
    #[cfg(unix)]
    file: File,
}

impl OpenFolder {
    /// A folder that is there. The one that a user names may be a link.
    pub(crate) fn open(path: &Path) -> io::Result<OpenFolder> {
        Ok(OpenFolder {
            path: path.to_owned(),
            #[cfg(unix)]
            file: File::open(path)?,
        })
    }

    /// Removes a file; it need not be there.
    pub(crate) fn remove(&self, name: &OsStr) -> io::Result<()> {
        #[cfg(unix)]
        let removed = rustix::fs::unlinkat(&self.file, name, rustix::fs::AtFlags::empty()).map_err(io::Error::from);
        #[cfg(not(unix))]
        let removed = fs::remove_file(self.path.join(name));
        removed.or_else(unless(io::ErrorKind::NotFound))
    }

    /// Moves a file here from elsewhere.
    pub(crate) fn take(&self, from: &Path, name: &OsStr) -> io::Result<()> {
        #[cfg(unix)]
        return Ok(rustix::fs::renameat(rustix::fs::CWD, from, &self.file, name)?);
        #[cfg(not(unix))]
        fs::rename(from, self.path.join(name))
    }

    /// Makes what was done here last through a crash. Not every file system can sync a folder; the files themselves are safe.
    pub(crate) fn sync(&self) {
        #[cfg(unix)]
        let _ = self.file.sync_all();
    }

    /// The folder of this name in it, which is made if it is not there, and closed to others if it is.
    ///
    /// # Errors
    /// [`WriteError::Linked`] for a link, and whatever the file system answers.
    pub(crate) fn for_owner(&self, name: &OsStr) -> Result<OpenFolder, WriteError> {
        let path = self.path.join(name);
        self.make(name).map_err(at(&path))?;
        self.inner(name)?
            .ok_or_else(|| at(&path)(io::ErrorKind::NotFound.into()))
    }

    /// The folder of this name in it, closed to others; `None` if it is not there.
    ///
    /// # Errors
    /// [`WriteError::Linked`] for a link, and whatever the file system answers.
    pub(crate) fn inner(&self, name: &OsStr) -> Result<Option<OpenFolder>, WriteError> {
        let path = self.path.join(name);
        if is_link(&path) {
            return Err(WriteError::Linked { path });
        }
        match self.open_inner(name, &path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            opened => opened.map(Some).map_err(at(&path)),
        }
    }

    #[cfg(unix)]
    fn make(&self, name: &OsStr) -> io::Result<()> {
        let made = rustix::fs::mkdirat(&self.file, name, rustix::fs::Mode::RWXU).map_err(io::Error::from);
        made.or_else(unless(io::ErrorKind::AlreadyExists))
    }

    #[cfg(not(unix))]
    fn make(&self, name: &OsStr) -> io::Result<()> {
        fs::create_dir(self.path.join(name)).or_else(unless(io::ErrorKind::AlreadyExists))
    }

    #[cfg(unix)]
    fn open_inner(&self, name: &OsStr, path: &Path) -> io::Result<OpenFolder> {
        use rustix::fs::{Mode, OFlags};
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = File::from(rustix::fs::openat(&self.file, name, flags, Mode::empty())?);
        close_to_others(&file)?;
        let path = path.to_owned();
        Ok(OpenFolder { path, file })
    }

    #[cfg(not(unix))]
    fn open_inner(&self, _name: &OsStr, path: &Path) -> io::Result<OpenFolder> {
        fs::metadata(path)?;
        OpenFolder::open(path)
    }
}

/// Takes an answer of this kind for success.
fn unless(kind: io::ErrorKind) -> impl FnOnce(io::Error) -> io::Result<()> {
    move |error| if error.kind() == kind { Ok(()) } else { Err(error) }
}

/// Says what could not be written.
pub(crate) fn at(path: &Path) -> impl FnOnce(io::Error) -> WriteError {
    let path = path.to_owned();
    move |source| WriteError::Io { path, source }
}
