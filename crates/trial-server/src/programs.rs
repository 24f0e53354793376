//! Where the programs of PostgreSQL are: on the path, in the folders of Debian, or not yet installed.

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Where Debian keeps one folder for each version.
const VERSIONS: &str = "/usr/lib/postgresql";

/// The folder of the programs, which are installed if they are missing and `may_install`.
pub(crate) fn programs(may_install: bool) -> Result<PathBuf, String> {
    if let Some(folder) = find() {
        return Ok(folder);
    }
    if !may_install {
        return Err("PostgreSQL is not installed, and only root can install it".to_owned());
    }
    install()?;
    find().ok_or_else(|| "PostgreSQL was installed, and its programs are not found".to_owned())
}

fn find() -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    // A link on the path leads to the folder that has all programs.
    let on_path = env::split_paths(&path).filter_map(|folder| {
        let program = fs::canonicalize(folder.join("initdb")).ok()?;
        program.parent().map(Path::to_owned)
    });
    let complete = |folder: &PathBuf| {
        ["initdb", "postgres", "pg_ctl"]
            .iter()
            .all(|name| folder.join(name).is_file())
    };
    on_path.chain(by_version()).find(complete)
}

/// The folders of Debian, newest first.
fn by_version() -> impl Iterator<Item = PathBuf> {
    let folders = fs::read_dir(VERSIONS).into_iter().flatten().flatten();
    let mut versions: Vec<(u32, PathBuf)> = folders
        .filter_map(|folder| {
            let version = folder.file_name().to_str()?.parse().ok()?;
            Some((version, folder.path().join("bin")))
        })
        .collect();
    versions.sort();
    versions.into_iter().rev().map(|(_, folder)| folder)
}

/// Installs PostgreSQL with the package manager of Debian, one test at a time.
fn install() -> Result<(), String> {
    let lock = env::temp_dir().join("scumble-trial-server.lock");
    let lock = File::create(&lock).map_err(|error| format!("the lock for installing: {error}"))?;
    lock.lock()
        .map_err(|error| format!("the lock for installing: {error}"))?;
    // Another test may have installed it meanwhile.
    if find().is_some() {
        return Ok(());
    }
    let packages = ["install", "-y", "--no-install-recommends", "postgresql"];
    if apt_get(&packages).is_ok() {
        return Ok(());
    }
    apt_get(&["update"])?;
    apt_get(&packages)
}

fn apt_get(arguments: &[&str]) -> Result<(), String> {
    let status = Command::new("apt-get")
        .arg("-qq")
        .args(arguments)
        .env("DEBIAN_FRONTEND", "noninteractive")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .map_err(|error| format!("PostgreSQL is not installed, and apt-get cannot be run: {error}"))?;
    match status.success() {
        true => Ok(()),
        false => Err(format!(
            "PostgreSQL is not installed, and apt-get {} fails",
            arguments[0]
        )),
    }
}
