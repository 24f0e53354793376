//! An [`Event`] is one thing that a run tells of itself. Its names in JSON are relied on: they only grow in number.

use std::fmt;

use serde::Serialize;

/// One thing that a run tells of itself.
///
/// Stages nest: a stage that begins before another has ended is a part of it, and ends before it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "event")]
pub enum Event {
    /// A stage begins.
    Begun {
        /// Which.
        stage: Stage,
        /// All there is to do, if that is known.
        #[serde(skip_serializing_if = "Option::is_none")]
        total: Option<Amount>,
    },
    /// So much more of the present stage is done.
    Advanced {
        /// How much more.
        by: Amount,
    },
    /// A long method is so far.
    Phase {
        /// What it does just now.
        phase: &'static str,
        /// The share of the stage that is done, from 0 to 1; it never falls.
        share: f64,
    },
    /// The search has taken a step.
    Step {
        /// Its number, from 1.
        number: u64,
        /// The information loss after it, where the search knows it.
        #[serde(skip_serializing_if = "Option::is_none")]
        loss: Option<f64>,
        /// What each template measures after it.
        levels: Vec<Level>,
    },
    /// A round of a mashup came to something.
    Round {
        /// Its number, from 1.
        number: u64,
        /// The place in the agreement of the party whose refinement it is about.
        party: usize,
        /// To what it came.
        came_to: RoundEnd,
    },
    /// So much went over all links of a mashup so far.
    Traffic {
        /// Bytes sent.
        sent: u64,
        /// Bytes received.
        received: u64,
    },
    /// A stage ended, done or not.
    Ended {
        /// Which.
        stage: Stage,
    },
}

/// What a run does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// Reading rows.
    Reading,
    /// Reading releases of earlier days that this one is joined with.
    ReadingEarlier,
    /// Reading tables of a population.
    ReadingPopulations,
    /// Reading what is released, to audit or attack or measure it.
    ReadingRelease,
    /// Waiting until nobody else has the ledger.
    WaitingForLedger,
    /// Counting what a file holds.
    Counting,
    /// Searching for masks or groups.
    Searching,
    /// Searching with the other parties of a mashup.
    SearchingTogether,
    /// Showing every cell as it was decided.
    Masking,
    /// Recounting what is to be released.
    Auditing,
    /// Comparing with earlier versions of the same table.
    ComparingVersions,
    /// Doing what an adversary would do.
    Attacking,
    /// Measuring what the release is still good for.
    Measuring,
    /// Bringing the rows into the order in which they are written.
    Sorting,
    /// Writing the release.
    Writing,
    /// Waiting for the other parties of a mashup.
    WaitingForOthers,
    /// Finding the records that all parties have.
    FindingCommonRecords,
    /// Putting the parts of the parties together.
    PuttingTogether,
}

impl Stage {
    /// Every stage.
    pub const ALL: [Stage; 18] = [
        Stage::Reading,
        Stage::ReadingEarlier,
        Stage::ReadingPopulations,
        Stage::ReadingRelease,
        Stage::WaitingForLedger,
        Stage::Counting,
        Stage::Searching,
        Stage::SearchingTogether,
        Stage::Masking,
        Stage::Auditing,
        Stage::ComparingVersions,
        Stage::Attacking,
        Stage::Measuring,
        Stage::Sorting,
        Stage::Writing,
        Stage::WaitingForOthers,
        Stage::FindingCommonRecords,
        Stage::PuttingTogether,
    ];
}

/// In words.
impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Stage::Reading => "reading",
            Stage::ReadingEarlier => "reading earlier releases",
            Stage::ReadingPopulations => "reading populations",
            Stage::ReadingRelease => "reading the release",
            Stage::WaitingForLedger => "waiting for the ledger",
            Stage::Counting => "counting",
            Stage::Searching => "searching",
            Stage::SearchingTogether => "searching together",
            Stage::Masking => "masking",
            Stage::Auditing => "auditing",
            Stage::ComparingVersions => "comparing with earlier versions",
            Stage::Attacking => "attacking",
            Stage::Measuring => "measuring",
            Stage::Sorting => "sorting the rows",
            Stage::Writing => "writing the release",
            Stage::WaitingForOthers => "waiting for the others",
            Stage::FindingCommonRecords => "finding the common records",
            Stage::PuttingTogether => "putting the release together",
        })
    }
}

/// How much, and of what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Amount {
    /// Bytes of files or messages.
    Bytes(u64),
    /// Rows of tables.
    Rows(u64),
}

impl Amount {
    /// The number alone.
    pub fn count(self) -> u64 {
        match self {
            Amount::Bytes(count) | Amount::Rows(count) => count,
        }
    }

    /// Both together, if they are of one kind.
    pub fn plus(self, other: Amount) -> Option<Amount> {
        match (self, other) {
            (Amount::Bytes(a), Amount::Bytes(b)) => Some(Amount::Bytes(a.saturating_add(b))),
            (Amount::Rows(a), Amount::Rows(b)) => Some(Amount::Rows(a.saturating_add(b))),
            (Amount::Bytes(_), Amount::Rows(_)) | (Amount::Rows(_), Amount::Bytes(_)) => None,
        }
    }
}

/// What a template measures.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Level {
    /// The name of its kind.
    pub template: &'static str,
    /// The level.
    pub level: f64,
}

/// What a round of a mashup came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RoundEnd {
    /// The party bids most.
    Won,
    /// Its refinement was refused.
    Refused,
    /// Its refinement was made.
    Refined,
}
