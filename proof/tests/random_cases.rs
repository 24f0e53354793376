//! Random cases: 300, or as many as `SCUMBLE_CASES` says, from the seed `SCUMBLE_SEED`.

use scumble_proof::cases;
use scumble_proof::run::Program;

#[test]
fn no_random_case_breaks_a_promise() {
    let number = |name: &str, usual: u64| match std::env::var(name) {
        Ok(text) => text.parse().unwrap(),
        Err(_) => usual,
    };
    let program = Program::find().unwrap();
    let summary = cases::run(&program, number("SCUMBLE_SEED", 1), number("SCUMBLE_CASES", 300)).unwrap();
    // Cases of which most are refused would show little.
    assert!(
        summary.published * 5 >= summary.cases,
        "{} of {} published",
        summary.published,
        summary.cases
    );
    let told: Vec<String> = summary
        .faults
        .iter()
        .map(|(rule, found)| {
            format!(
                "{rule}: {} cases, the first with seed {}: {}",
                found.len(),
                found[0].0,
                found[0].1.told
            )
        })
        .collect();
    assert!(told.is_empty(), "{}", told.join("\n"));
}
