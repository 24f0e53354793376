//! Parties with a right certificate that lie about their records, say nothing, or say too much: they are named, the exit
//! code is that of a peer's fault, and nothing is written.

use std::time::{Duration, Instant};

use scumble_link::{Limits, Links};

use super::company::{Company, MARK, Running};
use super::strangers::{bank_meets, refused};

/// Parties that agreed to have the same records.
fn with_same_records(parties: usize) -> Company {
    let company = Company::small(parties);
    company.amend(
        "agreement.toml",
        "column = 'id'\n",
        "column = 'id'\nsame_records = true\n",
    );
    company
}

#[test]
fn the_same_records_make_the_same_release_and_no_hash_goes_out() {
    let company = with_same_records(3);
    let release = company.must();
    assert_eq!(release, Company::small(3).must());
    let transcript = company.desk.read("out-bank/private/transcript.jsonl");
    assert!(
        !transcript.contains("hashes of ids") && !transcript.contains("a digest of records"),
        "{transcript}"
    );
    let told = company
        .desk
        .must(&["party", "--explain", "out-bank/private/transcript.jsonl"])
        .out;
    for words in [
        "computed together whether all have the same records:",
        "that all have the same records; no hash of an id went out",
    ] {
        assert!(told.contains(words), "{words:?} is not in:\n{told}");
    }
}

/// One of three has a person whom the others have not: they name it, and it is told.
#[test]
fn whoever_brings_other_records_is_named_and_no_hash_goes_out() {
    let company = with_same_records(3);
    let file = company
        .desk
        .read("clinic.csv")
        .replace(&format!("{MARK}P3,"), &format!("{MARK}X,"));
    company.desk.put("clinic.csv", file.as_bytes());
    let start = |name: &String| company.start(name, &[("--transcript", &format!("{name}.jsonl"))]);
    let running: Vec<Running> = company.names.iter().map(start).collect();
    for running in running {
        let name = running.name.clone();
        let ended = running.end();
        let (code, told) = match &name[..] {
            "clinic" => (2, "our records are not those of the others"),
            _ => (3, "clinic brought other records than we"),
        };
        assert_eq!(ended.code, Some(code), "{name}: {ended:?}");
        assert!(
            ended.err.contains(told) && ended.err.contains("same_records"),
            "{name}: {ended:?}"
        );
        assert!(!ended.err.contains(MARK), "{ended:?}");
        let transcript = company.desk.read(&format!("{name}.jsonl"));
        assert!(!transcript.contains("hashes of ids"), "{transcript}");
    }
    company.nothing_written();
}

/// One party that says nothing, but shows signs of life.
fn says_nothing(links: Links) {
    while links.receive().is_ok() {}
}

#[test]
fn signs_of_life_are_no_progress() {
    let company = Company::small(2);
    let start = Instant::now();
    let ended = bank_meets(&company, &[("--progress", "2")], Limits::default(), says_nothing);
    assert!(start.elapsed() < Duration::from_secs(60));
    refused(&company, &ended, 3, &["`clinic` has sent no message for 2s"]);
}

#[test]
fn a_run_ends_with_its_deadline_and_says_whom_it_waited_for() {
    let company = Company::small(2);
    let ended = bank_meets(&company, &[("--deadline", "2s")], Limits::default(), says_nothing);
    refused(
        &company,
        &ended,
        3,
        &["the run was not over after 2s", "it waited for `clinic`"],
    );
}

/// The private part says the same, and the flag is stronger.
#[test]
fn a_deadline_in_the_private_part() {
    let company = Company::small(2);
    company.desk.put("bank.toml", b"deadline = '2s'\n");
    let ended = bank_meets(&company, &[("--private", "bank.toml")], Limits::default(), says_nothing);
    refused(&company, &ended, 3, &["the run was not over after 2s"]);
    let flags = [("--private", "bank.toml"), ("--deadline", "never"), ("--progress", "4")];
    let ended = bank_meets(&company, &flags, Limits::default(), says_nothing);
    refused(&company, &ended, 3, &["`clinic` has sent no message for 4s"]);
    let ended = company.start("bank", &[("--deadline", "soon")]).end();
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(ended.err.contains("30m"), "{ended:?}");
}

/// The third party holds up the second, for whom the first waits: all who are honest name it.
#[test]
fn of_three_in_a_row_the_culprit_is_named() {
    let company = Company::small(3);
    let flags = [("--progress", "3")];
    let honest = company.start_all(["bank", "clinic"].map(str::to_owned).iter(), &flags);
    let shop = super::strangers::links_of(&company, 2, Limits::default());
    // A greeting for the bank and none for the clinic: the bank goes on, and waits for what the clinic says next.
    let mut greeting = None;
    while let Ok((from, message)) = shop.receive() {
        if from == 0 && greeting.is_none() {
            greeting = Some(message.clone());
            shop.send(0, message).unwrap();
        }
    }
    for ended in honest.into_iter().map(Running::end) {
        assert_eq!(ended.code, Some(3), "{ended:?}");
        assert!(ended.err.contains("`shop` has sent no message for 3s"), "{ended:?}");
    }
    company.nothing_written();
}
