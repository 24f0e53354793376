//! What one party brings to a mashup, and what it gets.

use std::path::{Path, PathBuf};
use std::time::Duration;

use scumble_link::{Identity, Limits};
use scumble_policy::Data;
use scumble_progress::Watch;
use scumble_report::Certificate;

use crate::warning::Warning;

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
#[derive(Debug)]
pub struct Together {
    /// Its folder.
    pub folder: PathBuf,
    /// The released table.
    pub released: PathBuf,
    /// What went out with it.
    pub certificate: Certificate,
    /// Each template with its level, in words.
    pub levels: Vec<String>,
    /// Records of our own.
    pub own_records: usize,
    /// Records that all parties have.
    pub common_records: usize,
    /// Rounds of the search, refused refinements included.
    pub rounds: usize,
    /// Refinements made.
    pub refinements: usize,
    /// Bytes sent and received, over all links.
    pub bytes: (u64, u64),
    /// How long every secure maximum took, in seconds.
    pub maxima: Vec<f64>,
    /// Where it is written down what happened.
    pub transcript: PathBuf,
    /// The columns of our own file that stayed with us, because the agreement does not list them.
    pub columns_left_out: Vec<String>,
    /// What the user should know.
    pub warnings: Vec<Warning>,
    /// How long each part took.
    pub timings: PartyTimings,
}

/// How long each part of a mashup took.
#[derive(Clone, Copy, Debug, Default)]
pub struct PartyTimings {
    /// Reading our own data.
    pub load: Duration,
    /// Waiting for the others.
    pub meet: Duration,
    /// Finding the common records.
    pub align: Duration,
    /// Finding the masks together.
    pub search: Duration,
    /// Telling each other what they show, and recounting it.
    pub audit: Duration,
    /// Writing, comparing, and making sure that it is on disk.
    pub write: Duration,
}
