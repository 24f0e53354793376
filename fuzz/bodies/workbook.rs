//! What must hold of the readers of workbooks, whatever the bytes.
//!
//! A mutated archive hardly ever gets past its checksums, so most inputs are the parts of a workbook, and the container
//! around them is made here: a zip archive, or a compound file for the old format.

#[path = "container.rs"]
mod container;
#[path = "table.rs"]
mod table;

use container::{compound, zipped};

/// Reads the bytes as a workbook of the kind that the first byte picks.
pub fn run(data: &[u8]) {
    let (kind, bytes) = data.split_first().map_or((0, data), |(&first, rest)| (first, rest));
    let mut parts = bytes.split(|&byte| byte == 0);
    let first = parts.next().unwrap_or_default();
    match kind % 8 {
        0 => table::read_whole("xlsx", &container::xlsx(first, parts.next(), parts.next())),
        1 => table::read_whole("ods", &container::ods(first)),
        2 => table::read_whole("xlsb", &container::xlsb(bytes)),
        3 => table::read_whole("xls", &compound("Workbook", bytes)),
        4 => table::read_whole("xls", bytes),
        5 => table::read_whole("xlsx", bytes),
        6 => table::read_whole("ods", bytes),
        _ => table::read_whole("xlsx", &zipped(&[("xl/workbook.xml", bytes)])),
    }
}
