//! [`PastError`]: why what was published before, or the ledger of it, stands in the way.

use std::fmt;

use scumble_fault::{Blame, Fault};
use scumble_store::LedgerError;

use super::json::JsonMisfit;
use crate::compared::ComparedVersion;

/// What to do about versions that expose people together.
const EXPOSED: &str = "mask as before with `--like`, which keeps everybody in their group (groups made row by row cannot be \
                       made again: use refine or full-domain); where too few came or left, wait for more, or say with \
                       `--newcomers report` that nobody outside knows who they are";

/// What is wrong with a ledger, or with a release beside earlier ones.
#[derive(Debug, thiserror::Error)]
pub enum PastError {
    /// The ledger cannot be used, or does not fit.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// An entry of the ledger stands in the way.
    #[error("release `{name}` of the ledger: {reason}")]
    Entry {
        /// Its name.
        name: String,
        /// Why.
        reason: EntryFault,
    },
    /// Beside an earlier version of the same columns, people become identifiable.
    #[error("nothing was written: {}; {EXPOSED}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Republication(Vec<ComparedVersion>),
    /// A ledger, and secrets that are published apart.
    #[error(
        "the method anatomy does not look at the join with earlier releases, so it does not go with a ledger; use refine"
    )]
    NotForAnatomy,
    /// A ledger, and several tables.
    #[error("what several tables tell together with earlier releases is not counted, so they have no ledger")]
    NotForPersons,
    /// A release for a ledger that it was made without.
    #[error("this release was made without the ledger that it is to be added to: read its inputs with the ledger")]
    Unknown,
}

impl PastError {
    /// What is wrong with the entry of a name.
    pub(crate) fn entry(name: &str, reason: EntryFault) -> PastError {
        let name = name.to_owned();
        PastError::Entry { name, reason }
    }
}

/// What is wrong with an entry of a ledger, or with the name of a new one.
#[derive(Debug)]
pub enum EntryFault {
    /// Its certificate cannot be read.
    Certificate(JsonMisfit),
    /// What it shows of a column cannot be compared any more.
    OtherTaxonomy {
        /// The column.
        column: String,
    },
    /// It lies where another release would be put.
    InTheWay,
    /// No release can be called so.
    NoName,
    /// A release is called so already.
    Taken {
        /// The nearest name that is free.
        free: String,
    },
    /// It is no earlier version of the table.
    NoVersion {
        /// The names of those that are.
        versions: Vec<String>,
    },
    /// Several tables are not masked as another release was.
    OfPersons,
}

impl fmt::Display for EntryFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EntryFault::Certificate(error) => write!(f, "its certificate cannot be read: {error}"),
            EntryFault::OtherTaxonomy { column } => write!(
                f,
                "column `{column}` has another taxonomy now than it had then, so what was shown of it cannot be compared; use \
                 the taxonomy of that release, or add an [[earlier]] section for it with `join` without the column"
            ),
            EntryFault::InTheWay => f.write_str(
                "it lies where this release would be put; what was published cannot be replaced, choose another folder with \
                 --out",
            ),
            EntryFault::NoName => {
                f.write_str("a name is made of letters, digits, `_` and `-`, and is not `this` or `join`")
            }
            EntryFault::Taken { free } => write!(f, "the ledger has a release of this name; `{free}` is free"),
            EntryFault::NoVersion { versions } if versions.is_empty() => {
                f.write_str("the ledger has no earlier version with the columns of this table")
            }
            EntryFault::NoVersion { versions } => write!(
                f,
                "it is no version with the columns of this table; there are: {}",
                versions.join(", ")
            ),
            EntryFault::OfPersons => {
                f.write_str("several tables are gathered anew each time, and not masked as another release was")
            }
        }
    }
}

impl Blame for PastError {
    fn fault(&self) -> Fault {
        match self {
            PastError::Ledger(error) => error.fault(),
            PastError::Republication(_) => Fault::Requirement,
            PastError::Entry { .. } | PastError::NotForAnatomy | PastError::NotForPersons | PastError::Unknown => {
                Fault::Input
            }
        }
    }
}
