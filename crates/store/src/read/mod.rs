//! Reading: from a file of any known format, or record batches in memory, to a table of codes, in one pass over the data.
//!
//! A source is opened as far as its header, the caller says what to keep of each column, and only that is kept.

mod batches;
mod blocks;
mod blocks_of_arrow;
mod cells;
mod check;
mod columnar;
mod excel;
mod file;
mod format;
mod guard;
mod json_lines;
mod keep;
mod lengths;
mod limits;
mod open;
mod opened;
mod pages;
mod parallel;
mod reading;
mod refusal;
mod separated;
mod texts;
mod varint;
mod workbook;

pub use batches::BatchSource;
pub use cells::Cells;
pub use file::FileSource;
pub use format::Format;
pub use opened::{Loaded, Opened};
pub use reading::Reading;

pub(crate) use keep::{Keep, Worker};
pub(crate) use opened::TableFile;
