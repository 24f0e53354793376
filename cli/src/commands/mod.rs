//! One module per command: its flags, and what it prints.

pub mod audit;
pub mod inspect;
pub mod publish;
pub mod sample;
mod source;
pub mod taxonomy;

use std::io::Write;
use std::path::Path;

use crate::failure::Failure;

/// Writes a file that must not be there yet.
fn write_new(path: &Path, text: &str) -> Result<(), Failure> {
    let written = std::fs::File::create_new(path).and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|reason| Failure::Io { path: path.to_owned(), reason })
}
