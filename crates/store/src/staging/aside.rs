//! An [`Aside`] is a set of files written out of sight and put in place together.
//!
//! Invariant: a file appears whole or not at all, a released file never stands beside the certificate of another release,
//! and nothing is removed but files of the release that is replaced. From its making to its end an [`Aside`] has the lock
//! of its folder.
//!
//! Everything is written in a staging folder on the same file system and synced, then renamed. Where the target folder does
//! not exist, one rename shows the whole set. Where it does, a run may be killed half way, so the order matters:
//!
//! | step | killed after it, the folder has |
//! |---|---|
//! | write down what is replaced and what comes | the old release |
//! | remove the old certificate | no certificate |
//! | remove what the new release does not have | no certificate |
//! | move files in, the certificate last | no certificate; at the end the new release |
//! | remove what was written down | the new release |
//!
//! What was written down tells the next run which files without a certificate are not a stranger's.

use std::cell::RefCell;
use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::files::{CERTIFICATE, PRIVATE, ReleasePart, is_private, may_be_named, named_by_certificate};
use super::lock::{FolderLock, Staging, sweep};
use crate::WriteError;
use crate::owner::{OpenFolder, at, is_link, is_ours, is_there, open_for_owner, owner_options};

/// Where it is written down what is replaced, until that is done.
const UNFINISHED: &str = ".scumble-unfinished";

/// Files on their way to a folder. Dropped before [`commit`](Aside::commit), it leaves no trace.
#[derive(Debug)]
pub struct Aside {
    folder: PathBuf,
    holds: Holds,
    replace: bool,
    /// Whether the staging folder is in the folder itself, which then existed from the beginning.
    is_inside: bool,
    /// The folder in it that private files go to.
    within: &'static str,
    staging: Staging,
    names: RefCell<Vec<PathBuf>>,
}

/// What a set of files is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holds {
    /// A release, with its private part.
    Release,
    /// Files that must not leave the house, beside a release or apart from any.
    PrivateFiles,
}

impl Aside {
    /// Begins a release in `folder`, which need not exist. A release that is there already is refused, unless it may be
    /// replaced; then it goes as a whole.
    ///
    /// # Errors
    /// [`WriteError::Busy`] if another run publishes into this folder.
    pub fn create(folder: &Path, replace: bool) -> Result<Aside, WriteError> {
        Aside::begin(folder, replace, Holds::Release)
    }

    /// Begins a set of private files in `folder`, which need not exist. Those that are there already are refused, unless
    /// they may be replaced.
    ///
    /// # Errors
    /// [`WriteError::Busy`] if another run writes into this folder, and [`WriteError::HoldsRelease`] if it holds what may
    /// leave the house.
    pub fn create_private(folder: &Path, replace: bool) -> Result<Aside, WriteError> {
        let public = ReleasePart::FIXED.into_iter().filter(|file| file.is_public());
        if public.map(|file| folder.join(file.path())).any(|path| is_there(&path)) {
            let folder = folder.to_owned();
            return Err(WriteError::HoldsRelease { folder });
        }
        // The private part of a release is locked with the release.
        let release = folder.parent().filter(|_| folder.ends_with(PRIVATE));
        let mut aside = Aside::begin(release.unwrap_or(folder), replace, Holds::PrivateFiles)?;
        aside.within = release.map_or("", |_| PRIVATE);
        Ok(aside)
    }

    fn begin(folder: &Path, replace: bool, holds: Holds) -> Result<Aside, WriteError> {
        let home = nearest_existing(folder);
        if !home.is_dir() {
            return Err(at(home)(io::ErrorKind::NotADirectory.into()));
        }
        sweep(home);
        folder.parent().map(or_here).into_iter().for_each(sweep);
        forget_finished(folder);
        // Before anything is made, too: where there is a release, nobody need be able to write.
        check_folder(folder, replace, holds)?;
        let staging = Staging::begin(home, folder)?;
        check_folder(folder, replace, holds)?;
        let aside = Aside {
            folder: folder.to_owned(),
            holds,
            replace,
            is_inside: home == folder,
            within: "",
            staging,
            names: RefCell::default(),
        };
        // The staging folder is closed to others; a release in it gets the permissions that any new folder gets.
        let mut builder = DirBuilder::new();
        #[cfg(unix)]
        if holds == Holds::PrivateFiles {
            std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        }
        builder.create(aside.set()).map_err(at(home))?;
        Ok(aside)
    }

    /// A new file of a release. What is private is open to the owner alone.
    pub fn file(&self, file: ReleasePart) -> Result<File, WriteError> {
        self.new_file(file.path())
    }

