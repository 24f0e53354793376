//! A failing case made smaller: fewer templates and rows, as long as the same promise is broken.

use std::fs;
use std::io;
use std::path::Path;

use crate::cases::scratch;
use crate::findings::Findings;
use crate::run::Program;
use crate::trial::Trial;

/// How many smaller cases are tried at most.
const TRIES: usize = 400;

/// The smallest case found that breaks a rule, and what was found in it.
///
/// # Errors
/// A folder that cannot be made.
pub fn shrink(trial: &Trial, rule: &str, program: &Program) -> io::Result<(Trial, Findings)> {
    let mut best = trial.clone();
    let mut found = try_once(&best, program)?;
    let mut tries = 0;
    'again: loop {
        for smaller in best.smaller() {
            tries += 1;
            if tries > TRIES {
                break 'again;
            }
            let findings = try_once(&smaller, program)?;
            if findings.faults.iter().any(|fault| fault.rule == rule) {
                (best, found) = (smaller, findings);
                continue 'again;
            }
        }
        break;
    }
    Ok((best, found))
}

fn try_once(trial: &Trial, program: &Program) -> io::Result<Findings> {
    let folder = scratch()?;
    Ok(trial.examine(program, &folder.path().join("case")))
}

/// Leaves a case in a folder, as it can be run by hand, with what is wrong in it.
///
/// # Errors
/// A folder that cannot be written.
pub fn keep(trial: &Trial, program: &Program, folder: &Path) -> io::Result<Findings> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    let findings = trial.examine(program, folder);
    let faults = findings
        .faults
        .iter()
        .map(|fault| format!("{}: {}\n", fault.rule, fault.told));
    fs::write(folder.join("FAULTS.txt"), faults.collect::<String>())?;
    Ok(findings)
}
