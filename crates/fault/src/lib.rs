//! [`Fault`]: whose it is to fix an error. Every error of ours says so itself ([`Blame`]), in the crate that raises it, so that
//! whoever passes it on need not know its kinds.
//!
//! Invariant: an error answers for each of its kinds by name, never for "all others". So a kind that nobody answers for does not
//! compile.

use std::error::Error;
use std::io;

use serde::Serialize;

/// Whose it is to fix an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Fault {
    /// The requirement does not hold or cannot be met.
    Requirement,
    /// The policy, a taxonomy or the data is wrong.
    Input,
    /// The disk, the rights or the like failed.
    Environment,
    /// The user stopped the run.
    Interrupted,
    /// Ours.
    Bug,
}

impl Fault {
    /// The exit code of a program that ends with this fault (0 is: done).
    pub fn exit_code(self) -> u8 {
        match self {
            Fault::Requirement => 1,
            Fault::Input => 2,
            Fault::Environment => 3,
            Fault::Bug => 70,
            Fault::Interrupted => 130,
        }
    }

    /// Of a file that cannot be opened: one that is not there, or is not text, was named wrongly; for anything else the system is
    /// to blame.
    pub fn of_opening(reason: &io::Error) -> Fault {
        use io::ErrorKind::{InvalidData, IsADirectory, NotFound};
        match reason.kind() {
            NotFound | InvalidData | IsADirectory => Fault::Input,
            _ => Fault::Environment,
        }
    }
}

/// An error that says whose it is to fix.
pub trait Blame: Error {
    /// Whose it is to fix.
    fn fault(&self) -> Fault;
}
