//! A meeting is how the parties find each other: the later in the list calls the earlier.
//!
//! A caller tries until the time is over. It ends at once if whoever answers is not the party, or does not take it for
//! one: to try again would not help.
//!
//! Whoever is called cannot choose its callers. Anybody may knock: another program, somebody who looks for open ports,
//! a party of another run. They have [`HANDSHAKE`] to prove who they are, [`STRANGERS`] at once, and then they are sent
//! away. They never end the meeting; those with a certificate are remembered for the error, should a party be missing.
//!
//! Invariant: a party comes in only by a certificate of the authority that carries its name, and only once.

use std::{collections::BTreeMap, io, net::TcpListener as StdListener, pin::pin, sync::Arc, time::Duration};

use tokio::{
    io::AsyncReadExt,
    net::{TcpListener, TcpStream, lookup_host},
    select,
    sync::{Semaphore, mpsc},
    task::JoinSet,
    time::{sleep, timeout},
};
use tokio_rustls::{TlsAcceptor, TlsConnector};

use crate::{
    Absence, CertificateFault, Fault, Identity, LinkError, Missing, SentAway,
    certificate::carries,
    error::{fault_of, tls_error},
    frame::{Kind, Reader, Writer},
    greeting,
    link::{Stream, part},
    state::State,
};

/// How long a caller may take to prove who it is, and how long an address may take to answer.
const HANDSHAKE: Duration = Duration::from_secs(5);

/// How many callers may be proving who they are at once. More have to wait.
const STRANGERS: usize = 64;

/// The pause before calling again, at first and at most.
const PAUSE: (Duration, Duration) = (Duration::from_millis(10), Duration::from_secs(1));

/// Meets all other parties, and hands over the connection with each as soon as it has come.
pub(crate) async fn meet(
    state: &Arc<State>,
    identity: &Identity,
    listener: Option<StdListener>,
    mut welcome: impl FnMut(usize, Stream),
) -> Result<(), LinkError> {
    let mut time_is_over = pin!(sleep(state.limits.connect));
    let (news, mut heard) = mpsc::unbounded_channel();
    let host = Host {
        state: Arc::clone(state),
        identity: identity.clone(),
        news,
    };
    let _under_way = host.begin(listener)?;
    let mut absent = Absent::all(state);
    while !absent.is_empty() {
        let event = select! {
            _ = state.aborted() => return Err(state.failure().unwrap_or(LinkError::Ended)),
            () = &mut time_is_over => return Err(absent.into_error(state)),
            // The host holds an end of this channel, so there is always more to come.
            Some(event) = heard.recv() => event,
        };
        match event {
            Event::Came(peer, stream) => match absent.came(peer) {
                true => welcome(peer, *stream),
                false => host.send_second_away(peer, *stream),
            },
            Event::NotYet(peer, why) => absent.explain(peer, why),
            Event::SentAway(remark) => absent.remark(remark),
            Event::Refused(peer, fault) => return Err(state.error(peer, fault)),
        }
    }
    Ok(())
}

/// What happens at a meeting.
enum Event {
    /// A party has come, and has proved it.
    Came(usize, Box<Stream>),
    /// A party that was called has not answered yet.
    NotYet(usize, Absence),
    /// A party that was called is not the right one, or does not want this one.
    Refused(usize, Fault),
    /// A caller is not a party.
    SentAway(SentAway),
}

/// Who is still awaited, and what is known about why.
struct Absent {
    /// For each place in the list, unless that party has come.
    why: Vec<Option<Absence>>,
    /// Each once, in the order of their words.
    remarks: BTreeMap<String, SentAway>,
}

impl Absent {
    fn all(state: &State) -> Absent {
        let mut why = vec![None; state.parties.len()];
        for peer in state.parties.others() {
            why[peer] = Some(match state.parties.calls(peer) {
                true => Absence::NobodyThere {
                    address: state.parties.address(peer).to_owned(),
                },
                false => Absence::NotCalled,
            });
        }
        let remarks = BTreeMap::new();
        Absent { why, remarks }
    }

    fn is_empty(&self) -> bool {
        self.why.iter().all(Option::is_none)
    }

    /// Whether the party that came was awaited.
    fn came(&mut self, peer: usize) -> bool {
        self.why[peer].take().is_some()
    }

    fn explain(&mut self, peer: usize, why: Absence) {
        self.why[peer] = Some(why);
    }

