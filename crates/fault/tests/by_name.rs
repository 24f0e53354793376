//! Every error answers for each of its kinds by name, in any crate: no `impl Blame` has an arm for all others. A kind that is added
//! tomorrow is then not the fault of whoever stood last, but does not compile.

use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn no_error_answers_for_kinds_that_it_does_not_name() {
    let mut answers = 0;
    let mut found = Vec::new();
    for file in sources() {
        let source = fs::read_to_string(&file).unwrap();
        for answer in source.split("\nimpl Blame for ").skip(1) {
            let answer = answer.split("\n}").next().unwrap_or_default();
            answers += 1;
            let (name, _) = answer.split_once(' ').unwrap();
            found.extend(default_arms(answer).map(|arm| format!("{}: {name}: `{arm}`", file.display())));
        }
    }
    assert!(answers > 20, "only {answers} were found");
    assert!(found.is_empty(), "a default arm:\n{}", found.join("\n"));
}

#[test]
fn default_arms_are_found_and_named_ones_are_not() {
    let found = |answer: &str| default_arms(answer).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(
        found("A::B => 1,\n    | A::C { .. } => 2,\n    // _ => 3"),
        Vec::<String>::new()
    );
    assert_eq!(found("A::B => 1,\n    _ => 2,"), ["_ => 2,"]);
    assert_eq!(
        found("A::B => 1,\n    other => other.fault(),"),
        ["other => other.fault(),"]
    );
    assert_eq!(found("A::B => 1,\n    _ if is_new() => 2,"), ["_ if is_new() => 2,"]);
}

/// The arms whose pattern names no kind.
fn default_arms(answer: &str) -> impl Iterator<Item = &str> {
    let lines = answer.lines().map(str::trim).filter(|line| !line.starts_with("//"));
    lines.filter(|line| {
        let pattern = line.split_once("=>").map(|(pattern, _)| pattern);
        // An arm that was broken over lines has `=>` after its last pattern.
        pattern.is_some_and(|pattern| !pattern.contains("::") && !pattern.trim().starts_with('}'))
    })
}

/// All files of `src` in the crates and in the command line.
fn sources() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    let mut folders: Vec<PathBuf> = vec![root.join("cli/src")];
    let crates = fs::read_dir(root.join("crates")).unwrap();
    folders.extend(
        crates
            .map(|entry| entry.unwrap().path().join("src"))
            .filter(|path| path.is_dir()),
    );
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
