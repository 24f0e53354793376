//! How a release is written: in which format, and its rows in which order.

/// The order in which the rows of a release are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowOrder {
    /// By the released values, column by column: an order that tells nothing.
    Sorted,
    /// As in the input, which may itself tell who is who; for experiments.
    Input,
}

/// The file format of a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReleaseFormat {
    /// Text, one line per row.
    Csv,
    /// Columns, compressed.
    Parquet,
}

impl ReleaseFormat {
    /// Every format.
    pub const ALL: [ReleaseFormat; 2] = [ReleaseFormat::Csv, ReleaseFormat::Parquet];

    /// What the name of a file in this format ends with.
    pub fn extension(self) -> &'static str {
        match self {
            ReleaseFormat::Csv => "csv",
            ReleaseFormat::Parquet => "parquet",
        }
    }

    /// The name of the released file in this format.
    pub fn file_name(self) -> &'static str {
        match self {
            ReleaseFormat::Csv => "released.csv",
            ReleaseFormat::Parquet => "released.parquet",
        }
    }

    /// The name of the file beside it that holds the sensitive columns, where they are published apart.
    pub fn secrets_file_name(self) -> &'static str {
        match self {
            ReleaseFormat::Csv => "released-secrets.csv",
            ReleaseFormat::Parquet => "released-secrets.parquet",
        }
    }
}
