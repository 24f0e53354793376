//! What ends a mashup before it is done. No fault tells a value, an id or a count of records of a refused refinement.

use std::fmt;

use scumble_fault::Blame;

use crate::secure::SecureError;

/// Why a mashup cannot go on. Parties are given by their place in the agreement.
#[derive(Debug)]
pub enum Fault {
    /// A message that is none.
    Malformed {
        /// Who sent it.
        from: usize,
    },
    /// A message that was repeated, or one before it is missing.
    OutOfOrder {
        /// Who sent it.
        from: usize,
        /// Its number.
        number: u64,
        /// The number that was due.
        expected: u64,
    },
    /// A message that has no place here.
    Unexpected {
        /// Who sent it.
        from: usize,
        /// What it sent.
        what: &'static str,
        /// What was waited for.
        due: &'static str,
    },
    /// A message whose content contradicts what is known.
    Contradiction {
        /// Who sent it.
        from: usize,
        /// What it is about.
        what: &'static str,
    },
    /// A refinement after which a template is not met that we see to.
    Breaks {
        /// Who made it.
        from: usize,
    },
    /// More than a party sends that keeps to the agreement.
    TooMuch {
        /// Who sent it.
        from: usize,
        /// What, or when.
        what: &'static str,
    },
    /// Another version of the protocol.
    Version {
        /// Who.
        from: usize,
        /// Their version.
        theirs: u32,
        /// Ours.
        ours: u32,
    },
    /// Another agreement.
    OtherAgreement {
        /// Who.
        from: usize,
        /// What they agreed on, one fact per line.
        theirs: String,
    },
    /// An id that stands twice in our own table.
    RepeatedId {
        /// The first row, from 1.
        first: usize,
        /// The second.
        second: usize,
    },
    /// The agreement says that all have the same records, and they do not.
    OtherRecords {
        /// Who differs from most of us; if no records are those of most, who differs from us.
        by: Vec<usize>,
        /// Whether it is we who differ.
        are_ours: bool,
    },
    /// No record is common to all.
    NothingInCommon,
    /// The class differs.
    OtherClass {
        /// Who.
        from: usize,
    },
    /// Even the most masked table does not meet what someone sees to.
    CannotBeMet {
        /// Who sees to it.
        by: usize,
        /// The templates by number, if it is us.
        templates: Vec<usize>,
    },
    /// What someone told does not keep a template.
    Unkept {
        /// Who.
        by: usize,
        /// The template by number.
        template: usize,
    },
    /// Someone told us something else than another, or that other does not say what it was told.
    ToldOtherwise {
        /// Who told it.
        from: usize,
        /// Who says to have been told otherwise.
        witness: usize,
    },
    /// The release of another party is not ours.
    OtherRelease {
        /// Who.
        from: usize,
    },
    /// The secure computation failed.
    Secure(SecureError),
    /// No random numbers.
    NoRandomness,
}

impl Fault {
    /// The party at fault, if it is one.
    pub fn party(&self) -> Option<usize> {
        match *self {
            Fault::Malformed { from }
            | Fault::OutOfOrder { from, .. }
            | Fault::Unexpected { from, .. }
            | Fault::Contradiction { from, .. }
            | Fault::Breaks { from }
            | Fault::TooMuch { from, .. }
            | Fault::Version { from, .. }
            | Fault::OtherAgreement { from, .. }
            | Fault::OtherClass { from }
            | Fault::OtherRelease { from }
            | Fault::ToldOtherwise { from, .. }
            | Fault::Unkept { by: from, .. }
            | Fault::CannotBeMet { by: from, .. } => Some(from),
            Fault::OtherRecords {
                ref by,
                are_ours: false,
            } if by.len() == 1 => Some(by[0]),
            Fault::OtherRecords { .. }
            | Fault::RepeatedId { .. }
            | Fault::NothingInCommon
            | Fault::Secure(_)
            | Fault::NoRandomness => None,
        }
    }
}

impl Fault {
    /// Whether a party is named as one that may be at fault.
    pub fn names(&self, party: usize) -> bool {
        let is_witness = matches!(*self, Fault::ToldOtherwise { witness, .. } if witness == party);
        is_witness || self.party() == Some(party)
    }

