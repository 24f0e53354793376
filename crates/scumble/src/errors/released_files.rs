//! [`ReleasedFilesError`]: why the files of a release, once they are read again, are not what they should be.

use std::fmt;
use std::path::PathBuf;

use scumble_fault::{Blame, Fault};
use scumble_policy::{GROUP, quoted};
use scumble_report::VERSION;

use super::json::JsonMisfit;

/// What is wrong with a certificate, or with released tables.
#[derive(Debug, thiserror::Error)]
pub enum ReleasedFilesError {
    /// A certificate is not one, or of another version.
    #[error("{}: {reason}", path.display())]
    Certificate {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: CertificateFault,
    },
    /// Two files are not the two tables of one release.
    #[error("{}: {reason}; these are not the two tables of a release that meets its policy", path.display())]
    TablesDoNotFit {
        /// One of the files.
        path: PathBuf,
        /// What is wrong with it.
        reason: TablesMisfit,
    },
    /// The files of a folder are not those that a policy publishes.
    #[error(
        "{}: these are not the tables of the policy: {}",
        folder.display(),
        faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    )]
    NotOfPolicy {
        /// The folder.
        folder: PathBuf,
        /// What is wrong.
        faults: Vec<scumble_privacy::Fault>,
    },
    /// The file that says of which row of the data a released row is does not fit.
    #[error("{}: {reason}; values cannot be compared with the data", path.display())]
    RowsFile {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: RowsMisfit,
    },
}

/// What is wrong with a certificate.
#[derive(Debug, thiserror::Error)]
pub enum CertificateFault {
    /// It is something else.
    #[error("not a certificate: {0}")]
    NotOne(JsonMisfit),
    /// It is of another version.
    #[error("version {found} is not known here; known: {VERSION}")]
    Version {
        /// Its version.
        found: u32,
    },
    /// It is of several tables.
    #[error("it is of several tables, and one of one table is asked for")]
    SeveralTables,
}

/// What is wrong with the two tables of a release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TablesMisfit {
    /// A table has no column with the number of the group.
    NoGroup,
    /// A secret is in the table of people.
    SecretBesidePeople {
        /// The sensitive column.
        column: String,
    },
    /// A column is in the table of secrets that is none.
    OtherBesideSecrets,
    /// Groups have not as many people as secrets.
    GroupsDiffer {
        /// How many groups.
        groups: usize,
        /// The other file.
        other: PathBuf,
    },
}

impl fmt::Display for TablesMisfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TablesMisfit::NoGroup => write!(f, "there is no column {}", quoted(GROUP)),
            TablesMisfit::SecretBesidePeople { column } => {
                write!(
                    f,
                    "the sensitive column {} stands beside the people it is about",
                    quoted(column)
                )
            }
            TablesMisfit::OtherBesideSecrets => f.write_str("a column that is not sensitive stands beside the secrets"),
            TablesMisfit::GroupsDiffer { groups, other } => {
                let have = if *groups == 1 { "group has" } else { "groups have" };
                write!(f, "{groups} {have} another number of rows than in {}", other.display())
            }
        }
    }
}

/// What is wrong with a file that says of which row of the data each released row is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RowsMisfit {
    /// It has more columns, or none.
    #[error("it has not one column")]
    Columns,
    /// It is of other rows.
    #[error("it has {found} rows, and the released table {released}")]
    Rows {
        /// Its rows.
        found: usize,
        /// Those of the released table.
        released: usize,
    },
    /// It names a row that is not there.
    #[error("line {line} is no row of the data")]
    NoRow {
        /// The line, from 1.
        line: usize,
    },
}

impl Blame for ReleasedFilesError {
    fn fault(&self) -> Fault {
        match self {
            ReleasedFilesError::TablesDoNotFit { .. } => Fault::Requirement,
            ReleasedFilesError::Certificate { .. }
            | ReleasedFilesError::NotOfPolicy { .. }
            | ReleasedFilesError::RowsFile { .. } => Fault::Input,
        }
    }
}
