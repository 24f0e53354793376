//! What one party brings to a mashup, and what it gets.
//!
//! Neither is that of [`publish`](crate::publish): who takes part has no say in how to search, which is in the agreement, no ledger
//! and no second try, but a name, keys and deadlines; and what it gets was put in place by all together, after all had compared its
//! bytes, so that a folder is only written whole with the others, and no file in it may depend on who wrote it. What lies between
//! is shared: the release is audited, certified and written by the same code.

use std::path::{Path, PathBuf};
use std::time::Duration;

use scumble_link::{Identity, Limits};
use scumble_policy::Data;
use scumble_progress::Watch;
use scumble_report::Certificate;
use serde::Serialize;

use crate::files::path_as_text;
use crate::timings::in_seconds;
use crate::warning::{Warning, in_words};

/// What one party brings, beside the agreement.
pub struct Participation<'o> {
    /// Its place in the agreement.
    pub own: usize,
    /// Its data.
    pub data: &'o Data,
    /// Who it is to the others.
    pub identity: &'o Identity,
    /// Where to listen, if not at the address of the agreement.
    pub listen: Option<&'o str>,
    /// Where to put the release.
    pub folder: &'o Path,
    /// Whether a release that is there already may be replaced.
    pub replace: bool,
    /// Where to write down what happens, also if it fails; if nowhere, beside the release.
    pub transcript: Option<&'o Path>,
    /// What is asked of the links.
    pub limits: &'o Limits,
    /// Who sees the progress and may stop it.
    pub watch: &'o dyn Watch,
}

/// A release that was published together.
#[derive(Debug, Serialize)]
pub struct Together {
    /// Its folder.
    #[serde(serialize_with = "path_as_text")]
    pub folder: PathBuf,
    /// The released table.
    #[serde(serialize_with = "path_as_text")]
    pub released: PathBuf,
    /// What went out with it.
    pub certificate: Certificate,
    /// Each template with its level, in words.
    #[serde(skip)]
    pub levels: Vec<String>,
    /// How many records there are.
    pub records: PartyRecords,
    /// Rounds of the search, refused refinements included.
    pub rounds: usize,
    /// Refinements made.
    pub refinements: usize,
    /// Bytes sent and received, over all links.
    pub bytes: Traffic,
    /// How long every secure maximum took, in seconds.
    pub maxima: Vec<f64>,
    /// Where it is written down what happened.
    #[serde(serialize_with = "path_as_text")]
    pub transcript: PathBuf,
    /// The columns of our own file that stayed with us, because the agreement does not list them.
    pub columns_left_out: Vec<String>,
    /// What the user should know.
    #[serde(serialize_with = "in_words")]
    pub warnings: Vec<Warning>,
    /// How long each part took.
    #[serde(rename = "seconds")]
    pub timings: PartyTimings,
}

/// The records of a mashup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PartyRecords {
    /// Records of our own.
    pub own: usize,
    /// Records that all parties have.
    pub common: usize,
}

/// Bytes over all links.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Traffic {
    /// Those that left.
    pub sent: u64,
    /// Those that came.
    pub received: u64,
}

/// How long each part of a mashup took.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct PartyTimings {
    /// Reading our own data.
    #[serde(serialize_with = "in_seconds")]
    pub load: Duration,
    /// Waiting for the others.
    #[serde(serialize_with = "in_seconds")]
    pub meet: Duration,
    /// Finding the common records.
    #[serde(serialize_with = "in_seconds")]
    pub align: Duration,
    /// Finding the masks together.
    #[serde(serialize_with = "in_seconds")]
    pub search: Duration,
    /// Telling each other what they show, and recounting it.
    #[serde(serialize_with = "in_seconds")]
    pub audit: Duration,
    /// Writing, comparing, and making sure that it is on disk.
    #[serde(serialize_with = "in_seconds")]
    pub write: Duration,
}
