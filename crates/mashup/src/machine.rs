//! [`Machine`]: one party's side of the protocol as a machine, messages in and messages out.
//!
//! The steps are written one after the other, as `async` functions that wait for messages. There is no runtime and there
//! are no sockets: whoever drives the machine puts in what arrives and carries away what comes out, over TLS or in a test
//! that loses, delays, repeats, reorders and truncates at will.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use crate::event::Event;
use crate::mail::{Mail, Outgoing};

/// One party's side.
pub struct Machine<'p, T> {
    mail: Mail,
    steps: Option<Pin<Box<dyn Future<Output = T> + 'p>>>,
}

/// What came of a turn.
#[derive(Debug)]
pub struct Turn<T> {
    /// Messages to carry away, in this order.
    pub out: Vec<Outgoing>,
    /// What happened.
    pub events: Vec<Event>,
    /// The end, if this was it.
    pub end: Option<End<T>>,
}

/// How a machine ended.
#[derive(Debug)]
pub enum End<T> {
    /// The steps returned.
    Returned(T),
    /// A step panicked, which is a bug.
    Broken,
}

impl<'p, T> Machine<'p, T> {
    /// A machine that will take these steps as party `own` of so many.
    pub fn new<F: Future<Output = T> + 'p>(own: usize, parties: usize, steps: impl FnOnce(Mail) -> F) -> Self {
        let mail = Mail::new(own, parties);
        Machine {
            steps: Some(Box::pin(steps(mail.clone()))),
            mail,
        }
    }

    /// The same, where a peer may send so many bytes, and 4 KiB more per common record. What a secure computation takes
    /// is not counted: its circuit sets its own bound. 1 GiB unless told.
    pub fn allowing(self, bytes: usize) -> Self {
        self.mail.allow(bytes);
        self
    }

    /// The parties without whose next message this one cannot go on.
    pub fn waits_for(&self) -> Vec<usize> {
        self.mail.waits_for()
    }

    /// Puts in a message that has arrived.
    pub fn deliver(&self, from: usize, bytes: Vec<u8>) {
        self.mail.deliver(from, bytes);
    }

    /// Goes on until a message is missing.
    pub fn turn(&mut self) -> Turn<T> {
        let mut end = None;
        if let Some(steps) = &mut self.steps {
            let mut context = Context::from_waker(Waker::noop());
            // Panics of the library of secure computation are caught where it is called. One of our own must not leave the
            // others waiting, either: the driver can still tell them.
            end = match catch_unwind(AssertUnwindSafe(|| steps.as_mut().poll(&mut context))) {
                Ok(Poll::Pending) => None,
                Ok(Poll::Ready(result)) => Some(End::Returned(result)),
                Err(_) => Some(End::Broken),
            };
        }
        if end.is_some() {
            self.steps = None;
        }
        Turn {
            out: self.mail.take_out(),
            events: self.mail.take_events(),
            end,
        }
    }
}
