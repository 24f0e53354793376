//! A transcript tells what was said, and neither it nor anything else that a party prints tells a value.

use std::fs;
use std::path::Path;

use super::company::{Company, MARK};
use crate::desk::Desk;

/// What a party's transcript says in words.
fn explained(desk: &Desk, name: &str) -> String {
    let transcript = format!("out-{name}/private/transcript.jsonl");
    desk.must(&["party", "--explain", &transcript]).out
}

#[test]
fn a_transcript_in_plain_words() {
    let company = Company::sample();
    company.must();
    let insurer = explained(&company.desk, "insurer");
    for told in [
        "what insurer saw of a mashup with bank, employer",
        "220 of our 228 records are common to all",
        "computed together who bids most:",
        "round 1: employer bid most",
        "employer asked whether our secrets allow to refine `salary`: no",
        "round 4: what employer would refine was refused",
        "round 5: bank refined `age`: 88 records in 2 parts",
        "nobody has more to refine: 5 refinements in 7 rounds",
        "all made the same release",
        "what was sent:",
        "a part of a secure computation:",
        "a question: 4 messages,",
        "a refusal: 1 message,",
    ] {
        assert!(insurer.contains(told), "{told:?} is not in:\n{insurer}");
    }
    assert_eq!(
        knowledge(&insurer),
        "what we learnt of the others:
  which records show the same on `age`, from 2 refinements; no finer than the release
  which records show the same on `job`, from 2 refinements; no finer than the release
  which records show the same on `salary`, from 1 refinement; no finer than the release
  who bid most in each of 7 rounds, and no bid
  that 1 refinement of employer met with a no
  which column each of 4 questions was about
  how many records each of them has, and that 220 records are common to all
  which of our ids each of them has, and so who else has which
  hashes of ids, by which an id that one guesses can be found
  the release

what the others learnt of us:
  in which of 7 rounds we bid most, and no bid
  yes or no to 4 questions about our secrets, and which groups have none; the release shows that, too
  that we have 228 records, and that 220 records are common to all
  which of their ids we have
  hashes of ids, by which an id that one guesses can be found
  the release
"
    );
    let employer = explained(&company.desk, "employer");
    assert_eq!(
        knowledge(&employer),
        "what we learnt of the others:
  which records show the same on `age`, from 2 refinements; no finer than the release
  who bid most in each of 7 rounds, and no bid
  that 1 refinement of ours met with a no
  yes or no to 4 questions about their secrets, and which groups have none; the release shows that, too
  how many records each of them has, and that 220 records are common to all
  which of our ids each of them has, and so who else has which
  hashes of ids, by which an id that one guesses can be found
  the release

what the others learnt of us:
  which records show the same on `job`, from 2 refinements; no finer than the release
  which records show the same on `salary`, from 1 refinement; no finer than the release
  in which of 7 rounds we bid most, and no bid
  which column each of 4 questions was about
  that we have 230 records, and that 220 records are common to all
  which of their ids we have
  hashes of ids, by which an id that one guesses can be found
  the release
"
    );
    for told in [
        "what a party that lies can still do, in every mashup:",
        "bids can be lied about, so a liar can steer which columns are refined",
        "no protection is to be expected from its checks",
        "of each question about a secret of others, an asker learns yes or no",
        "without `same_records` in the agreement",
    ] {
        assert!(employer.contains(told), "{told:?} is not in:\n{employer}");
    }
}

/// What is told of who knows what now.
fn knowledge(told: &str) -> &str {
    let known = &told[told.find("what we learnt of the others").unwrap()..];
    &known[..known.find("\nwhat a party that lies").unwrap()]
}

#[test]
fn a_transcript_as_json() {
    let company = Company::small(2);
    company.must();
    let ended = company
        .desk
        .must(&["party", "--explain", "out-bank/private/transcript.jsonl", "--json"]);
    let explained: serde_json::Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!(
        (&explained["own"], &explained["others"][0]),
        (&"bank".into(), &"clinic".into())
    );
    for part in ["story", "sent", "received", "learnt", "told", "liars"] {
        assert!(!explained[part].as_array().unwrap().is_empty(), "{part}");
    }
}

