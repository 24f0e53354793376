//! Tables in and out: file formats, databases, atomic writing, the ledger of earlier releases.

mod database;
mod formula;
mod ledger;
mod owner;
mod read;
mod staging;
mod write;

pub use database::{Connection, ConnectionError, Reference, RowsOf, TableSchema};
pub use ledger::{
    Entries, Entry, Ledger, LedgerColumn, LedgerError, fingerprint_of_file, fingerprint_of_taxonomy, utc_now,
};
pub use owner::create_for_owner;
pub use read::{Cells, ColumnProblem, Fault, Format, Loaded, Place, ReadError, Source, header, read};
pub use scumble_progress::{Unwatched, Watch};
pub use staging::{Aside, CERTIFICATE, ReleasePart};
pub use write::{
    FormulaCells, RowNumbers, WriteError, secrets_beside, write_columns, write_lookup, write_release, write_table,
};
