//! The greeting: who calls whom, in which run. It is the first frame of each side.
//!
//! | bytes | hold |
//! |---|---|
//! | 8 | `scumble` and a zero |
//! | 2 | the version of the protocol, the higher byte first |
//! | 1, 1 | the place of who greets, and of who is greeted, in the list of parties |
//! | 1 | the number of parties |
//! | 1 + so many, each | the length of a name, and the name |
//!
//! A greeting proves nothing by itself: the certificate must carry the name that the greeting claims. What it adds is
//! that both are in the same run. Several runs may reach one address, and a place in the list must mean the same to
//! all.

use crate::{Fault, parties::Parties};

const MAGIC: &[u8] = b"scumble\0";
const VERSION: u16 = 2;

/// The most bytes of a greeting: 255 parties with names of at most 255 bytes.
pub(crate) const LONGEST: usize = 13 + 255 * 256;

/// What this party says to another.
pub(crate) fn to(other: usize, parties: &Parties) -> Vec<u8> {
    greeting(parties.own(), other, parties)
}

/// Who greets, if it is a party of this run and means this one.
pub(crate) fn sender(bytes: &[u8], parties: &Parties) -> Result<usize, Fault> {
    let rest = bytes.strip_prefix(MAGIC);
    let rest = rest.ok_or(Fault::Malformed("a greeting of another program"))?;
    let Some((version, [from, ..])) = rest.split_first_chunk() else {
        return Err(Fault::Malformed("a greeting that is cut short"));
    };
    if u16::from_be_bytes(*version) != VERSION {
        return Err(Fault::Disagrees("has another version of the program"));
    }
    let from = usize::from(*from);
    // The rest can only be what this party would say in its place.
    let is_party = parties.others().any(|other| other == from);
    if !is_party || bytes != greeting(from, parties.own(), parties) {
        return Err(Fault::Disagrees(
            "has another list of parties, or has them in another order",
        ));
    }
    Ok(from)
}

fn greeting(from: usize, to: usize, parties: &Parties) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_be_bytes());
    // A checked list has at most 255 parties, and a name in a certificate at most 253 bytes.
    bytes.extend([from as u8, to as u8, parties.len() as u8]);
    for name in parties.names() {
        bytes.push(name.len() as u8);
        bytes.extend(name.as_bytes());
    }
    bytes
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Peer;

    fn parties(own: usize, names: &[&str]) -> Parties {
        let peer = |name: &&str| Peer {
            name: name.to_string(),
            address: "localhost:1".to_owned(),
        };
        Parties::check(own, &names.iter().map(peer).collect::<Vec<_>>()).unwrap()
    }

    const NAMES: [&str; 3] = ["bank", "clinic", "shop"];

    #[test]
    fn a_party_of_the_same_run_is_known() {
        let said = to(0, &parties(2, &NAMES));
        assert_eq!(sender(&said, &parties(0, &NAMES)), Ok(2));
    }

    #[test]
    fn a_greeting_for_another_is_refused() {
        let said = to(1, &parties(2, &NAMES));
        assert!(matches!(sender(&said, &parties(0, &NAMES)), Err(Fault::Disagrees(_))));
    }

    #[test]
    fn another_order_or_another_name_is_another_run() {
        let said = to(0, &parties(2, &["bank", "clinic", "shop"]));
        for names in [["clinic", "bank", "shop"], ["bank", "clinic", "shops"]] {
            assert!(matches!(sender(&said, &parties(0, &names)), Err(Fault::Disagrees(_))));
        }
    }

    #[test]
    fn nobody_is_greeted_by_itself() {
        let own = parties(1, &NAMES);
        assert!(matches!(sender(&to(1, &own), &own), Err(Fault::Disagrees(_))));
    }

    #[test]
    fn another_version_is_told_as_such() {
        let mut said = to(0, &parties(2, &NAMES));
        said[9] += 1;
        let fault = sender(&said, &parties(0, &NAMES));
        assert_eq!(fault, Err(Fault::Disagrees("has another version of the program")));
    }

    proptest! {
        /// A place of 200 in a list of 3 is a fault, not a panic.
        #[test]
        fn any_bytes_are_a_party_or_a_fault(rest: Vec<u8>) {
            let own = parties(0, &NAMES);
            let _ = sender(&rest, &own);
            let _ = sender(&[MAGIC, &VERSION.to_be_bytes(), &rest].concat(), &own);
        }
    }
}
