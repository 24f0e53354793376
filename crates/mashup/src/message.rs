//! [`Message`]: everything that parties say to each other.
//!
//! A message travels with its number, so that one that was lost, repeated or moved is noticed. No message holds a value of
//! a quasi column before masking is fixed, a score, or anything of a refinement that was refused but that it was.

use serde::{Deserialize, Serialize};

use crate::fault::Fault;
use crate::limits::{Bounded, LONGEST_AGREEMENT, LONGEST_TEXT};
use crate::pack::Packed;

/// The version of the protocol.
pub const PROTOCOL: u32 = 2;

/// A digest.
pub type Digest = [u8; 32];

/// What one party says to another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Message {
    /// The first words.
    Greeting {
        /// The version of the protocol.
        protocol: u32,
        /// The digest of the agreement.
        agreement: Digest,
        /// A part of the secret of this session.
        secret: Digest,
    },
    /// The agreement, for someone who has another one.
    Agreement(String),
    /// Which records there are, as a digest that only tells whether they are the same.
    Records {
        /// How many.
        count: u64,
        /// Of their hashes under the secret of the session.
        digest: Digest,
    },
    /// The hashes of the ids, ascending, 16 bytes each.
    Ids(#[serde(with = "serde_bytes")] Vec<u8>),
    /// The digest of the classes of all records, under the secret of the session.
    ClassDigest(Digest),
    /// The classes of all records.
    Class(Cells),
    /// Whether the most masked table meets what the sender sees to.
    Start {
        /// Whether it does.
        met: bool,
    },
    /// A message of the secure computation.
    Secure(#[serde(with = "serde_bytes")] Vec<u8>),
    /// The winner asks the holder of a secret whether it may refine.
    Ask(Ask),
    /// What a question is about, as far as the release shows it, too.
    Scope(Scope),
    /// The winner's refinement was refused; the next best is sought.
    Refused,
    /// Which records go to which part.
    Refine(Refine),
    /// The winner refined a column that no template of the receiver looks at.
    Elsewhere,
    /// The winner has nothing left to refine, and so has nobody.
    Finished,
    /// A masked column, once masking is fixed.
    Masked(Masked),
    /// What the sender was told of masked columns, as digests: it fits, and meets what the sender sees to.
    Heard(Vec<Digest>),
    /// A column that is published as it is, once masking is fixed.
    Plain(Plain),
    /// What the sender is about to write.
    Written(Written),
    /// The sender has seen that all digests are the same.
    Agreed,
}

/// A question to the holder of a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ask {
    /// The place of the consent among all that are ever asked for.
    pub consent: u32,
    /// The column to refine, as a place among the quasi columns.
    pub column: u32,
    /// The value to refine.
    pub value: u32,
    /// How many parts there could be, whatever the records.
    pub children: u32,
    /// What the refinement is, sealed: it is opened if it is made.
    pub sealed: Digest,
}

/// What a question is about: the groups as they are now, which are no finer than those of the release.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scope {
    /// 1 for each group with so few secrets that no refinement can harm it.
    pub settled: Packed,
    /// For each column of which every value counts, how many values of a group may matter at most, and whether there are
    /// others.
    pub columns: Vec<(u32, bool)>,
}

/// Which records go to which part of a value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Refine {
    /// The column, as a place among the quasi columns.
    pub column: u32,
    /// The value.
    pub value: u32,
    /// How many parts there are.
    pub children: u32,
    /// The part of each record that shows the value.
    pub child_of: Packed,
    /// What opens the seal of the questions that were asked about it.
    pub opening: Digest,
}

/// The cells of a column: their different texts, and which each record has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cells {
    /// The different texts, `None` for missing.
    pub texts: Vec<Option<String>>,
    /// The place of each record's text.
    pub of_record: Packed,
}

/// A masked column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Masked {
    /// The column, as a place among the quasi columns.
    pub column: u32,
    /// The mask, as the certificate has it.
    pub mask: String,
    /// The average certainty penalty of its cells, which the certificate tells, too.
    pub penalty: f64,
    /// What the column shows, `None` for missing.
    pub labels: Vec<Option<String>>,
    /// Which record shows what.
    pub shown: Shown,
}

