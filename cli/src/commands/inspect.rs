//! `scumble inspect`: look at a table before writing a policy.

use std::path::PathBuf;

use clap::Args;
use scumble::inspect;
use serde_json::json;

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

pub fn run(arguments: &Arguments, progress: &Progress) -> Result<Answer, Failure> {
    let source = arguments.source.source(arguments.data.clone())?;
    let inspection = inspect(&source, progress)?;
    progress.finish();
    let mut answer = Answer {
        text: inspection.to_string(),
        json: json!(inspection),
        holds: true,
    };
    if let Some(path) = &arguments.policy {
        super::write_policy(path, &inspection.policy())?;
        answer.json["policy"] = json!(path);
        answer.text.push_str(&format!(
            "\nWrote {}. Read it, change what is wrong, then: scumble publish {}\n",
            path.display(),
            path.display()
        ));
    }
    Ok(answer)
}
