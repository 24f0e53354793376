//! Files in and out: table formats, atomic writing, the ledger of earlier releases.

mod aside;
mod ledger;
mod read;
mod watch;
mod write;

pub use aside::{Aside, CERTIFICATE};
pub use ledger::{
    Entries, Entry, Ledger, LedgerColumn, LedgerError, fingerprint_of_file, fingerprint_of_taxonomy, utc_now,
};
pub use read::{ColumnProblem, Fault, Format, Loaded, Place, ReadError, Reading, Source, header, read};
pub use watch::{Unwatched, Watch};
pub use write::{ReleaseFormat, RowOrder, WriteError, secrets_beside, write_columns, write_release};
