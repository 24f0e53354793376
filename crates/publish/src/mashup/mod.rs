//! Taking part in a mashup: the flow of [`publish`](crate::publish), by one of several parties who hold columns of the same
//! people.
//!
//! ```text
//! agreement ─► plan ─► load own columns ─► meet ─► align ─► search together ─► mask own ─► tell ─► recount
//!           ─► contribute ─► audit ─► write aside ─► audit the files ─► compare ─► put in place ─► goodbye
//! ```
//!
//! Every party audits the whole release by itself, has its bytes on disk, aside, and audits these, before all compare them;
//! only then does the folder appear. Whatever goes wrong before all have agreed ends the run for all, and nothing is written.
//! After that, goodbye means that the release is in place: who does not say it is named, because it may not have written.

mod drive;
mod explain;
mod own;
mod release;
mod steps;
mod terms;
mod transcript;
#[cfg(test)]
mod untruths;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use scumble_link::{Identity, Limits, Links, Peer};
use scumble_progress::{Stage, Watch};
use scumble_store::Aside;

use crate::error::Error;
use crate::texts::read_agreed_taxonomies;
use crate::warning::Warning;
use scumble_bind::{PlanWarning, bind};
use scumble_policy::Agreement;
use scumble_policy::{Data, Unlisted};
use scumble_report::Certificate;

use drive::{Driver, Says, Traffic};
use own::Own;
use steps::Steps;
use transcript::Transcript;

pub use explain::{Explained, explain};

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

/// Publishes together with the other parties of an agreement.
pub fn take_part(agreement: &Agreement, party: &Participation) -> Result<Together, Error> {
    take_part_saying(agreement, party, &mut |message| message)
}

/// The same, where something else may be said than the steps say.
fn take_part_saying(agreement: &Agreement, party: &Participation, says: &mut Says) -> Result<Together, Error> {
    let start = Instant::now();
    let aside = Aside::create(party.folder, party.replace)?;
    let taxonomies = read_agreed_taxonomies(agreement)?;
    let plan = bind(&agreement.policy, &agreement.header(), &[], &taxonomies)?;
    let own = Own::load(agreement, &plan, &taxonomies, party)?;
    let mut timings = PartyTimings {
        load: start.elapsed(),
        ..PartyTimings::default()
    };

    let peers: Vec<Peer> = agreement
        .parties
        .iter()
        .map(|party| Peer {
            name: party.name.clone(),
            address: party.address.clone(),
        })
        .collect();
    let met = Instant::now();
    let links = Stage::WaitingForOthers.run(party.watch, |work| {
        let goes_on = || !work.should_stop();
        Links::connect_while(party.own, &peers, party.listen, party.identity, party.limits, &goes_on)
    })?;
    timings.meet = met.elapsed();

    let transcript = Transcript::create(agreement, party, &aside)?;
    let steps = Steps {
        agreement,
        plan: &plan,
        taxonomies: &taxonomies,
        own: &own,
        aside: &aside,
        watch: party.watch,
    };
    let mut driver = Driver::new(agreement, party, transcript, says);
    let (done, links) = driver.run(links, |mail| steps.take(mail))?;
    let Traffic { sent, received } = driver.traffic;
    let written = Instant::now();
    let placed = driver.transcript.finish(party).and_then(|transcript| {
        aside.commit()?;
        Ok(transcript)
    });
    let transcript = match placed {
        Ok(transcript) => transcript,
        Err(error) => {
            links.abort("it cannot write the release");
            return Err(error);
        }
    };
    let not_heard_of = links.part();
    timings.align = done.timings.align;
    timings.search = done.timings.search;
    timings.audit = done.timings.audit;
    timings.write = done.timings.write + written.elapsed();
    let mut warnings: Vec<Warning> = plan.warnings.iter().cloned().map(Warning::from).collect();
    warnings.extend(PlanWarning::of_unlisted(Unlisted::LeaveOut, own.not_listed).map(Warning::from));
    warnings.extend(Warning::of_not_heard(
        not_heard_of.iter().map(|&party| &agreement.parties[party].name[..]),
    ));
    warnings.extend(done.formulas);
    warnings.extend(Warning::of_alone("rows", done.certificate.singled_out.as_ref()));
    Ok(Together {
        folder: party.folder.to_owned(),
        released: party.folder.join(agreement.policy.release.format.file_name()),
        certificate: done.certificate,
        levels: done.levels,
        own_records: own.rows,
        common_records: done.records,
        rounds: driver.rounds,
        refinements: done.refinements,
        bytes: (sent, received),
        maxima: driver.maxima,
        transcript,
        columns_left_out: Warning::left_out(&warnings),
        warnings,
        timings,
    })
}
