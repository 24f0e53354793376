//! [`LinkError`]: why the parties could not talk, in words for the owners of the data.
//!
//! Nothing of a message is ever shown. What other parties are told of a failure is decided in one place,
//! [`LinkError::told`], and is less than what the own user is told.

use std::{fmt, io, path::PathBuf, sync::Arc, time::Duration};

use scumble_fault::Blame;

use crate::CertificateFault;

/// Why the parties could not meet, or could not go on.
#[derive(Clone, Debug, thiserror::Error)]
pub enum LinkError {
    /// A file of the identity is not there or not readable.
    #[error("{}: cannot be read: {source}; check the path and its permissions", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the file system answered.
        source: Arc<io::Error>,
    },
    /// A file was expected to hold a certificate.
    #[error("{}: holds no certificate; it should have lines from BEGIN CERTIFICATE to END CERTIFICATE", path.display())]
    NoCertificate {
        /// The file.
        path: PathBuf,
    },
    /// A file was expected to hold a private key.
    #[error("{}: holds no private key; it should have lines from BEGIN PRIVATE KEY to END PRIVATE KEY", path.display())]
    NoKey {
        /// The file.
        path: PathBuf,
    },
    /// Others than its owner may read or change the private key.
    #[error("{}: others may use this private key (its mode is {mode:04o}), and could pass for its owner; close it with: chmod 600 {}", path.display(), path.display())]
    OpenKey {
        /// The file.
        path: PathBuf,
        /// Its permissions.
        mode: u32,
    },
    /// The key cannot be used with the certificate.
    #[error(
        "{}: is not the key of the certificate in {}; give the two files that were made together",
        key.display(), certificate.display()
    )]
    OtherKey {
        /// The file of the key.
        key: PathBuf,
        /// The file of the certificate.
        certificate: PathBuf,
    },
    /// The peers would not believe the certificate of this party.
    #[error("{}: the certificate {fault}; `{name}` needs another one", path.display())]
    OwnCertificate {
        /// The file of the certificate.
        path: PathBuf,
        /// The name of this party.
        name: String,
        /// What is wrong with it.
        fault: CertificateFault,
    },
    /// A file of keys is not written over another.
    #[error("{}: already exists; choose another folder or remove it first", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// A file of keys cannot be written.
    #[error("{}: cannot be written: {source}; check the path, its permissions and the free space", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// What the file system answered.
        source: Arc<io::Error>,
    },
    /// Keys cannot be made; what the library of certificates says.
    #[error("the keys cannot be made: {0}")]
    Keys(String),
    /// Keys that would be valid too long.
    #[error("the keys cannot be made: {days} days from now is after the last year there is")]
    TooManyDays {
        /// So many days.
        days: u32,
    },
    /// A name that no certificate can carry.
    #[error("`{name}` cannot be the name of a party; use letters, digits and hyphens, as in the name of a computer")]
    Name {
        /// The name.
        name: String,
    },
    /// Two parties with one name.
    #[error("two parties are called `{name}`; give each a name of its own")]
    SameName {
        /// The name.
        name: String,
    },
    /// More parties than can be counted.
    #[error("there are too many parties; at most {most} can meet")]
    TooMany {
        /// The most there can be.
        most: usize,
    },
    /// The number of a party that this party has no link with.
    #[error("party {index} is not one of the other parties")]
    NoSuchPeer {
        /// Its place in the list, counted from 0.
        index: usize,
    },
    /// An address is not of the form `host:port`.
    #[error("`{address}` is not an address of `{name}`; write it as host:port")]
    Address {
        /// The party.
        name: String,
        /// Its address, as given.
        address: String,
    },
    /// This party cannot be called at its address.
    #[error("cannot listen at {address}: {source}; check that the address is of this computer and not in use")]
    Listen {
        /// The address.
        address: String,
        /// What the system answered.
        source: Arc<io::Error>,
    },
    /// The system gave no thread or no sockets.
    #[error("the links cannot be started: {0}")]
    Start(Arc<io::Error>),
    /// Some party did not come in time.
    #[error(
        "after {waited:?} not all parties have met; missing: {}{}",
        list(missing),
        remarks_after(remarks)
    )]
    NotMet {
        /// How long this party waited.
        waited: Duration,
        /// Who did not come.
        missing: Vec<Missing>,
        /// Callers that were refused meanwhile.
        remarks: Vec<SentAway>,
    },
    /// A peer failed, or its link.
    #[error("`{name}` {fault}")]
    Peer {
        /// The place of the peer in the list of parties.
        peer: usize,
        /// Its name.
        name: String,
        /// What happened.
        fault: Fault,
    },
    /// The time of the run is over.
    #[error(
        "the run was not over after {limit:?}, which is all the time that it has here{}",
        waiting_for(waiting)
    )]
    Deadline {
        /// How long it may take.
        limit: Duration,
        /// The names of the parties whose messages were waited for.
        waiting: Vec<String>,
    },
    /// A message of this party is larger than the peers would take.
    #[error("a message of {bytes} bytes is larger than the {limit} that are allowed")]
    MessageTooLarge {
        /// Its size.
        bytes: usize,
        /// The largest allowed.
        limit: usize,
    },
    /// A message was awaited after the last one.
    #[error("every other party has said goodbye, but this one is still waiting for a message")]
    Ended,
    /// Someone here wanted it to stop.
    #[error("stopped")]
    Stopped,
}

