//! The [`Driver`] carries messages between the machine of one party and its links.

use std::sync::mpsc;

use scumble_link::{Limits, LinkError, Links};
use scumble_mashup::{self as mashup, End, Event, Machine, Mail, Message, Outgoing};
use scumble_progress::{self as progress, RoundEnd, Watch};

use scumble_fault::{Blame, Fault};

use crate::error::Error;
use crate::errors::{MashupError, ReleaseError};
use scumble_policy::{Agreement, differences};

use super::participation::{Participation, Traffic};
use super::steps::{Done, Stopped};
use super::transcript::Transcript;

/// Carries messages, and keeps account of them.
pub(super) struct Driver<'d> {
    agreement: &'d Agreement,
    own: usize,
    watch: &'d dyn Watch,
    limits: &'d Limits,
    pub transcript: Transcript,
    pub traffic: Traffic,
    pub rounds: usize,
    pub maxima: Vec<f64>,
    /// What goes out in the place of a message: the message itself, unless a test lies.
    says: &'d mut Says<'d>,
    /// Whether the others may have our last word, and so may write their release.
    has_agreed: bool,
}

/// Says a message.
pub(super) type Says<'s> = dyn FnMut(Outgoing) -> Outgoing + 's;

/// Why there is no release.
struct Ending {
    error: Error,
    /// Whether every other party finds the same by itself.
    is_mutual: bool,
    /// Whether it names a party and what that did, which is for the others to know.
    is_blame: bool,
}

impl From<Error> for Ending {
    fn from(error: Error) -> Self {
        Ending {
            error,
            is_mutual: false,
            is_blame: false,
        }
    }
}

impl<'d> Driver<'d> {
    pub fn new(
        agreement: &'d Agreement,
        party: &Participation<'d>,
        transcript: Transcript,
        says: &'d mut Says<'d>,
    ) -> Self {
        Driver {
            agreement,
            own: party.own,
            watch: party.watch,
            limits: party.limits,
            transcript,
            traffic: Traffic::default(),
            rounds: 0,
            maxima: Vec::new(),
            says,
            has_agreed: false,
        }
    }

    /// Runs the steps over the links, to the end: all have agreed to the release, and the links are still open, so that
    /// goodbye can mean that it is in place.
    pub fn run<F>(&mut self, links: Links, steps: impl FnOnce(Mail) -> F) -> Result<(Done, Links), Error>
    where
        F: Future<Output = Result<Done, Stopped>>,
    {
        let parties = self.agreement.parties.len();
        let mut machine = Machine::new(self.own, parties, steps).allowing(self.limits.message);
        // Messages go out from threads of their own: two parties who each wait until the other takes more would wait forever.
        // One for each party, so that one that takes nothing does not hold up what is for others.
        let ended = std::thread::scope(|scope| {
            let links = &links;
            let start = |_| {
                let (out, to_send) = mpsc::channel::<Outgoing>();
                let send_all = move || {
                    to_send
                        .iter()
                        .try_for_each(|message| links.send(message.to, message.bytes))
                };
                (out, scope.spawn(send_all))
            };
            let (out, senders): (Vec<_>, Vec<_>) = (0..parties).map(start).unzip();
            let ended = self.turns(&mut machine, links, &out);
            drop(out);
            // Who did not get our last word says no goodbye, and is named then.
            for sender in senders {
                let _ = sender.join();
            }
            ended
        });
        match ended {
            Ok(done) => {
                links.settle();
                Ok((done, links))
            }
            Err(Ending {
                error,
                is_mutual,
                is_blame,
            }) => {
                match &error {
                    // The others find the same from messages of ours that may not have left yet, and an abort would drop.
                    _ if is_mutual => drop(links.close()),
                    Error::Mashup(MashupError::Protocol { fault, .. }) if is_blame => {
                        links.abort(&fault.in_words(|party| self.name(party)));
                    }
                    _ => links.abort(self.reason(&error)),
                }
                Err(error)
            }
        }
    }

    /// What a run ends with that cannot go on. Once the others may have our last word, they may have written.
    fn lost(&self, reason: LinkError) -> Error {
        match reason {
            LinkError::Stopped => Error::Interrupted,
            reason => {
                let all_had_agreed = self.has_agreed;
                MashupError::Lost { reason, all_had_agreed }.into()
            }
        }
    }

