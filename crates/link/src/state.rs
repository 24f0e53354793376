//! [`State`]: what the callers and the links in the background share.
//!
//! Invariant: the run of this party fails once, by the first thing that went wrong. From then on nobody waits for room
//! to send, and every link gives up.

use std::{
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    time::Instant,
};

use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use crate::{
    Fault, Limits, LinkError,
    error::plain_reason,
    parties::Parties,
    patience::{Patience, Sign},
};

/// The bytes of messages that went over one link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// To the peer.
    pub sent: u64,
    /// From the peer.
    pub received: u64,
}

/// The account of a link, kept while it runs.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) sent: AtomicU64,
    pub(crate) received: AtomicU64,
    /// Who waits for whom, and the place of the peer in it. Nobody waits before all have met.
    patience: Option<(Arc<Patience>, usize)>,
}

impl Tally {
    /// As much came of the peer as counts, and whether that is a whole message.
    pub(crate) fn progressed(&self, is_whole: bool, now: Instant) {
        if let Some((patience, peer)) = &self.patience {
            patience.progressed(*peer, is_whole, now);
        }
    }

    /// A sign of life of the peer came.
    pub(crate) fn sign(&self, sign: Sign) {
        if let Some((patience, peer)) = &self.patience {
            patience.sign(*peer, sign);
        }
    }

    /// What to tell the peer; see [`Patience::sign_for`].
    pub(crate) fn own_sign(&self, told: u64) -> (Sign, u64) {
        let sign = self.patience.as_ref();
        sign.map_or((Sign::default(), told), |(patience, peer)| {
            patience.sign_for(*peer, told)
        })
    }
}

#[derive(Debug)]
pub(crate) struct State {
    pub(crate) parties: Parties,
    pub(crate) limits: Limits,
    /// One for each party, the own one unused.
    pub(crate) tallies: Vec<Arc<Tally>>,
    pub(crate) patience: Arc<Patience>,
    /// Room in the outbox of each party.
    pub(crate) outbox_rooms: Vec<Room>,
    failure: OnceLock<LinkError>,
    /// Why this party gives up, once it does.
    abort: watch::Sender<Option<String>>,
    /// Whether all was said, so that only goodbyes are left.
    is_settled: AtomicBool,
    /// Whether each party said goodbye.
    goodbyes: Vec<AtomicBool>,
}

impl State {
    pub(crate) fn new(parties: Parties, limits: &Limits) -> State {
        let patience = Arc::new(Patience::new(parties.own(), parties.len(), limits.progress));
        let tally = |peer| {
            Arc::new(Tally {
                patience: Some((Arc::clone(&patience), peer)),
                ..Tally::default()
            })
        };
        let goodbyes = parties.names().map(|_| AtomicBool::new(false)).collect();
        State {
            tallies: (0..parties.len()).map(tally).collect(),
            patience: Arc::clone(&patience),
            outbox_rooms: parties.names().map(|_| Room::new(limits.queue)).collect(),
            parties,
            limits: limits.clone(),
            failure: OnceLock::new(),
            abort: watch::Sender::new(None),
            is_settled: AtomicBool::new(false),
            goodbyes,
        }
    }

    /// The first thing that went wrong.
    pub(crate) fn failure(&self) -> Option<LinkError> {
        self.failure.get().cloned()
    }

    /// Ends the run: a peer failed.
    pub(crate) fn fail_by(&self, peer: usize, fault: Fault) {
        match self.is_settled.load(Relaxed) {
            true => self.note_fault(peer, fault),
            false => self.fail(self.error(peer, fault)),
        }
    }

    /// From now on a peer that fails does not end the other links.
    pub(crate) fn settle(&self) {
        self.is_settled.store(true, Relaxed);
    }

    /// Remembers that a peer said goodbye.
    pub(crate) fn note_goodbye(&self, peer: usize) {
        self.goodbyes[peer].store(true, Relaxed);
    }

    /// The peers that did not.
    pub(crate) fn without_goodbye(&self) -> Vec<usize> {
        let others = (0..self.goodbyes.len()).filter(|&peer| peer != self.parties.own());
        others.filter(|&peer| !self.goodbyes[peer].load(Relaxed)).collect()
    }

    /// Ends the run.
    pub(crate) fn fail(&self, error: LinkError) {
        let told = error.told();
        self.note(error);
        self.abort(&told);
    }

    /// Remembers what went wrong with a link, and lets the others finish.
    pub(crate) fn note_fault(&self, peer: usize, fault: Fault) {
        self.note(self.error(peer, fault));
    }

    /// Lets every link tell its peer that this party gives up, and end.
    pub(crate) fn abort(&self, reason: &str) {
        self.abort.send_if_modified(|given| {
            let is_first = given.is_none();
            given.get_or_insert_with(|| plain_reason(reason));
            is_first
        });
        self.outbox_rooms.iter().for_each(Room::close);
    }

    pub(crate) fn is_aborted(&self) -> bool {
        self.abort.borrow().is_some()
    }

    /// Waits until this party gives up, and says why.
    pub(crate) async fn aborted(&self) -> String {
        let mut abort = self.abort.subscribe();
        let given = abort.wait_for(Option::is_some).await;
        // The sender lives as long as this state, so there is always a reason.
        given.ok().and_then(|given| given.clone()).unwrap_or_default()
    }

    pub(crate) fn traffic(&self) -> Vec<Traffic> {
        let traffic = |tally: &Arc<Tally>| Traffic {
            sent: tally.sent.load(Relaxed),
            received: tally.received.load(Relaxed),
        };
        self.tallies.iter().map(traffic).collect()
    }

    pub(crate) fn error(&self, peer: usize, fault: Fault) -> LinkError {
        LinkError::Peer {
            peer,
            name: self.parties.name(peer).to_owned(),
            fault,
        }
    }

    fn note(&self, error: LinkError) {
        // Whatever fails later may be a consequence.
        let _ = self.failure.set(error);
    }
}

/// Room in a queue of messages, counted in bytes.
#[derive(Debug)]
pub(crate) struct Room {
    free: Arc<Semaphore>,
    bytes: u32,
}

/// A place in a queue. It is free again when this is dropped.
pub(crate) type Place = OwnedSemaphorePermit;

/// What a message takes besides its content, so that not even empty messages can fill the memory.
const PER_MESSAGE: usize = 64;

impl Room {
    pub(crate) fn new(bytes: usize) -> Room {
        let bytes = u32::try_from(bytes.clamp(1, Semaphore::MAX_PERMITS)).unwrap_or(u32::MAX);
        Room {
            free: Arc::new(Semaphore::new(bytes as usize)),
            bytes,
        }
    }

    /// Waits for the place of a message: all the room there is, if it is larger. Nothing, once the room is closed.
    pub(crate) async fn place(&self, message: usize) -> Option<Place> {
        let bytes = u32::try_from(message.saturating_add(PER_MESSAGE)).unwrap_or(u32::MAX);
        let free = Arc::clone(&self.free);
        free.acquire_many_owned(bytes.min(self.bytes)).await.ok()
    }

    fn close(&self) {
        self.free.close();
    }
}
