//! `scumble ledger`: look into a ledger of earlier releases, or forget one of them.

use std::fmt::Write;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use scumble::results::{FileState, ListedRelease, Remembered};
use scumble::{forget_release, remembered_release, remembered_releases};

use crate::answer::Answer;
use crate::failure::Failure;
use crate::progress::Progress;

#[derive(Subcommand)]
pub enum Arguments {
    /// List the releases
    List {
        #[command(flatten)]
        ledger: LedgerFlag,
    },
    /// Show all that the ledger has of a release
    Show {
        /// Its name
        name: String,
        #[command(flatten)]
        ledger: LedgerFlag,
    },
    /// Forget a release that was never given away: it is no longer taken into account
    Forget {
        /// Its name
        name: String,
        #[command(flatten)]
        ledger: LedgerFlag,
    },
}

#[derive(Args)]
pub struct LedgerFlag {
    /// The folder of the ledger
    #[arg(long = "ledger", value_name = "DIR")]
    folder: PathBuf,
}

pub fn run(arguments: &Arguments, progress: &Progress) -> Result<Answer, Failure> {
    match arguments {
        Arguments::List { ledger } => {
            let releases = remembered_releases(&ledger.folder)?;
            Ok(Answer::done(table(&releases.releases), &releases))
        }
        Arguments::Show { name, ledger } => {
            let release = remembered_release(&ledger.folder, name)?;
            Ok(Answer::done(told(&release), &release))
        }
        Arguments::Forget { name, ledger } => {
            let forgotten = forget_release(&ledger.folder, name, progress)?;
            let text = format!(
                "Forgot {name}. Releases to come are no longer checked against it. That does not take it back: whoever \
                 has a copy of {} still has it.\n",
                forgotten.forgotten.file.display()
            );
            Ok(Answer::done(text, &forgotten))
        }
    }
}

/// One line per release, the columns as wide as their widest cell.
fn table(releases: &[ListedRelease]) -> String {
    if releases.is_empty() {
        return "The ledger has no release.\n".to_owned();
    }
    let header = ["name", "population", "published at", "rows", "columns", "file"].map(str::to_owned);
    let line = |release: &ListedRelease| {
        [
            release.name.clone(),
            release.population.clone(),
            release.published_at.clone(),
            rows(release.rows),
            release.columns.to_string(),
            word(release.file_is).to_owned(),
        ]
    };
    let lines: Vec<[String; 6]> = std::iter::once(header).chain(releases.iter().map(line)).collect();
    let width = |place: usize| lines.iter().map(|line| line[place].chars().count()).max().unwrap_or(0);
    let widths: [usize; 6] = std::array::from_fn(width);
    let mut text = String::new();
    for line in &lines {
        let padded = line.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
        let _ = writeln!(text, "{}", padded.collect::<Vec<_>>().join("  ").trim_end());
    }
    text
}

fn told(release: &Remembered) -> String {
    let entry = &release.entry;
    let mut text = format!(
        "{}, about {}\n  published at {}, {} rows\n  file {}: {}\n  fingerprint {}\n  columns\n",
        entry.name,
        entry.population,
        entry.published_at,
        rows(release.rows),
        entry.file.display(),
        word(release.file_is),
        entry.fingerprint,
    );
    for column in &entry.columns {
        let tree = column.taxonomy.as_ref().map(|tree| format!(", taxonomy {tree}"));
        let _ = writeln!(text, "    {}: {}{}", column.name, column.role, tree.unwrap_or_default());
    }
    let _ = writeln!(text, "  certificate\n{:#}", entry.certificate);
    text
}

fn rows(rows: Option<u64>) -> String {
    rows.map_or_else(|| "unknown".to_owned(), |rows| rows.to_string())
}

fn word(state: FileState) -> &'static str {
    match state {
        FileState::There => "there",
        FileState::Gone => "gone",
        FileState::Changed => "changed",
        FileState::Unreadable => "unreadable",
    }
}
