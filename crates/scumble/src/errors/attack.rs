//! [`AttackError`]: why a release was not attacked.

use scumble_fault::{Blame, Fault};
use scumble_policy::list;

/// What an attack cannot do without.
#[derive(Debug, thiserror::Error)]
pub enum AttackError {
    /// Nothing says what to join.
    #[error("no template of the policy is about a join: name what was published before in [[earlier]], or a ledger")]
    NoJoin,
    /// The release cannot be joined.
    #[error("the release has no {}, so it cannot be joined", list(.0.iter().map(String::as_str)))]
    LacksColumns(Vec<String>),
    /// The data was let go of.
    #[error("the data was not kept to attack the release with")]
    DataNotKept,
}

impl Blame for AttackError {
    fn fault(&self) -> Fault {
        match self {
            AttackError::NoJoin | AttackError::LacksColumns(_) | AttackError::DataNotKept => Fault::Input,
        }
    }
}
