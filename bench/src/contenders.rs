//! The [`Contender`]s: ways to copy the table that a release is compared with.
//!
//! They are timed as they come: without starting Python, and without syncing the copy, which a release and our own copy
//! are charged for.

use std::path::Path;
use std::process::Command;

use scumble_table::ReleaseFormat;
use serde::{Deserialize, Serialize};

use crate::Result;
use crate::job::Copied;
use crate::measure::{self, same_bytes};

/// The copies by tools that Python finds, given to it as text so that the program needs no file beside it.
const SCRIPT: &str = include_str!("copy.py");

/// A way to copy a table.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Contender {
    /// Its name.
    pub name: String,
    /// The version of the tool.
    pub version: String,
    /// Whether it is our own reader and writer.
    #[serde(skip)]
    own: bool,
}

impl Contender {
    /// All that are at hand here, our own first.
    pub fn at_hand() -> Vec<Contender> {
        let own = Contender {
            name: "own reader and writer".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            own: true,
        };
        let others: Vec<Contender> = measure::answer(&mut script()).unwrap_or_default();
        for tool in ["polars", "duckdb"] {
            if !others.iter().any(|contender| contender.name.starts_with(tool)) {
                eprintln!("note: {tool} is not at hand and not compared with; `pip install {tool}` adds it");
            }
        }
        [own].into_iter().chain(others).collect()
    }

    /// Copies once, into a folder that does not exist; tells what it took, and whether the copy has the same bytes.
    pub fn copy(&self, from: &Path, folder: &Path) -> Result<(Copied, bool)> {
        let to = folder.join(ReleaseFormat::Csv.file_name());
        let copied = if self.own {
            measure::copy(from, folder)?
        } else {
            std::fs::create_dir(folder)?;
            measure::answer(script().arg(&self.name).arg(from).arg(&to))?
        };
        let same = same_bytes(from, &to)?;
        // Gone before it is on disk, so that nobody later waits for it.
        std::fs::remove_dir_all(folder)?;
        Ok((copied, same))
    }
}

fn script() -> Command {
    let mut python = Command::new("python3");
    python.arg("-c").arg(SCRIPT);
    python
}
