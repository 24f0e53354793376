//! `scumble sample`: write a shipped example, or a synthetic census of any size.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use scumble_sample::{Example, ExampleFile, census, examples};
use serde::Serialize;

use crate::answer::Answer;
use crate::failure::Failure;

use super::keys::make_trial_keys;

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
    let has = |file: &str| example.files.iter().any(|own| own.name == file);
    match has(AGREEMENT) {
        true => of_parties(&folder),
        false => Ok(of_one(&folder)),
    }
}

/// What an example of several parties has in place of a policy.
const AGREEMENT: &str = "agreement.toml";

/// For how many days the keys of an example are good.
const DAYS: u32 = 30;

fn of_one(folder: &Path) -> Answer {
    let written = OfOne {
        folder: folder.display().to_string(),
        policy: folder.join("policy.toml").display().to_string(),
    };
    let text = format!("Wrote {}. Try: scumble publish {}\n", written.folder, written.policy);
    Answer::done(text, &written)
}

/// Where an example of one publisher was written.
#[derive(Serialize)]
struct OfOne {
    folder: String,
    policy: String,
}

/// Keys are made and not shipped: what everybody has proves nothing.
fn of_parties(folder: &Path) -> Result<Answer, Failure> {
    let (agreement, keys, script) = (folder.join(AGREEMENT), folder.join("keys"), folder.join("run.sh"));
    make_trial_keys(&agreement, &keys, DAYS)?;
    let [folder, agreement, keys, script] = [folder, &agreement, &keys, &script].map(|path| path.display().to_string());
    let text = format!("Wrote {folder}, with trial keys for {DAYS} days. Try: sh {script}\n");
    let written = OfParties {
        folder,
        agreement,
        keys,
        script,
    };
    Ok(Answer::done(text, &written))
}

/// Where an example of several parties was written.
#[derive(Serialize)]
struct OfParties {
    folder: String,
    agreement: String,
    keys: String,
    script: String,
}

/// An example that can be written.
#[derive(Serialize)]
struct Listed {
    name: &'static str,
    description: &'static str,
}

fn listed() -> Answer {
    let text = examples()
        .iter()
        .map(|example| format!("{:10} {}\n", example.name, example.description))
        .collect();
    let listed = examples().iter().map(|example| Listed {
        name: example.name,
        description: example.description,
    });
    Answer::done(text, &listed.collect::<Vec<_>>())
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
        if contents.starts_with("#!") {
            make_executable(&path).map_err(|reason| Failure::Io { path, reason })?;
        }
    }
    Ok(())
}

#[cfg(unix)]
fn make_executable(script: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mut permissions = fs::metadata(script)?.permissions();
    // Whoever may read it may run it.
    permissions.set_mode(permissions.mode() | (permissions.mode() & 0o444) >> 2);
    fs::set_permissions(script, permissions)
}

/// Elsewhere the shell is told to run it.
#[cfg(not(unix))]
fn make_executable(_: &Path) -> io::Result<()> {
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
