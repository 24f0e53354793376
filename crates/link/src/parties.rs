//! [`Parties`]: the list of all parties, checked once, and the place of this party in it.
//!
//! Invariant: the names differ and can stand in a certificate, every address has a port, and the own place is one of
//! the list. All parties have the same list, so that a place in it means the same to all.

use rustls::pki_types::ServerName;

use crate::LinkError;

/// One party of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Peer {
    /// The name that its certificate carries, such as `bank`.
    pub name: String,
    /// Where it listens, as `host:port`.
    pub address: String,
}

/// The most parties of a run: a greeting counts them in one byte.
const MOST: usize = 255;

#[derive(Clone, Debug)]
pub(crate) struct Parties {
    own: usize,
    list: Vec<Peer>,
    names: Vec<ServerName<'static>>,
}

impl Parties {
    pub(crate) fn check(own: usize, list: &[Peer]) -> Result<Parties, LinkError> {
        if list.len() > MOST {
            return Err(LinkError::TooMany { most: MOST });
        }
        if own >= list.len() {
            return Err(LinkError::NoSuchPeer { index: own });
        }
        let names = check_names(list.iter().map(|party| party.name.as_str()))?;
        list.iter().try_for_each(check_address)?;
        Ok(Parties {
            own,
            list: list.to_vec(),
            names,
        })
    }

    pub(crate) fn own(&self) -> usize {
        self.own
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn name(&self, party: usize) -> &str {
        &self.list[party].name
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.list.iter().map(|party| party.name.as_str())
    }

    /// The name of a party as TLS wants it.
    pub(crate) fn server_name(&self, party: usize) -> &ServerName<'static> {
        &self.names[party]
    }

    pub(crate) fn address(&self, party: usize) -> &str {
        &self.list[party].address
    }

    /// The places of all but this party.
    pub(crate) fn others(&self) -> impl Iterator<Item = usize> {
        let own = self.own;
        (0..self.list.len()).filter(move |&party| party != own)
    }

    /// Whether this party calls the other; else the other calls. The later in the list calls the earlier.
    pub(crate) fn calls(&self, other: usize) -> bool {
        other < self.own
    }

    /// Whether anybody calls this party.
    pub(crate) fn is_called(&self) -> bool {
        self.own + 1 < self.list.len()
    }
}

/// Names that can stand in certificates, and that certificates can tell apart.
pub(crate) fn check_names<'a>(names: impl Iterator<Item = &'a str>) -> Result<Vec<ServerName<'static>>, LinkError> {
    let mut seen: Vec<ServerName<'static>> = Vec::new();
    for name in names {
        let checked = match ServerName::try_from(name.to_owned()) {
            Ok(checked @ ServerName::DnsName(_)) => checked,
            _ => return Err(LinkError::Name { name: name.to_owned() }),
        };
        // Names in certificates know no capitals, and neither does this comparison.
        if seen.contains(&checked) {
            return Err(LinkError::SameName { name: name.to_owned() });
        }
        seen.push(checked);
    }
    Ok(seen)
}

fn check_address(party: &Peer) -> Result<(), LinkError> {
    let port = party
        .address
        .rsplit_once(':')
        .map(|(host, port)| (host.is_empty(), port.parse::<u16>()));
    match port {
        Some((false, Ok(_))) => Ok(()),
        _ => Err(LinkError::Address {
            name: party.name.clone(),
            address: party.address.clone(),
        }),
    }
}