    fn remark(&mut self, remark: SentAway) {
        self.remarks.insert(remark.to_string(), remark);
    }

    fn into_error(self, state: &State) -> LinkError {
        let missing = self.why.into_iter().enumerate().filter_map(|(peer, why)| {
            let name = state.parties.name(peer).to_owned();
            why.map(|why| Missing { peer, name, why })
        });
        LinkError::NotMet {
            waited: state.limits.connect,
            missing: missing.collect(),
            remarks: self.remarks.into_values().collect(),
        }
    }
}

/// What every call needs, made or answered.
#[derive(Clone)]
struct Host {
    state: Arc<State>,
    identity: Identity,
    news: mpsc::UnboundedSender<Event>,
}

impl Host {
    /// Starts to call and to answer. All of that ends when the result is dropped.
    fn begin(&self, listener: Option<StdListener>) -> Result<JoinSet<()>, LinkError> {
        let mut under_way = JoinSet::new();
        if let Some(listener) = listener {
            let listener = TcpListener::from_std(listener).map_err(|error| LinkError::Start(Arc::new(error)))?;
            under_way.spawn(self.clone().answer_all(listener));
        }
        let parties = &self.state.parties;
        for peer in parties.others().filter(|&peer| parties.calls(peer)) {
            under_way.spawn(self.clone().call_until_met(peer));
        }
        Ok(under_way)
    }

    fn tell(&self, event: Event) {
        // Nobody listens once the meeting is over.
        let _ = self.news.send(event);
    }

    async fn call_until_met(self, peer: usize) {
        let (mut pause, longest) = PAUSE;
        loop {
            match self.call(peer).await {
                Ok(stream) => return self.tell(Event::Came(peer, Box::new(stream))),
                Err(Obstacle::ForGood(fault)) => return self.tell(Event::Refused(peer, fault)),
                Err(Obstacle::ForNow(why)) => self.tell(Event::NotYet(peer, why)),
            }
            sleep(pause).await;
            pause = longest.min(pause * 3 / 2);
        }
    }

    async fn call(&self, peer: usize) -> Result<Stream, Obstacle> {
        let address = self.state.parties.address(peer);
        let tcp = reach(address).await.map_err(Obstacle::ForNow)?;
        let silent = Absence::Silent {
            address: address.to_owned(),
        };
        self.tell(Event::NotYet(peer, silent));
        let obstacle = |fault| Obstacle::of(fault, address);
        let name = self.state.parties.server_name(peer).clone();
        let connecting = TlsConnector::from(Arc::clone(&self.identity.client)).connect(name, tcp);
        let stream = connecting.await.map_err(|error| obstacle(fault_of(&error)))?;
        let mut stream = Stream::from(stream);
        self.greet(peer, &mut stream).await.map_err(obstacle)?;
        let answered = self.hear_greeting(&mut stream).await.map_err(obstacle)?;
        match answered == peer {
            true => Ok(stream),
            false => Err(obstacle(Fault::Malformed("the greeting of another party"))),
        }
    }

    async fn answer_all(self, listener: TcpListener) {
        let slots = Arc::new(Semaphore::new(STRANGERS));
        let mut callers = JoinSet::new();
        // The slots are never closed.
        while let Ok(slot) = Arc::clone(&slots).acquire_owned().await {
            match listener.accept().await {
                Ok((tcp, _)) => {
                    let host = self.clone();
                    callers.spawn(async move {
                        let _slot = slot;
                        timeout(HANDSHAKE, host.answer(tcp)).await
                    });
                }
                // The caller has gone again, or the system is short of sockets for the moment.
                Err(_) => sleep(PAUSE.0).await,
            }
            while callers.try_join_next().is_some() {}
        }
    }

    /// Finds out who calls: a party comes in, anybody else is sent away.
    async fn answer(self, tcp: TcpStream) {
        let _ = tcp.set_nodelay(true);
        let accepting = TlsAcceptor::from(Arc::clone(&self.identity.server)).accept(tcp);
        let mut stream = match accepting.into_fallible().await {
            Ok(stream) => Stream::from(stream),
            Err((error, tcp)) => return self.send_stranger_away(&error, tcp).await,
        };
        let came = match self.hear_greeting(&mut stream).await {
            Ok(peer) => self.check_caller(peer, &stream).map(|()| peer),
            Err(fault) => {
                let reason = format!("the caller {fault}");
                Err((SentAway::Failed(fault), reason))
            }
        };
        match came {
            Ok(peer) => {
                if self.greet(peer, &mut stream).await.is_ok() {
                    self.tell(Event::Came(peer, Box::new(stream)));
                }
            }
            Err((remark, reason)) => {
                self.tell(Event::SentAway(remark));
                self.send_away(stream, &reason).await;
            }
        }
    }