    /// The fault in words, with the names of parties.
    pub fn in_words(&self, name: impl Fn(usize) -> String) -> String {
        match self {
            Fault::Malformed { from } => format!("{} sent what is not a message", name(*from)),
            Fault::OutOfOrder { from, number, expected } => {
                format!("{} sent message {number} where {expected} was due", name(*from))
            }
            Fault::Unexpected { from, what, due } => format!("{} sent {what} while {due} was due", name(*from)),
            Fault::Contradiction { from, what } => {
                format!(
                    "what {} sent of {what} does not fit what was agreed on, or what it sent before",
                    name(*from)
                )
            }
            Fault::Breaks { from } => {
                format!(
                    "what {} refined breaks what everyone who follows it sees to",
                    name(*from)
                )
            }
            Fault::TooMuch { from, what } => {
                format!(
                    "{} sent more than a party does that keeps to the agreement: {what}",
                    name(*from)
                )
            }
            Fault::Version { from, theirs, ours } => {
                format!(
                    "{} speaks version {theirs} of the protocol, this is version {ours}",
                    name(*from)
                )
            }
            Fault::OtherAgreement { from, .. } => format!("{} has another agreement", name(*from)),
            Fault::RepeatedId { first, second } => format!("rows {first} and {second} of the data have the same id"),
            Fault::OtherRecords { by, are_ours } => {
                let who = match are_ours {
                    true => "our records are not those of the others".to_owned(),
                    false => {
                        let names: Vec<String> = by.iter().map(|&party| name(party)).collect();
                        format!("{} brought other records than we", names.join(" and "))
                    }
                };
                format!(
                    "{who}, where the agreement says that all have the same (`same_records`); no hash of an id went out. \
                     Let each compare its file with the list of people that was agreed on, or agree without \
                     `same_records`: then hashes of ids go out"
                )
            }
            Fault::NothingInCommon => "no record is in the tables of all parties".to_owned(),
            Fault::OtherClass { from } => format!("{} has another class for some record", name(*from)),
            Fault::CannotBeMet { by, .. } => {
                format!("even the most masked table does not meet what {} sees to", name(*by))
            }
            Fault::Unkept { by, template } => {
                format!(
                    "what {} told does not keep template {} of the agreement",
                    name(*by),
                    template + 1
                )
            }
            Fault::ToldOtherwise { from, witness } => format!(
                "what {} told of a column is not what {} says that it was told: one of them does not tell the truth",
                name(*from),
                name(*witness)
            ),
            Fault::OtherRelease { from } => format!("{} made another release", name(*from)),
            Fault::Secure(error) => format!("the secure computation failed: {error}"),
            Fault::NoRandomness => "the system gives no random numbers".to_owned(),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.in_words(|party| format!("party {party}")))
    }
}

impl std::error::Error for Fault {}

/// Ours is what we brought; whatever a party sent, or failed to, is the world that we run in.
impl Blame for Fault {
    fn fault(&self) -> scumble_fault::Fault {
        match self {
            Fault::CannotBeMet { .. } => scumble_fault::Fault::Requirement,
            Fault::RepeatedId { .. }
            | Fault::NothingInCommon
            | Fault::OtherAgreement { .. }
            | Fault::OtherClass { .. }
            | Fault::OtherRecords { are_ours: true, .. } => scumble_fault::Fault::Input,
            Fault::Malformed { .. }
            | Fault::OutOfOrder { .. }
            | Fault::Unexpected { .. }
            | Fault::Contradiction { .. }
            | Fault::Breaks { .. }
            | Fault::TooMuch { .. }
            | Fault::Version { .. }
            | Fault::OtherRecords { are_ours: false, .. }
            | Fault::Unkept { .. }
            | Fault::ToldOtherwise { .. }
            | Fault::OtherRelease { .. }
            | Fault::Secure(_)
            | Fault::NoRandomness => scumble_fault::Fault::Environment,
        }
    }
}

impl From<SecureError> for Fault {
    fn from(error: SecureError) -> Self {
        Fault::Secure(error)
    }
}
