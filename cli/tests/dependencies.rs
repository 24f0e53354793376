//! No dependency has a known advisory, as far as the list in the tree knows.

use std::path::Path;

use semver::{Version, VersionReq};
use serde::Deserialize;

#[derive(Deserialize)]
struct Advisories {
    advisories: Vec<Advisory>,
}

#[derive(Deserialize)]
struct Advisory {
    #[serde(rename = "crate")]
    name: String,
    id: String,
    /// Ranges of versions, one of which has every version that is free of it.
    free: Vec<VersionReq>,
}

#[derive(Deserialize)]
struct Lock {
    package: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: Version,
}

fn read<T: for<'de> Deserialize<'de>>(file: &str) -> T {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file);
    toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn known(list: &Advisories, package: &Package) -> Vec<String> {
    let concerned = list.advisories.iter().filter(|advisory| advisory.name == package.name);
    let open = concerned.filter(|advisory| !advisory.free.iter().any(|range| range.matches(&package.version)));
    open.map(|advisory| format!("{} of {} {}", advisory.id, package.name, package.version))
        .collect()
}

#[test]
fn no_dependency_has_a_known_advisory() {
    let list: Advisories = read("advisories.toml");
    for lock in ["Cargo.lock", "fuzz/Cargo.lock"] {
        let lock: Lock = read(lock);
        let open: Vec<String> = lock.package.iter().flat_map(|package| known(&list, package)).collect();
        assert_eq!(open, Vec::<String>::new());
    }
}

/// Those that were in the lock file when the list was made.
#[test]
fn versions_with_an_advisory_are_told() {
    let list: Advisories = read("advisories.toml");
    let told = |name: &str, version: &str| {
        let package = Package {
            name: name.to_owned(),
            version: version.parse().unwrap(),
        };
        known(&list, &package).len()
    };
    assert_eq!(told("postgres-protocol", "0.6.10"), 2);
    assert_eq!(told("postgres-protocol", "0.6.12"), 0);
    assert_eq!(told("tokio-postgres", "0.7.17"), 1);
    assert_eq!(told("tokio-postgres", "0.7.18"), 0);
}
