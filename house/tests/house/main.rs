//! Tests of the house itself: the crates keep to the drawing in `docs/architecture.md`, no crate has a circle among its
//! modules, the README lists them all, and the command line puts no JSON together.

mod by_hand;
mod circles;
mod code;
mod door;
mod drawing;
mod listed;
mod members;
mod modules;
mod names;
mod pure;

use std::path::{Path, PathBuf};

use circles::Rooms;
use members::Member;

/// Crates in which modules beside each other still use each other in a circle, by their names in the drawing. It shall become
/// empty: one that has no circle any more must be taken out of it.
const WITH_CIRCLES_OF_SIBLINGS: &[&str] = &[];

/// Crates in which a module and one inside of it still use each other; the same is promised.
const WITH_CIRCLES_OF_PARENTS: &[&str] = &[];

/// The only files of the command line that may name JSON at all: where an answer becomes JSON, and where a failure does.
const JSON_IS_MADE_IN: &[&str] = &["answer.rs", "failure.rs"];

/// The rooms that touch no file.
const PURE: &[&str] = &[
    "attack",
    "bind",
    "fault",
    "grouping",
    "level",
    "mashup",
    "policy",
    "privacy",
    "progress",
    "refine",
    "relational",
    "report",
    "table",
    "utility",
];

/// The files of the door that touch files: those that read what is asked for, those that read a release back, and those that write.
const TOUCHES_FILES: &[&str] = &[
    "audit.rs",
    "certificate.rs",
    "evaluate/settings.rs",
    "files.rs",
    "mashup/explain.rs",
    "mashup/release.rs",
    "mashup/transcript.rs",
    "mashup/untruths.rs",
    "persons/audit.rs",
    "sources.rs",
    "texts.rs",
];

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

#[test]
fn the_crates_use_each_other_as_they_are_drawn() {
    let text = std::fs::read_to_string(workspace().join("docs/architecture.md")).unwrap();
    let drawn = drawing::read(&text);
    let members = members::read(&workspace());
    assert_eq!(drawing::differences(&drawn, &members), Vec::<String>::new());
}

#[test]
fn the_readme_lists_every_crate_and_files_that_are_there() {
    let readme = std::fs::read_to_string(workspace().join("README.md")).unwrap();
    let problems = listed::problems(&readme, &members::read(&workspace()), &workspace());
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

#[test]
fn no_modules_beside_each_other_use_each_other_in_a_circle() {
    let problems = problems(Rooms::Siblings, WITH_CIRCLES_OF_SIBLINGS);
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

/// What both need has a module of its own.
#[test]
fn no_module_uses_one_inside_of_it_that_uses_it() {
    let problems = problems(Rooms::WithParent, WITH_CIRCLES_OF_PARENTS);
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

/// Whoever calls from memory, or from an engine, has no files in between.
#[test]
fn nothing_between_reading_and_writing_touches_a_file() {
    let crates = workspace().join("crates");
    for room in PURE {
        let found = pure::touching_files(&crates.join(room).join("src"));
        assert_eq!(found, Vec::<String>::new(), "in crates/{room}/src");
    }
    assert_eq!(pure::touching_files(&crates.join("scumble/src")), TOUCHES_FILES);
}

/// What is only part of a policy or of a result has a module of its own; the root is what one calls.
#[test]
fn every_name_at_the_root_of_the_door_is_used_by_an_edge_or_an_example() {
    assert_eq!(door::unused(&workspace()), Vec::<String>::new());
}

/// What a command prints for programs is a result that serializes: what it put together by itself, no other edge would have.
#[test]
fn the_command_line_writes_no_json_by_hand() {
    let found = by_hand::json_in(&workspace().join("cli/src"), JSON_IS_MADE_IN);
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

/// Circles in crates that are not listed, and crates that are listed and have none.
fn problems(rooms: Rooms, listed: &[&str]) -> Vec<String> {
    let members = members::read(&workspace());
    let unknown = listed
        .iter()
        .filter(|name| !members.iter().any(|member| member.name == **name));
    let mut problems: Vec<String> = unknown.map(|name| format!("{name}: listed, and no crate")).collect();
    for member in &members {
        let circles = circles_of(member, rooms);
        match (listed.contains(&&member.name[..]), circles.is_empty()) {
            (true, true) => problems.push(format!("{}: listed, and free of circles", member.name)),
            (false, false) => problems.extend(circles.iter().map(|circle| format!("{}: {circle}", member.name))),
            (true, false) | (false, true) => {}
        }
    }
    problems
}

fn circles_of(member: &Member, rooms: Rooms) -> Vec<String> {
    let roots = ["lib.rs", "main.rs"].map(|root| member.folder.join("src").join(root));
    let crates = roots
        .iter()
        .filter(|root| root.is_file())
        .map(|root| modules::read(root));
    crates
        .flat_map(|modules| circles::find(&names::uses(&modules), rooms))
        .collect()
}
