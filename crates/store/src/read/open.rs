//! Opening a file: as far as its header, by the reader of its format.

use super::blocks::BLOCK_SIZE;
#[cfg(feature = "parquet")]
use super::columnar::Columnar;
#[cfg(feature = "excel")]
use super::excel::Excel;
use super::file::{FileSource, size_of};
use super::format::{Compression, Format, formats_of};
use super::json_lines::JsonLines;
use super::limits;
use super::opened::{Opened, TableFile};
use super::separated::Separated;
use crate::Watch;
use crate::error::ReadError;

impl FileSource {
    /// Opens the file and reads its header.
    ///
    /// # Errors
    /// A file that is not there or not what its extension says, or a header whose columns cannot be told apart.
    pub fn open(&self, watch: &dyn Watch) -> Result<Opened, ReadError> {
        self.open_in_blocks(BLOCK_SIZE, watch)
    }

    /// [`open`](Self::open), with the size of a block of text as an argument, so that tests can cut anywhere.
    #[cfg_attr(
        not(feature = "excel"),
        expect(unused_variables, reason = "only a workbook takes long to open")
    )]
    pub(super) fn open_in_blocks(&self, block_size: usize, watch: &dyn Watch) -> Result<Opened, ReadError> {
        let bytes = size_of(&self.path)?;
        let (format, compression) = formats_of(&self.path)?;
        let source = self.clone();
        let rows: Box<dyn TableFile + Send> = match format {
            Format::Csv => Box::new(Separated::open(source, b',', block_size)?),
            Format::Tsv => Box::new(Separated::open(source, b'\t', block_size)?),
            Format::JsonLines => Box::new(JsonLines::open(source, block_size)?),
            #[cfg(feature = "parquet")]
            Format::Parquet => Box::new(Columnar::open_parquet(&source)?),
            #[cfg(feature = "parquet")]
            Format::Arrow => Box::new(Columnar::open_arrow(&source)?),
            #[cfg(feature = "excel")]
            Format::Excel => Box::new(Excel::open(source, watch)?),
            #[cfg(not(feature = "parquet"))]
            Format::Parquet => return Err(not_built(&self.path, "Parquet", "parquet")),
            #[cfg(not(feature = "parquet"))]
            Format::Arrow => return Err(not_built(&self.path, "Arrow", "parquet")),
            #[cfg(not(feature = "excel"))]
            Format::Excel => return Err(not_built(&self.path, "workbook", "excel")),
        };
        let most_cells = most_cells(format, compression, bytes);
        Opened::new(rows, self.origin(), self.cells(), most_cells, Some(bytes))
    }
}

/// The refusal of a file that this build does not read.
#[cfg(not(all(feature = "excel", feature = "parquet")))]
fn not_built(path: &std::path::Path, format: &'static str, feature: &'static str) -> ReadError {
    ReadError::NotBuilt {
        path: path.into(),
        format,
        feature,
    }
}

/// How many cells a file may have.
fn most_cells(format: Format, compression: Compression, bytes: u64) -> u64 {
    let allowance = match (format, compression) {
        // Every cell of separated text takes a byte, of the text if not of the file, and those are counted.
        (Format::Csv | Format::Tsv, _) => return u64::MAX,
        (Format::JsonLines, Compression::None) | (Format::Excel, _) => limits::CELLS_IN_ROWS,
        (Format::JsonLines, Compression::Gzip | Compression::Zstd) | (Format::Parquet | Format::Arrow, _) => {
            limits::CELLS_IN_COLUMNS
        }
    };
    allowance.of(bytes)
}
