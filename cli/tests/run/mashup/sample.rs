//! `scumble sample mashup`, and what its page says.

use std::process::Command;

use super::company::Company;
use crate::desk::{Desk, Ended};

fn run_script(company: &Company) -> Ended {
    let mut script = Command::new("./run.sh");
    script.current_dir(company.desk.path());
    script.env("SCUMBLE", env!("CARGO_BIN_EXE_scumble"));
    Ended::of(script.output().unwrap())
}

#[test]
fn the_sample_comes_with_keys_and_says_what_to_run() {
    let desk = Desk::with(&[]);
    let wrote = desk.must(&["sample", "mashup"]).out;
    assert_eq!(
        wrote,
        "Wrote mashup, with trial keys for 30 days. Try: sh mashup/run.sh\n"
    );
    for name in ["ca", "bank", "employer", "insurer"] {
        for ending in ["pem", "key"] {
            assert!(desk.has(&format!("mashup/keys/{name}.{ending}")), "{name}.{ending}");
        }
    }
    let again = desk.run(&["sample", "mashup"]);
    assert_eq!(again.code, Some(3), "nothing is written over: {again:?}");
}

/// The figures of `examples/mashup/README.md`.
#[test]
fn the_script_runs_all_three_and_the_page_says_what_comes_out() {
    let company = Company::sample();
    let ended = run_script(&company);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let page = company.desk.read("README.md");
    for (name, own) in [("bank", 228), ("employer", 230), ("insurer", 228)] {
        let published = format!("Published 220 of {own} records, together: out-{name}/released.csv");
        assert!(ended.out.contains(&published), "{published:?} is not in: {ended:?}");
        assert!(page.contains(&own.to_string()), "{own}");
        assert!(
            page.contains(&format!("scumble party agreement.toml --as {name} ")),
            "{name}"
        );
    }
    for told in ["5 refinements in 7 rounds", "220"] {
        assert!(ended.out.contains(told) && page.contains(told), "{told:?}: {ended:?}");
    }
    for level in ended.out.lines().filter(|line| line.starts_with("  ")) {
        assert!(page.contains(level.trim()), "{level:?} is not on the page");
    }
    company.succeeded(&[]);
}

/// The script ends with the code of a party that failed.
#[test]
fn a_script_whose_parties_fail_fails() {
    let company = Company::sample();
    company.desk.put("insurer.csv", b"person,region\n");
    let text = company.desk.read("run.sh");
    company
        .desk
        .put("run.sh", text.replace("\"$@\" &", "--wait 3 \"$@\" &").as_bytes());
    let ended = run_script(&company);
    assert!(matches!(ended.code, Some(2 | 3)), "{ended:?}");
    company.nothing_written();
}