/// A run that failed is told as far as it went; half a line, or another file, is no transcript.
#[test]
fn a_transcript_that_is_cut_or_none() {
    let company = Company::small(2);
    company.must();
    let desk = &company.desk;
    let whole = desk.read("out-bank/private/transcript.jsonl");
    let lines: Vec<&str> = whole.lines().collect();
    desk.put("short.jsonl", (lines[..6].join("\n") + "\n").as_bytes());
    let short = desk.must(&["party", "--explain", "short.jsonl"]).out;
    assert!(
        short.contains("what happened:") && !short.contains("all made the same release"),
        "{short}"
    );

    let half = &lines[5][..lines[5].len() / 2];
    desk.put("half.jsonl", format!("{}\n{half}", lines[..5].join("\n")).as_bytes());
    desk.put("empty.jsonl", b"");
    desk.put("bytes.jsonl", &[0xff, 0xfe, 0]);
    for (file, told) in [
        ("half.jsonl", "half.jsonl: line 6 is not of a transcript"),
        ("empty.jsonl", "empty.jsonl: line 1 is not of a transcript"),
        ("bytes.jsonl", "bytes.jsonl: "),
        ("agreement.toml", "agreement.toml: line 1 is not of a transcript"),
        (
            "out-bank/certificate.json",
            "certificate.json: line 1 is not of a transcript",
        ),
        ("nowhere.jsonl", "nowhere.jsonl: cannot be read"),
    ] {
        let ended = desk.run(&["party", "--explain", file]);
        assert_eq!(ended.code, Some(2), "{file}: {ended:?}");
        assert!(ended.err.contains(told), "{told:?} is not in: {ended:?}");
    }
}

/// Every value, id and secret of these parties begins with the same mark.
#[test]
fn no_value_is_told_but_in_the_release() {
    let company = Company::small(3);
    let ended = company.run(&[]);
    company.succeeded(&ended);
    for (name, ended) in company.names.iter().zip(&ended) {
        assert!(!format!("{ended:?}").contains(MARK), "{ended:?}");
        assert!(
            company.desk.read(&format!("out-{name}/released.csv")).contains(MARK),
            "the mark can be found"
        );
        let private = company.path(&format!("out-{name}/private"));
        assert!(files_with(MARK, &private).is_empty());
        assert!(!explained(&company.desk, name).contains(MARK));
    }
}

/// An id that stands twice, a text where a number is due, a class that differs: the row and the column are named, not the value.
#[test]
fn no_value_is_told_in_an_error() {
    let twice = |text: String| {
        let last = text.lines().last().unwrap().to_owned();
        text + &last + "\n"
    };
    let ragged = |text: String| text + MARK + "\n";
    let company = Company::small(2);
    let good = company.desk.read("bank.csv");
    for (bad, told) in [(twice(good.clone()), "have the same id"), (ragged(good), "bank.csv:26")] {
        company.desk.put("bank.csv", bad.as_bytes());
        let flags = [("--wait", "5"), ("--transcript", "told.jsonl")];
        let bank = company.start("bank", &flags);
        let clinic = company.start("clinic", &[("--wait", "5")]).end();
        let bank = bank.end();
        assert_eq!(bank.code, Some(2), "{bank:?}");
        assert!(bank.err.contains(told), "{bank:?}");
        assert_eq!(clinic.code, Some(3), "{clinic:?}");
        for ended in [bank, clinic] {
            assert!(!format!("{ended:?}").contains(MARK), "{ended:?}");
        }
        assert!(!company.desk.read("told.jsonl").contains(MARK));
    }
}

/// The files of a folder that hold a text.
fn files_with(text: &str, folder: &Path) -> Vec<String> {
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let holds = |path: &std::path::PathBuf| String::from_utf8_lossy(&fs::read(path).unwrap()).contains(text);
    files.filter(holds).map(|path| path.display().to_string()).collect()
}
