//! [`ReleaseError`]: why a release that was found does not pass.

use scumble_fault::{Blame, Fault};

use crate::shortfall::{Shortfall, reached};

/// What a release failed by.
#[derive(Debug, thiserror::Error)]
pub enum ReleaseError {
    /// The recount of the finished release disagrees with the search.
    #[error("nothing was written: the release failed its audit, which is a bug in scumble: {}", reached(.0))]
    AuditFailed(Vec<Shortfall>),
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
    /// Masked so, the join with earlier releases does not meet the requirement.
    #[error("masked so, the requirement does not hold: {}; loosen the bounds, or search for a mask of this data's own", reached(.0))]
    MaskFails(Vec<Shortfall>),
    /// What a group loses cannot be told, because it is not known what the values of columns may be.
    #[error(
        "it is not known what the values of {} may be, so what a group loses is not either; give a `range` or a `taxonomy`",
        .0.join(", ")
    )]
    DomainUnknown(Vec<String>),
}

impl Blame for ReleaseError {
    fn fault(&self) -> Fault {
        match self {
            ReleaseError::AuditFailed(_) | ReleaseError::GroupLosesTooMuch { .. } => Fault::Bug,
            ReleaseError::MaskLosesTooMuch { .. } | ReleaseError::MaskFails(_) => Fault::Requirement,
            ReleaseError::DomainUnknown(_) => Fault::Input,
        }
    }
}