    /// A new private file of a folder for such files, by its name.
    pub fn private_file(&self, name: &str) -> Result<File, WriteError> {
        self.new_file(Path::new(self.within).join(name))
    }

    fn new_file(&self, relative: PathBuf) -> Result<File, WriteError> {
        let path = self.set().join(&relative);
        let is_closed = self.holds == Holds::PrivateFiles || is_private(&relative);
        let mut options = if is_closed { owner_options() } else { File::options() };
        let created = create_parent(&path).and_then(|()| options.write(true).create_new(true).open(&path));
        let created = created.map_err(at(&self.folder.join(&relative)))?;
        self.names.borrow_mut().push(relative);
        Ok(created)
    }

    /// Where a file of the release lies until it is put in place.
    pub fn path(&self, file: ReleasePart) -> PathBuf {
        self.set().join(file.path())
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
        if self.is_inside {
            self.move_into_folder()
        } else if self.folder.is_dir() {
            self.move_into_new_folder()
        } else {
            self.become_folder()
        }
    }

    /// The folder that the set is written in.
    fn set(&self) -> PathBuf {
        self.staging.path().join("set")
    }

    fn become_folder(&self) -> Result<(), WriteError> {
        if let Some(parent) = self.folder.parent() {
            fs::create_dir_all(parent).map_err(at(parent))?;
        }
        match fs::rename(self.set(), &self.folder) {
            // Somebody made the folder meanwhile, and it holds something.
            Err(_) if self.folder.is_dir() => self.move_into_new_folder(),
            renamed => {
                renamed.map_err(at(&self.folder))?;
                self.folder.ancestors().for_each(sync_folder_of);
                Ok(())
            }
        }
    }

    /// The folder was made meanwhile, so somebody may have begun to publish there without seeing the lock above it.
    fn move_into_new_folder(&self) -> Result<(), WriteError> {
        let _lock = FolderLock::take(&self.folder, &self.folder)?;
        self.move_into_folder()
    }

    fn move_into_folder(&self) -> Result<(), WriteError> {
        check_folder(&self.folder, self.replace, self.holds)?;
        let mut names = self.names.borrow().clone();
        names.sort_by_key(|name| name == Path::new(CERTIFICATE));
        let old = self.old_files(&names)?;
        refuse_links(&self.folder, old.iter().chain(&names))?;
        let open = OpenFolder::open(&self.folder).map_err(at(&self.folder))?;
        if self.holds == Holds::Release {
            self.write_down(&open, old.iter().chain(&names))?;
        }
        let goes = |name: &&PathBuf| *name == Path::new(CERTIFICATE) || !names.contains(name);
        for name in old.iter().filter(goes) {
            self.change(&open, name, OpenFolder::remove)?;
        }
        for name in &names {
            let staged = self.set().join(name);
            self.change(&open, name, |folder, name| folder.take(&staged, name))?;
        }
        if let Some(rows) = ReleasePart::Rows("").path().parent() {
            // Only if nothing is left in it.
            let _ = fs::remove_dir(self.folder.join(rows));
        }
        open.remove(OsStr::new(UNFINISHED)).map_err(at(&self.folder))
    }

    /// The files that go when these come: all of the release that is there, the certificate first.
    ///
    /// # Errors
    /// A file under one of these names that is not of a release, or may not be replaced.
    fn old_files(&self, names: &[PathBuf]) -> Result<Vec<PathBuf>, WriteError> {
        let unfinished = unfinished(&self.folder);
        if self.holds == Holds::PrivateFiles || !(self.replace || unfinished.is_some()) {
            if !self.replace {
                refuse_existing(&self.folder, names)?;
            }
            return Ok(Vec::new());
        }
        let mut known: Vec<PathBuf> = ReleasePart::FIXED.iter().map(|file| file.path()).collect();
        // Without a certificate nothing is named by it.
        let certificate = fs::read(self.folder.join(CERTIFICATE)).unwrap_or_default();
        known.extend(named_by_certificate(&certificate));
        known.extend(unfinished.into_iter().flatten());
        let strange = names.iter().filter(|name| !known.contains(name));
        let strange = strange.map(|name| self.folder.join(name)).find(|path| is_there(path));
        if let Some(path) = strange {
            return Err(WriteError::NotOfRelease { path });
        }
        known.retain(|name| is_there(&self.folder.join(name)));
        Ok(known)
    }

