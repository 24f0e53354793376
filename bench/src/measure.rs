//! Running one job in a process of its own and reading what it prints.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde::de::DeserializeOwned;

use crate::Result;
use crate::job::{Copied, Evaluated, Published};

/// Publishes once, on so many threads; on as many as there are cores unless told.
pub fn publish(policy: &Path, threads: Option<usize>) -> Result<Published> {
    let mut command = this_program()?;
    command.arg("one").arg(policy);
    answer(on_threads(&mut command, threads))
}

/// Measures a release once.
pub fn evaluate(policy: &Path, released: &Path) -> Result<Evaluated> {
    answer(this_program()?.arg("evaluate").arg(policy).arg(released))
}

/// Copies once with our own reader and writer.
pub fn copy(from: &Path, folder: &Path) -> Result<Copied> {
    answer(this_program()?.arg("copy").arg(from).arg(folder))
}

/// Copies the tables of a folder once, as they are.
pub fn copy_files(from: &Path, folder: &Path) -> Result<Copied> {
    answer(this_program()?.arg("copy-files").arg(from).arg(folder))
}

/// Lets a program use so many threads; as many as there are cores unless told.
pub fn on_threads(command: &mut Command, threads: Option<usize>) -> &mut Command {
    if let Some(threads) = threads {
        command.env("RAYON_NUM_THREADS", threads.to_string());
    }
    command
}

/// Runs a program and reads the JSON that it prints.
pub fn answer<T: DeserializeOwned>(command: &mut Command) -> Result<T> {
    answer_of(started(command)?)
}

/// Starts a program, to be waited for with [`answer_of`].
pub fn started(command: &mut Command) -> Result<Child> {
    Ok(command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?)
}

/// Waits until a program ends and reads the JSON that it printed.
pub fn answer_of<T: DeserializeOwned>(program: Child) -> Result<T> {
    let output = program.wait_with_output()?;
    if !output.status.success() {
        return Err(format!("a measured job failed ({})", output.status).into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// This program, to be told what to measure.
pub fn this_program() -> Result<Command> {
    Ok(Command::new(std::env::current_exe()?))
}

/// Whether two files hold the same bytes.
pub fn same_bytes(a: &Path, b: &Path) -> Result<bool> {
    let (a, b) = (File::open(a)?, File::open(b)?);
    if a.metadata()?.len() != b.metadata()?.len() {
        return Ok(false);
    }
    let (mut a, mut b) = (BufReader::new(a).bytes(), BufReader::new(b).bytes());
    loop {
        match (a.next().transpose()?, b.next().transpose()?) {
            (None, None) => return Ok(true),
            (a, b) if a != b => return Ok(false),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_the_same_only_to_the_last_byte() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            path
        };
        let original = write("a", "age\n30\n");
        assert!(same_bytes(&original, &write("b", "age\n30\n")).unwrap());
        assert!(!same_bytes(&original, &write("c", "age\n31\n")).unwrap());
        assert!(!same_bytes(&original, &write("d", "age\n30\n\n")).unwrap());
    }
}
