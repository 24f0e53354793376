//! Reading: from a file of any known format, or record batches in memory, to a table of codes, in one pass over the data.
//!
//! A source is opened as far as its header, the caller says what to keep of each column, and only that is kept.

mod batches;
mod blocks;
#[cfg(feature = "parquet")]
mod blocks_of_arrow;
mod cells;
mod check;
#[cfg(feature = "parquet")]
mod columnar;
#[cfg(feature = "excel")]
mod excel;
mod file;
mod format;
#[cfg(any(feature = "excel", feature = "parquet"))]
mod guard;
mod json_lines;
mod keep;
#[cfg(feature = "parquet")]
mod lengths;
mod limits;
mod open;
mod opened;
#[cfg(feature = "parquet")]
mod pages;
mod parallel;
#[cfg(feature = "parquet")]
mod refusal;
mod separated;
mod texts;
#[cfg(feature = "parquet")]
mod varint;
#[cfg(feature = "excel")]
mod workbook;

pub use batches::BatchSource;
pub use cells::Cells;
pub use file::FileSource;
pub use format::Format;
pub use opened::{Loaded, Opened};

pub(crate) use keep::{Keep, Worker};
pub(crate) use opened::TableFile;
