//! Agreements with random changes: each is right in every respect, or its problems are told.

#[path = "../../../../fuzz/bodies/mutate.rs"]
mod mutate;

use std::path::Path;

use scumble_policy::{Agreement, Policy, Problems, Role, differences};

use crate::desk::{EVERYTHING, RIGHT};

const FOLDER: &str = "deal";

#[test]
fn an_agreement_keeps_its_promises_or_its_problems_are_told() {
    let corpus = tempfile::tempdir().unwrap();
    for (name, text) in [("right.toml", RIGHT), ("everything.toml", EVERYTHING)] {
        std::fs::write(corpus.path().join(name), text).unwrap();
    }
    mutate::rehearse(corpus.path(), 1_500, run);
}

fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    match Agreement::parse(&text, "agreement.toml", Path::new(FOLDER)) {
        Ok(agreement) => {
            check_owners(&agreement);
            check_joined(&agreement);
            check_canonical(&agreement);
        }
        Err(problems) => check_error(&problems, &text),
    }
}

fn check_owners(agreement: &Agreement) {
    let parties = agreement.parties.len();
    assert!((2..=8).contains(&parties));
    let mut has_column = vec![false; parties];
    for column in &agreement.policy.columns {
        let owners = agreement.owners(column.name.get_ref());
        assert!(owners.len() == 1 || (owners.len() > 1 && column.role == Role::Class));
        assert!(owners.is_sorted());
        owners.iter().for_each(|&party| has_column[party] = true);
    }
    assert!(has_column.iter().all(|&has| has));
    assert!(!agreement.header().contains(&agreement.key));
}

/// The joined policy asks for just what the agreement does.
fn check_joined(agreement: &Agreement) {
    let text = agreement.joined_policy("joined.csv");
    let joined =
        Policy::parse(&text, "joined.toml", Path::new(FOLDER)).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let policy = &agreement.policy;
    assert_eq!(joined.columns, policy.columns);
    assert_eq!(joined.method, policy.method);
    assert_eq!(joined.release, policy.release);
    assert_eq!(agreement.data(&joined.data), joined.data);
    assert_eq!(joined.require.len(), policy.require.len());
    for (joined, agreed) in joined.require.iter().zip(&policy.require) {
        assert_eq!(joined.get_ref().kind, agreed.get_ref().kind);
        assert_eq!(joined.get_ref().of.columns, agreed.get_ref().of.columns);
    }
}

fn check_canonical(agreement: &Agreement) {
    let canonical = agreement.canonical();
    assert!(canonical.lines().all(|line| line.contains(" = ")));
    let fewer: String = canonical.lines().skip(1).map(|line| format!("{line}\n")).collect();
    assert_eq!(differences(&canonical, &fewer), ["party.1.name: only here"]);
}

fn check_error(error: &Problems, text: &str) {
    assert!(!error.list().is_empty());
    assert_eq!(error.to_string().lines().count(), error.list().len());
    let last = 1 + text.bytes().filter(|&byte| byte == b'\n').count();
    for problem in error.list() {
        assert!(problem.line.is_none_or(|line| (1..=last).contains(&line)));
    }
}
