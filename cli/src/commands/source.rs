//! The flags that say how to read a table.

use std::path::PathBuf;

use clap::Args;
use scumble::FileSource;

use crate::failure::Failure;

/// How to read a table that is not plain CSV with a header.
#[derive(Args)]
pub struct SourceFlags {
    /// Column names, for a file without a header
    #[arg(long, value_delimiter = ',')]
    names: Option<Vec<String>>,

    /// What stands between cells: one character, or `tab`
    #[arg(long)]
    separator: Option<String>,

    /// What a line begins with that is not data
    #[arg(long)]
    comment: Option<char>,

    /// Texts that mean a missing value, beside the empty cell
    #[arg(long, value_delimiter = ',')]
    missing: Vec<String>,

    /// The sheet of a workbook, if not the first
    #[arg(long)]
    sheet: Option<String>,
}

impl SourceFlags {
    pub fn source(&self, path: PathBuf) -> Result<FileSource, Failure> {
        let mut source = FileSource::new(path);
        source.names = self.names.clone();
        source.separator = self
            .separator
            .as_deref()
            .map(|text| byte("--separator", text))
            .transpose()?;
        source.comment = self
            .comment
            .map(|sign| byte("--comment", &sign.to_string()))
            .transpose()?;
        source.marks.extend(self.missing.iter().cloned());
        source.sheet = self.sheet.clone();
        Ok(source)
    }
}

fn byte(flag: &str, text: &str) -> Result<u8, Failure> {
    match text.as_bytes() {
        b"tab" => Ok(b'\t'),
        [byte] => Ok(*byte),
        _ => Err(Failure::Usage(format!("{flag} takes one ASCII character"))),
    }
}

/// A column and the file that goes with it.
pub(super) fn column_and_file(text: &str) -> Result<(String, PathBuf), String> {
    let (column, file) = text.split_once('=').ok_or("expected COLUMN=FILE")?;
    Ok((column.to_owned(), file.into()))
}
