//! Some parties on this computer, with trial keys.

use std::{
    net::{TcpListener, TcpStream},
    path::Path,
    process,
    sync::{
        Barrier,
        atomic::{AtomicU16, Ordering::Relaxed},
    },
    thread,
    time::Duration,
};

use rcgen::{CertificateParams, DistinguishedName, DnType, Issuer, KeyPair};
use rustls::{
    RootCertStore,
    pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer, pem::PemObject},
};
use scumble_link::{Identity, Limits, LinkError, Links, Peer, make_keys};
use tempfile::TempDir;
use time::{Duration as Days, OffsetDateTime};

pub const NAMES: [&str; 8] = ["bank", "clinic", "shop", "school", "city", "court", "press", "radio"];

/// Some parties, each at a free port of this computer, with keys of one authority.
pub struct Town {
    pub keys: TempDir,
    pub parties: Vec<Peer>,
    pub limits: Limits,
}

impl Town {
    /// The first so many of [`NAMES`].
    pub fn of(count: usize) -> Town {
        Town::with_limits(count, quick())
    }

    pub fn with_limits(count: usize, limits: Limits) -> Town {
        let keys = tempfile::tempdir().unwrap();
        let names: Vec<String> = NAMES[..count].iter().map(|name| name.to_string()).collect();
        make_keys(keys.path(), &names, 1).unwrap();
        let party = |name| Peer {
            name,
            address: free_address(),
        };
        Town {
            keys,
            parties: names.into_iter().map(party).collect(),
            limits,
        }
    }

    pub fn identity(&self, party: usize) -> Identity {
        identity_in(self.keys.path(), NAMES[party])
    }

    pub fn connect(&self, party: usize) -> Result<Links, LinkError> {
        self.connect_with(party, &self.identity(party))
    }

    pub fn connect_with(&self, party: usize, identity: &Identity) -> Result<Links, LinkError> {
        Links::connect(party, &self.parties, None, identity, &self.limits)
    }

    /// Lets all parties meet, then each do its part in a thread of its own, and returns what each makes of it.
    pub fn run<T: Send>(&self, act: impl Fn(usize, Links) -> T + Sync) -> Vec<T> {
        let all_have_met = Barrier::new(self.parties.len());
        let take_part = |party| {
            let links = self.connect(party).unwrap();
            all_have_met.wait();
            act(party, links)
        };
        let take_part = &take_part;
        thread::scope(|scope| {
            let start = |party| scope.spawn(move || take_part(party));
            let parties: Vec<_> = (0..self.parties.len()).map(start).collect();
            parties.into_iter().map(|party| party.join().unwrap()).collect()
        })
    }

    /// A connection with a party as soon as it listens.
    pub fn knock(&self, to: usize) -> TcpStream {
        loop {
            match TcpStream::connect(&self.parties[to].address) {
                Ok(tcp) => return tcp,
                Err(_) => thread::sleep(Duration::from_millis(20)),
            }
        }
    }

    /// The certificate and the key of a party.
    pub fn key(&self, party: usize) -> Key {
        let file = |ending| self.keys.path().join(format!("{}.{ending}", NAMES[party]));
        Key {
            certificate: CertificateDer::from_pem_file(file("pem")).unwrap(),
            private: PrivateKeyDer::from_pem_file(file("key")).unwrap(),
        }
    }

    /// A certificate of the authority for any name, valid until so many days from now, and its key.
    pub fn sign(&self, name: &str, days: i64) -> Key {
        let read = |file: &str| std::fs::read_to_string(self.keys.path().join(file)).unwrap();
        let mut authority = CertificateParams::default();
        authority.distinguished_name = DistinguishedName::new();
        authority
            .distinguished_name
            .push(DnType::CommonName, "scumble trial authority");
        let authority = Issuer::new(authority, KeyPair::from_pem(&read("ca.key")).unwrap());
        let mut params = CertificateParams::new([name.to_owned()]).unwrap();
        params.not_before = OffsetDateTime::now_utc() - Days::days(30);
        params.not_after = OffsetDateTime::now_utc() + Days::days(days);
        let key = KeyPair::generate().unwrap();
        Key {
            certificate: params.signed_by(&key, &authority).unwrap().der().clone(),
            private: PrivatePkcs8KeyDer::from(key.serialize_der()).into(),
        }
    }

    pub fn authority(&self) -> RootCertStore {
        let mut roots = RootCertStore::empty();
        roots
            .add(CertificateDer::from_pem_file(self.keys.path().join("ca.pem")).unwrap())
            .unwrap();
        roots
    }
}

/// A certificate and its private key.
pub struct Key {
    pub certificate: CertificateDer<'static>,
    pub private: PrivateKeyDer<'static>,
}

/// Patience for a loaded computer, and no more than a test can wait for.
pub fn quick() -> Limits {
    Limits {
        connect: Duration::from_secs(15),
        silence: Duration::from_secs(15),
        ..Limits::default()
    }
}

pub fn identity_in(folder: &Path, name: &str) -> Identity {
    let file = |ending| folder.join(format!("{name}.{ending}"));
    Identity::read(&file("pem"), &file("key"), &folder.join("ca.pem")).unwrap()
}

/// An address that nobody else gets: below the ports that the system gives to callers, and each only once.
fn free_address() -> String {
    static USED: AtomicU16 = AtomicU16::new(0);
    // Apart from what another run of these tests may use at the same time.
    let first = 10_000 + (process::id() % 90) as u16 * 200;
    loop {
        let address = format!("127.0.0.1:{}", first + USED.fetch_add(1, Relaxed));
        if TcpListener::bind(&address).is_ok() {
            return address;
        }
    }
}
