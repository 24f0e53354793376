//! Runs a case, and says what is wrong: [`examine`].

mod alike;
mod audited;
mod inspect;
mod levels;
mod matching;
mod originals;
mod published;
mod versions;

use std::path::Path;

use crate::case::Case;
use crate::definitions::Past;
use crate::definitions::labels::Made;
use crate::findings::Findings;
use crate::release::Release;
use crate::run::Program;
use inspect::released;

pub use inspect::{inspect, inspect_masked};

/// Writes a case into an empty folder, runs it, and checks all that can be checked.
pub fn examine(case: &Case, program: &Program, folder: &Path) -> Findings {
    let mut findings = Findings::default();
    if let Err(error) = case.write(folder) {
        findings.fault("the case cannot be written", error.to_string());
        return findings;
    }
    if !publish_earlier(case, program, folder, &mut findings) {
        return findings;
    }
    let ledger: &[&str] = if case.next.is_some() {
        &["--ledger", "ledger", "--name", "one"]
    } else {
        &[]
    };
    let ran = program.run(folder, &[&["publish", "policy.toml"], ledger].concat());
    findings.ran(&ran, case, "publish");
    let Some(release) = released(&ran, folder, "out", &mut findings) else {
        return findings;
    };
    findings.published = true;
    let earlier = past(case, folder);
    inspect(case, &case.data, &release, &earlier, &mut findings);
    if release.rows.is_empty() {
        return findings;
    }
    let seen = levels::sight(case, &case.data, &release, &earlier, None);
    alike::check(case, &ran, &seen, &mut findings);
    audited::check(case, program, folder, &release, &earlier, &mut findings);
    again(case, program, folder, &release, &mut findings);
    versions::check(case, program, folder, &release, &mut findings);
    findings
}

/// Checks a release of `case.next` beside the one before it, by what the files of both show.
pub fn inspect_versions(case: &Case, first: &Release, second: &Release, findings: &mut Findings) {
    if let Some(next) = &case.next {
        versions::compare(case, next, first, second, findings);
    }
}

/// Publishes those earlier releases that this program made. False if there is no such release.
fn publish_earlier(case: &Case, program: &Program, folder: &Path, findings: &mut Findings) -> bool {
    for (out, earlier) in case.earlier.iter().zip(&case.policy.earlier) {
        if out.policy.is_some() {
            let ran = program.run(&folder.join(&earlier.name), &["publish", "policy.toml"]);
            findings.ran(&ran, case, "publish an earlier release");
            if ran.code != Some(0) {
                return false;
            }
        }
    }
    true
}

/// The earlier releases as they are read.
fn past(case: &Case, folder: &Path) -> Vec<Past> {
    let read = |(out, earlier): (&crate::case::Out, &crate::policy::Earlier)| {
        let (header, rows, made) = match &out.policy {
            Some(_) => {
                let release = Release::read(&folder.join(&earlier.name).join("out")).ok()?;
                (release.header, release.rows, Made::ByMasks)
            }
            None => {
                let cell = |cell: &String| (!cell.is_empty()).then(|| cell.clone());
                let rows = out.table.rows.iter().map(|row| row.cells.iter().map(cell).collect());
                (out.table.header.clone(), rows.collect(), Made::Elsewhere)
            }
        };
        Some(Past {
            name: earlier.name.clone(),
            join: earlier.join.clone(),
            header,
            rows,
            made,
        })
    };
    case.earlier.iter().zip(&case.policy.earlier).filter_map(read).collect()
}

/// The same run gives the same bytes, and the masks of a release fit its own data.
fn again(case: &Case, program: &Program, folder: &Path, release: &Release, findings: &mut Findings) {
    if case.twice {
        let ran = program.run(folder, &["publish", "policy.toml", "--out", "twice"]);
        findings.ran(&ran, case, "publish twice");
        let same = Release::read(&folder.join("twice")).is_ok_and(|twice| twice.files == release.files);
        if !same {
            findings.fault("the same run gives other bytes", "publish twice");
        }
    }
    if let Some(other) = &case.other {
        let mask = [
            "--mask",
            "out/certificate.json",
            "--data",
            "other.csv",
            "--out",
            "other",
        ];
        let ran = program.run(folder, &[&["publish", "policy.toml"], &mask[..]].concat());
        findings.ran(&ran, case, "publish --mask of other data");
        if let Some(masked) = released(&ran, folder, "other", findings) {
            published::check(case, other, &masked, findings);
            levels::check(case, other, &masked, &[], Some(release), findings);
        }
    }
    if case.mask_again && release.count("left_out") == 0 {
        let ran = program.run(
            folder,
            &[
                "publish",
                "policy.toml",
                "--mask",
                "out/certificate.json",
                "--out",
                "again",
            ],
        );
        findings.ran(&ran, case, "publish --mask");
        let same = Release::read(&folder.join("again")).is_ok_and(|again| again.files[0] == release.files[0]);
        if !same {
            findings.fault("masks used again on the same data show something else", ran.said);
        }
    }
}
