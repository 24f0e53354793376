//! `scumble inspect`: look at a table before writing a policy.

use std::path::PathBuf;

use clap::Args;
use scumble::{Inspection, inspect};
use serde::Serialize;

use super::source::SourceFlags;
use crate::answer::Answer;
use crate::failure::Failure;
use crate::progress::Progress;

#[derive(Args)]
pub struct Arguments {
    /// The table
    data: PathBuf,

    /// Write a commented first policy [default file: policy.toml]
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "policy.toml")]
    policy: Option<PathBuf>,

    #[command(flatten)]
    source: SourceFlags,
}

/// What was found, and where a first policy was written.
#[derive(Serialize)]
struct Inspected {
    #[serde(flatten)]
    inspection: Inspection,
    #[serde(skip_serializing_if = "Option::is_none")]
    policy: Option<String>,
}

pub fn run(arguments: &Arguments, progress: &Progress) -> Result<Answer, Failure> {
    let source = arguments.source.source(arguments.data.clone())?;
    let inspection = inspect(&source, progress)?;
    progress.finish();
    let mut text = inspection.to_string();
    let policy = arguments.policy.as_ref().map(|path| path.display().to_string());
    if let (Some(path), Some(policy)) = (&arguments.policy, &policy) {
        super::write_policy(path, &inspection.policy())?;
        text.push_str(&format!(
            "\nWrote {policy}. Read it, change what is wrong, then: scumble publish {policy}\n"
        ));
    }
    Ok(Answer::done(text, &Inspected { inspection, policy }))
}
