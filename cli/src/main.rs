//! The command line: translates flags, calls the library, prints.
//!
//! Results go to standard output, everything else to standard error. This is the one place that prints errors and
//! picks the exit code: 0 done, 1 a requirement does not hold or cannot be met, 2 the input is wrong, 3 the
//! environment failed, 130 interrupted, 70 a bug of ours.

mod answer;
mod commands;
mod failure;
mod progress;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use commands::{attack, audit, evaluate, inspect, keys, ledger, party, publish, sample, taxonomy};
use failure::Failure;
use progress::Progress;

/// Publish tables about people without giving anyone away.
#[derive(Parser)]
#[command(version, about, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,

    /// Print one JSON object instead of text
    #[arg(long, global = true)]
    json: bool,

    /// Show no progress and no warnings
    #[arg(long, short, global = true)]
    quiet: bool,
}

#[derive(Subcommand)]
enum Command {
    /// Publish a table: find a release that meets the requirement, audit it, write it
    Publish(Box<publish::Arguments>),
    /// Look at a table: types, how identifying its columns are, which roles they might have
    Inspect(inspect::Arguments),
    /// Recount every requirement on a released file; exit code 1 if one does not hold
    Audit(audit::Arguments),
    /// Measure what a release lost: information, counts, classification; and its risks
    Evaluate(Box<evaluate::Arguments>),
    /// Attack a released file as an adversary would, and tell how far they get
    Attack(attack::Arguments),
    /// Check a taxonomy, or build one from a column
    #[command(subcommand)]
    Taxonomy(taxonomy::Arguments),
    /// Look into a ledger of earlier releases, or forget one
    #[command(subcommand)]
    Ledger(ledger::Arguments),
    /// Publish one table together with others who hold other columns of it
    Party(Box<party::Arguments>),
    /// Make trial certificates for the parties of an agreement
    Keys(keys::Arguments),
    /// Write an example: data, policy, taxonomies
    Sample(sample::Arguments),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let progress = Progress::new(!cli.quiet && !cli.json);
    let result = match cli.command {
        Command::Publish(arguments) => publish::run(&arguments, &progress),
        Command::Inspect(arguments) => inspect::run(&arguments, &progress),
        Command::Audit(arguments) => audit::run(&arguments, &progress),
        Command::Evaluate(arguments) => evaluate::run(&arguments, &progress),
        Command::Attack(arguments) => attack::run(&arguments, &progress),
        Command::Taxonomy(arguments) => taxonomy::run(&arguments, &progress),
        Command::Ledger(arguments) => ledger::run(&arguments, &progress),
        Command::Party(arguments) => party::run(&arguments, &progress),
        Command::Keys(arguments) => keys::run(&arguments),
        Command::Sample(arguments) => sample::run(&arguments),
    };
    progress.finish();
    match result {
        Ok(answer) => {
            let printed = if cli.json {
                format!("{:#}\n", answer.json)
            } else {
                answer.text
            };
            match print(&printed) {
                Ok(()) if answer.holds => ExitCode::SUCCESS,
                Ok(()) => ExitCode::from(1),
                Err(failure) => report(&failure, cli.json),
            }
        }
        Err(failure) => report(&failure, cli.json),
    }
}

/// Prints an answer. A reader that has seen enough (`| head`) is no failure.
fn print(text: &str) -> Result<(), Failure> {
    use std::io::{ErrorKind, Write};
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure::Io {
            path: "standard output".into(),
            reason: error,
        }),
        _ => Ok(()),
    }
}

fn report(failure: &Failure, json: bool) -> ExitCode {
    if json {
        // Standard output may be what failed; then there is nobody left to tell.
        let _ = print(&format!("{:#}\n", failure.to_json()));
    } else {
        eprint!("{}", failure.shown());
    }
    ExitCode::from(failure.exit_code())
}
