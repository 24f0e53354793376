//! The job of one party, which runs in a process of its own.

use std::path::Path;
use std::time::Duration;

use scumble::policy::Data;
use scumble::{Identity, Limits, Participation, Unwatched, read_agreement, take_part};
use serde::{Deserialize, Serialize};

use super::files::Files;
use super::tally::Tally;
use crate::Result;
use crate::job::peak_memory;

/// What it took one party to publish together with another, times in seconds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TookPart {
    /// Reading its own data.
    pub load: f64,
    /// Waiting for the other.
    pub meet: f64,
    /// Finding the common records.
    pub align: f64,
    /// Finding the masks together.
    pub search: f64,
    /// Telling each other what they show, and recounting it.
    pub audit: f64,
    /// Writing, comparing and syncing.
    pub write: f64,
    /// How many rounds there were, refused refinements included.
    pub rounds: usize,
    /// How many refinements were made.
    pub refinements: usize,
    /// Every secure maximum.
    pub maxima: Vec<f64>,
    /// What the search sent and received.
    pub tally: Tally,
    /// The bytes of all messages from beginning to end, both ways.
    pub bytes: u64,
    /// The most memory that was resident, in bytes; unknown where there is no `/proc`.
    pub peak_memory: Option<u64>,
}

/// Takes part in the mashup of a folder.
pub fn take_part_once(folder: &Path, name: &str) -> Result<TookPart> {
    let files = Files::of(folder);
    let agreement = read_agreement(&files.agreement())?;
    let key = |file: String| files.keys().join(file);
    let identity = Identity::read(
        &key(format!("{name}.pem")),
        &key(format!("{name}.key")),
        &key("ca.pem".to_owned()),
    )?;
    let party = Participation {
        own: agreement.party(name)?,
        data: &Data::of_file(files.data(name)),
        identity: &identity,
        listen: None,
        folder: &files.out(name),
        replace: false,
        transcript: None,
        limits: &Limits::default(),
        watch: &Unwatched,
    };
    let together = take_part(&agreement, &party)?;
    let timings = together.timings;
    let seconds = |part: Duration| part.as_secs_f64();
    Ok(TookPart {
        load: seconds(timings.load),
        meet: seconds(timings.meet),
        align: seconds(timings.align),
        search: seconds(timings.search),
        audit: seconds(timings.audit),
        write: seconds(timings.write),
        rounds: together.rounds,
        refinements: together.refinements,
        maxima: together.maxima,
        tally: Tally::of_transcript(&together.transcript)?,
        bytes: together.bytes.sent + together.bytes.received,
        peak_memory: peak_memory(),
    })
}