/// A party that did not come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// Its place in the list of parties.
    pub peer: usize,
    /// Its name.
    pub name: String,
    /// What happened when it was last tried.
    pub why: Absence,
}

/// Why a party has not come, as far as that is known. Reads on after its name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Absence {
    /// It should call, and has not.
    #[error("has not called")]
    NotCalled,
    /// Its address has no meaning here.
    #[error("its address {address} cannot be found")]
    NotFound {
        /// Its address.
        address: String,
    },
    /// There is no program at its address.
    #[error("nobody answers at {address}")]
    NobodyThere {
        /// Its address.
        address: String,
    },
    /// There is a program that says nothing.
    #[error("the program at {address} does not answer")]
    Silent {
        /// Its address.
        address: String,
    },
    /// There is a program that may not be the party, or is not ready.
    #[error("the program at {address} {fault}")]
    Failed {
        /// Its address.
        address: String,
        /// What it did.
        fault: Fault,
    },
}

/// A caller that was refused while the parties met.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SentAway {
    /// It has no certificate of the authority.
    #[error("a caller was refused: its certificate {0}")]
    Refused(CertificateFault),
    /// It does not keep to what parties say to each other.
    #[error("a caller {0}")]
    Failed(Fault),
    /// It has the certificate of another.
    #[error("a caller said that it is `{said}`, but its certificate {}", whose(of))]
    OtherParty {
        /// Who it said it is.
        said: String,
        /// Who it is, if it is a party.
        of: Option<String>,
    },
    /// It is a party that is to be called.
    #[error("`{name}` called, but should be called")]
    OutOfTurn {
        /// Its name.
        name: String,
    },
}

