//! The program, run as a user runs it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The program.
#[derive(Clone, Debug)]
pub struct Program(PathBuf);

/// What a run came to.
#[derive(Clone, Debug)]
pub struct Ran {
    /// The exit code; `None` if a signal ended it.
    pub code: Option<i32>,
    /// What it printed, in both places.
    pub said: String,
    /// Standard output alone.
    pub answer: String,
}

impl Program {
    /// `SCUMBLE_BIN`, or the program that is built as this one is, and built now if it is not or its sources have changed.
    ///
    /// # Errors
    /// A program that is not there and cannot be built.
    pub fn find() -> Result<Program, String> {
        if let Some(path) = std::env::var_os("SCUMBLE_BIN") {
            return Ok(Program(path.into()));
        }
        let own = std::env::current_exe().map_err(|error| error.to_string())?;
        // Tests are one folder deeper than programs.
        let is_profile = |folder: &&Path| {
            folder
                .file_name()
                .is_some_and(|name| name != "deps" && name != "examples")
        };
        let folder = own
            .ancestors()
            .skip(1)
            .find(is_profile)
            .ok_or("this program is in no folder")?;
        let program = folder.join(format!("scumble{}", std::env::consts::EXE_SUFFIX));
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        if !is_newer(&program, &workspace) {
            build(folder, &workspace)?;
        }
        if program.is_file() {
            Ok(Program(program))
        } else {
            Err(format!(
                "there is no {}; name the program in SCUMBLE_BIN",
                program.display()
            ))
        }
    }

    /// Runs a command in a folder.
    pub fn run(&self, folder: &Path, arguments: &[&str]) -> Ran {
        let output = Command::new(&self.0)
            .args(arguments)
            .current_dir(folder)
            .stdin(Stdio::null())
            .env("RAYON_NUM_THREADS", "1")
            .output();
        match output {
            Ok(Output { status, stdout, stderr }) => {
                let answer = String::from_utf8_lossy(&stdout).into_owned();
                Ran {
                    code: status.code(),
                    said: format!("{answer}{}", String::from_utf8_lossy(&stderr)),
                    answer,
                }
            }
            Err(error) => Ran {
                code: None,
                said: error.to_string(),
                answer: String::new(),
            },
        }
    }
}

/// Whether the program is there and was built after its sources were changed. To ask cargo would be surer, but that waits for
/// whatever else is being built.
fn is_newer(program: &Path, workspace: &Path) -> bool {
    let Ok(built) = fs::metadata(program).and_then(|program| program.modified()) else {
        return false;
    };
    let crates = fs::read_dir(workspace.join("crates")).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = crates.map(|entry| entry.path().join("src")).collect();
    folders.push(workspace.join("cli/src"));
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let Ok(metadata) = entry.metadata() else { continue };
            if metadata.is_dir() {
                folders.push(entry.path());
            } else if metadata.modified().is_ok_and(|changed| changed > built) {
                return false;
            }
        }
    }
    true
}

/// Builds the program as this one was built: with the features that its dependencies have in the whole workspace, because others
/// would have to be built first. Without cargo, what is there is taken.
fn build(folder: &Path, workspace: &Path) -> Result<(), String> {
    let (Some(cargo), Some(target)) = (std::env::var_os("CARGO"), folder.parent()) else {
        return Ok(());
    };
    let mut command = Command::new(cargo);
    command
        .args(["build", "--quiet", "--locked", "--workspace", "--bin", "scumble"])
        .arg("--target-dir")
        .arg(target);
    if folder.file_name().is_some_and(|name| name == "release") {
        command.arg("--release");
    }
    let status = command
        .current_dir(workspace)
        .status()
        .map_err(|error| error.to_string())?;
    if status.success() {
        Ok(())
    } else {
        Err("the program does not build".to_owned())
    }
}
