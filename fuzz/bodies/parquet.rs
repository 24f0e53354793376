//! What must hold of the reader of Parquet, whatever the bytes.

#[path = "table.rs"]
mod table;

/// Reads the bytes as a Parquet file.
pub fn run(data: &[u8]) {
    table::read_whole("parquet", data);
}
