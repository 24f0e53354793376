//! What can go wrong, and whose it is to fix.
//!
//! Invariant: the `Display` of an [`Error`] is the whole message, place and remedy included, one line per problem. It
//! names files, lines and columns, and words of the policy or of a taxonomy file; never a cell of the data.

use std::path::PathBuf;

use miette::Diagnostic;
use scumble_bind::BindError;
use scumble_fault::{Blame, Fault};
#[cfg(feature = "mashup")]
use scumble_link::LinkError;
use scumble_progress::Interrupted;
use scumble_relational::{DatabaseError, SettingError};
use scumble_store::{LedgerError, ReadError, WriteError};
use scumble_table::taxonomy::BuildError;
use serde_json::{Value, json};

use crate::compared::ComparedVersion;
use crate::cover::Cover;
use crate::shortfall::Shortfall;
use scumble_policy::{Problem, Problems};

/// What to do about versions that expose people together.
const EXPOSED: &str = "mask as before with `--like`, which keeps everybody in their group (groups made row by row cannot be \
                       made again: use refine or full-domain); where too few came or left, wait for more, or say with \
                       `--newcomers report` that nobody outside knows who they are";

/// What to do about releases that do not cover each other.
const UNCOVERED: &str = "what is required of the join is about people who are in all releases: check that they are \
                         about the same people and name the columns to match in `join`, or go on with \
                         `on_dangling = \"report\"`";