/// Which record shows which label.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Shown {
    /// For those who followed every refinement: the label of each value that they know by number.
    Values(Vec<(u32, u32)>),
    /// For those who did not: the label of each record.
    Records(Packed),
}

/// A column that is published as it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plain {
    /// Its place in the joined table.
    pub column: u32,
    /// Its cells; see [`Contribution`](crate::Contribution) for the order of records.
    pub cells: Cells,
}

/// What is about to be written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Written {
    /// The digest of the files.
    pub release: Digest,
    /// What was told of columns that are published as they are, as digests, in the order of the joined table.
    pub plain: Vec<Digest>,
}

impl Message {
    /// What it is called.
    pub fn name(&self) -> &'static str {
        match self {
            Message::Greeting { .. } => "a greeting",
            Message::Agreement(_) => "an agreement",
            Message::Records { .. } => "a digest of records",
            Message::Ids(_) => "hashes of ids",
            Message::ClassDigest(_) => "a digest of classes",
            Message::Class(_) => "classes",
            Message::Start { .. } => "a verdict on the start",
            Message::Secure(_) => "a part of a secure computation",
            Message::Ask(_) => "a question",
            Message::Scope(_) => "the scope of a question",
            Message::Refused => "a refusal",
            Message::Refine(_) => "an instruction",
            Message::Elsewhere => "a step elsewhere",
            Message::Finished => "the end of the search",
            Message::Masked(_) => "a masked column",
            Message::Heard(_) => "what it was told",
            Message::Plain(_) => "a plain column",
            Message::Written(_) => "a digest of the release",
            Message::Agreed => "a last word",
        }
    }

    /// The bytes of the message with this number.
    pub fn encode(&self, number: u64) -> Vec<u8> {
        postcard::to_stdvec(&(number, self)).expect("messages hold nothing that cannot be written")
    }

    /// The message in bytes that a party sent, and its number.
    ///
    /// # Errors
    /// If it is none, or more than one.
    pub fn decode(from: usize, bytes: &[u8]) -> Result<(u64, Message), Fault> {
        Message::decode_about(usize::MAX, from, bytes)
    }

    /// The same, if it is about so many records: one that has more pieces than that allows is none.
    pub(crate) fn decode_about(records: usize, from: usize, bytes: &[u8]) -> Result<(u64, Message), Fault> {
        let mut pieces = postcard::Deserializer::from_flavor(Bounded::new(bytes, records));
        let message = Deserialize::deserialize(&mut pieces);
        match (message, pieces.finalize()) {
            (Ok(message), Ok([])) => Ok(message),
            _ => Err(Fault::Malformed { from }),
        }
    }

    /// What a message has too much of, if all know so many common records.
    pub(crate) fn excess(&self, records: usize) -> Option<&'static str> {
        let texts = match self {
            Message::Class(cells) => &cells.texts,
            Message::Plain(plain) => &plain.cells.texts,
            Message::Masked(masked) => match &masked.shown {
                Shown::Values(pairs) if pairs.len() > records => return Some("more values of a column than records"),
                Shown::Values(_) | Shown::Records(_) => &masked.labels,
            },
            Message::Agreement(text) => {
                let is_long = text.len() > LONGEST_AGREEMENT;
                return is_long.then_some("an agreement of more than 4 MiB");
            }
            Message::Greeting { .. }
            | Message::Records { .. }
            | Message::Ids(_)
            | Message::ClassDigest(_)
            | Message::Start { .. }
            | Message::Secure(_)
            | Message::Ask(_)
            | Message::Scope(_)
            | Message::Refused
            | Message::Refine(_)
            | Message::Elsewhere
            | Message::Finished
            | Message::Heard(_)
            | Message::Written(_)
            | Message::Agreed => return None,
        };
        // Only texts that some record has are told.
        if texts.len() > records {
            return Some("more texts of a column than records");
        }
        let is_long = |text: &Option<String>| text.as_ref().is_some_and(|text| text.len() > LONGEST_TEXT);
        texts
            .iter()
            .any(is_long)
            .then_some("a text of a column of more than 1 MiB")
    }
}
