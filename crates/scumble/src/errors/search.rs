//! [`SearchError`]: why no release was found, or masks of another release cannot be taken over.

use std::fmt;

use scumble_fault::{Blame, Fault};
use scumble_policy::list;
use scumble_table::MaskError;
use scumble_utility::classify::ClassificationError;

use crate::shortfall::{Shortfall, possible};

/// What keeps a search from a release.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// Not even the most masked table meets the requirement.
    #[error("the requirement cannot be met, even with every quasi column masked as far as it goes: {}", possible(.0))]
    CannotBeMet(Vec<Shortfall>),
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
    /// The method cannot look at the join with earlier releases.
    #[error("this method does not look at the join with earlier releases, which is asked for: {}; use refine", .0.join("; "))]
    OnJoin(Vec<String>),
    /// A level at which to stop that makes no sense.
    #[error("cannot stop at {kind}{}{level}: {reason}", reason.between())]
    AtLevel {
        /// The kind of the templates.
        kind: String,
        /// Their level.
        level: f64,
        /// Why not.
        reason: LevelFault,
    },
    /// No classifier can choose an objective.
    #[error("no objective can be chosen by a classifier: {0}")]
    ByClassifier(ClassificationError),
    /// Masks and secrets that are published apart.
    #[error(
        "a release with its secrets apart has no masks: publish by anatomy without a mask of another release, or take the \
         mask of one that has masks"
    )]
    NoMasks,
    /// A mask of a certificate does not fit the column.
    #[error("the mask of column `{column}` cannot be used: {reason}")]
    MaskDoesNotFit {
        /// The column.
        column: String,
        /// Why not.
        reason: MaskMisfit,
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
}

/// Why a search cannot stop at a level.
#[derive(Clone, Debug, PartialEq)]
pub enum LevelFault {
    /// The method has no way on which to stop.
    NotOnTheWay,
    /// No template is of the kind.
    NotAskedFor {
        /// The kinds of the templates that there are.
        kinds: Vec<String>,
    },
    /// The policy asks for more.
    Looser {
        /// What it asks for, in words.
        template: String,
    },
    /// The most masked table has not this level.
    OutOfReach {
        /// What it has, in words.
        best: String,
    },
}

impl LevelFault {
    /// What stands between a kind and its level: a method that has no levels on its way was not asked in the words of the
    /// command line.
    fn between(&self) -> char {
        match self {
            LevelFault::NotOnTheWay => ' ',
            LevelFault::NotAskedFor { .. } | LevelFault::Looser { .. } | LevelFault::OutOfReach { .. } => '=',
        }
    }
}

impl fmt::Display for LevelFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LevelFault::NotOnTheWay => f.write_str("only the method refine passes through levels on its way"),
            LevelFault::NotAskedFor { kinds } => {
                write!(f, "the policy asks for {}", list(kinds.iter().map(String::as_str)))
            }
            LevelFault::Looser { template } => {
                write!(f, "looser than what the policy asks for anyway: {template}")
            }
            LevelFault::OutOfReach { best } => {
                write!(f, "not even the most masked table has this level; it has {best}")
            }
        }
    }
}

/// Why a mask of a certificate does not fit a column.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MaskMisfit {
    /// The certificate does not know the column.
    #[error("the certificate has no such column")]
    NoSuchColumn,
    /// It is no mask of the column.
    #[error(transparent)]
    NoMask(#[from] MaskError),
    /// It is a mask of another kind.
    #[error("the certificate masks it in another way than its type and taxonomy ask for")]
    OtherKind,
}

impl Blame for SearchError {
    fn fault(&self) -> Fault {
        match self {
            SearchError::CannotBeMet(_)
            | SearchError::LeavesOutTooMany { .. }
            | SearchError::NothingReleased { .. }
            | SearchError::MaskBreaksRequirement { .. } => Fault::Requirement,
            SearchError::OnJoin(_)
            | SearchError::AtLevel { .. }
            | SearchError::NoMasks
            | SearchError::MaskDoesNotFit { .. } => Fault::Input,
            SearchError::ByClassifier(error) => error.fault(),
        }
    }
}
