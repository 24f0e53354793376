//! [`Mail`]: how the steps of the protocol send and wait for messages, without knowing what carries them.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Poll, Waker};
use std::time::Duration;

use crate::event::Event;
use crate::fault::Fault;
use crate::limits::{Allowance, cost};
use crate::message::Message;

/// A message on its way out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outgoing {
    /// To whom.
    pub to: usize,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// One party's end of all links.
#[derive(Clone)]
pub struct Mail {
    own: usize,
    parties: usize,
    shared: Rc<RefCell<Shared>>,
}

struct Shared {
    peers: Vec<PeerMail>,
    allowance: Allowance,
    out: Vec<Outgoing>,
    events: Vec<Event>,
    secure: Tally,
}

#[derive(Default)]
struct PeerMail {
    inbox: VecDeque<Vec<u8>>,
    waiting: Option<Waker>,
    sent: u64,
    received: u64,
    /// What counts against the allowance.
    spent: usize,
}

/// What a secure computation sent and received so far.
#[derive(Default)]
struct Tally {
    messages: usize,
    sent: usize,
    received: usize,
}

/// What a peer may send beside what the records ask for, unless told.
const ALLOWED: usize = 1 << 30;

impl Mail {
    pub(crate) fn new(own: usize, parties: usize) -> Self {
        let shared = Shared {
            peers: (0..parties).map(|_| PeerMail::default()).collect(),
            allowance: Allowance::new(ALLOWED),
            out: Vec::new(),
            events: Vec::new(),
            secure: Tally::default(),
        };
        Mail {
            own,
            parties,
            shared: Rc::new(RefCell::new(shared)),
        }
    }

    /// This party.
    pub fn own(&self) -> usize {
        self.own
    }

    /// How many parties there are.
    pub fn parties(&self) -> usize {
        self.parties
    }

    /// All others, ascending.
    pub fn others(&self) -> impl Iterator<Item = usize> + use<> {
        let own = self.own;
        (0..self.parties).filter(move |&party| party != own)
    }

    /// Puts a message in that has arrived; one of a stranger is thrown away.
    pub(crate) fn deliver(&self, from: usize, bytes: Vec<u8>) {
        let mut shared = self.shared.borrow_mut();
        let allowance = shared.allowance;
        let Some(peer) = shared.peers.get_mut(from) else { return };
        // Of one that sends too much nothing more is kept; whoever waits for anybody is told.
        if !allowance.covers(peer.spent) {
            return;
        }
        peer.spent = peer.spent.saturating_add(cost(bytes.len()));
        peer.inbox.push_back(bytes);
        if let Some(waiting) = peer.waiting.take() {
            waiting.wake();
        }
    }

    /// Lets each peer send so much.
    pub(crate) fn allow(&self, bytes: usize) {
        self.shared.borrow_mut().allowance.base = bytes;
    }

    /// Notes how many records all have in common, by which messages are measured from now on.
    pub(crate) fn note_records(&self, records: usize) {
        self.shared.borrow_mut().allowance.records = records;
    }

    /// Whose next message is waited for.
    pub(crate) fn waits_for(&self) -> Vec<usize> {
        let shared = self.shared.borrow();
        let waiting = shared.peers.iter().enumerate();
        waiting
            .filter(|(_, peer)| peer.waiting.is_some())
            .map(|(party, _)| party)
            .collect()
    }

    /// Takes out what is to be sent.
    pub(crate) fn take_out(&self) -> Vec<Outgoing> {
        std::mem::take(&mut self.shared.borrow_mut().out)
    }

    /// Takes out what has happened.
    pub(crate) fn take_events(&self) -> Vec<Event> {
        std::mem::take(&mut self.shared.borrow_mut().events)
    }

    /// Notes what happened.
    pub(crate) fn note(&self, event: Event) {
        self.shared.borrow_mut().events.push(event);
    }

    /// Notes that a secure computation ended.
    pub(crate) fn note_computed(&self, what: &str, with: Vec<usize>, time: Duration) {
        let Tally {
            messages,
            sent,
            received,
        } = std::mem::take(&mut self.shared.borrow_mut().secure);
        self.note(Event::Computed {
            what: what.to_owned(),
            with,
            messages,
            sent,
            received,
            seconds: time.as_secs_f64(),
        });
    }

    /// Sends a message.
    pub(crate) fn send(&self, to: usize, message: &Message) {
        let mut shared = self.shared.borrow_mut();
        let peer = &mut shared.peers[to];
        let bytes = message.encode(peer.sent);
        peer.sent += 1;
        match message {
            Message::Secure(_) => shared.secure.sent += bytes.len(),
            _ => shared.events.push(Event::Sent {
                to,
                what: message.name().to_owned(),
                bytes: bytes.len(),
            }),
        }
        shared.out.push(Outgoing { to, bytes });
    }

    /// Sends the same message to all others.
    pub(crate) fn send_all(&self, message: &Message) {
        self.others().for_each(|to| self.send(to, message));
    }

    /// Waits for the next message of a party.
    pub(crate) async fn receive(&self, from: usize) -> Result<Message, Fault> {
        let bytes = poll_fn(|context| {
            let mut shared = self.shared.borrow_mut();
            if let Some(from) = shared.flooding() {
                return Poll::Ready(Err(Fault::TooMuch { from, what: "in all" }));
            }
            let peer = &mut shared.peers[from];
            match peer.inbox.pop_front() {
                Some(bytes) => Poll::Ready(Ok(bytes)),
                None => {
                    peer.waiting = Some(context.waker().clone());
                    Poll::Pending
                }
            }
        })
        .await?;
        let mut shared = self.shared.borrow_mut();
        let records = shared.allowance.records;
        let (number, message) = Message::decode_about(records, from, &bytes)?;
        let expected = shared.peers[from].received;
        if number != expected {
            return Err(Fault::OutOfOrder { from, number, expected });
        }
        if let Some(what) = message.excess(records) {
            return Err(Fault::TooMuch { from, what });
        }
        shared.peers[from].received += 1;
        match &message {
            Message::Secure(_) => {
                shared.peers[from].spent -= cost(bytes.len());
                shared.secure.messages += 1;
                shared.secure.received += bytes.len();
            }
            _ => shared.events.push(Event::Received {
                from,
                what: message.name().to_owned(),
                bytes: bytes.len(),
            }),
        }
        Ok(message)
    }

    /// Waits for a message of a kind.
    pub(crate) async fn receive_as<T>(
        &self,
        from: usize,
        due: &'static str,
        take: impl FnOnce(Message) -> Result<T, Message>,
    ) -> Result<T, Fault> {
        take(self.receive(from).await?).map_err(|message| unexpected(from, &message, due))
    }

    /// Waits for a message of a kind, of each of some parties.
    pub(crate) async fn receive_each<T>(
        &self,
        parties: impl Iterator<Item = usize>,
        due: &'static str,
        mut take: impl FnMut(Message) -> Result<T, Message>,
    ) -> Result<Vec<(usize, T)>, Fault> {
        let mut all = Vec::new();
        for from in parties {
            all.push((from, self.receive_as(from, due, &mut take).await?));
        }
        Ok(all)
    }
}

impl Shared {
    /// A peer that sends more than it may.
    fn flooding(&self) -> Option<usize> {
        self.peers.iter().position(|peer| !self.allowance.covers(peer.spent))
    }
}

/// The fault of a message out of place.
pub(crate) fn unexpected(from: usize, message: &Message, due: &'static str) -> Fault {
    Fault::Unexpected {
        from,
        what: message.name(),
        due,
    }
}
