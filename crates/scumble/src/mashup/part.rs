//! Taking part: from the greeting to the goodbye.

use std::time::Instant;

use scumble_link::{Links, Peer};
use scumble_progress::Stage;
use scumble_store::Aside;

use crate::error::Error;
use crate::texts::read_agreed_taxonomies;
use crate::warning::Warning;
use scumble_bind::{PlanWarning, bind};
use scumble_policy::Agreement;
use scumble_policy::Unlisted;

use super::drive::{Driver, Says};
use super::own::Own;
use super::participation::{Participation, PartyRecords, PartyTimings, Together};
use super::steps::Steps;
use super::transcript::Transcript;

/// Publishes together with the other parties of an agreement.
pub fn take_part(agreement: &Agreement, party: &Participation) -> Result<Together, Error> {
    take_part_saying(agreement, party, &mut |message| message)
}

/// The same, where something else may be said than the steps say.
pub(super) fn take_part_saying(
    agreement: &Agreement,
    party: &Participation,
    says: &mut Says,
) -> Result<Together, Error> {
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
        records: PartyRecords {
            own: own.rows,
            common: done.records,
        },
        rounds: driver.rounds,
        refinements: done.refinements,
        bytes: driver.traffic,
        maxima: driver.maxima,
        transcript,
        columns_left_out: Warning::left_out(&warnings),
        warnings,
        timings,
    })
}
