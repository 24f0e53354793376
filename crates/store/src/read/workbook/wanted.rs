//! Which sheet of a workbook is read: the one that a source names, or the first.

use super::super::file::FileSource;
use crate::error::ReadError;

/// The format in messages.
pub(super) const FORMAT: &str = "workbook";

/// The sheet that a source names among these, or the first.
pub(super) fn wanted(source: &FileSource, known: Vec<String>) -> Result<String, ReadError> {
    let wanted = match &source.sheet {
        Some(sheet) => known.iter().find(|known| *known == sheet),
        None => known.first(),
    };
    match wanted {
        Some(wanted) => Ok(wanted.clone()),
        None => Err(ReadError::UnknownSheet {
            path: source.path.clone(),
            known,
        }),
    }
}
