//! `scumble sample`: write a shipped example, or a synthetic census of any size.

use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use scumble_sample::{Example, ExampleFile, census, examples};
use serde_json::json;

use crate::Answer;
use crate::failure::Failure;

#[derive(Args)]
pub struct Arguments {
    /// Which example; without one, they are listed
    name: Option<String>,

    /// Where to write it [default: a folder of that name]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,

    /// For census: how many rows to make instead of the shipped ones
    #[arg(long)]
    rows: Option<usize>,

    /// For census: what fixes the random rows
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub fn run(arguments: &Arguments) -> Result<Answer, Failure> {
    let Some(name) = &arguments.name else {
        return Ok(listed());
    };
    let example = examples().iter().find(|example| example.name == name).ok_or_else(|| {
        let names: Vec<&str> = examples().iter().map(|example| example.name).collect();
        Failure::Usage(format!("there is no sample `{name}`; there are: {}", names.join(", ")))
    })?;
    if arguments.rows.is_some() && example.name != "census" {
        return Err(Failure::Usage("--rows goes with the sample census".to_owned()));
    }
    let folder = arguments.out.clone().unwrap_or_else(|| PathBuf::from(example.name));
    write(example, &folder, arguments)?;
    let policy = folder.join("policy.toml");
    let text = format!(
        "Wrote {}. Try: scumble publish {}\n",
        folder.display(),
        policy.display()
    );
    Ok(Answer {
        text,
        json: json!({"folder": folder, "policy": policy}),
        holds: true,
    })
}

fn listed() -> Answer {
    let text = examples()
        .iter()
        .map(|example| format!("{:10} {}\n", example.name, example.description))
        .collect();
    let json = examples()
        .iter()
        .map(|example| json!({"name": example.name, "description": example.description}))
        .collect();
    Answer {
        text,
        json,
        holds: true,
    }
}

fn write(example: &Example, folder: &Path, arguments: &Arguments) -> Result<(), Failure> {
    for ExampleFile { name, contents } in example.files {
        let path = folder.join(name);
        let within = path.parent().unwrap_or(folder);
        fs::create_dir_all(within).map_err(|reason| Failure::Io {
            path: within.to_owned(),
            reason,
        })?;
        match arguments.rows {
            Some(rows) if name.ends_with("census.csv") => write_census(&path, rows, arguments.seed)?,
            _ => super::write_new(&path, contents)?,
        }
    }
    Ok(())
}

fn write_census(path: &PathBuf, rows: usize, seed: u64) -> Result<(), Failure> {
    let failed = |reason| Failure::Io {
        path: path.clone(),
        reason,
    };
    let file = fs::File::create_new(path).map_err(failed)?;
    let mut out = BufWriter::new(file);
    census(rows, seed, &mut out).and_then(|()| out.flush()).map_err(failed)
}
