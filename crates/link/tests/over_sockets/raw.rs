//! A program that speaks TLS with a party, and then says whatever a test wants.

use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    sync::Arc,
};

use rustls::{
    ClientConfig, ClientConnection, ConfigBuilder, ServerConfig, ServerConnection, StreamOwned,
    client::WantsClientCert, crypto::ring, pki_types::ServerName, server::WebPkiClientVerifier,
};

use crate::town::{Key, NAMES, Town};

pub const GREETING: u8 = 0;
pub const PART: u8 = 1;
pub const LAST_PART: u8 = 2;
pub const KEEP_ALIVE: u8 = 3;
pub const GOODBYE: u8 = 4;
pub const ABORT: u8 = 5;

/// One end of a TLS connection, in the hands of a test.
pub enum Raw {
    Caller(StreamOwned<ClientConnection, TcpStream>),
    Called(StreamOwned<ServerConnection, TcpStream>),
}

impl Raw {
    /// Calls a party with some certificate.
    pub fn call(town: &Town, to: usize, key: Key) -> Raw {
        let config = trusting(town).with_client_auth_cert(vec![key.certificate], key.private);
        Raw::call_with(town, to, config.unwrap())
    }

    /// Calls a party and shows no certificate.
    pub fn call_without_certificate(town: &Town, to: usize) -> Raw {
        Raw::call_with(town, to, trusting(town).with_no_client_auth())
    }

    fn call_with(town: &Town, to: usize, config: ClientConfig) -> Raw {
        let name = ServerName::try_from(NAMES[to]).unwrap();
        let connection = ClientConnection::new(Arc::new(config), name).unwrap();
        Raw::Caller(StreamOwned::new(connection, town.knock(to)))
    }

    /// Waits at the address of a party with some certificate until it is called.
    pub fn answer(town: &Town, at: usize, key: Key) -> Raw {
        let provider = Arc::new(ring::default_provider());
        let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(town.authority()), Arc::clone(&provider));
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_client_cert_verifier(verifier.build().unwrap())
            .with_single_cert(vec![key.certificate], key.private)
            .unwrap();
        let listener = TcpListener::bind(&town.parties[at].address).unwrap();
        let (tcp, _) = listener.accept().unwrap();
        Raw::Called(StreamOwned::new(ServerConnection::new(Arc::new(config)).unwrap(), tcp))
    }

    /// The greeting of one party to another, in a run of the first so many of [`NAMES`].
    pub fn greet(&mut self, from: u8, to: u8, count: usize) {
        let mut greeting = b"scumble\0\x00\x02".to_vec();
        greeting.extend([from, to, count as u8]);
        for name in &NAMES[..count] {
            greeting.push(name.len() as u8);
            greeting.extend(name.as_bytes());
        }
        self.frame(GREETING, &greeting);
    }

    pub fn frame(&mut self, kind: u8, payload: &[u8]) {
        self.header(kind, payload.len() as u32);
        let _ = self.stream().write_all(payload);
    }

    /// Says what follows, and leaves it at that.
    pub fn header(&mut self, kind: u8, length: u32) {
        let length = length.to_be_bytes();
        let header = [kind, length[0], length[1], length[2], length[3]];
        let _ = self.stream().write_all(&header);
        let _ = self.stream().flush();
    }

    /// The next frame of the other end, unless the connection ended.
    pub fn read(&mut self) -> Option<(u8, Vec<u8>)> {
        let mut header = [0; 5];
        self.stream().read_exact(&mut header).ok()?;
        let length = u32::from_be_bytes([header[1], header[2], header[3], header[4]]);
        let mut payload = vec![0; length as usize];
        self.stream().read_exact(&mut payload).ok()?;
        Some((header[0], payload))
    }

    /// Reads until a frame of a kind comes.
    pub fn read_until(&mut self, kind: u8) -> Option<Vec<u8>> {
        loop {
            let (found, payload) = self.read()?;
            if found == kind {
                return Some(payload);
            }
        }
    }

    fn stream(&mut self) -> &mut dyn ReadWrite {
        match self {
            Raw::Caller(stream) => stream,
            Raw::Called(stream) => stream,
        }
    }
}

fn trusting(town: &Town) -> ConfigBuilder<ClientConfig, WantsClientCert> {
    ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(town.authority())
}

trait ReadWrite: Read + Write {}
impl<T: Read + Write> ReadWrite for T {}
