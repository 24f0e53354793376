//! [`FileSource`]: a file, and what must be known to read it.

use std::fs;
use std::path::{Path, PathBuf};

use super::cells::Cells;
use crate::error::{Origin, ReadError};

/// A file, and what must be known to read it.
#[derive(Clone, Debug)]
pub struct FileSource {
    /// The file; its extension tells the [`Format`](crate::Format).
    pub path: PathBuf,
    /// The names of the columns, for separated text or a sheet without a header.
    pub names: Option<Vec<String>>,
    /// What separates fields of separated text; a tab in `.tsv` and a comma elsewhere unless given.
    pub separator: Option<u8>,
    /// What begins a line of separated text that is a comment.
    pub comment: Option<u8>,
    /// Whether blanks around a value are not part of it; they are not unless this is unset.
    pub trim: bool,
    /// The texts that mean missing, beside the empty one, which always does.
    pub marks: Vec<String>,
    /// The sheet of a workbook; the first unless given.
    pub sheet: Option<String>,
    /// Whether what a spreadsheet would take for a formula was written as text, and is to be read as what it was.
    pub formulas_as_text: bool,
}

impl FileSource {
    /// A file with everything else as it usually is.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        FileSource {
            path: path.into(),
            names: None,
            separator: None,
            comment: None,
            trim: true,
            marks: Vec::new(),
            sheet: None,
            formulas_as_text: false,
        }
    }

    pub(super) fn cells(&self) -> Cells {
        Cells {
            trim: self.trim,
            marks: self.marks.clone(),
            formulas_as_text: self.formulas_as_text,
        }
    }

    pub(crate) fn origin(&self) -> Origin {
        Origin::File(self.path.clone())
    }
}

/// Opens a file, or tells what the system says of it.
#[cfg(any(feature = "excel", feature = "parquet"))]
pub(super) fn open_file(path: &Path) -> Result<fs::File, ReadError> {
    fs::File::open(path).map_err(cannot_be_read(path))
}

/// How many bytes a file has.
pub(super) fn size_of(path: &Path) -> Result<u64, ReadError> {
    let metadata = fs::metadata(path).map_err(cannot_be_read(path))?;
    Ok(metadata.len())
}

/// The word of the system on a file.
pub(super) fn cannot_be_read(path: &Path) -> impl Fn(std::io::Error) -> ReadError {
    move |source| ReadError::Io {
        path: path.into(),
        source,
    }
}
