//! A [`Member`] is one crate of the workspace, with those of the others that it is built on.
//!
//! What only its tests use (`[dev-dependencies]`) is left aside; what it uses on some systems or with some features counts.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use toml::Table;

/// One crate.
#[derive(Debug)]
pub struct Member {
    /// Its folder's own name, which the drawing calls it by.
    pub name: String,
    pub folder: PathBuf,
    /// The crates of the workspace that it uses.
    pub uses: BTreeSet<String>,
}

/// All crates of a workspace.
pub fn read(workspace: &Path) -> Vec<Member> {
    let whole = manifest(workspace);
    let folders: Vec<PathBuf> = whole["workspace"]["members"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|pattern| folders(workspace, pattern.as_str().unwrap()))
        .collect();
    let manifests: Vec<Table> = folders.iter().map(|folder| manifest(folder)).collect();
    let package = |manifest: &Table| manifest["package"]["name"].as_str().unwrap().to_owned();
    let name_of: BTreeMap<String, String> = manifests
        .iter()
        .map(package)
        .zip(folders.iter().map(|folder| own_name(folder)))
        .collect();
    let shared = whole["workspace"]["dependencies"].as_table().unwrap();
    folders
        .iter()
        .zip(&manifests)
        .map(|(folder, manifest)| Member {
            name: own_name(folder),
            folder: folder.clone(),
            uses: dependencies(manifest, shared)
                .iter()
                .filter_map(|package| name_of.get(package).cloned())
                .collect(),
        })
        .collect()
}

fn manifest(folder: &Path) -> Table {
    let text = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    text.parse().unwrap()
}

fn own_name(folder: &Path) -> String {
    folder.file_name().unwrap().to_str().unwrap().to_owned()
}

/// The folders of one entry of `members`: a folder, or all in one (`crates/*`).
fn folders(workspace: &Path, pattern: &str) -> Vec<PathBuf> {
    let Some(parent) = pattern.strip_suffix("/*") else {
        return vec![workspace.join(pattern)];
    };
    let entries = std::fs::read_dir(workspace.join(parent)).unwrap();
    let folders = entries.map(|entry| entry.unwrap().path());
    let mut folders: Vec<PathBuf> = folders.filter(|folder| folder.join("Cargo.toml").is_file()).collect();
    folders.sort();
    folders
}

/// The packages in the workspace that a manifest depends on to build, on any system and with any features.
fn dependencies(manifest: &Table, shared: &Table) -> BTreeSet<String> {
    let of_targets = manifest.get("target").and_then(|targets| targets.as_table());
    let of_targets = of_targets.into_iter().flat_map(|targets| targets.values());
    let tables = of_targets.filter_map(|target| target.as_table()).chain([manifest]);
    let kinds = tables.flat_map(|table| ["dependencies", "build-dependencies"].map(|kind| table.get(kind)));
    let listed = kinds.flatten().filter_map(|listed| listed.as_table()).flatten();
    listed
        .filter_map(|(key, value)| {
            let told = |what: &str| {
                [Some(value), shared.get(key)]
                    .into_iter()
                    .flatten()
                    .find_map(|entry| entry.get(what))
            };
            // What has no path is of somebody else, whatever it is called.
            told("path")?;
            Some(
                told("package")
                    .map_or(&key[..], |name| name.as_str().unwrap())
                    .to_owned(),
            )
        })
        .collect()
}

#[test]
fn dependencies_are_found_by_their_package_wherever_they_stand() {
    let manifest = r#"
        [dependencies]
        foreign.workspace = true
        of-the-same-name = { version = "1", package = "own" }
        renamed = { path = "..", package = "real" }
        shared.workspace = true
        maybe = { path = "..", optional = true }
        [target.'cfg(unix)'.dependencies]
        of-unix = { path = ".." }
        [build-dependencies]
        of-build = { path = ".." }
        [dev-dependencies]
        of-tests = { path = ".." }
    "#;
    let shared = "shared = { path = '..', package = 'shared-package' }\nforeign = '1'";
    let found = dependencies(&manifest.parse().unwrap(), &shared.parse().unwrap());
    let found: Vec<&str> = found.iter().map(|name| &name[..]).collect();
    assert_eq!(found, ["maybe", "of-build", "of-unix", "real", "shared-package"]);
}
