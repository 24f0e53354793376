//! What must hold of the agreement of a mashup, whatever the bytes.

use std::path::Path;

use miette::Diagnostic;
use scumble::policy::{Private, differences};
use scumble::{Agreement, Error, Fault, Policy};

/// Reads the bytes as an agreement and as what a party keeps to itself. An agreement that comes out says the same
/// whenever it is read, and the policy of the joined table can be read; a refusal is a list of problems at places that
/// exist.
pub fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let folder = Path::new("folder");
    match Agreement::parse(&text, "agreement.toml", folder) {
        Ok(agreement) => check(&agreement, &text, folder),
        Err(problems) => check_error(&problems.into(), &text),
    }
    if let Err(problems) = Private::parse(&text, "private.toml", folder) {
        check_error(&problems.into(), &text);
    }
}

fn check(agreement: &Agreement, text: &str, folder: &Path) {
    let canonical = agreement.canonical();
    let again = Agreement::parse(text, "other.toml", folder).expect("what was read can be read again");
    assert_eq!(again.canonical(), canonical);
    assert_eq!(again.hash(), agreement.hash());
    assert!(differences(&canonical, &canonical).is_empty());
    let header = agreement.header();
    assert!(!header.is_empty());
    assert!(header.iter().all(|column| !agreement.owners(column).is_empty()));
    let joined = agreement.joined_policy("joined.csv");
    if let Err(error) = Policy::parse(&joined, "policy.toml", folder) {
        panic!("{error}\nin\n{joined}");
    }
}

fn check_error(error: &Error, text: &str) {
    assert_eq!(error.fault(), Fault::Input);
    assert!(!error.to_string().is_empty());
    let last = 1 + text.bytes().filter(|&byte| byte == b'\n').count();
    for problem in error.problems() {
        assert!(problem.line.is_none_or(|line| (1..=last).contains(&line)));
        assert!(!problem.message.is_empty());
    }
    for label in error.labels().into_iter().flatten() {
        assert!(text.get(label.offset()..label.offset() + label.len()).is_some());
    }
}
