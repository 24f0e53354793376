//! `scumble-proof --cases 50000 --seed 7`: as many cases as asked. `--one SEED` leaves one case in a folder, made small.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use scumble_proof::cases;
use scumble_proof::draw::draw;
use scumble_proof::findings::Fault;
use scumble_proof::run::Program;
use scumble_proof::shrink::{keep, shrink};

struct Arguments {
    cases: u64,
    seed: u64,
    one: Option<u64>,
    keep: PathBuf,
}

fn main() -> ExitCode {
    let result = read().and_then(|arguments| {
        let program = Program::find()?;
        match arguments.one {
            Some(seed) => one(&program, seed, &arguments.keep),
            None => many(&program, &arguments),
        }
    });
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

fn read() -> Result<Arguments, String> {
    let mut arguments = Arguments {
        cases: 300,
        seed: 1,
        one: None,
        keep: std::env::temp_dir().join("scumble-proof"),
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next().ok_or_else(|| format!("{word} needs a value"))?;
        let number = || value.parse::<u64>().map_err(|_| format!("{word} needs a number"));
        match &word[..] {
            "--cases" => arguments.cases = number()?,
            "--seed" => arguments.seed = number()?,
            "--one" => arguments.one = Some(number()?),
            "--keep" => arguments.keep = value.into(),
            _ => return Err(format!("unknown {word}; known are --cases, --seed, --one and --keep")),
        }
    }
    Ok(arguments)
}

/// Runs many cases; those that fail are kept, one per rule, made small.
fn many(program: &Program, arguments: &Arguments) -> Result<bool, String> {
    let summary = cases::run(program, arguments.seed, arguments.cases).map_err(|error| error.to_string())?;
    println!("{} cases, {} of them with a release", summary.cases, summary.published);
    for (rule, found) in &summary.faults {
        let seeds: Vec<String> = found.iter().take(8).map(|(seed, _)| seed.to_string()).collect();
        println!("{:6} x {rule} (seeds {})", found.len(), seeds.join(", "));
    }
    for (rule, found) in &summary.faults {
        if let Some((seed, Fault { told, .. })) = found.first() {
            println!("\n{rule}: seed {seed}\n  {told}");
            kept_small(program, *seed, rule, &small_folder(&arguments.keep, rule))?;
        }
    }
    Ok(summary.faults.is_empty())
}

/// Runs one case, and keeps it as it is and, for each rule that it breaks, made small.
fn one(program: &Program, seed: u64, folder: &Path) -> Result<bool, String> {
    let folder = folder.join(seed.to_string());
    let trial = draw(seed);
    let findings = keep(&trial, program, &folder).map_err(|error| error.to_string())?;
    println!("{}", folder.display());
    for Fault { rule, told } in &findings.faults {
        println!("\n{rule}\n  {told}");
        kept_small(program, seed, rule, &small_folder(&folder, rule))?;
    }
    Ok(findings.faults.is_empty())
}

/// The folder of a case that breaks a rule, made small.
fn small_folder(folder: &Path, rule: &str) -> PathBuf {
    folder.join(rule.replace([' ', ','], "-"))
}

fn kept_small(program: &Program, seed: u64, rule: &str, folder: &Path) -> Result<(), String> {
    let (small, _) = shrink(&draw(seed), rule, program).map_err(|error| error.to_string())?;
    keep(&small, program, folder).map_err(|error| error.to_string())?;
    println!("  {}", folder.display());
    Ok(())
}
