//! The name of the file with the secrets of a release.

use std::path::{Path, PathBuf};

/// The file beside a released one that holds the sensitive columns, where they are published apart.
pub fn secrets_beside(released: &Path) -> PathBuf {
    let name = released.file_name().unwrap_or_default().to_string_lossy();
    // All of the extension: `released.csv.gz` has two.
    let (stem, extension) = name.split_at(name.find('.').unwrap_or(name.len()));
    released.with_file_name(format!("{stem}-secrets{extension}"))
}

#[cfg(test)]
mod tests {
    use scumble_table::ReleaseFormat;

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
