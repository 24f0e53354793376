//! How long a release takes, beside the time in which the fastest tool at hand copies the same file.
//!
//! Invariant: whatever is measured runs in a process of its own, so its time and its peak memory are those of one job. It
//! runs alone, but for the two parties of a mashup. Input is built outside the clock. What is compared takes turns, so a slow
//! minute slows all of it alike.

mod census;
mod contenders;
mod enlarge;
mod entities;
mod facts;
mod job;
mod keep;
mod local;
mod looks;
mod markdown;
mod mashup;
mod measure;
mod requirements;
mod result;
mod run;
mod settings;
mod stats;
mod summary;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use serde::Serialize;

use result::Result;
use settings::{Settings, Study, workspace};

/// Measure releases of an enlarged census, beside plain copies of the same file.
#[derive(Parser)]
#[command(version, about, args_conflicts_with_subcommands = true, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    job: Option<Job>,

    #[command(flatten)]
    settings: Settings,
}

/// What is measured; the bench starts itself so, once for each measurement.
#[derive(Subcommand)]
enum Job {
    /// Publish once and print the time of each part
    #[command(hide = true)]
    One { policy: PathBuf },
    /// Measure a release against its data once
    #[command(hide = true)]
    Evaluate { policy: PathBuf, released: PathBuf },
    /// Copy a table once, with our own reader and writer, to a new folder
    #[command(hide = true)]
    Copy { from: PathBuf, folder: PathBuf },
    /// Copy the tables of a database once, as they are, to a new folder
    #[command(hide = true)]
    CopyFiles { from: PathBuf, folder: PathBuf },
    /// Take part once in the mashup of a folder
    #[command(hide = true)]
    Party { folder: PathBuf, name: String },
    /// Gather the rows of a table once, as a task in JSON says
    #[command(hide = true)]
    Gather { task: String },
}

fn main() -> ExitCode {
    let Cli { job, settings } = Cli::parse();
    let done = match job {
        Some(Job::One { policy }) => job::publish_once(&policy).and_then(|published| print_json(&published)),
        Some(Job::Evaluate { policy, released }) => {
            job::evaluate_once(&policy, &released).and_then(|evaluated| print_json(&evaluated))
        }
        Some(Job::Copy { from, folder }) => job::copy_once(&from, &folder).and_then(|copied| print_json(&copied)),
        Some(Job::CopyFiles { from, folder }) => {
            entities::copy_files_once(&from, &folder).and_then(|copied| print_json(&copied))
        }
        Some(Job::Party { folder, name }) => {
            mashup::take_part_once(&folder, &name).and_then(|took_part| print_json(&took_part))
        }
        Some(Job::Gather { task }) => local::gather_once(&task).and_then(|gathered| print_json(&gathered)),
        None => bench(settings),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn bench(mut settings: Settings) -> Result<()> {
    if settings.rows.is_empty() {
        settings.rows = settings.study.usual_rows();
    }
    let settings = &settings;
    // First of all, so that nobody waits for a run that cannot be kept.
    let kept = settings.keep.as_deref().map(keep::folder).transpose()?;
    match settings.study {
        Study::Mashup => tell(&mashup::run(settings)?, mashup::summary, kept),
        Study::Local => tell(&local::run(settings)?, local::summary, kept),
        Study::Entities => tell(&entities::run(settings)?, entities::summary, kept),
        Study::Looks => tell(&looks::run(settings)?, looks::summary, kept),
        _ => tell(&run::run(settings)?, summary::summary, kept),
    }
}

/// Prints the summary of a run, and keeps both if that was asked for.
fn tell<R: Serialize>(run: &R, summary: fn(&R) -> String, kept: Option<PathBuf>) -> Result<()> {
    let summary = summary(run);
    println!("{summary}");
    kept.map_or(Ok(()), |folder| keep::keep(&folder, run, &summary))
}

fn print_json(value: &impl Serialize) -> Result<()> {
    println!("{}", serde_json::to_string(value)?);
    Ok(())
}
