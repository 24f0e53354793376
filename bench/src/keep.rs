//! Keeping a run: a folder with a summary to read and the raw numbers.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::{Result, workspace};

/// The folder for a run of this name, which must be a new one.
pub fn folder(name: &str) -> Result<PathBuf> {
    let is_plain = |name: &str| Path::new(name).file_name().is_some_and(|own| own == name);
    if !is_plain(name) {
        return Err("`--keep` takes the name of a folder, not a path".into());
    }
    let folder = workspace().join("bench/runs").join(name);
    if folder.exists() {
        return Err(format!("bench/runs/{name} exists; choose another name or remove it").into());
    }
    Ok(folder)
}

/// Writes a run.
pub fn keep(folder: &Path, run: &impl Serialize, summary: &str) -> Result<()> {
    fs::create_dir_all(folder)?;
    fs::write(folder.join("summary.md"), format!("{summary}\n"))?;
    Ok(fs::write(
        folder.join("raw.json"),
        serde_json::to_string_pretty(run)? + "\n",
    )?)
}