    /// Whether a caller is who it says it is, and should call; else a remark for the own user, and what the caller is
    /// told.
    fn check_caller(&self, peer: usize, stream: &Stream) -> Result<(), (SentAway, String)> {
        let parties = &self.state.parties;
        let certificates = stream.get_ref().1.peer_certificates().unwrap_or_default();
        let is_of = |party: usize| {
            let own = certificates.first();
            own.is_some_and(|own| carries(own, parties.server_name(party)))
        };
        let name = parties.name(peer);
        if !is_of(peer) {
            let whose = (0..parties.len()).find(|&party| is_of(party));
            let remark = SentAway::OtherParty {
                said: name.to_owned(),
                of: whose.map(|party| parties.name(party).to_owned()),
            };
            let reason = format!("the certificate of the caller {}", CertificateFault::OtherName);
            return Err((remark, reason));
        }
        if parties.calls(peer) {
            let name = name.to_owned();
            let remark = SentAway::OutOfTurn { name };
            return Err((remark, "it is for the later in the list to call the earlier".to_owned()));
        }
        Ok(())
    }

    /// Ends a call without a certificate of the authority.
    async fn send_stranger_away(&self, error: &io::Error, mut tcp: TcpStream) {
        if let Some(rustls::Error::InvalidCertificate(why)) = tls_error(error) {
            let fault = CertificateFault::of(why);
            self.tell(Event::SentAway(SentAway::Refused(fault)));
        }
        // What it sent is read to the end, so that it can read why it was refused; see `part`.
        let mut forgotten = [0; 1024];
        while tcp.read(&mut forgotten).await.is_ok_and(|read| read > 0) {}
    }

    fn send_second_away(&self, peer: usize, stream: Stream) {
        let host = self.clone();
        tokio::spawn(async move {
            let name = host.state.parties.name(peer);
            let reason = format!("`{name}` is here already; was it started twice?");
            host.send_away(stream, &reason).await;
        });
    }

    async fn send_away(&self, stream: Stream, reason: &str) {
        let (from, to) = tokio::io::split(stream);
        let reader = Reader::new(from, &self.state.limits, Arc::default());
        let mut writer = Writer::new(to, &self.state.limits, Arc::default());
        if writer.frame(Kind::Abort, reason.as_bytes()).await.is_ok() {
            part(writer, reader).await;
        }
    }

    async fn greet(&self, peer: usize, stream: &mut Stream) -> Result<(), Fault> {
        let greeting = greeting::to(peer, &self.state.parties);
        let mut writer = Writer::new(stream, &self.state.limits, Arc::default());
        writer.frame(Kind::Greeting, &greeting).await
    }

    async fn hear_greeting(&self, stream: &mut Stream) -> Result<usize, Fault> {
        let mut reader = Reader::new(stream, &self.state.limits, Arc::default());
        greeting::sender(&reader.greeting().await?, &self.state.parties)
    }
}

/// Why a call did not reach its party.
enum Obstacle {
    /// It may be there later.
    ForNow(Absence),
    /// To call again would not help.
    ForGood(Fault),
}

impl Obstacle {
    fn of(fault: Fault, address: &str) -> Obstacle {
        match fault {
            Fault::Refused(_) | Fault::RefusesUs(_) | Fault::Disagrees(_) | Fault::GaveUp(_) => {
                Obstacle::ForGood(fault)
            }
            fault => {
                let address = address.to_owned();
                Obstacle::ForNow(Absence::Failed { address, fault })
            }
        }
    }
}

/// Connects to the first address of a party that answers.
async fn reach(address: &str) -> Result<TcpStream, Absence> {
    let found = lookup_host(address).await;
    let written = address.to_owned();
    let Ok(found) = found else {
        return Err(Absence::NotFound { address: written });
    };
    for address in found {
        if let Ok(Ok(tcp)) = timeout(HANDSHAKE, TcpStream::connect(address)).await {
            let _ = tcp.set_nodelay(true);
            return Ok(tcp);
        }
    }
    Err(Absence::NobodyThere { address: written })
}
