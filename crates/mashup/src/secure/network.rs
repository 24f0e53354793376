//! A [`Network`] joins parties that run in one thread, and can spoil their messages.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::convert::Infallible;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use polytune::channel::Channel;

/// The messages that are under way between the parties.
pub struct Network {
    parties: usize,
    /// One queue per sender and receiver.
    queues: RefCell<Vec<VecDeque<Vec<u8>>>>,
    sent: Cell<usize>,
    /// The bytes of each sender and receiver.
    bytes: RefCell<Vec<usize>>,
    received: Cell<usize>,
    spoil: Option<Spoil>,
}

/// What happens to some messages on their way.
pub struct Spoil {
    pub which: Box<dyn Fn(Message<'_>) -> bool>,
    pub change: fn(&mut Vec<u8>),
}

/// What tells a message from others.
#[derive(Clone, Copy)]
pub struct Message<'m> {
    /// Its place among all that were sent.
    pub number: usize,
    pub from: usize,
    /// What the library calls it.
    pub phase: &'m str,
}

/// One party's end of the network.
pub struct Line<'n> {
    network: &'n Network,
    own: usize,
}

/// What a party does.
pub type Task<'t, T> = Pin<Box<dyn Future<Output = T> + 't>>;

impl Network {
    pub fn new(parties: usize) -> Self {
        let queues = RefCell::new(vec![VecDeque::new(); parties * parties]);
        Self {
            parties,
            queues,
            sent: Cell::new(0),
            bytes: RefCell::new(vec![0; parties * parties]),
            received: Cell::new(0),
            spoil: None,
        }
    }

    pub fn with_spoilt(parties: usize, spoil: Spoil) -> Self {
        Self {
            spoil: Some(spoil),
            ..Self::new(parties)
        }
    }

    pub fn line(&self, own: usize) -> Line<'_> {
        Line { network: self, own }
    }

    /// How many messages were sent.
    pub fn messages(&self) -> usize {
        self.sent.get()
    }

    /// The bytes of the one who sent most to another.
    pub fn most_bytes(&self) -> usize {
        self.bytes.borrow().iter().copied().max().unwrap_or(0)
    }

    /// Runs all tasks until each has ended or waits for a message that nobody will send: such a task has no result.
    pub fn run<T>(&self, mut tasks: Vec<Task<'_, T>>) -> Vec<Option<T>> {
        let mut results: Vec<Option<T>> = tasks.iter().map(|_| None).collect();
        let mut context = Context::from_waker(Waker::noop());
        loop {
            let before = self.sent.get() + self.received.get();
            for (task, result) in tasks
                .iter_mut()
                .zip(&mut results)
                .filter(|(_, result)| result.is_none())
            {
                if let Poll::Ready(ended) = task.as_mut().poll(&mut context) {
                    *result = Some(ended);
                }
            }
            if before == self.sent.get() + self.received.get() {
                return results;
            }
        }
    }
}

impl Channel for Line<'_> {
    type SendError = Infallible;
    type RecvError = Infallible;

    async fn send_bytes_to(&self, party: usize, mut data: Vec<u8>, phase: &str) -> Result<(), Infallible> {
        let network = self.network;
        let message = Message {
            number: network.sent.get(),
            from: self.own,
            phase,
        };
        if let Some(spoil) = network.spoil.as_ref().filter(|spoil| (spoil.which)(message)) {
            (spoil.change)(&mut data);
        }
        network.sent.update(|sent| sent + 1);
        let link = self.own * network.parties + party;
        network.bytes.borrow_mut()[link] += data.len();
        network.queues.borrow_mut()[link].push_back(data);
        Ok(())
    }

    async fn recv_bytes_from(&self, party: usize, _phase: &str) -> Result<Vec<u8>, Infallible> {
        let network = self.network;
        let data = poll_fn(|_| {
            let next = network.queues.borrow_mut()[party * network.parties + self.own].pop_front();
            next.map_or(Poll::Pending, Poll::Ready)
        });
        let data = data.await;
        network.received.update(|received| received + 1);
        Ok(data)
    }
}
