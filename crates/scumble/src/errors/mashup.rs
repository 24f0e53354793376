//! [`MashupError`]: why parties did not publish together.

use std::path::PathBuf;

use scumble_fault::{Blame, Fault};
use scumble_link::LinkError;
use scumble_mashup as mashup;
use scumble_policy::quoted;

/// What keeps parties from a release, or somebody from reading how it was made.
#[derive(Debug, thiserror::Error)]
pub enum MashupError {
    /// The links with other parties cannot be made.
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
    /// A party did not do what it should, or what we all brought does not go together.
    #[error("nothing was written: {}", fault.in_words(|party| parties[party].clone()))]
    Protocol {
        /// What happened; parties are given by their place.
        fault: mashup::Fault,
        /// Their names.
        parties: Vec<String>,
    },
    /// A link broke on the way.
    #[error("nothing was written: {reason}{}", if *all_had_agreed { ALL_HAD_AGREED } else { "" })]
    Lost {
        /// What happened to it.
        reason: LinkError,
        /// Whether the others may have our last word, and so may have written.
        all_had_agreed: bool,
    },
    /// A column of our own cannot be written as it is.
    #[error(
        "nothing was written: a released file would not hold column {} as it is",
        quoted(column)
    )]
    NotAsItIs {
        /// The column.
        column: String,
    },
    /// A step panicked.
    #[error("nothing was written: a step panicked, which is a bug in scumble")]
    Panicked,
    /// A transcript is not one.
    #[error("{}: line {line} is not of a transcript", path.display())]
    Transcript {
        /// The file.
        path: PathBuf,
        /// The line.
        line: usize,
    },
}

/// What there is to know of a run that broke after its last word.
const ALL_HAD_AGREED: &str =
    ". Nothing was written here, but all had agreed to the release, and the others may have written it";

impl Blame for MashupError {
    fn fault(&self) -> Fault {
        match self {
            MashupError::Link(error) => error.fault(),
            MashupError::Protocol { fault, .. } => fault.fault(),
            MashupError::OtherAgreement { .. } | MashupError::NotAsItIs { .. } | MashupError::Transcript { .. } => {
                Fault::Input
            }
            // Whatever a link says of why it broke, it worked before.
            MashupError::Lost { .. } => Fault::Environment,
            MashupError::Panicked => Fault::Bug,
        }
    }
}
