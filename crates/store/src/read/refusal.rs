//! [`Refusal`]: why a file of columns is not read, before its name is put to it.

use std::io;

use crate::error::ReadError;

/// Why a file is not read.
pub(super) enum Refusal {
    Damaged,
    TooLarge(ReadError),
}

impl From<ReadError> for Refusal {
    fn from(error: ReadError) -> Self {
        Refusal::TooLarge(error)
    }
}

impl From<io::Error> for Refusal {
    fn from(_: io::Error) -> Self {
        Refusal::Damaged
    }
}

impl From<parquet::errors::ParquetError> for Refusal {
    fn from(_: parquet::errors::ParquetError) -> Self {
        Refusal::Damaged
    }
}
