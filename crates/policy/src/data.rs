//! Where the data is, and how to read it.

use std::path::PathBuf;

use toml::Spanned;

/// Where the data is and how to read it.
#[derive(Clone, Debug, PartialEq)]
pub struct Data {
    /// The file.
    pub file: Spanned<PathBuf>,
    /// What becomes of missing values.
    pub missing: Missing,
    /// The texts that mean "missing", beside the empty one.
    pub missing_marks: Vec<String>,
    /// The column names, if the file has no header.
    pub names: Option<Vec<String>>,
    /// What stands between cells, if not what the format says.
    pub separator: Option<u8>,
    /// What a line begins with that is not data.
    pub comment: Option<u8>,
    /// Whether spaces around a cell are no part of it.
    pub trim: bool,
    /// The sheet of a workbook, if not the first.
    pub sheet: Option<String>,
    /// Whom the table is about, in a ledger of several populations.
    pub population: Option<String>,
}

impl Data {
    /// A file that is read as usual.
    pub fn of_file(file: impl Into<PathBuf>) -> Data {
        Data {
            file: Spanned::new(0..0, file.into()),
            missing: Missing::Value,
            missing_marks: Vec::new(),
            names: None,
            separator: None,
            comment: None,
            trim: true,
            sheet: None,
            population: None,
        }
    }
}

/// What becomes of missing values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// Missing is a value of its own.
    Value,
    /// A row with a missing value is left out.
    Drop,
}
