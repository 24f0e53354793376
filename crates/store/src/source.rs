//! [`Source`]: where the rows of a table are, whatever that is.
//!
//! Every source is opened as far as its header and then read, and becomes the same table if it holds the same cells:
//!
//! | source | cells | order of rows |
//! |---|---|---|
//! | a file | text, or typed columns as text | that of the file |
//! | a table or query of a database | as text | that of the key, else of all columns |
//! | record batches in memory | typed columns as text | that of the batches |

use crate::Watch;
use crate::database::DatabaseSource;
use crate::error::{Origin, ReadError};
use crate::read::{BatchSource, FileSource, Opened};
use scumble_table::TableSchema;

/// Where the rows of a table are, and what must be known to read them.
#[derive(Clone, Debug)]
pub enum Source {
    /// A file.
    File(FileSource),
    /// Rows of a database.
    Database(DatabaseSource),
    /// Record batches in memory.
    Batches(BatchSource),
}

impl Source {
    /// Opens it and reads its header.
    ///
    /// # Errors
    /// What cannot be opened, or columns that cannot be told apart.
    pub fn open(&self, watch: &dyn Watch) -> Result<Opened, ReadError> {
        match self {
            Source::File(file) => file.open(watch),
            Source::Database(rows) => rows.open(watch),
            Source::Batches(batches) => batches.open(watch),
        }
    }

    /// What messages call it.
    pub fn origin(&self) -> Origin {
        match self {
            Source::File(file) => file.origin(),
            Source::Database(rows) => rows.rows.origin(),
            Source::Batches(_) => Origin::Batches,
        }
    }

    /// What a database says of its table, keys and all; nothing of any other source.
    ///
    /// # Errors
    /// A database that does not open.
    pub fn describe(&self) -> Result<Option<TableSchema>, ReadError> {
        match self {
            Source::Database(rows) => rows.describe(),
            Source::File(_) | Source::Batches(_) => Ok(None),
        }
    }
}

impl From<FileSource> for Source {
    fn from(file: FileSource) -> Self {
        Source::File(file)
    }
}

impl From<DatabaseSource> for Source {
    fn from(rows: DatabaseSource) -> Self {
        Source::Database(rows)
    }
}

impl From<BatchSource> for Source {
    fn from(batches: BatchSource) -> Self {
        Source::Batches(batches)
    }
}
