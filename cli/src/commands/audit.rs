//! `scumble audit`: recount a released file.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use scumble::{AuditLedger, AuditReport, Newcomers, audit_file, read_any_policy};

use super::database;
use super::publish::newcomers;
use super::told::{singled_out_told, templates_told};
use crate::answer::Answer;
use crate::failure::Failure;
use crate::progress::Progress;

#[derive(Args)]
pub struct Arguments {
    /// The released table; of several tables, the folder of the release
    released: PathBuf,
    /// The policy that it should meet
    policy: PathBuf,

    /// The data that it was made of, if not where the policy says; what groups of upc lose may be a share of it
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,

    /// A ledger: the releases before this one are joined, too, and earlier versions of its columns are compared
    #[arg(long, value_name = "FOLDER")]
    ledger: Option<PathBuf>,

    /// People who came or left since an earlier version, too few to hide among each other: protect (it fails) or report
    #[arg(long, value_name = "WHAT", requires = "ledger", value_parser = newcomers, default_value = "protect")]
    newcomers: Newcomers,
}

pub fn run(arguments: &Arguments, progress: &Progress) -> Result<Answer, Failure> {
    let mut policy = read_any_policy(&arguments.policy)?;
    if let Some(data) = &arguments.data {
        policy.move_data_to(data);
    }
    if policy.persons.is_some() {
        return match arguments.ledger {
            Some(_) => Err(database::not_for_several("--ledger", database::NO_JOIN)),
            None => database::audit(&arguments.released, &policy, progress),
        };
    }
    let ledger = arguments.ledger.as_deref().map(|folder| AuditLedger {
        folder,
        newcomers: arguments.newcomers,
    });
    let report = audit_file(&arguments.released, &policy, ledger.as_ref(), progress)?;
    Ok(Answer::new(told(&report), &report, report.holds))
}

fn told(report: &AuditReport) -> String {
    let mut text = format!("{} rows\n", report.rows);
    text.push_str(&templates_told(&report.require));
    if let Some(loss) = &report.loss_per_group {
        let verdict = if loss.holds { "holds" } else { "FAILS" };
        let (bound, found) = (loss.bound, loss.written());
        let _ = writeln!(text, "  {verdict}  loss_at_most {bound} of every group: {found}");
    }
    for version in &report.versions {
        let verdict = if version.holds { "holds" } else { "FAILS" };
        let _ = writeln!(text, "  {verdict}  {}", version.compared);
    }
    for identifier in &report.identifiers {
        let _ = writeln!(text, "  FAILS  the identifier {identifier} is in the release");
    }
    for column in &report.unlisted {
        let _ = writeln!(
            text,
            "  FAILS  the column {column} is in the release, and the policy does not list it"
        );
    }
    text.push_str(&singled_out_told(report.singled_out.as_ref(), "rows"));
    text
}
