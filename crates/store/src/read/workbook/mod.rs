//! Sheets of workbooks, of every kind that is read.

mod legacy;
mod office;
mod open_document;
mod sheet;
mod wanted;
mod zipped;

use super::file::{FileSource, open_file, size_of};
use super::guard::guarded;
use super::limits::UNPACKED_WORKBOOK;
use crate::Watch;
use crate::error::ReadError;

pub(super) use sheet::{Sheet, SheetRow, Shown};
use wanted::FORMAT;

/// Reads the sheet that a source names, or the first.
pub(super) fn read_sheet(source: &FileSource, watch: &dyn Watch) -> Result<Sheet, ReadError> {
    let path = &source.path;
    // Opened once for the system's word on it: the workbook readers mix that with their own failures.
    open_file(path)?;
    let most_unpacked = UNPACKED_WORKBOOK.of(size_of(path)?);
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    if extension != "xls" {
        guarded(path, FORMAT, || zipped::check(path, most_unpacked))?;
    }
    guarded(path, FORMAT, || match extension.as_str() {
        "xls" => legacy::read(source),
        "xlsb" => office::read_xlsb(source, watch),
        "ods" => open_document::read(source, most_unpacked, watch),
        _ => office::read_xlsx(source, watch),
    })
}
