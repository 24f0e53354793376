//! Workbooks of Excel since 2007, read cell by cell.

use std::{fs::File, io::BufReader};

use calamine::{Reader, Xlsb, Xlsx, XlsxError, open_workbook};

use super::super::file::FileSource;
use super::super::guard::damaged;
use super::sheet::{Filling, Sheet};
use super::wanted::{FORMAT, wanted};
use crate::Watch;
use crate::error::ReadError;

/// Reads the sheet that a source names, or the first, of a workbook in XML.
pub(super) fn read_xlsx(source: &FileSource, watch: &dyn Watch) -> Result<Sheet, ReadError> {
    let damaged = || damaged(&source.path, FORMAT);
    let mut workbook: Xlsx<BufReader<File>> = open_workbook(&source.path).map_err(|_| damaged())?;
    let name = wanted(source, workbook.sheet_names())?;
    let mut filling = Filling::default();
    let mut cells = match workbook.worksheet_cells_reader(&name) {
        Ok(cells) => cells,
        // A sheet of charts has no cells.
        Err(XlsxError::NotAWorksheet(_)) => return Ok(Sheet::default()),
        Err(_) => return Err(damaged()),
    };
    while let Some(cell) = cells.next_cell().map_err(|_| damaged())? {
        filling.look(source, watch)?;
        filling.fill_one(cell);
    }
    Ok(filling.finish())
}

/// Reads the sheet that a source names, or the first, of a binary workbook.
pub(super) fn read_xlsb(source: &FileSource, watch: &dyn Watch) -> Result<Sheet, ReadError> {
    let damaged = || damaged(&source.path, FORMAT);
    let mut workbook: Xlsb<BufReader<File>> = open_workbook(&source.path).map_err(|_| damaged())?;
    let name = wanted(source, workbook.sheet_names())?;
    let mut filling = Filling::default();
    let mut cells = workbook.worksheet_cells_reader(&name).map_err(|_| damaged())?;
    while let Some(cell) = cells.next_cell().map_err(|_| damaged())? {
        filling.look(source, watch)?;
        filling.fill_one(cell);
    }
    Ok(filling.finish())
}
