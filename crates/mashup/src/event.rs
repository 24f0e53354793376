//! [`Event`]: what happened in a mashup, as one party saw it. Written down, this is the party's private transcript.

use serde::{Deserialize, Serialize};

/// One thing that happened. Parties are given by their place in the agreement, columns by their place among the quasi columns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "event")]
pub enum Event {
    /// A message was sent.
    Sent {
        /// To whom.
        to: usize,
        /// What.
        what: String,
        /// Its bytes.
        bytes: usize,
    },
    /// A message was received.
    Received {
        /// From whom.
        from: usize,
        /// What.
        what: String,
        /// Its bytes.
        bytes: usize,
    },
    /// A secure computation with these parties ended.
    Computed {
        /// What was computed.
        what: String,
        /// The other parties in it.
        with: Vec<usize>,
        /// Messages received.
        messages: usize,
        /// Bytes sent.
        sent: usize,
        /// Bytes received.
        received: usize,
        /// How long it took, waiting for the others included.
        seconds: f64,
    },
    /// The common records were found.
    Aligned {
        /// Records of our own.
        own: usize,
        /// Those common to all.
        common: usize,
        /// Whether hashes of ids were exchanged; not if all have the same records.
        hashes: bool,
    },
    /// A round was won.
    Won {
        /// The round, from 1.
        round: usize,
        /// By whom.
        by: usize,
    },
    /// The winner's refinement was refused.
    Refused {
        /// The round.
        round: usize,
        /// Whose it was.
        by: usize,
    },
    /// We answered a question about a secret of ours.
    Answered {
        /// Who asked.
        from: usize,
        /// The column to refine.
        column: usize,
        /// Whether we consented.
        consent: bool,
    },
    /// A refinement was made.
    Refined {
        /// The round.
        round: usize,
        /// By whom.
        by: usize,
        /// The column and the parts, if we follow it.
        followed: Option<Followed>,
    },
    /// The search is over.
    Finished {
        /// Rounds in all.
        rounds: usize,
        /// Refinements made.
        refinements: usize,
    },
    /// All made the same release.
    Agreed,
}

impl Event {
    /// What [`Event::Computed`] calls a secure maximum.
    pub const MAXIMUM: &'static str = "who bids most";
    /// What it calls a comparison of all records.
    pub const SAME: &'static str = "whether all have the same records";
    /// What it calls the answer to a question.
    pub const CONSENT: &'static str = "whether a refinement is allowed";
}

/// A refinement that we follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Followed {
    /// The column.
    pub column: usize,
    /// How many parts the value was split into.
    pub children: u32,
    /// How many records showed it.
    pub records: usize,
}
