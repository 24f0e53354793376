//! A frame is what goes over a connection: a kind, a length, and so many bytes.
//!
//! | byte | holds |
//! |---|---|
//! | 0 | the [`Kind`] |
//! | 1 to 4 | the length of what follows, the highest byte first |
//! | 5 on | what follows |
//!
//! A message is any number of parts and one last part. With frames of at most 4 bytes, `scumble` goes as part `scum`,
//! last part `ble`.
//!
//! Invariant: nothing is allocated for a length that was not checked against the limits. And no wait is without an end:
//! a peer of which, or to which, no byte moves for the allowed silence has failed. What is waited for longer than that is
//! for [`Patience`](crate::patience::Patience) to say.

use std::{
    future::Future,
    io,
    sync::Arc,
    sync::atomic::Ordering::Relaxed,
    time::{Duration, Instant},
};

use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    time::timeout,
};

use crate::{
    Fault, Limits,
    error::{REASON, fault_of, plain_reason},
    greeting,
    patience::Sign,
    state::Tally,
};

/// What a frame is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The first of each side: who it is. See [`greeting`].
    Greeting = 0,
    /// A part of a message, of which more follows.
    Part = 1,
    /// The last part of a message.
    LastPart = 2,
    /// A sign of life, and who it is that its sender waits for.
    KeepAlive = 3,
    /// The last of a side that has finished.
    Goodbye = 4,
    /// The last of a side that gives up, with its reason.
    Abort = 5,
}

const HEADER: usize = 5;

/// The most bytes of a sign of life.
const SIGN: usize = 2;

impl Kind {
    const ALL: [Kind; 6] = [
        Kind::Greeting,
        Kind::Part,
        Kind::LastPart,
        Kind::KeepAlive,
        Kind::Goodbye,
        Kind::Abort,
    ];

    /// The most bytes that a frame of this kind may have.
    fn limit(self, limits: &Limits) -> usize {
        match self {
            Kind::Greeting => greeting::LONGEST,
            Kind::Part | Kind::LastPart => limits.frame,
            Kind::KeepAlive => SIGN,
            Kind::Goodbye => 0,
            Kind::Abort => REASON,
        }
    }
}

/// The kind and the length that a header tells, if they are allowed.
fn parse_header(header: [u8; HEADER], limits: &Limits) -> Result<(Kind, usize), Fault> {
    let [kind, length @ ..] = header;
    let kind = Kind::ALL.into_iter().find(|&known| known as u8 == kind);
    let kind = kind.ok_or(Fault::Malformed("a frame of an unknown kind"))?;
    let bytes = usize::try_from(u32::from_be_bytes(length)).unwrap_or(usize::MAX);
    let limit = kind.limit(limits);
    match bytes > limit {
        true => Err(Fault::FrameTooLarge { bytes, limit }),
        false => Ok((kind, bytes)),
    }
}

/// Reads what a peer sends.
pub(crate) struct Reader<R> {
    from: R,
    limits: Limits,
    tally: Arc<Tally>,
}

impl<R: AsyncRead + Unpin> Reader<R> {
    pub(crate) fn new(from: R, limits: &Limits, tally: Arc<Tally>) -> Reader<R> {
        let limits = limits.clone();
        Reader { from, limits, tally }
    }

    /// The first frame of the peer.
    pub(crate) async fn greeting(&mut self) -> Result<Vec<u8>, Fault> {
        match self.header().await? {
            (Kind::Greeting, length) => self.payload(length).await,
            (Kind::Abort, length) => Err(self.reason(length).await?),
            _ => Err(Fault::Malformed("a connection that begins without a greeting")),
        }
    }

    /// The next whole message, or nothing if the peer said goodbye.
    pub(crate) async fn message(&mut self) -> Result<Option<Vec<u8>>, Fault> {
        let mut message = Vec::new();
        loop {
            match self.header().await? {
                // Nothing is gained by one, and so it could go on for ever.
                (Kind::Part, 0) => return Err(Fault::Malformed("an empty part of a message")),
                (Kind::Part, length) => {
                    self.part(&mut message, length).await?;
                    if length >= self.limits.frame {
                        self.tally.progressed(false, Instant::now());
                    }
                }
                (Kind::LastPart, length) => {
                    self.part(&mut message, length).await?;
                    self.tally.progressed(true, Instant::now());
                    return Ok(Some(message));
                }
                (Kind::KeepAlive, length) => {
                    let sign = Sign::of_bytes(&self.payload(length).await?);
                    self.tally
                        .sign(sign.ok_or(Fault::Malformed("a sign of life that says something else"))?);
                }
                (Kind::Goodbye, _) if message.is_empty() => return Ok(None),
                (Kind::Goodbye, _) => return Err(Fault::Malformed("a goodbye within a message")),
                (Kind::Abort, length) => return Err(self.reason(length).await?),
                (Kind::Greeting, _) => return Err(Fault::Malformed("a second greeting")),
            }
        }
    }

