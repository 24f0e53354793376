//! What every program takes, and how it ends.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;

use crate::Sheet;

/// The result of what a program does; an error is a message for whoever runs it.
pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

#[derive(Parser)]
#[command(about = "Runs an experiment of a paper again; README.md of bench/papers lists them.")]
struct Settings {
    /// The folder of the public tables; usually `shared/data` beside the project.
    #[arg(long, env = "SCUMBLE_DATA")]
    data: Option<PathBuf>,
    /// Write the sheet to bench/papers/results too.
    #[arg(long)]
    keep: bool,
}

/// Runs the experiment of a figure (`figure_4_5`) on the folder of public tables, prints its sheet, and keeps it if
/// asked.
pub fn run(figure: &str, experiment: impl FnOnce(&Path) -> Result<Sheet>) -> ExitCode {
    match try_to_run(figure, experiment) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{figure}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn try_to_run(figure: &str, experiment: impl FnOnce(&Path) -> Result<Sheet>) -> Result<()> {
    let settings = Settings::parse();
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let data = settings.data.unwrap_or_else(|| here.join("../../../shared/data"));
    if !data.is_dir() {
        let data = data.display();
        return Err(format!("there is no folder {data}; name the folder of the public tables with --data").into());
    }
    let sheet = experiment(&data)?.to_string();
    print!("{sheet}");
    if settings.keep {
        std::fs::write(here.join("results").join(figure).with_extension("md"), sheet)?;
    }
    Ok(())
}
