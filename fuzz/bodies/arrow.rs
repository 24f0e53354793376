//! What must hold of the reader of Arrow, whatever the bytes.

#[path = "table.rs"]
mod table;

/// Reads the bytes as an Arrow file.
pub fn run(data: &[u8]) {
    table::read_whole("arrow", data);
}