/// Why there is no release.
#[derive(Debug, thiserror::Error, Diagnostic)]
pub enum Error {
    /// The policy, the agreement or a taxonomy is wrong, or does not fit the data.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Policy(#[from] Problems),
    /// A taxonomy could not be built from a column.
    #[error("no taxonomy for column `{column}`: {reason}")]
    Build {
        /// The column.
        column: String,
        /// Why not.
        reason: BuildError,
    },
    /// A policy, an agreement or a taxonomy file could not be opened.
    #[error("{}: cannot be read: {reason}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: std::io::Error,
    },
    /// The data could not be read, or is not what the policy says.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// More rows than can be numbered.
    #[error("a table has {0} rows; at most {max} can be counted at once", max = u32::MAX)]
    TooManyRows(usize),
    /// The policy cannot be bound to its data.
    #[error(transparent)]
    Bind(BindError),
    /// Releases do not cover each other.
    #[error("{0}; {UNCOVERED}")]
    Dangling(Cover),
    /// An entry of a ledger stands in the way.
    #[error("release `{name}` of the ledger: {reason}")]
    LedgerEntry {
        /// Its name.
        name: String,
        /// Why.
        reason: String,
    },
    /// Beside an earlier version of the same columns, people become identifiable.
    #[error("nothing was written: {}; {}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "), EXPOSED)]
    Republication(Vec<ComparedVersion>),
    /// Not even the most masked table meets the requirement.
    #[error("the requirement cannot be met, even with every quasi column masked as far as it goes: {}", possible(.0))]
    CannotBeMet(Vec<Shortfall>),
    /// A level at which to stop that makes no sense.
    #[error("cannot stop at {asked}: {reason}")]
    AtLevel {
        /// The kind and the level.
        asked: String,
        /// Why not.
        reason: String,
    },
    /// A release that cannot be attacked by joining.
    #[error("{0}")]
    AttackByJoin(String),
    /// What does not go with a release in two tables.
    #[error("{0}")]
    NotForTwoTables(String),
    /// Two files are not the two tables of one release.
    #[error("{}: {reason}; these are not the two tables of a release that meets its policy", path.display())]
    TablesDoNotFit {
        /// One of the files.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// What was asked to be measured does not fit.
    #[error("{0}")]
    Evaluate(String),
    /// A mask of a certificate does not fit the column.
    #[error("the mask of column `{column}` cannot be used: {reason}")]
    MaskDoesNotFit {
        /// The column.
        column: String,
        /// Why not.
        reason: String,
    },
    /// Masked so, the data does not meet the requirement.
    #[error(
        "masked so, the requirement holds only if {rows} rows are left out, and {most} may be; raise \
         `rows_suppressed_at_most`, loosen the bounds, or search for a mask of this data's own"
    )]
    MaskBreaksRequirement {
        /// Rows that would have to be left out.
        rows: u64,
        /// Rows that may be.
        most: u64,
    },
    /// More rows would have to be left out than may be.
    #[error(
        "{rows} rows find no group within the bounds, and {most} may be left out; raise `rows_suppressed_at_most`, \
         or loosen the bounds"
    )]
    LeavesOutTooMany {
        /// Rows that would have to be left out.
        rows: u64,
        /// Rows that may be.
        most: u64,
    },
    /// The method cannot look at the join with earlier releases.
    #[error("this method does not look at the join with earlier releases, which is asked for: {}; use refine", .0.join("; "))]
    OnJoin(Vec<String>),
    /// A group of the release loses more than the search promised.
    #[error("nothing was written: a group loses {level:.4}, more than {bound}, which is a bug in scumble")]
    GroupLosesTooMuch {
        /// What it loses.
        level: f64,
        /// What it may.
        bound: f64,
    },
    /// Masked so, a group loses more than the policy allows.
    #[error("masked so, a group loses {level:.4}, more than {bound}; raise `loss_at_most`, or take a finer mask")]
    MaskLosesTooMuch {
        /// What it loses.
        level: f64,
        /// What it may.
        bound: f64,
    },
    /// What a group loses cannot be told, because it is not known what the values of columns may be.
    #[error(
        "it is not known what the values of {} may be, so what a group loses is not either; give a `range` or a `taxonomy`",
        .0.join(", ")
    )]
    DomainUnknown(Vec<String>),
    /// Masked so, the join with earlier releases does not meet the requirement.
    #[error("masked so, the requirement does not hold: {}; loosen the bounds, or search for a mask of this data's own", reached(.0))]
    MaskFails(Vec<Shortfall>),
    /// A certificate is not one, or of another version.
    #[error("{}: {reason}", path.display())]
    Certificate {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// Several tables do not hang together.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// Persons cannot be gathered with such settings.
    #[error(transparent)]
    Gathering(#[from] SettingError),
    /// Rows refer to a look-up that does not fit them.
    #[error("{0}")]
    Lookup(String),
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
    /// Several tables and a ledger.
    #[error("what several tables tell together with earlier releases is not counted, so they have no ledger")]
    NoLedgerOfPersons,
    /// A release for a ledger that it was made without.
    #[error("this release was made without the ledger that it is to be added to: read its inputs with the ledger")]
    PastUnknown,
    /// A search that several tables cannot be asked for.
    #[error(
        "several tables are gathered person by person: they have no masks to take over, and pass through no levels on their way"
    )]
    NotForPersons,
    /// Inputs would have to be read again.
    #[error(
        "this policy reads its data otherwise than the one that these inputs were read for: other columns, another file, \
         other earlier releases or populations; read the inputs again"
    )]
    OtherInputs,
    /// Every row would be left out.
    #[error(
        "nothing was written: all {rows} rows would have to be left out, and an empty release is of no use; loosen the \
         bounds, mask further (a coarser taxonomy, a larger `loss_at_most`), or lower `rows_suppressed_at_most` to be told \
         what cannot be met"
    )]
    NothingReleased {
        /// How many rows there are.
        rows: usize,
    },
    /// The file that says of which row of the data a released row is does not fit.
    #[error("{}: {reason}; values cannot be compared with the data", path.display())]
    RowsFile {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The files of a folder are not those that a policy publishes.
    #[error("{}: these are not the tables of the policy: {faults}", folder.display())]
    NotItsRelease {
        /// The folder.
        folder: PathBuf,
        /// What is wrong.
        faults: String,
    },
    /// The recount of a finished release of several tables disagrees with the search.
    #[error(
        "nothing was written: the release failed its audit, which is a bug in scumble: {}",
        reached(shortfalls) + "; " + faults
    )]
    DatabaseAuditFailed {
        /// The templates that do not hold.
        shortfalls: Vec<Shortfall>,
        /// What else is wrong.
        faults: String,
    },
    /// The recount of the finished release disagrees with the search.
    #[error("nothing was written: the release failed its audit, which is a bug in scumble: {}", reached(.0))]
    AuditFailed(Vec<Shortfall>),
    /// The release could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The ledger of earlier releases cannot be used, or does not fit.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The links with other parties cannot be made, or broke.
    #[cfg(feature = "mashup")]
    #[error(transparent)]
    Link(#[from] LinkError),
    /// Another party has another agreement.
    #[error("{party} has another agreement, so nothing was read of it: {}", differences.join("; "))]
    OtherAgreement {
        /// Who.
        party: String,
        /// What differs, in words.
        differences: Vec<String>,
    },
    /// Parties could not go on together.
    #[error("nothing was written: {reason}")]
    Together {
        /// Why.
        reason: String,
        /// Whose it is to fix.
        fault: Fault,
    },
    /// A transcript is not one.
    #[error("{}: line {line} is not of a transcript", path.display())]
    Transcript {
        /// The file.
        path: PathBuf,
        /// The line.
        line: usize,
    },
    /// The user stopped the run.
    #[error("interrupted; nothing was written")]
    Interrupted,
}

impl From<BindError> for Error {
    fn from(error: BindError) -> Self {
        match error {
            BindError::Problems(problems) => Error::Policy(problems),
            other @ BindError::TooManyMatches(_) => Error::Bind(other),
        }
    }
}

impl From<Interrupted> for Error {
    fn from(_: Interrupted) -> Self {
        Error::Interrupted
    }
}