fn whose(party: &Option<String>) -> String {
    match party {
        Some(name) => format!("is that of `{name}`"),
        None => "is of nobody in the list of parties".to_owned(),
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` ({})", self.name, self.why)
    }
}

/// What a peer did, or what happened to its link. Reads on after the name of the peer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Its certificate does not prove that it is this party.
    #[error("is refused: its certificate {0}")]
    Refused(CertificateFault),
    /// It does not believe the certificate of this party.
    #[error("refuses this party: the certificate of this party {0}")]
    RefusesUs(CertificateFault),
    /// It is not in the same run.
    #[error("{0}; let both use the same agreement and the same version of the program")]
    Disagrees(&'static str),
    /// The connection ended in the middle.
    #[error("is gone: the connection ended without a goodbye")]
    Gone,
    /// It sent nothing, not even a sign of life.
    #[error("has been silent for {0:?}")]
    Silent(Duration),
    /// It gave signs of life, but not the message that was waited for.
    #[error("has sent no message for {0:?}, only signs of life, while this party waited for one")]
    NoProgress(Duration),
    /// It does not take what is sent to it.
    #[error("has accepted nothing for {0:?}")]
    Stalled(Duration),
    /// It has not finished when this party has.
    #[error("has not said goodbye within {0:?}")]
    NoGoodbye(Duration),
    /// A frame is larger than allowed.
    #[error("sent a frame of {bytes} bytes, where {limit} are allowed")]
    FrameTooLarge {
        /// Its size.
        bytes: usize,
        /// The largest allowed.
        limit: usize,
    },
    /// A message is larger than allowed.
    #[error("sent a message of more than the {limit} bytes that are allowed")]
    MessageTooLarge {
        /// The largest allowed.
        limit: usize,
    },
    /// What it sent makes no sense.
    #[error("sent something that cannot be understood: {0}")]
    Malformed(&'static str),
    /// It ended the run, and said why.
    #[error("gave up: {0}")]
    GaveUp(String),
}

impl LinkError {
    /// The place in the list of the one party that is at fault, if it is one.
    pub fn peer(&self) -> Option<usize> {
        match self {
            LinkError::Peer { peer, .. } => Some(*peer),
            LinkError::NotMet { missing, .. } if missing.len() == 1 => Some(missing[0].peer),
            _ => None,
        }
    }

    /// What the other parties are told when this ends the run of this party.
    pub(crate) fn told(&self) -> String {
        match self {
            LinkError::Peer { name, fault, .. } => match fault {
                Fault::Gone | Fault::Silent(_) | Fault::Stalled(_) => format!("`{name}` is gone"),
                fault => format!("`{name}` {fault}"),
            },
            LinkError::NotMet { missing, .. } => {
                let names: Vec<String> = missing.iter().map(|party| format!("`{}`", party.name)).collect();
                format!("missing: {}", names.join(", "))
            }
            LinkError::Deadline { waiting, .. } => format!("its time was over{}", waiting_for(waiting)),
            _ => "it could not go on".to_owned(),
        }
    }
}

impl Blame for LinkError {
    fn fault(&self) -> scumble_fault::Fault {
        match self {
            LinkError::Read { .. }
            | LinkError::NoCertificate { .. }
            | LinkError::NoKey { .. }
            | LinkError::OpenKey { .. }
            | LinkError::OtherKey { .. }
            | LinkError::OwnCertificate { .. }
            | LinkError::Exists { .. }
            | LinkError::Name { .. }
            | LinkError::SameName { .. }
            | LinkError::TooManyDays { .. }
            | LinkError::Address { .. } => scumble_fault::Fault::Input,
            LinkError::Stopped => scumble_fault::Fault::Interrupted,
            LinkError::Write { .. }
            | LinkError::Keys(_)
            | LinkError::TooMany { .. }
            | LinkError::NoSuchPeer { .. }
            | LinkError::Listen { .. }
            | LinkError::Start(_)
            | LinkError::NotMet { .. }
            | LinkError::Peer { .. }
            | LinkError::Deadline { .. }
            | LinkError::MessageTooLarge { .. }
            | LinkError::Ended => scumble_fault::Fault::Environment,
        }
    }
}

/// The most bytes of a reason to give up.
pub(crate) const REASON: usize = 500;

/// A reason as it may be sent or shown: one line, and not long.
pub(crate) fn plain_reason(text: &str) -> String {
    let mut reason = String::new();
    for char in text.chars().filter(|char| !char.is_control()) {
        if reason.len() + char.len_utf8() > REASON {
            break;
        }
        reason.push(char);
    }
    reason
}

/// What an error of a connected socket says of the peer.
pub(crate) fn fault_of(error: &io::Error) -> Fault {
    match tls_error(error) {
        Some(rustls::Error::InvalidCertificate(why)) => Fault::Refused(CertificateFault::of(why)),
        Some(rustls::Error::AlertReceived(alert)) => match CertificateFault::of_alert(*alert) {
            Some(fault) => Fault::RefusesUs(fault),
            None => Fault::Malformed("it ended the encryption"),
        },
        Some(_) => Fault::Malformed("it does not keep to the encryption"),
        None => Fault::Gone,
    }
}

/// The error of TLS inside an error of a socket, if it is one.
pub(crate) fn tls_error(error: &io::Error) -> Option<&rustls::Error> {
    error.get_ref()?.downcast_ref()
}

fn list(missing: &[Missing]) -> String {
    let parties: Vec<String> = missing.iter().map(Missing::to_string).collect();
    parties.join(", ")
}

fn waiting_for(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match names.is_empty() {
        true => String::new(),
        false => format!("; it waited for {}", names.join(", ")),
    }
}

fn remarks_after(remarks: &[SentAway]) -> String {
    remarks.iter().map(|remark| format!("; {remark}")).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_reason_is_cut_between_characters() {
        // Three bytes each: 166 are 498 bytes, and one more does not fit.
        assert_eq!(plain_reason(&"€".repeat(200)), "€".repeat(166));
        assert_eq!(plain_reason(&"a".repeat(501)), "a".repeat(500));
    }

    #[test]
    fn others_learn_who_is_gone_and_no_more() {
        let error = LinkError::Peer {
            peer: 1,
            name: "bank".to_owned(),
            fault: Fault::Silent(Duration::from_secs(60)),
        };
        assert_eq!(error.to_string(), "`bank` has been silent for 60s");
        assert_eq!(error.told(), "`bank` is gone");
    }

    proptest! {
        #[test]
        fn a_reason_that_was_made_plain_stays_as_it_is(text: String) {
            let plain = plain_reason(&text);
            prop_assert!(plain.len() <= REASON && !plain.chars().any(char::is_control));
            prop_assert_eq!(plain_reason(&plain), plain);
        }
    }
}
