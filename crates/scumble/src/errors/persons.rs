//! [`PersonsError`]: what goes wrong only where persons have rows in several tables.

use scumble_fault::{Blame, Fault};
use scumble_policy::quoted;
use scumble_privacy::Faults;
use scumble_relational::{DatabaseError, SettingError};

use crate::shortfall::{Shortfall, reached};

/// What is wrong with several tables, or with their release.
#[derive(Debug, thiserror::Error)]
pub enum PersonsError {
    /// The tables do not hang together.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// Persons cannot be gathered with such settings.
    #[error(transparent)]
    Gathering(#[from] SettingError),
    /// Two rows of a look-up have one key.
    #[error(
        "look-up {}, row {row}: the key in {} is that of row {first}; every row needs its own",
        quoted(lookup),
        quoted(column)
    )]
    LookupKeyTwice {
        /// The look-up.
        lookup: String,
        /// Its key.
        column: String,
        /// The first row with it, from 1.
        first: usize,
        /// The second.
        row: usize,
    },
    /// A row refers to a row of a look-up that is not there.
    #[error(
        "table {}, row {row}: the look-up {} has no row with the key in {}; add it, or empty the cell",
        quoted(table),
        quoted(lookup),
        quoted(column)
    )]
    NotInLookup {
        /// The table, or another look-up.
        table: String,
        /// The row, from 1.
        row: usize,
        /// The column that refers.
        column: String,
        /// What it refers to.
        lookup: String,
    },
    /// There is nobody to publish.
    #[error("the table of persons `{0}` has no rows")]
    NoPersons(String),
    /// Nobody can be published.
    #[error(
        "nothing was written: no {k} of the {persons} persons can be shown alike so that all bounds hold; loosen the bounds"
    )]
    NobodyReleased {
        /// How many persons there are.
        persons: usize,
        /// How many must look the same.
        k: u64,
    },
    /// A search that several tables cannot be asked for.
    #[error(
        "several tables are gathered person by person: they have no masks to take over, and pass through no levels on their way"
    )]
    NoMasksNorLevels,
    /// The recount of the finished release disagrees with the search.
    #[error(
        "nothing was written: the release failed its audit, which is a bug in scumble: {}; {faults}",
        reached(shortfalls)
    )]
    AuditFailed {
        /// The templates that do not hold.
        shortfalls: Vec<Shortfall>,
        /// What else is wrong.
        faults: Faults,
    },
}

impl Blame for PersonsError {
    fn fault(&self) -> Fault {
        match self {
            PersonsError::Database(error) => error.fault(),
            PersonsError::Gathering(error) => error.fault(),
            PersonsError::LookupKeyTwice { .. }
            | PersonsError::NotInLookup { .. }
            | PersonsError::NoPersons(_)
            | PersonsError::NoMasksNorLevels => Fault::Input,
            PersonsError::NobodyReleased { .. } => Fault::Requirement,
            PersonsError::AuditFailed { .. } => Fault::Bug,
        }
    }
}