    /// Reads on until the connection ends, and forgets what comes.
    pub(crate) async fn drain(&mut self) {
        let _ = tokio::io::copy(&mut self.from, &mut tokio::io::sink()).await;
    }

    async fn header(&mut self) -> Result<(Kind, usize), Fault> {
        let mut header = [0; HEADER];
        let mut rest = &mut header[..];
        while !rest.is_empty() {
            let read = progress(self.from.read(rest), &self.limits).await?;
            rest = &mut rest[read..];
        }
        parse_header(header, &self.limits)
    }

    async fn part(&mut self, message: &mut Vec<u8>, length: usize) -> Result<(), Fault> {
        let limit = self.limits.message;
        if length > limit.saturating_sub(message.len()) {
            return Err(Fault::MessageTooLarge { limit });
        }
        self.append(message, length).await?;
        self.tally.received.fetch_add(length as u64, Relaxed);
        Ok(())
    }

    /// The fault of a peer that gives up.
    async fn reason(&mut self, length: usize) -> Result<Fault, Fault> {
        let reason = self.payload(length).await?;
        Ok(Fault::GaveUp(plain_reason(&String::from_utf8_lossy(&reason))))
    }

    async fn payload(&mut self, length: usize) -> Result<Vec<u8>, Fault> {
        let mut payload = Vec::new();
        self.append(&mut payload, length).await?;
        Ok(payload)
    }

    async fn append(&mut self, bytes: &mut Vec<u8>, length: usize) -> Result<(), Fault> {
        let end = bytes.len() + length;
        bytes.reserve(length);
        while bytes.len() < end {
            let mut rest = (&mut self.from).take((end - bytes.len()) as u64);
            progress(rest.read_buf(bytes), &self.limits).await?;
        }
        Ok(())
    }
}

/// Awaits some bytes of the peer: more than none, which would be the end of the connection, and within the silence.
async fn progress(reading: impl Future<Output = io::Result<usize>>, limits: &Limits) -> Result<usize, Fault> {
    match timeout(limits.silence, reading).await {
        Err(_) => Err(Fault::Silent(limits.silence)),
        Ok(Ok(0)) => Err(Fault::Gone),
        Ok(Ok(read)) => Ok(read),
        Ok(Err(error)) => Err(fault_of(&error)),
    }
}

/// Writes what a peer is sent.
pub(crate) struct Writer<W> {
    to: W,
    silence: Duration,
    tally: Arc<Tally>,
    /// How many messages of others the peer was told of.
    told: u64,
    /// A frame, so that its header does not travel alone.
    frame: Vec<u8>,
}

impl<W: AsyncWrite + Unpin> Writer<W> {
    pub(crate) fn new(to: W, limits: &Limits, tally: Arc<Tally>) -> Writer<W> {
        Writer {
            to,
            silence: limits.silence,
            tally,
            told: 0,
            frame: Vec::new(),
        }
    }

    /// Sends a frame of any kind. The payload is within what the kind allows.
    pub(crate) async fn frame(&mut self, kind: Kind, payload: &[u8]) -> Result<(), Fault> {
        self.frame.clear();
        self.frame.push(kind as u8);
        self.frame.extend_from_slice(&(payload.len() as u32).to_be_bytes());
        self.frame.extend_from_slice(payload);
        let all = put(&mut self.to, &self.frame, self.silence);
        match timeout(4 * self.silence, all).await {
            Ok(written) => written,
            Err(_) => Err(Fault::Stalled(4 * self.silence)),
        }
    }

    /// Sends a sign of life.
    pub(crate) async fn sign(&mut self) -> Result<(), Fault> {
        let (sign, told) = self.tally.own_sign(self.told);
        self.told = told;
        self.frame(Kind::KeepAlive, &sign.to_bytes()).await
    }

    /// Sends one part of a message.
    pub(crate) async fn part(&mut self, part: &[u8], is_last: bool) -> Result<(), Fault> {
        let kind = if is_last { Kind::LastPart } else { Kind::Part };
        self.frame(kind, part).await?;
        self.tally.sent.fetch_add(part.len() as u64, Relaxed);
        Ok(())
    }

    /// Tells the peer that nothing more will come, in the terms of TLS and of TCP.
    pub(crate) async fn shutdown(&mut self) {
        let _ = self.to.shutdown().await;
    }
}

/// Sends bytes, each within the silence.
async fn put(to: &mut (impl AsyncWrite + Unpin), mut bytes: &[u8], silence: Duration) -> Result<(), Fault> {
    while !bytes.is_empty() {
        let written = accepted(to.write(bytes), silence).await?;
        bytes = &bytes[written..];
    }
    accepted(to.flush(), silence).await
}

