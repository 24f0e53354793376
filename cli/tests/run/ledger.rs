//! `scumble ledger`, on a ledger that the store has made.

use scumble_store::{Entry, Ledger, LedgerColumn, Unwatched, fingerprint_of_file};
use serde_json::{Value, json};

use crate::desk::Desk;

/// A desk with a ledger of two releases, of which the file of the second is gone.
fn desk() -> Desk {
    let desk = Desk::with(&[
        ("spring.csv", "job,disease\nCook,Flu\n"),
        ("summer.csv", "job,disease\n"),
    ]);
    let mut ledger = Ledger::open(&desk.path().join("ledger"), &Unwatched).unwrap();
    for (name, rows) in [("spring", 1), ("summer", 0)] {
        let file = desk.path().join(format!("{name}.csv"));
        let column = |name: &str, role: &str, taxonomy: Option<&str>| LedgerColumn {
            name: name.to_owned(),
            role: role.to_owned(),
            taxonomy: taxonomy.map(str::to_owned),
        };
        let entry = Entry {
            name: name.to_owned(),
            population: "patients".to_owned(),
            published_at: "2026-11-16T08:00:00Z".to_owned(),
            fingerprint: fingerprint_of_file(&file).unwrap(),
            file,
            columns: vec![
                column("job", "quasi", Some("blake3:12")),
                column("disease", "sensitive", None),
            ],
            certificate: json!({"rows": {"published": rows}}),
        };
        ledger.add(entry).unwrap();
    }
    std::fs::remove_file(desk.path().join("summer.csv")).unwrap();
    desk
}

fn json_of(desk: &Desk, arguments: &[&str]) -> Value {
    serde_json::from_str(&desk.must(arguments).out).unwrap()
}

#[test]
fn releases_are_listed_with_what_became_of_them() {
    let desk = desk();
    let listed = desk.must(&["ledger", "list", "--ledger", "ledger"]).out;
    let expected = "\
name    population  published at          rows  columns  file
spring  patients    2026-11-16T08:00:00Z  1     2        there
summer  patients    2026-11-16T08:00:00Z  0     2        gone
";
    assert_eq!(listed, expected);

    desk.put("spring.csv", b"job,disease\nCook,HIV\n");
    let listed = json_of(&desk, &["ledger", "list", "--ledger", "ledger", "--json"]);
    let expected = json!({
        "name": "spring",
        "population": "patients",
        "published_at": "2026-11-16T08:00:00Z",
        "rows": 1,
        "columns": 2,
        "file": desk.path().join("spring.csv"),
        "file_is": "changed",
    });
    assert_eq!(listed["releases"][0], expected);
    assert_eq!(listed["releases"][1]["file_is"], "gone");
}

#[test]
fn all_of_an_entry_is_shown() {
    let desk = desk();
    let shown = desk.must(&["ledger", "show", "spring", "--ledger", "ledger"]).out;
    for words in [
        "spring, about patients\n",
        "published at 2026-11-16T08:00:00Z, 1 rows\n",
        "spring.csv: there\n",
        "fingerprint blake3:",
        "    job: quasi, taxonomy blake3:12\n    disease: sensitive\n",
        "\"published\": 1",
    ] {
        assert!(shown.contains(words), "{words:?} is not in: {shown}");
    }
    let shown = json_of(&desk, &["ledger", "show", "summer", "--ledger", "ledger", "--json"]);
    assert_eq!(shown["name"], "summer");
    assert_eq!(shown["columns"][0]["taxonomy"], "blake3:12");
    assert_eq!(shown["certificate"]["rows"]["published"], 0);
    assert_eq!(shown["file_is"], "gone");
}

#[test]
fn a_forgotten_release_is_no_longer_listed() {
    let desk = desk();
    let told = desk.must(&["ledger", "forget", "spring", "--ledger", "ledger"]).out;
    assert!(told.contains("no longer checked against it"), "{told}");
    assert!(told.contains("does not take it back"), "{told}");
    let listed = json_of(&desk, &["ledger", "list", "--ledger", "ledger", "--json"]);
    assert_eq!(listed["releases"].as_array().unwrap().len(), 1);
    assert!(desk.has("spring.csv"), "the release itself is left alone");

    let forgotten = json_of(&desk, &["ledger", "forget", "summer", "--ledger", "ledger", "--json"]);
    assert_eq!(forgotten["forgotten"]["name"], "summer");
    let listed = desk.must(&["ledger", "list", "--ledger", "ledger"]).out;
    assert_eq!(listed, "The ledger has no release.\n");
}

#[test]
fn a_name_or_a_folder_that_is_not_there_is_wrong_input() {
    let desk = desk();
    for command in ["show", "forget"] {
        let ended = desk.run(&["ledger", command, "winter", "--ledger", "ledger"]);
        assert_eq!(ended.code, Some(2));
        let expected = "error: ledger: the ledger has no release `winter`; it has: spring, summer\n";
        assert_eq!(ended.err, expected);

        let ended = desk.run(&["ledger", command, "winter", "--ledger", "leger"]);
        assert_eq!(ended.code, Some(2));
        assert!(ended.err.contains("leger: there is no ledger here"), "{}", ended.err);
        assert!(!desk.has("leger"), "a mistyped folder does not become a ledger");
    }
}

#[test]
fn a_broken_ledger_is_wrong_input_with_the_line() {
    let desk = desk();
    let text = desk.read("ledger/entries.jsonl");
    desk.put("ledger/entries.jsonl", format!("broken\n{text}").as_bytes());
    let ended = desk.run(&["ledger", "list", "--ledger", "ledger"]);
    assert_eq!(ended.code, Some(2));
    assert!(ended.err.contains("entries.jsonl:1: "), "{}", ended.err);
}

/// A folder stands where the entries belong.
#[test]
fn what_the_system_refuses_is_the_fault_of_the_environment() {
    let desk = Desk::with(&[]);
    std::fs::create_dir_all(desk.path().join("ledger/entries.jsonl")).unwrap();
    let ended = desk.run(&["ledger", "list", "--ledger", "ledger"]);
    assert_eq!(ended.code, Some(3), "{ended:?}");
}