    fn turns(
        &mut self,
        machine: &mut Machine<Result<Done, Stopped>>,
        links: &Links,
        out: &[mpsc::Sender<Outgoing>],
    ) -> Result<Done, Ending> {
        loop {
            let turn = machine.turn();
            for message in turn.out {
                let message = (self.says)(message);
                self.traffic.sent += message.bytes.len() as u64;
                // Nobody takes it if a link failed; the next message that does not come says so.
                let _ = out[message.to].send(message);
            }
            turn.events.iter().try_for_each(|event| self.note(event))?;
            match turn.end {
                Some(End::Returned(Ok(done))) => return Ok(done),
                Some(End::Returned(Err(Stopped::Error(error)))) => return Err(error.into()),
                Some(End::Returned(Err(Stopped::Fault(fault)))) => {
                    return Err(Ending {
                        is_mutual: is_mutual(&fault),
                        is_blame: fault.party().is_some(),
                        error: self.told(fault),
                    });
                }
                Some(End::Broken) => {
                    return Err(Error::from(MashupError::Panicked).into());
                }
                None => {}
            }
            // While messages keep coming, nobody waits for one, and so nobody asks whether to go on.
            // Who has said its last word does not go back on it: what is left is to hear those of the others.
            let goes_on = || self.has_agreed || !self.watch.should_stop();
            if !goes_on() {
                return Err(Error::Interrupted.into());
            }
            let (from, bytes) = links
                .receive_due(&machine.waits_for(), &goes_on)
                .map_err(|error| self.lost(error))?;
            self.traffic.received += bytes.len() as u64;
            machine.deliver(from, bytes);
        }
    }

    fn note(&mut self, event: &Event) -> Result<(), Error> {
        match event {
            Event::Won { round, .. } => self.rounds = *round,
            Event::Sent { what, .. } if what == Message::Agreed.name() => self.has_agreed = true,
            Event::Computed { what, seconds, .. } if what == Event::MAXIMUM => self.maxima.push(*seconds),
            _ => {}
        }
        self.tell(event);
        self.transcript.write(event)
    }

    /// Tells the watch of what happened: that, if it is of a round, and how much was sent and received.
    fn tell(&self, event: &Event) {
        let of_round = match event {
            Event::Won { round, by } => Some((round, by, RoundEnd::Won)),
            Event::Refused { round, by } => Some((round, by, RoundEnd::Refused)),
            Event::Refined { round, by, .. } => Some((round, by, RoundEnd::Refined)),
            _ => None,
        };
        if let Some((&round, &party, came_to)) = of_round {
            let number = round as u64;
            self.watch.event(&progress::Event::Round { number, party, came_to });
        }
        let Traffic { sent, received } = self.traffic;
        self.watch.event(&progress::Event::Traffic { sent, received });
    }

    /// A fault in words, with names.
    fn told(&self, fault: mashup::Fault) -> Error {
        let told = match fault {
            mashup::Fault::OtherAgreement { from, theirs } => MashupError::OtherAgreement {
                party: self.name(from),
                differences: differences(&self.agreement.canonical(), &theirs),
            },
            fault => MashupError::Protocol {
                fault,
                parties: self.agreement.parties.iter().map(|party| party.name.clone()).collect(),
            },
        };
        told.into()
    }

    fn name(&self, party: usize) -> String {
        self.agreement.parties[party].name.clone()
    }

    /// What the others are told of an error: its kind, and nothing of our data.
    fn reason(&self, error: &Error) -> &'static str {
        match error {
            _ if error.fault() == Fault::Interrupted => "it was stopped",
            Error::Mashup(MashupError::OtherAgreement { .. }) => "the agreements differ",
            Error::Release(ReleaseError::AuditFailed(_)) => "the release failed its audit",
            Error::Write(_) => "it cannot write the release",
            Error::Mashup(MashupError::Protocol { fault, .. }) if fault.fault() == Fault::Input => {
                "its data does not fit"
            }
            Error::Mashup(MashupError::NotAsItIs { .. }) => "its data does not fit",
            _ => "it cannot go on",
        }
    }
}

/// Whether all parties find a fault, each from what all have sent to all.
fn is_mutual(fault: &mashup::Fault) -> bool {
    matches!(
        fault,
        mashup::Fault::OtherAgreement { .. }
            | mashup::Fault::OtherRecords { .. }
            | mashup::Fault::NothingInCommon
            | mashup::Fault::CannotBeMet { .. }
    )
}
