//! The folder of a release: which files go when another takes its place, and who may read what.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use crate::desk::Desk;
use crate::mashup::company::Company;

/// Every file under a folder, by its path there.
fn names(folder: &Path) -> Vec<String> {
    fn walk(root: &Path, folder: &Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(root, &path, found);
            } else {
                found.push(path.strip_prefix(root).unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    let mut found = Vec::new();
    walk(folder, folder, &mut found);
    found.sort();
    found
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

const ONE_TABLE: [&str; 5] = [
    "certificate.json",
    "private/report.html",
    "private/report.md",
    "private/trace.json",
    "released.csv",
];

#[test]
fn one_table_over_several_leaves_nothing_of_the_several() {
    let desk = Desk::patients();
    desk.must(&["sample", "university", "--out", "university"]);
    desk.must(&["publish", "university/policy.toml", "--out", "out", "--attack"]);
    desk.must(&["publish", "policy.toml", "--force"]);
    assert_eq!(names(&desk.path().join("out")), ONE_TABLE);
}

#[test]
fn an_attack_and_an_evaluation_go_with_the_release_that_they_are_about() {
    let desk = Desk::patients();
    desk.must(&["publish", "policy.toml", "--attack", "--evaluate"]);
    assert!(desk.has("out/private/attack.json") && desk.has("out/private/evaluation.json"));
    desk.must(&["publish", "policy.toml", "--force"]);
    assert_eq!(names(&desk.path().join("out")), ONE_TABLE);
}

#[test]
fn a_mashup_over_several_tables_leaves_nothing_of_them() {
    let company = Company::small(2);
    company.desk.must(&["sample", "university", "--out", "university"]);
    company
        .desk
        .must(&["publish", "university/policy.toml", "--out", "out-bank", "--attack"]);
    let mut bank = company.command("bank", &[]);
    bank.arg("--force");
    let bank = bank.spawn().unwrap();
    let clinic = company.start("clinic", &[]).end();
    let bank = bank.wait_with_output().unwrap();
    assert!(bank.status.success(), "{bank:?} {clinic:?}");
    let expected = ["certificate.json", "private/transcript.jsonl", "released.csv"];
    assert_eq!(names(&company.path("out-bank")), expected);
}

/// The data lies in the folder that the release is to go to, and has the name of a released table.
#[test]
fn force_does_not_replace_the_data() {
    let desk = Desk::sample("university");
    let before = desk.read("students.csv");
    let ended = desk.run(&["publish", "policy.toml", "--out", ".", "--force"]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(ended.err.contains("students.csv: is not of the release"), "{ended:?}");
    assert_eq!(desk.read("students.csv"), before);
    assert!(
        !desk.list().iter().any(|name| name.starts_with(".scumble-")),
        "{:?}",
        desk.list()
    );
}

#[test]
fn a_page_does_not_replace_a_release() {
    let desk = Desk::patients();
    desk.must(&["publish", "policy.toml"]);
    let before = names(&desk.path().join("out"));
    let page = [
        "evaluate",
        "patients.csv",
        "out/released.csv",
        "policy.toml",
        "--force",
        "--report",
    ];
    let ended = desk.run(&[&page[..], &["out"]].concat());
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(ended.err.contains("holds a release"), "{ended:?}");
    assert_eq!(names(&desk.path().join("out")), before);
    desk.must(&[&page[..], &["out/private"]].concat());
    assert_eq!(names(&desk.path().join("out")), before);
    assert!(
        desk.read("out/private/report.html")
            .contains("Evaluation of released.csv")
    );
    desk.must(&[&page[..], &["page"]].concat());
    assert_eq!(mode(&desk.path().join("page/report.html")), 0o600);
}

#[test]
fn a_linked_private_folder_is_refused_by_every_flow() {
    let desk = Desk::patients();
    desk.must(&["sample", "university", "--out", "university"]);
    fs::create_dir_all(desk.path().join("elsewhere")).unwrap();
    fs::create_dir(desk.path().join("out")).unwrap();
    symlink(desk.path().join("elsewhere"), desk.path().join("out/private")).unwrap();
    for policy in ["policy.toml", "university/policy.toml"] {
        let ended = desk.run(&["publish", policy, "--out", "out"]);
        assert_eq!(ended.code, Some(2), "{ended:?}");
        assert!(ended.err.contains("out/private: is a link"), "{ended:?}");
    }
    assert_eq!(names(&desk.path().join("elsewhere")), [""; 0]);

    let company = Company::small(2);
    fs::create_dir(company.path("out-bank")).unwrap();
    symlink(desk.path().join("elsewhere"), company.path("out-bank/private")).unwrap();
    let ended = company.start("bank", &[]).end();
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(ended.err.contains("is a link"), "{ended:?}");
}

#[test]
fn a_private_key_that_others_may_read_is_refused_with_what_to_do() {
    let company = Company::small(2);
    let key = company.path("keys/bank.key");
    assert_eq!(mode(&key), 0o600);
    for wide in [0o640, 0o604, 0o620, 0o644] {
        set_mode(&key, wide);
        let ended = company.start("bank", &[]).end();
        assert_eq!(ended.code, Some(2), "{ended:?}");
        assert!(ended.err.contains("chmod 600 keys/bank.key"), "{ended:?}");
    }
}

#[test]
fn a_transcript_follows_no_link_and_is_open_to_the_owner_alone() {
    let company = Company::small(2);
    company.desk.put("mine.txt", b"mine");
    symlink(company.path("mine.txt"), company.path("linked.jsonl")).unwrap();
    company
        .desk
        .put("wide.jsonl", b"a longer text than the transcript begins with");
    set_mode(&company.path("wide.jsonl"), 0o666);
    let wide = company.start("clinic", &[("--transcript", "wide.jsonl")]);
    let linked = company.start("bank", &[("--transcript", "linked.jsonl")]).end();
    assert_eq!(linked.code, Some(2), "{linked:?}");
    assert!(linked.err.contains("linked.jsonl: is a link"), "{linked:?}");
    assert_eq!(company.desk.read("mine.txt"), "mine");
    wide.end();
    assert_eq!(mode(&company.path("wide.jsonl")), 0o600);
    let first = company.desk.read("wide.jsonl");
    assert!(first.starts_with("{\"transcript\":"), "{first}");
}

/// What was published is published: how its folder is called must not make the program fail afterwards.
#[test]
#[cfg(target_os = "linux")]
fn a_folder_whose_name_is_no_unicode_is_told_all_the_same() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let desk = Desk::patients();
    let folder = OsStr::from_bytes(b"out-\xff");
    let run = |arguments: &[&str]| {
        let mut command = desk.command();
        command.args(arguments).arg("--json").arg("--out").arg(folder);
        crate::desk::Ended::of(command.output().unwrap())
    };
    let ended = run(&["publish", "policy.toml"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let json: serde_json::Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!(json["folder"], "out-\u{fffd}");
    assert!(desk.path().join(folder).join("certificate.json").exists());
}
