//! `scumble audit` says of a release what the definitions say, also when somebody has tampered with it.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::case::Case;
use crate::csv;
use crate::definitions::Past;
use crate::definitions::{Measure, Sight, templates};
use crate::dice::Dice;
use crate::findings::Findings;
use crate::policy::{Per, Role};
use crate::release::Release;
use crate::run::Program;
use crate::table::Cell;

use super::levels::{is_level, sight};

pub(super) fn check(
    case: &Case,
    program: &Program,
    folder: &Path,
    release: &Release,
    earlier: &[Past],
    findings: &mut Findings,
) {
    let seen = sight(case, &case.data, release, earlier, None);
    let ran = program.run(folder, &["audit", "out/released.csv", "policy.toml", "--json"]);
    findings.ran(&ran, case, "audit");
    let expected = if can_be_counted(&seen) { 0 } else { 1 };
    if ran.code != Some(expected) {
        let told = format!("exit code {:?}, expected {expected}: {}", ran.code, ran.said);
        findings.fault("the audit disagrees with publish", told);
    }
    compare(&ran.answer, &seen, findings);
    let may_tamper = release.secrets.is_none() && release.rows.len() > 1;
    if let Some(throws) = case.tamper.filter(|_| may_tamper) {
        tamper(case, program, folder, release, earlier, throws, findings);
    }
}

/// Whether every column that a template counts by is published.
pub(super) fn can_be_counted(seen: &Sight) -> bool {
    templates(seen.policy).iter().all(|template| match &template.measure {
        Measure::Rows(Per::Columns(columns)) if seen.earlier.is_empty() => {
            columns.iter().all(|column| seen.find(column).is_some())
        }
        Measure::Guarded(_, guarding) => seen.find(guarding).is_some(),
        Measure::Rows(_)
        | Measure::People
        | Measure::Share(_)
        | Measure::Spread(..)
        | Measure::Distance(..)
        | Measure::Delta(_)
        | Measure::Beta(..)
        | Measure::Ranges(_) => true,
    })
}

/// The levels that an audit tells are those of the definitions.
fn compare(answer: &str, seen: &Sight, findings: &mut Findings) {
    let Ok(answer) = serde_json::from_str::<Value>(answer) else {
        return;
    };
    let entries = answer["require"].as_array().cloned().unwrap_or_default();
    for (template, entry) in templates(seen.policy).iter().zip(&entries) {
        let Some(level) = template.level(seen) else { continue };
        if !is_level(&entry["level"], level) {
            findings.fault("the audit tells another level", format!("level {level}, told {entry}"));
        }
    }
}

/// Gives one cell the text of another in its column. If that breaks a template, the audit must say so.
fn tamper(
    case: &Case,
    program: &Program,
    folder: &Path,
    release: &Release,
    earlier: &[Past],
    throws: u64,
    findings: &mut Findings,
) {
    let mut dice = Dice::new(throws);
    let mut tampered = Release {
        header: release.header.clone(),
        rows: release.rows.clone(),
        secrets: None,
        certificate: release.certificate.clone(),
        files: Vec::new(),
    };
    let is_quasi = |place: &usize| {
        let column = case.policy.column(&release.header[*place]);
        column.is_some_and(|column| column.role == Role::Quasi)
    };
    let quasi: Vec<usize> = (0..release.header.len()).filter(is_quasi).collect();
    let (row, other) = (dice.below(release.rows.len()), dice.below(release.rows.len()));
    let column = if dice.percent(70) {
        *dice.pick(&quasi)
    } else {
        dice.below(release.header.len())
    };
    tampered.rows[row][column] = tampered.rows[other][column].clone();
    let apart = folder.join("tampered");
    if fs::create_dir_all(&apart)
        .and_then(|()| write(&apart, &tampered, &release.files[1]))
        .is_err()
    {
        return;
    }
    let seen = sight(case, &case.data, &tampered, earlier, None);
    let ran = program.run(folder, &["audit", "tampered/released.csv", "policy.toml", "--json"]);
    findings.ran(&ran, case, "audit what was tampered with");
    // Whom a tampered row looks like in a population is not said.
    let counted = templates(&case.policy)
        .into_iter()
        .filter(|template| !matches!(template.measure, Measure::People));
    let is_broken = counted
        .into_iter()
        .any(|template| template.level(&seen).is_some_and(|level| !template.holds(level)));
    if is_broken && ran.code == Some(0) {
        findings.fault("the audit passes what was tampered with", ran.said);
    }
}

fn write(folder: &Path, tampered: &Release, certificate: &str) -> std::io::Result<()> {
    let cells = |row: &Vec<Cell>| row.iter().map(|cell| cell.clone().unwrap_or_default()).collect();
    let records: Vec<Vec<String>> = tampered.rows.iter().map(cells).collect();
    let text = csv::write([&tampered.header].into_iter().chain(&records));
    fs::write(folder.join("released.csv"), text)?;
    fs::write(folder.join("certificate.json"), certificate)
}
