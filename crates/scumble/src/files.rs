//! Texts and results as files that are set aside.

use std::io::BufWriter;
use std::path::{Path, PathBuf};

use scumble_store::{Aside, ReleasePart, WriteError};
use serde::{Serialize, Serializer};

use crate::error::Error;

/// The last part of a path, without the folders: they are nobody's business.
pub(crate) fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// For a result: a path as text, whatever its bytes. One that is no Unicode would otherwise be an error after all is done.
pub(crate) fn path_as_text<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&path.display())
}

/// The same of a path that may not be there.
pub(crate) fn path_as_text_if_any<S: Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
    let text = path.as_ref().map(|path| path.display().to_string());
    text.serialize(serializer)
}

pub(crate) fn write_json(aside: &Aside, part: ReleasePart, value: &impl serde::Serialize) -> Result<(), Error> {
    use std::io::Write;
    let mut file = BufWriter::new(aside.file(part)?);
    // Our own types are plain JSON, so that nothing but the file can fail.
    let written = serde_json::to_writer_pretty(&mut file, value).map_err(std::io::Error::from);
    let written = written.and_then(|()| file.write_all(b"\n")).and_then(|()| file.flush());
    Ok(written.map_err(|source| WriteError::Io {
        path: part.path(),
        source,
    })?)
}

pub(crate) fn write_text(aside: &Aside, file: ReleasePart, text: &str) -> Result<(), Error> {
    write_to(aside.file(file)?, &file.path(), text)
}

/// Writes a text to a file that messages call `path`.
pub(crate) fn write_to(mut file: std::fs::File, path: &Path, text: &str) -> Result<(), Error> {
    use std::io::Write;
    let written = file.write_all(text.as_bytes());
    Ok(written.map_err(|source| WriteError::Io {
        path: path.to_owned(),
        source,
    })?)
}
