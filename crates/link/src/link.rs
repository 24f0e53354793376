//! A [`Link`] is the conversation with one peer, from the greeting to the goodbye.
//!
//! It reads and writes side by side. A link ends in one of three ways: both sides said goodbye; this party gives up and
//! tells the peer; or something goes wrong, which makes this party give up on all links.
//!
//! Invariant: this party never stops in the middle of a frame, unless the peer no longer accepts bytes. So even the
//! reason to give up, which overtakes all messages that wait, is read as what it is.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
        mpsc,
    },
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, split},
    net::TcpStream,
    select,
    sync::{Notify, mpsc::UnboundedReceiver},
    time::{sleep, timeout},
};
use tokio_rustls::TlsStream;

use crate::{
    Fault,
    frame::{Kind, Reader, Writer, parts},
    state::{Place, Room, State},
};

/// A connection that is encrypted, and whose other end is known.
pub(crate) type Stream = TlsStream<TcpStream>;

/// How long the last words may take to reach a peer.
pub(crate) const FAREWELL: Duration = Duration::from_secs(2);

/// A message that waits to be sent.
pub(crate) struct Queued {
    pub(crate) message: Vec<u8>,
    /// Freed when it has been sent.
    pub(crate) _place: Place,
}

/// A message that waits to be received.
pub(crate) struct Arrived {
    pub(crate) from: usize,
    pub(crate) message: Vec<u8>,
    /// Freed when it has been received.
    pub(crate) _place: Place,
}

pub(crate) struct Link {
    peer: usize,
    state: Arc<State>,
    /// The peer has finished: it reads on until it hears a goodbye, but needs no more.
    has_left: AtomicBool,
    /// This party has said goodbye.
    goodbye: Notify,
}

impl Link {
    pub(crate) fn new(peer: usize, state: Arc<State>) -> Link {
        Link {
            peer,
            state,
            has_left: AtomicBool::new(false),
            goodbye: Notify::new(),
        }
    }

    /// Carries messages until the outbox is closed and both have said goodbye, or until this party gives up.
    pub(crate) async fn run(self, stream: Stream, outbox: UnboundedReceiver<Queued>, inbox: mpsc::Sender<Arrived>) {
        let (from, to) = split(stream);
        let tally = &self.state.tallies[self.peer];
        let mut reader = Reader::new(from, &self.state.limits, Arc::clone(tally));
        let mut writer = Writer::new(to, &self.state.limits, Arc::clone(tally));
        tokio::join!(self.read(&mut reader, inbox), self.write(&mut writer, outbox));
        part(writer, reader).await;
    }

    /// Drops the inbox last: whoever finds it closed looks for the failure.
    async fn read(&self, reader: &mut Reader<impl AsyncRead + Unpin>, inbox: mpsc::Sender<Arrived>) {
        select! {
            read = self.read_messages(reader, &inbox) => match read {
                Ok(()) => {
                    self.has_left.store(true, Relaxed);
                    self.state.note_goodbye(self.peer);
                }
                Err(fault) => self.state.fail_by(self.peer, fault),
            },
            _ = self.state.aborted() => {}
            fault = self.goodbye_overdue() => self.state.note_fault(self.peer, fault),
        }
    }

    async fn read_messages(
        &self,
        reader: &mut Reader<impl AsyncRead + Unpin>,
        inbox: &mpsc::Sender<Arrived>,
    ) -> Result<(), Fault> {
        let room = Room::new(self.state.limits.queue);
        while let Some(message) = reader.message().await? {
            // While there is no room nothing is read, and the peer has to wait.
            if let Some(_place) = room.place(message.len()).await {
                let from = self.peer;
                // Nobody receives any more once this party closes its links; what still comes is not needed.
                let _ = inbox.send(Arrived { from, message, _place });
            }
        }
        Ok(())
    }

    /// Ends when the peer has had its time to answer the goodbye.
    async fn goodbye_overdue(&self) -> Fault {
        self.goodbye.notified().await;
        sleep(self.state.limits.silence).await;
        Fault::NoGoodbye(self.state.limits.silence)
    }

    async fn write(&self, writer: &mut Writer<impl AsyncWrite + Unpin>, outbox: UnboundedReceiver<Queued>) {
        let cut_off = async {
            self.state.aborted().await;
            sleep(FAREWELL).await;
        };
        let written = select! {
            written = self.write_messages(writer, outbox) => written,
            () = cut_off => Ok(()),
        };
        match written {
            Ok(()) => self.goodbye.notify_one(),
            // It has all that it needs, and has closed its end.
            Err(_) if self.has_left.load(Relaxed) => {}
            Err(fault) => {
                // The last words of the peer explain more than that it accepts none: let them be read first.
                let _ = timeout(FAREWELL, self.state.aborted()).await;
                self.state.fail_by(self.peer, fault);
            }
        }
    }

    async fn write_messages(
        &self,
        writer: &mut Writer<impl AsyncWrite + Unpin>,
        mut outbox: UnboundedReceiver<Queued>,
    ) -> Result<(), Fault> {
        loop {
            select! {
                biased;
                reason = self.state.aborted() => return writer.frame(Kind::Abort, reason.as_bytes()).await,
                queued = outbox.recv() => match queued {
                    Some(queued) => self.write_message(writer, &queued.message).await?,
                    // Who gives up says so before it closes its queues, but perhaps just after we have looked.
                    None if self.state.is_aborted() => {}
                    None => return writer.frame(Kind::Goodbye, &[]).await,
                },
                () = sleep(self.state.limits.keep_alive()) => writer.sign().await?,
            }
        }
    }

    /// Sends a message, or the beginning of one if this party gives up meanwhile.
    async fn write_message(&self, writer: &mut Writer<impl AsyncWrite + Unpin>, message: &[u8]) -> Result<(), Fault> {
        for (part, is_last) in parts(message, &self.state.limits) {
            if self.state.is_aborted() {
                break;
            }
            writer.part(part, is_last).await?;
        }
        Ok(())
    }
}

/// Ends a connection after the last frame.
///
/// What the peer still sends is read and forgotten: a connection that is closed over unread bytes is reset, and a reset
/// may overtake the last frame.
pub(crate) async fn part(mut writer: Writer<impl AsyncWrite + Unpin>, mut reader: Reader<impl AsyncRead + Unpin>) {
    let ending = async {
        writer.shutdown().await;
        reader.drain().await;
    };
    let _ = timeout(FAREWELL, ending).await;
}
