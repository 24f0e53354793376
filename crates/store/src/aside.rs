//! An [`Aside`] is a set of files written out of sight and put in place together.
//!
//! Invariant: a file appears whole or not at all, and a released file never stands beside the certificate of another
//! release. Everything is written in a hidden folder on the same file system and synced, then renamed. Where the
//! target folder does not exist, one rename shows the whole set; where it does, the certificate comes last.

use std::{
    cell::RefCell,
    fs::{self, DirBuilder, File},
    io,
    path::{Path, PathBuf},
};

use tempfile::TempDir;

use crate::{ReleaseFormat, WriteError};

/// The name of the certificate of a release.
pub const CERTIFICATE: &str = "certificate.json";

/// Files on their way to a folder. Dropped before [`commit`](Aside::commit), it leaves no trace.
#[derive(Debug)]
pub struct Aside {
    folder: PathBuf,
    replace: bool,
    /// Closed to others, and removed with everything in it on drop.
    hidden: TempDir,
    names: RefCell<Vec<PathBuf>>,
    /// Files of the release that is replaced, beside those that every release may have.
    old: Vec<PathBuf>,
}

impl Aside {
    /// Begins a set of files for `folder`, which need not exist. A release that is there already is refused, unless
    /// it may be replaced.
    pub fn create(folder: &Path, replace: bool) -> Result<Aside, WriteError> {
        if !replace {
            refuse_existing(folder, release_names())?;
        }
        let home = nearest_existing(folder);
        let hidden = tempfile::Builder::new()
            .prefix(".scumble-")
            .tempdir_in(home)
            .map_err(at(home))?;
        let aside = Aside {
            folder: folder.to_owned(),
            replace,
            hidden,
            names: RefCell::default(),
            old: Vec::new(),
        };
        // The hidden folder is closed to others; what is in it gets the permissions that any new folder gets.
        fs::create_dir(aside.set()).map_err(at(home))?;
        Ok(aside)
    }

    /// Names files of the release that is there, which go when the set takes its place.
    pub fn withdraw(&mut self, old: impl IntoIterator<Item = PathBuf>) {
        self.old.extend(old);
    }

    /// A new file of the set, by its name in the folder. A sub folder is open to the owner alone.
    pub fn file(&self, relative: &str) -> Result<File, WriteError> {
        let path = self.set().join(relative);
        let file = create_parent(&path).and_then(|()| File::create_new(&path));
        let file = file.map_err(at(&self.folder.join(relative)))?;
        self.names.borrow_mut().push(relative.into());
        Ok(file)
    }

    /// Where a file of the set lies until it is put in place.
    pub fn path(&self, relative: &str) -> PathBuf {
        self.set().join(relative)
    }

    /// Syncs all files and puts them in place.
    pub fn commit(self) -> Result<(), WriteError> {
        for name in self.names.borrow().iter() {
            let path = self.set().join(name);
            // Some systems sync only through a handle that may write.
            let synced = File::options().write(true).open(&path).and_then(|file| file.sync_all());
            synced.map_err(at(&self.folder.join(name)))?;
            sync_folder_of(&path);
        }
        if self.folder.is_dir() {
            self.move_into_folder()
        } else {
            self.become_folder()
        }
    }

    /// The folder that the set is written in.
    fn set(&self) -> PathBuf {
        self.hidden.path().join("set")
    }

    fn become_folder(&self) -> Result<(), WriteError> {
        if let Some(parent) = self.folder.parent() {
            fs::create_dir_all(parent).map_err(at(parent))?;
        }
        fs::rename(self.set(), &self.folder).map_err(at(&self.folder))?;
        self.folder.ancestors().for_each(sync_folder_of);
        Ok(())
    }

    fn move_into_folder(&self) -> Result<(), WriteError> {
        let mut names = self.names.borrow().clone();
        names.sort_by_key(|name| name == Path::new(CERTIFICATE));
        if self.replace {
            self.withdraw_release()?;
        } else {
            refuse_existing(&self.folder, release_names())?;
            refuse_existing(&self.folder, &names)?;
        }
        for name in names {
            let target = self.folder.join(&name);
            let moved = create_parent(&target).and_then(|()| fs::rename(self.set().join(&name), &target));
            moved.map_err(at(&target))?;
            sync_folder_of(&target);
        }
        Ok(())
    }

    /// Removes the old certificate first, so that nothing it does not certify can stand beside it, then the released
    /// files that the set does not replace.
    fn withdraw_release(&self) -> Result<(), WriteError> {
        let stale = |name: &PathBuf| name == Path::new(CERTIFICATE) || !self.set().join(name).exists();
        let old = self.old.iter().cloned();
        for name in release_names().map(PathBuf::from).chain(old).filter(stale) {
            let path = self.folder.join(name);
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(at(&path)(error)),
                _ => sync_folder_of(&path),
            }
        }
        Ok(())
    }
}

/// The files that make a folder hold a release, the certificate first.
fn release_names() -> impl Iterator<Item = &'static str> {
    let tables = ReleaseFormat::ALL.map(ReleaseFormat::file_name);
    let secrets = ReleaseFormat::ALL.map(ReleaseFormat::secrets_file_name);
    std::iter::once(CERTIFICATE).chain(tables).chain(secrets)
}

fn refuse_existing(folder: &Path, names: impl IntoIterator<Item = impl AsRef<Path>>) -> Result<(), WriteError> {
    let mut paths = names.into_iter().map(|name| folder.join(name));
    match paths.find(|path| path.exists()) {
        Some(path) => Err(WriteError::Exists { path }),
        None => Ok(()),
    }
}

/// The folder itself if it exists: it may be mounted, and then its parent is on another file system. Else the nearest
/// one that exists above it, so that nothing else need be made before the commit.
fn nearest_existing(folder: &Path) -> &Path {
    let above = folder.ancestors().find(|path| path.exists());
    above.unwrap_or(Path::new("."))
}

/// Makes the folder of a file, if it is not there yet, open to the owner alone.
pub(crate) fn create_parent(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    path.parent().map_or(Ok(()), |parent| builder.create(parent))
}

/// Makes a rename last through a crash. Not every file system can sync a folder; the files themselves are safe.
pub(crate) fn sync_folder_of(path: &Path) {
    let folder = path.parent().map(|parent| {
        if parent == Path::new("") {
            Path::new(".")
        } else {
            parent
        }
    });
    if let Some(Ok(folder)) = folder.map(File::open) {
        let _ = folder.sync_all();
    }
}

/// Says what could not be written.
fn at(path: &Path) -> impl FnOnce(io::Error) -> WriteError {
    let path = path.to_owned();
    move |source| WriteError::Io { path, source }
}