impl Error {
    /// Whose it is to fix.
    pub fn fault(&self) -> Fault {
        match self {
            Error::Policy(_) | Error::Build { .. } => Fault::Input,
            Error::Open { reason, .. } => Fault::of_opening(reason),
            Error::Read(error) => error.fault(),
            Error::Write(error) => error.fault(),
            Error::Ledger(error) => error.fault(),
            Error::CannotBeMet(_)
            | Error::MaskBreaksRequirement { .. }
            | Error::MaskFails(_)
            | Error::MaskLosesTooMuch { .. }
            | Error::LeavesOutTooMany { .. }
            | Error::NobodyReleased { .. }
            | Error::NothingReleased { .. }
            | Error::TablesDoNotFit { .. }
            | Error::Republication(_) => Fault::Requirement,
            Error::MaskDoesNotFit { .. }
            | Error::DomainUnknown(_)
            | Error::OnJoin(_)
            | Error::Certificate { .. }
            | Error::AtLevel { .. }
            | Error::Evaluate(_)
            | Error::NotForTwoTables(_)
            | Error::AttackByJoin(_)
            | Error::TooManyRows(_)
            | Error::Bind(_)
            | Error::Dangling(_)
            | Error::Database(_)
            | Error::Gathering(_)
            | Error::Lookup(_)
            | Error::NoPersons(_)
            | Error::OtherInputs
            | Error::NotForPersons
            | Error::NoLedgerOfPersons
            | Error::PastUnknown
            | Error::RowsFile { .. }
            | Error::NotItsRelease { .. }
            | Error::LedgerEntry { .. } => Fault::Input,
            Error::DatabaseAuditFailed { .. } | Error::AuditFailed(_) | Error::GroupLosesTooMuch { .. } => Fault::Bug,
            #[cfg(feature = "mashup")]
            Error::Link(error) => error.fault(),
            Error::OtherAgreement { .. } | Error::Transcript { .. } => Fault::Input,
            Error::Together { fault, .. } => *fault,
            Error::Interrupted => Fault::Interrupted,
        }
    }

    /// The single problems, where the error is a list of them.
    pub fn problems(&self) -> &[Problem] {
        match self {
            Error::Policy(problems) => problems.list(),
            _ => &[],
        }
    }

    /// The error for programs: `{"error": {"fault", "message", "problems": [{"file", "line", "message", "help"}]}}`.
    pub fn to_json(&self) -> Value {
        json!({
            "error": {
                "fault": self.fault(),
                "message": self.to_string(),
                "problems": self.problems(),
            }
        })
    }
}

/// The templates that fail, each with the bound that would hold.
fn possible(shortfalls: &[Shortfall]) -> String {
    let told = |s: &Shortfall| {
        let nearest = match &s.nearest {
            Some(nearest) => format!("a bound of {nearest} can be met"),
            None => "no bound can be met".to_owned(),
        };
        let finer = match s.final_for_finer {
            true => "",
            false => "; a finer table might still meet it, which the search does not look for",
        };
        format!("{} reaches {}; {nearest}{finer}", s.template, s.level)
    };
    shortfalls.iter().map(told).collect::<Vec<_>>().join("; ")
}

/// The templates that fail, each with its level.
fn reached(shortfalls: &[Shortfall]) -> String {
    let told = |s: &Shortfall| format!("{} reaches {}", s.template, s.level);
    shortfalls.iter().map(told).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shortfall() -> Vec<Shortfall> {
        vec![Shortfall {
            template: "anonymity 10 of age, job".to_owned(),
            level: "8".to_owned(),
            nearest: Some("at most 8".to_owned()),
            final_for_finer: true,
        }]
    }

    #[test]
    fn a_requirement_that_cannot_be_met_names_the_bound_that_can() {
        let error = Error::CannotBeMet(shortfall());
        assert_eq!(
            error.to_string(),
            "the requirement cannot be met, even with every quasi column masked as far as it goes: \
             anonymity 10 of age, job reaches 8; a bound of at most 8 can be met"
        );
        assert_eq!(error.to_json()["error"]["fault"], "requirement");
    }

    #[test]
    fn what_a_finer_table_might_meet_is_not_called_impossible() {
        let personal = Shortfall {
            template: "personal 0.2 about disease guarding guard of job".to_owned(),
            level: "0.5".to_owned(),
            nearest: Some("at least 0.5".to_owned()),
            final_for_finer: false,
        };
        let told = Error::CannotBeMet(vec![personal]).to_string();
        assert!(
            told.ends_with(
                "reaches 0.5; a bound of at least 0.5 can be met; a finer table might still meet it, \
                 which the search does not look for"
            ),
            "{told}"
        );
    }

    #[test]
    fn the_exit_code_says_whose_it_is() {
        let open = |kind: std::io::ErrorKind| Error::Open {
            path: PathBuf::from("policy.toml"),
            reason: kind.into(),
        };
        let codes = [
            (Error::CannotBeMet(shortfall()), 1),
            (open(std::io::ErrorKind::NotFound), 2),
            (open(std::io::ErrorKind::PermissionDenied), 3),
            (Error::AuditFailed(shortfall()), 70),
            (Error::Interrupted, 130),
        ];
        for (error, code) in codes {
            assert_eq!(error.fault().exit_code(), code, "{error}");
        }
    }
}
