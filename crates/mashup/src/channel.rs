//! The secure computation over the same [`Mail`]: polytune's channel.

use std::cell::RefCell;

use polytune::channel::Channel;

use crate::fault::Fault;
use crate::mail::{Mail, unexpected};
use crate::message::Message;
use crate::secure::SecureError;

/// A channel between some parties, numbered by their place among them.
pub(crate) struct SecureChannel<'m> {
    mail: &'m Mail,
    members: Vec<usize>,
    /// What was wrong with a message; the library only passes on that something was.
    fault: RefCell<Option<Fault>>,
}

impl<'m> SecureChannel<'m> {
    /// A channel between all.
    pub fn of_all(mail: &'m Mail) -> Self {
        SecureChannel::new(mail, (0..mail.parties()).collect())
    }

    /// A channel between two.
    pub fn of_two(mail: &'m Mail, first: usize, second: usize) -> Self {
        SecureChannel::new(mail, vec![first, second])
    }

    fn new(mail: &'m Mail, members: Vec<usize>) -> Self {
        SecureChannel {
            mail,
            members,
            fault: RefCell::new(None),
        }
    }

    /// The fault behind an error of the computation.
    pub fn fault(&self, error: SecureError) -> Fault {
        let of_error = match error {
            SecureError::TooMuch { party } => Fault::TooMuch {
                from: self.members[party],
                what: "in a secure computation",
            },
            error => Fault::Secure(error),
        };
        self.fault.take().unwrap_or(of_error)
    }

    /// The other parties in it.
    pub fn others(&self) -> Vec<usize> {
        let own = self.mail.own();
        self.members.iter().copied().filter(|&member| member != own).collect()
    }
}

impl Channel for SecureChannel<'_> {
    type SendError = ();
    type RecvError = ();

    async fn send_bytes_to(&self, party: usize, data: Vec<u8>, _phase: &str) -> Result<(), ()> {
        self.mail.send(self.members[party], &Message::Secure(data));
        Ok(())
    }

    async fn recv_bytes_from(&self, party: usize, _phase: &str) -> Result<Vec<u8>, ()> {
        let from = self.members[party];
        let fault = match self.mail.receive(from).await {
            Ok(Message::Secure(data)) => return Ok(data),
            Ok(other) => unexpected(from, &other, "a part of a secure computation"),
            Err(fault) => fault,
        };
        self.fault.borrow_mut().get_or_insert(fault);
        Err(())
    }
}
