//! Where the [`Files`] of a mashup are: all in one folder, because one computer plays all parties.

use std::path::{Path, PathBuf};

use scumble_table::ReleaseFormat;

/// The files of a mashup, by what they are.
#[derive(Clone, Debug)]
pub struct Files {
    folder: PathBuf,
}

impl Files {
    /// The files in a folder.
    pub fn of(folder: impl Into<PathBuf>) -> Files {
        Files { folder: folder.into() }
    }

    /// The folder itself.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What all parties share.
    pub fn agreement(&self) -> PathBuf {
        self.folder.join("agreement.toml")
    }

    /// The certificates and keys of all parties.
    pub fn keys(&self) -> PathBuf {
        self.folder.join("keys")
    }

    /// What one who has the joined table would ask for.
    pub fn policy(&self) -> PathBuf {
        self.folder.join("policy.toml")
    }

    /// The table of a party, or the joined one.
    pub fn data(&self, name: &str) -> PathBuf {
        self.folder.join(name).with_extension("csv")
    }

    /// Where a party, or who has the joined table, puts the release.
    pub fn out(&self, name: &str) -> PathBuf {
        self.folder.join(format!("out-{name}"))
    }

    /// The released table of one of them.
    pub fn released(&self, name: &str) -> PathBuf {
        self.out(name).join(ReleaseFormat::Csv.file_name())
    }
}
