//! Tables in and out: file formats, databases, atomic writing, the ledger of earlier releases.

mod database;
mod error;
mod formula;
mod ledger;
mod owner;
mod read;
mod source;
mod staging;
mod write;

pub use database::{Connection, DatabaseSource, RowsOf};
pub use error::{ColumnProblem, ConnectionError, Fault, Origin, Place, ReadError, SelectFault, UrlFault, WhyRefused};
pub use ledger::{
    Entries, Entry, Ledger, LedgerColumn, LedgerError, fingerprint_of_file, fingerprint_of_taxonomy, utc_now,
};
pub use owner::create_for_owner;
pub use read::{BatchSource, Cells, FileSource, Format, Loaded, Opened};
pub use scumble_progress::{Unwatched, Watch};
pub use source::Source;
pub use staging::{Aside, CERTIFICATE, ReleasePart};
pub use write::{
    FormulaCells, ReleaseBatches, RowNumbers, WriteError, columns_batches, lookup_batches, release_batches,
    secrets_beside, table_batches, write_columns, write_lookup, write_release, write_table,
};