    /// Writes down which files are not a stranger's, whatever becomes of this run.
    fn write_down<'n>(&self, open: &OpenFolder, names: impl Iterator<Item = &'n PathBuf>) -> Result<(), WriteError> {
        let names: Vec<_> = names.map(|name| name.to_string_lossy()).collect();
        let text = serde_json::to_vec(&names).expect("texts are plain JSON");
        let staged = self.staging.path().join("unfinished");
        let mut file = open_for_owner(&staged, owner_options().write(true).create_new(true))?;
        let written = file.write_all(&text).and_then(|()| file.sync_all());
        // In one move: what an earlier run wrote down that was killed, too, must not be lost before this takes its place.
        let moved = written.and_then(|()| open.take(&staged, OsStr::new(UNFINISHED)));
        open.sync();
        moved.map_err(at(&self.folder.join(UNFINISHED)))
    }

    /// Changes one file of the folder, where it lies, and makes that last.
    fn change(
        &self,
        open: &OpenFolder,
        name: &Path,
        change: impl FnOnce(&OpenFolder, &OsStr) -> io::Result<()>,
    ) -> Result<(), WriteError> {
        let mut inner: Option<OpenFolder> = None;
        for part in name.parent().into_iter().flat_map(Path::components) {
            inner = Some(inner.as_ref().unwrap_or(open).for_owner(part.as_os_str())?);
        }
        let folder = inner.as_ref().unwrap_or(open);
        change(folder, name.file_name().unwrap_or_default()).map_err(at(&self.folder.join(name)))?;
        folder.sync();
        Ok(())
    }
}

/// Refuses a folder that a set of files cannot go to, as far as can be said before they are written.
fn check_folder(folder: &Path, replace: bool, holds: Holds) -> Result<(), WriteError> {
    if holds == Holds::PrivateFiles {
        return Ok(());
    }
    if !replace && unfinished(folder).is_none() {
        let public = ReleasePart::FIXED.into_iter().filter(|file| file.is_public());
        refuse_existing(folder, public.map(ReleasePart::path))?;
    }
    refuse_links(folder, ReleasePart::FIXED.map(ReleasePart::path).iter())
}

fn refuse_existing(folder: &Path, names: impl IntoIterator<Item = impl AsRef<Path>>) -> Result<(), WriteError> {
    let mut paths = names.into_iter().map(|name| folder.join(name));
    paths
        .find(|path| is_there(path))
        .map_or(Ok(()), |path| Err(WriteError::Exists { path }))
}

/// Refuses a link in the place of a file, or of a folder that one is in.
fn refuse_links<'n>(folder: &Path, names: impl Iterator<Item = &'n PathBuf>) -> Result<(), WriteError> {
    let parts = |name: &'n PathBuf| name.ancestors().filter(|part| *part != Path::new(""));
    let mut paths = names.flat_map(parts).map(|part| folder.join(part));
    paths
        .find(|path| is_link(path))
        .map_or(Ok(()), |path| Err(WriteError::Linked { path }))
}

/// What a run wrote down that was killed while it moved files in; `None` if there was none, or it came to its end.
fn unfinished(folder: &Path) -> Option<Vec<PathBuf>> {
    if is_there(&folder.join(CERTIFICATE)) {
        return None;
    }
    let file = owner_options().read(true).open(folder.join(UNFINISHED)).ok()?;
    let is_plain = file
        .metadata()
        .is_ok_and(|metadata| metadata.is_file() && is_ours(&metadata));
    let names: Vec<PathBuf> = serde_json::from_reader(io::BufReader::new(file))
        .ok()
        .filter(|_| is_plain)?;
    Some(names.into_iter().filter(|name| may_be_named(name)).collect())
}

/// Removes what was written down by a run that was killed before it took anything away, or after it had put all in place.
fn forget_finished(folder: &Path) {
    let is_finished = || is_there(&folder.join(UNFINISHED)) && is_there(&folder.join(CERTIFICATE));
    if is_finished()
        && let Ok(_lock) = FolderLock::take(folder, folder)
        && is_finished()
    {
        // What stays is not believed while there is a certificate.
        let _ = fs::remove_file(folder.join(UNFINISHED));
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

/// A folder by a path that is not empty: the empty one is the current folder.
fn or_here(folder: &Path) -> &Path {
    if folder == Path::new("") {
        Path::new(".")
    } else {
        folder
    }
}

/// Makes a rename last through a crash. Not every file system can sync a folder; the files themselves are safe.
pub(crate) fn sync_folder_of(path: &Path) {
    if let Some(Ok(folder)) = path.parent().map(or_here).map(File::open) {
        let _ = folder.sync_all();
    }
}
