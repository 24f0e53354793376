//! `scumble keys`: trial certificates for the parties of an agreement.

use std::path::{Path, PathBuf};

use clap::Args;
use scumble::{make_keys, read_agreement};
use serde::Serialize;

use crate::answer::Answer;
use crate::failure::Failure;

#[derive(Args)]
pub struct Arguments {
    /// The agreement, for whose parties keys are made
    agreement: PathBuf,

    /// Where to write them [default: a folder keys beside the agreement]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,

    /// For how many days they are good
    #[arg(long, default_value_t = 30)]
    days: u32,
}

pub fn run(arguments: &Arguments) -> Result<Answer, Failure> {
    let beside = arguments.agreement.with_file_name("keys");
    let folder = arguments.out.clone().unwrap_or(beside);
    let TrialKeys { names, files } = make_trial_keys(&arguments.agreement, &folder, arguments.days)?;
    let text = format!(
        "Wrote keys for {} to {}, good for {} days. They are for trials: whoever has ca.key can pass for any party.\n",
        names.join(", "),
        folder.display(),
        arguments.days
    );
    let written = WrittenKeys {
        folder: folder.display().to_string(),
        files: files.iter().map(|file| file.display().to_string()).collect(),
    };
    Ok(Answer::done(text, &written))
}

/// Where keys were written.
#[derive(Serialize)]
struct WrittenKeys {
    folder: String,
    files: Vec<String>,
}

/// For whom keys were made, and the files.
pub struct TrialKeys {
    names: Vec<String>,
    files: Vec<PathBuf>,
}

/// Makes keys for all parties of an agreement.
pub fn make_trial_keys(agreement: &Path, folder: &Path, days: u32) -> Result<TrialKeys, Failure> {
    let agreement = read_agreement(agreement)?;
    let names: Vec<String> = agreement.parties.into_iter().map(|party| party.name).collect();
    let files = make_keys(folder, &names, days)?;
    Ok(TrialKeys { names, files })
}
