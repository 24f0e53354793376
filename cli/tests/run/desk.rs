//! The program, run as a user runs it: a folder, a command, what it prints.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

/// A folder to work in.
pub struct Desk {
    folder: TempDir,
}

/// What a command printed, and how it ended.
#[derive(Debug)]
pub struct Ended {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Desk {
    /// A folder with these files.
    pub fn with(files: &[(&str, &str)]) -> Desk {
        let desk = Desk {
            folder: tempfile::tempdir().unwrap(),
        };
        files.iter().for_each(|(name, text)| desk.put(name, text.as_bytes()));
        desk
    }

    /// A folder with the patients of the shipped example.
    pub fn patients() -> Desk {
        Desk::sample("patients")
    }

    /// A folder with a shipped example.
    pub fn sample(name: &str) -> Desk {
        let desk = Desk::with(&[]);
        desk.must(&["sample", name, "--out", "."]);
        desk
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn put(&self, name: &str, bytes: &[u8]) {
        fs::write(self.path().join(name), bytes).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap()
    }

    pub fn json(&self, name: &str) -> serde_json::Value {
        serde_json::from_str(&self.read(name)).unwrap()
    }

    pub fn has(&self, name: &str) -> bool {
        self.path().join(name).exists()
    }

    /// Everything in the folder, hidden files too.
    pub fn list(&self) -> Vec<String> {
        let names = fs::read_dir(self.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    /// The program in this folder, ready to run.
    pub fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_scumble"));
        command.current_dir(self.path());
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Ended {
        Ended::of(self.command().args(arguments).output().unwrap())
    }

    /// Runs a command that must succeed.
    #[track_caller]
    pub fn must(&self, arguments: &[&str]) -> Ended {
        let ended = self.run(arguments);
        assert_eq!(ended.code, Some(0), "{arguments:?}: {ended:?}");
        ended
    }
}

impl Ended {
    pub fn of(output: Output) -> Ended {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Ended {
            code: output.status.code(),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }
}
