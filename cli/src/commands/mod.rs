//! One module per command: its flags, and what it prints.

pub mod attack;
pub mod audit;
mod database;
pub mod evaluate;
pub mod inspect;
pub mod keys;
pub mod ledger;
pub mod party;
pub mod publish;
pub mod sample;
mod source;
pub mod taxonomy;
mod told;

use std::io::Write;
use std::path::Path;

use crate::failure::Failure;

/// Writes a file that must not be there yet.
fn write_new(path: &Path, text: &str) -> Result<(), Failure> {
    let written = std::fs::File::create_new(path).and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|reason| Failure::Io {
        path: path.to_owned(),
        reason,
    })
}

/// Writes a policy whose paths are relative to the current folder, so it must be put there.
fn write_policy(path: &Path, text: &str) -> Result<(), Failure> {
    if path.parent().is_some_and(|parent| parent != Path::new("")) {
        let message = "the paths in a policy are relative to its folder; name a file in the current folder";
        return Err(Failure::Usage(message.to_owned()));
    }
    write_new(path, text)
}
