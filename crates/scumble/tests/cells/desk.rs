//! A folder with data and a policy, published and audited as any edge does it.

use std::fs;
use std::path::Path;

use scumble::{AuditReport, Error, Options, Policy, ReleaseFolder, Unwatched, audit_file, publish};
use tempfile::TempDir;

pub struct Desk {
    folder: TempDir,
}

impl Desk {
    /// A folder with these files.
    pub fn with(files: &[(&str, &str)]) -> Desk {
        let desk = Desk {
            folder: tempfile::tempdir().unwrap(),
        };
        files.iter().for_each(|(name, text)| desk.put(name, text));
        desk
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn put(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.path().join(name), text).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap()
    }

    pub fn policy(&self, text: &str) -> Policy {
        Policy::parse(text, "policy.toml", self.path()).unwrap_or_else(|error| panic!("{error}\n{text}"))
    }

    /// Publishes into `out`, over what may be there.
    pub fn publish(&self, policy: &str) -> Result<ReleaseFolder, Error> {
        let options = Options {
            replace: true,
            ..Options::default()
        };
        publish(&self.policy(policy), &options, &Unwatched)
    }

    pub fn must_publish(&self, policy: &str) -> ReleaseFolder {
        self.publish(policy).unwrap_or_else(|error| panic!("{error}\n{policy}"))
    }

    pub fn audit(&self, policy: &str) -> AuditReport {
        let released = self.path().join("out/released.csv");
        audit_file(&released, &self.policy(policy), None, &Unwatched).unwrap_or_else(|error| panic!("{error}"))
    }

    /// The cells of a column of `out/released.csv`, none of them quoted.
    pub fn released(&self, column: &str) -> Vec<String> {
        let text = self.read("out/released.csv");
        let mut lines = text.lines().map(split);
        let place = lines.next().unwrap().iter().position(|name| name == column).unwrap();
        lines.map(|cells| cells[place].clone()).collect()
    }
}

/// The cells of a line without doubled quotes.
fn split(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut is_quoted = false;
    for sign in line.chars() {
        match sign {
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => cells.push(String::new()),
            other => cells.last_mut().unwrap().push(other),
        }
    }
    cells
}
