//! [`ReleaseFormat`]: the file formats of a release, and the names of its files.

use std::path::{Path, PathBuf};

/// The file format of a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReleaseFormat {
    /// Text, one line per row.
    Csv,
    /// Columns, compressed.
    Parquet,
}

impl ReleaseFormat {
    /// Every format.
    pub const ALL: [ReleaseFormat; 2] = [ReleaseFormat::Csv, ReleaseFormat::Parquet];

    /// What the name of a file in this format ends with.
    pub fn extension(self) -> &'static str {
        match self {
            ReleaseFormat::Csv => "csv",
            ReleaseFormat::Parquet => "parquet",
        }
    }

    /// The name of the released file in this format.
    pub fn file_name(self) -> &'static str {
        match self {
            ReleaseFormat::Csv => "released.csv",
            ReleaseFormat::Parquet => "released.parquet",
        }
    }

    /// The name of the file beside it that holds the sensitive columns, where they are published apart.
    pub fn secrets_file_name(self) -> &'static str {
        match self {
            ReleaseFormat::Csv => "released-secrets.csv",
            ReleaseFormat::Parquet => "released-secrets.parquet",
        }
    }
}

/// The file beside a released one that holds the sensitive columns, where they are published apart.
pub fn secrets_beside(released: &Path) -> PathBuf {
    let name = released.file_name().unwrap_or_default().to_string_lossy();
    // All of the extension: `released.csv.gz` has two.
    let (stem, extension) = name.split_at(name.find('.').unwrap_or(name.len()));
    released.with_file_name(format!("{stem}-secrets{extension}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_secrets_lie_beside_the_release_under_its_name() {
        for format in ReleaseFormat::ALL {
            let beside = secrets_beside(&Path::new("out").join(format.file_name()));
            assert_eq!(beside, Path::new("out").join(format.secrets_file_name()));
        }
        assert_eq!(secrets_beside(Path::new("r.csv.gz")), Path::new("r-secrets.csv.gz"));
    }
}
