//! [`Links`]: the handle by which a party talks to all others.
//!
//! Invariant: the thread in the background ends with the handle. Dropped without [`Links::close`], the handle gives up,
//! so that no other party waits for one that is no more.

use std::{
    fmt,
    net::TcpListener,
    panic::resume_unwind,
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{self, RecvTimeoutError},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use tokio::{
    runtime::{Builder, Handle},
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    task::JoinSet,
};

use crate::{
    Fault, Identity, Limits, LinkError, Peer, Traffic,
    link::{Arrived, Link, Queued},
    meeting::meet,
    parties::Parties,
    state::State,
};

/// How long to wait before looking whether to go on.
const LOOK_UP: Duration = Duration::from_millis(100);

/// The links of one party with all others.
///
/// For plain threads: to call [`Links::send`] from within an asynchronous runtime is a panic.
pub struct Links {
    state: Arc<State>,
    /// One for each party, but the own. Closed by dropping.
    outboxes: Vec<Option<UnboundedSender<Queued>>>,
    /// Closed by dropping.
    inbox: Option<Mutex<mpsc::Receiver<Arrived>>>,
    runtime: Handle,
    thread: Option<JoinHandle<()>>,
    /// When all had met.
    met: Instant,
}

impl Links {
    /// Meets all other parties, and returns when this party has a link with each.
    ///
    /// `own` is the place of this party in the list, which all parties have in the same order: the later in the list
    /// calls the earlier, again and again until the time to meet is over, so that parties may start in any order. A
    /// party is called at its own address, or at `listen` if others reach that through some other way.
    pub fn connect(
        own: usize,
        parties: &[Peer],
        listen: Option<&str>,
        identity: &Identity,
        limits: &Limits,
    ) -> Result<Links, LinkError> {
        Links::connect_while(own, parties, listen, identity, limits, &|| true)
    }

    /// The same, but only as long as someone wants it to go on.
    pub fn connect_while(
        own: usize,
        parties: &[Peer],
        listen: Option<&str>,
        identity: &Identity,
        limits: &Limits,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<Links, LinkError> {
        let parties = Parties::check(own, parties)?;
        identity.check_name(parties.server_name(own))?;
        let listener = match parties.is_called() {
            true => Some(listen_at(listen.unwrap_or(parties.address(own)))?),
            false => None,
        };
        let state = Arc::new(State::new(parties, limits));
        let (mut links, met) =
            Links::start(state, listener, identity.clone()).map_err(|error| LinkError::Start(Arc::new(error)))?;
        // The background always reports, unless it panics; then it has no links.
        wait(&met, &|| stopped(goes_on)).unwrap_or_else(|ended| Err(ended.unwrap_or(LinkError::Ended)))?;
        links.met = Instant::now();
        Ok(links)
    }

    /// Sends a message to one party. Waits while more than [`Limits::queue`] bytes wait for that party.
    ///
    /// A message may be lost without an error if its receiver has said goodbye, or if the run fails later.
    pub fn send(&self, to: usize, message: Vec<u8>) -> Result<(), LinkError> {
        let outbox = self.outboxes.get(to).and_then(Option::as_ref);
        let outbox = outbox.ok_or(LinkError::NoSuchPeer { index: to })?;
        let (bytes, limit) = (message.len(), self.state.limits.message);
        if bytes > limit {
            return Err(LinkError::MessageTooLarge { bytes, limit });
        }
        let place = self.runtime.block_on(self.state.outbox_rooms[to].place(bytes));
        let _place = place.ok_or_else(|| self.failure())?;
        // Nobody takes it if the peer has said goodbye, and then nobody needs it.
        let _ = outbox.send(Queued { message, _place });
        Ok(())
    }

    /// Waits for the next message of any party, and says whose it is.
    ///
    /// What arrived before a link failed is still received; then comes the error.
    pub fn receive(&self) -> Result<(usize, Vec<u8>), LinkError> {
        self.receive_due(&[], &|| true)
    }

    /// The same, but only as long as someone wants it to go on, and where this party cannot do without the next messages of
    /// the parties that are `due`: each has [`Limits::progress`] for its own, and all have [`Limits::deadline`].
    pub fn receive_due(&self, due: &[usize], goes_on: &dyn Fn() -> bool) -> Result<(usize, Vec<u8>), LinkError> {
        let Some(inbox) = &self.inbox else {
            return Err(self.failure());
        };
        let inbox = inbox.lock().unwrap_or_else(PoisonError::into_inner);
        self.state.patience.wait_for(due, Instant::now());
        let look_up = || stopped(goes_on).or_else(|| self.too_late());
        let arrived = match look_up() {
            Some(error) => Err(Some(error)),
            None => wait(&inbox, &look_up),
        };
        let arrived = arrived.map_err(|error| error.unwrap_or_else(|| self.failure()))?;
        self.state.patience.work(Instant::now());
        Ok((arrived.from, arrived.message))
    }

    /// What took too long, if anything did. It ends the run.
    fn too_late(&self) -> Option<LinkError> {
        let State { limits, patience, .. } = &*self.state;
        let now = Instant::now();
        let name = |party: usize| self.state.parties.name(party).to_owned();
        let is_over = limits.deadline.is_some_and(|limit| now - self.met > limit);
        let late = match (is_over, patience.overdue(now)) {
            (_, Some(peer)) => self.state.error(peer, Fault::NoProgress(limits.progress)),
            (true, None) => LinkError::Deadline {
                limit: limits.deadline?,
                waiting: patience.waited_for().into_iter().map(name).collect(),
            },
            (false, None) => return None,
        };
        self.state.fail(late);
        // What failed before that is the reason.
        self.state.failure()
    }

    /// The bytes of messages so far, for each place in the list of parties; none for the own place.
    pub fn traffic(&self) -> Vec<Traffic> {
        self.state.traffic()
    }

    /// Sends all that waits to be sent, says goodbye, and waits until the others have said goodbye, too.
    ///
    /// An error means that some party may not have finished. Messages that were not received are dropped.
    pub fn close(mut self) -> Result<(), LinkError> {
        self.finish();
        self.state.failure().map_or(Ok(()), Err)
    }

    /// From now on a party that fails is no reason to break with the others: all that had to be said was said.
    pub fn settle(&self) {
        self.state.settle();
    }

    /// Says goodbye as [`close`](Self::close) does, and tells the places of those who did not.
    pub fn part(mut self) -> Vec<usize> {
        self.settle();
        self.finish();
        self.state.without_goodbye()
    }

    /// Tells the others that this party gives up, and ends all links. What waits to be sent is dropped.
    ///
    /// The reason is shown to the others, so it must tell nothing of the data. It is cut to 500 bytes.
    pub fn abort(mut self, reason: &str) {
        self.state.abort(reason);
        self.finish();
    }

    fn start(
        state: Arc<State>,
        listener: Option<TcpListener>,
        identity: Identity,
    ) -> std::io::Result<(Links, mpsc::Receiver<Result<(), LinkError>>)> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let handle = runtime.handle().clone();
        let (arrived, inbox) = mpsc::channel();
        let (outboxes, queues) = open_outboxes(&state.parties);
        let (report, met) = mpsc::channel();
        let background = Background {
            state: Arc::clone(&state),
            identity,
            queues,
            arrived,
        };
        let thread = thread::Builder::new().name("links".to_owned()).spawn(move || {
            runtime.block_on(background.run(listener, report));
            // A lookup of an address may still be under way; nobody waits for it.
            runtime.shutdown_background();
        })?;
        let links = Links {
            state,
            outboxes,
            inbox: Some(Mutex::new(inbox)),
            runtime: handle,
            thread: Some(thread),
            met: Instant::now(),
        };
        Ok((links, met))
    }

    /// Closes both ends of all queues, which lets the links end, and waits until they have.
    fn finish(&mut self) {
        self.outboxes.clear();
        self.inbox = None;
        let ended = self.thread.take().map(JoinHandle::join);
        if let Some(Err(panic)) = ended
            && !thread::panicking()
        {
            resume_unwind(panic);
        }
    }

    fn failure(&self) -> LinkError {
        self.state.failure().unwrap_or(LinkError::Ended)
    }
}

impl Drop for Links {
    fn drop(&mut self) {
        self.state.abort("it stopped early");
        self.finish();
    }
}

impl fmt::Debug for Links {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Links")
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}

/// Waits for what comes through a channel, and looks up from time to time whether something ends that.
///
/// # Errors
/// What ends it, nothing if nothing will come.
fn wait<T>(channel: &mpsc::Receiver<T>, look_up: &dyn Fn() -> Option<LinkError>) -> Result<T, Option<LinkError>> {
    loop {
        match channel.recv_timeout(LOOK_UP) {
            Ok(came) => return Ok(came),
            Err(RecvTimeoutError::Disconnected) => return Err(None),
            Err(RecvTimeoutError::Timeout) => look_up().map_or(Ok(()), |error| Err(Some(error)))?,
        }
    }
}

/// The error of someone who does not want it to go on.
fn stopped(goes_on: &dyn Fn() -> bool) -> Option<LinkError> {
    (!goes_on()).then_some(LinkError::Stopped)
}

fn listen_at(address: &str) -> Result<TcpListener, LinkError> {
    let listener = TcpListener::bind(address).and_then(|listener| {
        listener.set_nonblocking(true)?;
        Ok(listener)
    });
    listener.map_err(|source| LinkError::Listen {
        address: address.to_owned(),
        source: Arc::new(source),
    })
}

type Outboxes = Vec<Option<UnboundedSender<Queued>>>;
type Queues = Vec<Option<UnboundedReceiver<Queued>>>;

fn open_outboxes(parties: &Parties) -> (Outboxes, Queues) {
    let open = |party| match party == parties.own() {
        true => (None, None),
        false => {
            let (outbox, queue) = unbounded_channel();
            (Some(outbox), Some(queue))
        }
    };
    (0..parties.len()).map(open).unzip()
}

/// What the thread in the background owns.
struct Background {
    state: Arc<State>,
    identity: Identity,
    queues: Queues,
    arrived: mpsc::Sender<Arrived>,
}

impl Background {
    /// Meets the others, reports whether that went well, and runs the links until all have ended.
    ///
    /// A link begins as soon as its party has come: that party may be through with meeting, and must see signs of life.
    async fn run(mut self, listener: Option<TcpListener>, report: mpsc::Sender<Result<(), LinkError>>) {
        let mut links = JoinSet::new();
        let state = Arc::clone(&self.state);
        let identity = self.identity.clone();
        let met = meet(&state, &identity, listener, |peer, stream| {
            if let Some(queue) = self.queues[peer].take() {
                let link = Link::new(peer, Arc::clone(&state));
                links.spawn(link.run(stream, queue, self.arrived.clone()));
            }
        });
        let met = met.await;
        drop(self);
        if let Err(error) = &met {
            state.fail(error.clone());
        }
        // The caller waits for this, and cannot have gone.
        let _ = report.send(met);
        while links.join_next().await.is_some() {}
    }
}
