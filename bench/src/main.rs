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
mod markdown;
mod mashup;
mod measure;
mod requirements;
mod run;
mod stats;
mod summary;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand, ValueEnum};
use serde::Serialize;

/// A result whose error is only ever shown.
type Result<T> = std::result::Result<T, Box<dyn Error>>;

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

/// What to measure.
#[derive(Args, Clone, Debug, Serialize)]
struct Settings {
    /// Which requirements
    #[arg(long, value_enum, default_value_t = Study::Anonymity)]
    study: Study,

    /// Sizes of the table, in rows [default: 45222,200000,1000000; of `local`: 10000,100000,295243,1000000; of
    /// `entities`, in students: 1000,10000,100000]
    #[arg(long, value_delimiter = ',')]
    rows: Vec<usize>,

    /// How often each job is measured
    #[arg(long, default_value_t = 3, value_parser = at_least_one)]
    repeats: usize,

    /// How many random requirements are averaged
    #[arg(long, default_value_t = 5, value_parser = at_least_one)]
    requirements: usize,

    /// Also measure what `evaluate` takes
    #[arg(long)]
    evaluate: bool,

    /// Fixes the enlarged table and the random requirements
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Where to find `adult/`, `census/` and `taxonomies/` [default: `../shared/data` beside the workspace; if it is
    /// not there, the synthetic census is enlarged]
    #[arg(long, value_name = "FOLDER")]
    #[serde(skip)]
    data_dir: Option<PathBuf>,

    /// Keep this run as `bench/runs/NAME/`
    #[arg(long, value_name = "NAME")]
    #[serde(skip)]
    keep: Option<String>,
}

/// A set of requirements, each on the table that the thesis measures it on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
enum Study {
    /// Anonymity on 14 columns, by all operations (Fung 2007, section 4.4.3)
    Anonymity,
    /// Confidence about marital status on the other 7 columns of words, by suppression, beside anonymity on the same
    /// (section 5.4.2)
    Secrets,
    /// Anonymity on the join with an earlier release of other columns of the same people (section 6.4.1, Set A)
    Sequential,
    /// Confidence about marital status on that join (section 6.4.2, Set A)
    SequentialSecrets,
    /// Two parties with 9 and 5 of the 14 columns publish together, beside one who has them all (section 7.4)
    Mashup,
    /// Methods of local recoding beside Mondrian (Loukides 2008, section 6.6), and what they lose on Adult
    Local,
    /// Students with their courses and books in three tables, beside a plain copy (Nergiz and Clifton 2008, section V)
    Entities,
}

impl Study {
    /// The sizes that are measured unless others are asked for.
    fn usual_rows(self) -> Vec<usize> {
        match self {
            // The third is the census as it is.
            Study::Local => vec![10_000, 100_000, 295_243, 1_000_000],
            Study::Entities => vec![1_000, 10_000, 100_000],
            _ => vec![45_222, 200_000, 1_000_000],
        }
    }
}

fn at_least_one(text: &str) -> std::result::Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("must be at least 1".to_owned()),
        Ok(count) => Ok(count),
        Err(error) => Err(format!("{error}")),
    }
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

/// The root of the workspace.
fn workspace() -> &'static Path {
    let bench = Path::new(env!("CARGO_MANIFEST_DIR"));
    bench.parent().unwrap_or(bench)
}
