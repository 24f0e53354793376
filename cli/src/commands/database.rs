//! `publish`, `audit` and `attack` over several tables.

use std::fmt::Write;
use std::path::Path;

use scumble::results::{Attacked, CertifiedTables};
use scumble::{DatabaseAudit, Policy, ReleaseFolder, Warning, attack_database, audit_database};

use super::told::{singled_out_told, templates_told};
use crate::answer::Answer;
use crate::failure::Failure;
use crate::progress::Progress;

/// Why there is no ledger of several tables.
pub(super) const NO_JOIN: &str = "what several tables tell together with earlier releases is not counted";

/// The failure of a flag that says nothing about several tables.
pub(super) fn not_for_several(flag: &str, why: &str) -> Failure {
    Failure::Usage(format!(
        "{flag} goes with a policy for one table, and this one is for several: {why}"
    ))
}

pub(super) fn audit(folder: &Path, policy: &Policy, progress: &Progress) -> Result<Answer, Failure> {
    let report = audit_database(folder, policy, progress)?;
    progress.finish();
    Ok(Answer::new(audit_told(&report), &report, report.holds))
}

pub(super) fn attack(folder: &Path, policy: &Policy, progress: &Progress) -> Result<Answer, Failure> {
    let report = attack_database(folder, policy, progress)?;
    progress.finish();
    let alone = Warning::of_alone("persons", report.singled_out.as_ref());
    alone
        .into_iter()
        .for_each(|warning| progress.warn(&warning.to_string()));
    let text = report.to_string() + &singled_out_told(report.singled_out.as_ref(), "persons");
    Ok(Answer::done(text, &report))
}

/// What a person wants to know of a release. Writing to a string cannot fail, so the results of `writeln!` are let go.
pub(super) fn told(publication: &ReleaseFolder, several: &CertifiedTables) -> String {
    let certificate = &publication.certificate;
    let persons = &certificate.rows;
    let tables = several.tables.len();
    let folder = publication.folder.display();
    let mut text = format!("Released {} persons in {tables} tables to {folder}", persons.published);
    match persons.left_out {
        0 => text.push('\n'),
        left_out => text.push_str(&format!(" ({left_out} left out)\n")),
    }
    for table in &several.tables {
        let (kept, removed) = (table.rows.published, table.rows.left_out);
        let masked = table.columns.iter().filter_map(|column| column.masked);
        let (exact, generalized) = masked.fold((0, 0), |(exact, generalized), cells| {
            (exact + cells.exact, generalized + cells.generalized)
        });
        let cells = match exact + generalized {
            0 => String::new(),
            _ => format!("; quasi cells: {exact} exact, {generalized} generalized"),
        };
        let _ = writeln!(text, "  {}: {kept} rows kept, {removed} removed{cells}", table.name);
    }
    for lookup in &several.lookups {
        let _ = writeln!(text, "  {}: {} rows, a look-up, as it is", lookup.name, lookup.rows);
    }
    for level in &publication.levels {
        let _ = writeln!(text, "  {level}");
    }
    let _ = writeln!(
        text,
        "  {} different trees of rows; loss of the quasi cells (LM) {:.1} %; discernibility (DM) {}",
        several.classes,
        100.0 * certificate.information_loss,
        several.discernibility
    );
    text.push_str(&singled_out_told(certificate.singled_out.as_ref(), "persons"));
    if let Some(Attacked::Persons(attack)) = &publication.attack {
        text.push_str(&attack.to_string());
    }
    let files = several.tables.iter().map(|table| &table.file);
    let files: Vec<&str> = files
        .chain(several.lookups.iter().map(|lookup| &lookup.file))
        .map(String::as_str)
        .collect();
    let _ = writeln!(
        text,
        "May leave the house: {}, certificate.json. May not: private/",
        files.join(", ")
    );
    text
}

fn audit_told(report: &DatabaseAudit) -> String {
    let tables = report.tables.iter().map(|(name, rows)| format!("{name}: {rows} rows"));
    let tables: Vec<String> = tables.collect();
    let mut text = format!("{}\n", tables.join(", "));
    text.push_str(&templates_told(&report.require));
    for fault in &report.faults {
        let _ = writeln!(text, "  FAILS  {fault}");
    }
    match report.faults_found.saturating_sub(report.faults.len() as u64) {
        0 => {}
        more => {
            let _ = writeln!(text, "  and {more} more faults");
        }
    }
    let compared = match report.compared_with_data {
        true => "every row and value was compared with the data",
        false => "values were not compared with the data: that needs private/rows as it was written",
    };
    let _ = writeln!(text, "  {compared}");
    text.push_str(&singled_out_told(report.singled_out.as_ref(), "persons"));
    text
}