/// Awaits that the peer accepts some bytes within the silence.
async fn accepted<T>(writing: impl Future<Output = io::Result<T>>, silence: Duration) -> Result<T, Fault> {
    match timeout(silence, writing).await {
        Err(_) => Err(Fault::Stalled(silence)),
        Ok(written) => written.map_err(|error| fault_of(&error)),
    }
}

/// The parts of a message, and whether each is the last. An empty message is one empty part.
pub(crate) fn parts<'a>(message: &'a [u8], limits: &Limits) -> impl Iterator<Item = (&'a [u8], bool)> + use<'a> {
    let size = limits.frame.clamp(1, u32::MAX as usize);
    let count = message.len().div_ceil(size).max(1);
    (0..count).map(move |part| {
        let end = message.len().min((part + 1) * size);
        (&message[part * size..end], part + 1 == count)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn limits(message: usize, frame: usize) -> Limits {
        Limits {
            message,
            frame,
            ..Limits::default()
        }
    }

    /// What a party makes of bytes that a peer sent before it ended the connection.
    fn read(bytes: &[u8], limits: &Limits) -> Result<Option<Vec<u8>>, Fault> {
        run(Reader::new(bytes, limits, Arc::default()).message())
    }

    /// The bytes of a message on the wire.
    fn written(message: &[u8], limits: &Limits) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut writer = Writer::new(&mut bytes, limits, Arc::default());
        for (part, is_last) in parts(message, limits) {
            run(writer.part(part, is_last)).unwrap();
        }
        bytes
    }

    fn run<T>(future: impl Future<Output = T>) -> T {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
        runtime.unwrap().block_on(future)
    }

    #[test]
    fn a_message_goes_in_parts() {
        let bytes = written(b"scumble", &limits(100, 4));
        assert_eq!(bytes, b"\x01\0\0\0\x04scum\x02\0\0\0\x03ble");
    }

    #[test]
    fn a_keep_alive_between_parts_is_no_part() {
        let bytes = b"\x01\0\0\0\x04scum\x03\0\0\0\0\x02\0\0\0\x03ble";
        assert_eq!(read(bytes, &limits(7, 4)), Ok(Some(b"scumble".to_vec())));
    }

    #[test]
    fn a_message_may_be_as_large_as_the_limit_and_no_larger() {
        let bytes = written(b"scumble", &limits(100, 4));
        assert_eq!(read(&bytes, &limits(7, 4)), Ok(Some(b"scumble".to_vec())));
        assert_eq!(read(&bytes, &limits(6, 4)), Err(Fault::MessageTooLarge { limit: 6 }));
        assert_eq!(
            read(&bytes, &limits(7, 3)),
            Err(Fault::FrameTooLarge { bytes: 4, limit: 3 })
        );
    }

    #[test]
    fn frames_that_make_no_sense_are_refused() {
        let unknown = read(b"\x09\0\0\0\0", &limits(10, 10));
        assert_eq!(unknown, Err(Fault::Malformed("a frame of an unknown kind")));
        let goodbye = read(b"\x01\0\0\0\x01a\x04\0\0\0\0", &limits(10, 10));
        assert_eq!(goodbye, Err(Fault::Malformed("a goodbye within a message")));
        let greeting = read(b"\0\0\0\0\0", &limits(10, 10));
        assert_eq!(greeting, Err(Fault::Malformed("a second greeting")));
        let empty = read(b"\x01\0\0\0\0", &limits(10, 10));
        assert_eq!(empty, Err(Fault::Malformed("an empty part of a message")));
        let long_sign = read(b"\x03\0\0\0\x03abc", &limits(10, 10));
        assert_eq!(long_sign, Err(Fault::FrameTooLarge { bytes: 3, limit: 2 }));
        let long_goodbye = read(b"\x04\0\0\0\x01a", &limits(10, 10));
        assert_eq!(long_goodbye, Err(Fault::FrameTooLarge { bytes: 1, limit: 0 }));
    }

    #[test]
    fn a_reason_is_shown_without_control_characters() {
        let aborted = read(b"\x05\0\0\0\x08no\x1b[2J\r\n", &limits(10, 10));
        assert_eq!(aborted, Err(Fault::GaveUp("no[2J".to_owned())));
    }

    proptest! {
        #[test]
        fn every_message_arrives_as_it_was(message: Vec<u8>, frame in 1..40_usize) {
            let limits = limits(message.len(), frame);
            prop_assert_eq!(read(&written(&message, &limits), &limits), Ok(Some(message)));
        }

        #[test]
        fn a_message_that_is_cut_is_never_whole(message: Vec<u8>, frame in 1..40_usize, cut: prop::sample::Index) {
            let limits = limits(message.len(), frame);
            let bytes = written(&message, &limits);
            prop_assert_eq!(read(&bytes[..cut.index(bytes.len())], &limits), Err(Fault::Gone));
        }

        #[test]
        fn any_bytes_are_a_message_or_a_fault(bytes: Vec<u8>) {
            let _ = read(&bytes, &limits(100, 10));
        }
    }
}
