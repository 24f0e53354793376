//! Who comes in, who is sent away, and what is said of those who are missing.

use std::{fs, io::Write, net::TcpListener, thread, time::Duration};

use scumble_link::{CertificateFault, Fault, Limits, LinkError, Links, Peer};

use crate::{
    raw::{ABORT, GREETING, Raw},
    town::{Town, quick},
};

/// Time to meet for tests in which somebody stays away.
fn impatient() -> Limits {
    Limits {
        connect: Duration::from_secs(1),
        ..quick()
    }
}

/// What a meeting of the bank with the clinic comes to, while something else goes on.
fn bank_meets_during(town: &Town, meanwhile: impl FnOnce()) -> Result<Links, LinkError> {
    thread::scope(|scope| {
        let bank = scope.spawn(|| town.connect(0));
        meanwhile();
        bank.join().unwrap()
    })
}

fn fault_of(error: LinkError) -> (usize, Fault) {
    match error {
        LinkError::Peer { peer, fault, .. } => (peer, fault),
        other => panic!("not the fault of a peer: {other}"),
    }
}

#[test]
fn a_missing_party_is_named() {
    let mut town = Town::with_limits(3, impatient());
    town.parties[0].address = "127.0.0.1:1".to_owned();
    let error = town.connect(1).unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains("`bank` (nobody answers at 127.0.0.1:1), `shop` (has not called)"),
        "{text}"
    );
    assert_eq!(error.peer(), None);
}

#[test]
fn the_one_missing_party_is_at_fault() {
    let town = Town::with_limits(2, impatient());
    assert_eq!(town.connect(0).unwrap_err().peer(), Some(1));
}

#[test]
fn those_who_came_are_told_who_is_missing() {
    let town = Town::of(3);
    thread::scope(|scope| {
        let bank = scope.spawn(|| Links::connect(0, &town.parties, None, &town.identity(0), &impatient()).unwrap_err());
        let clinic = scope.spawn(|| town.connect(1).unwrap_err());
        assert!(matches!(bank.join().unwrap(), LinkError::NotMet { missing, .. } if missing[0].name == "shop"));
        let told = fault_of(clinic.join().unwrap());
        assert_eq!(told, (0, Fault::GaveUp("missing: `shop`".to_owned())));
    });
}

#[test]
fn parties_may_start_in_any_order() {
    let town = Town::of(3);
    thread::scope(|scope| {
        for party in [2, 1, 0] {
            scope.spawn({
                let town = &town;
                move || town.connect(party).unwrap().close().unwrap()
            });
            thread::sleep(Duration::from_millis(300));
        }
    });
}

#[test]
fn a_party_may_listen_elsewhere_than_it_is_called() {
    let town = Town::of(2);
    let everywhere = town.parties[0].address.replace("127.0.0.1", "0.0.0.0");
    thread::scope(|scope| {
        scope.spawn(|| {
            let bank = town.identity(0);
            let links = Links::connect(0, &town.parties, Some(&everywhere), &bank, &town.limits);
            links.unwrap().close().unwrap();
        });
        town.connect(1).unwrap().close().unwrap();
    });
}

/// Both have certificates that are good among their own, but not of the same authority.
#[test]
fn a_certificate_of_another_authority_is_refused_at_once() {
    let (town, other) = (Town::with_limits(2, impatient()), Town::of(2));
    thread::scope(|scope| {
        let bank = scope.spawn(|| town.connect(0).unwrap_err());
        let foreign = Links::connect(1, &town.parties, None, &other.identity(1), &quick());
        let fault = fault_of(foreign.unwrap_err());
        assert_eq!(fault, (0, Fault::Refused(CertificateFault::OtherAuthority)));
        assert!(matches!(bank.join().unwrap(), LinkError::NotMet { .. }));
    });
}

#[test]
fn a_caller_with_an_expired_certificate_is_told_so_and_remembered() {
    let town = Town::with_limits(2, impatient());
    let error = bank_meets_during(&town, || {
        let mut expired = Raw::call(&town, 0, town.sign("clinic", -1));
        expired.greet(1, 0, 2);
        assert_eq!(expired.read(), None);
    });
    let text = error.unwrap_err().to_string();
    assert!(
        text.contains("a caller was refused: its certificate has expired"),
        "{text}"
    );
}

#[test]
fn an_answer_with_an_expired_certificate_ends_the_meeting_at_once() {
    let town = Town::of(2);
    let fault = answered_by(&town, "bank", -1);
    assert_eq!(fault, (0, Fault::Refused(CertificateFault::Expired)));
}

#[test]
fn an_answer_with_the_certificate_of_another_ends_the_meeting_at_once() {
    let town = Town::of(2);
    let fault = answered_by(&town, "shop", 1);
    assert_eq!(fault, (0, Fault::Refused(CertificateFault::OtherName)));
}

/// What the clinic makes of a bank with a certificate for a name, valid for so many days.
fn answered_by(town: &Town, name: &str, days: i64) -> (usize, Fault) {
    thread::scope(|scope| {
        scope.spawn(|| Raw::answer(town, 0, town.sign(name, days)).read());
        fault_of(town.connect(1).unwrap_err())
    })
}

/// The clinic believes two authorities, and has its certificate of the one that the bank does not believe.
#[test]
fn a_party_that_is_refused_learns_why() {
    let (town, other) = (Town::with_limits(2, impatient()), Town::of(2));
    let authority = |town: &Town| fs::read_to_string(town.keys.path().join("ca.pem")).unwrap();
    let both = authority(&town) + &authority(&other);
    fs::write(other.keys.path().join("ca.pem"), both).unwrap();
    let bank = bank_meets_during(&town, || {
        let clinic = town.connect_with(1, &other.identity(1));
        let fault = fault_of(clinic.unwrap_err());
        assert_eq!(fault, (0, Fault::RefusesUs(CertificateFault::OtherAuthority)));
    });
    let text = bank.unwrap_err().to_string();
    assert!(
        text.contains("a caller was refused: its certificate is not signed by the authority"),
        "{text}"
    );
}

#[test]
fn a_caller_with_the_certificate_of_another_party_is_sent_away_and_remembered() {
    let town = Town::with_limits(3, impatient());
    let error = bank_meets_during(&town, || {
        let mut shop = Raw::call(&town, 0, town.key(2));
        shop.greet(1, 0, 3);
        let told = String::from_utf8(shop.read_until(ABORT).unwrap()).unwrap();
        assert_eq!(
            told,
            "the certificate of the caller does not carry the name of the party"
        );
    });
    let text = error.unwrap_err().to_string();
    assert!(
        text.contains("said that it is `clinic`, but its certificate is that of `shop`"),
        "{text}"
    );
}

#[test]
fn a_caller_of_another_run_is_sent_away_and_remembered() {
    let town = Town::with_limits(3, impatient());
    let error = bank_meets_during(&town, || {
        let mut clinic = Raw::call(&town, 0, town.key(1));
        clinic.greet(1, 0, 2);
        assert!(clinic.read_until(ABORT).is_some());
    });
    let text = error.unwrap_err().to_string();
    assert!(text.contains("a caller has another list of parties"), "{text}");
}

#[test]
fn a_party_that_comes_twice_stays_once() {
    let town = Town::of(3);
    thread::scope(|scope| {
        let bank = scope.spawn(|| town.connect(0));
        let clinic = scope.spawn(|| town.connect(1));
        // The clinic must be the first to come as itself.
        thread::sleep(Duration::from_secs(1));
        let mut second = Raw::call(&town, 0, town.key(1));
        second.greet(1, 0, 3);
        let told = String::from_utf8(second.read_until(ABORT).unwrap()).unwrap();
        assert_eq!(told, "`clinic` is here already; was it started twice?");
        let shop = scope.spawn(|| town.connect(2));
        let all: Vec<_> = [bank, clinic, shop].map(|party| party.join().unwrap().unwrap()).into();
        let closing: Vec<_> = all.into_iter().map(|links| scope.spawn(|| links.close())).collect();
        closing.into_iter().for_each(|party| party.join().unwrap().unwrap());
    });
}

/// Garbage, silence, a handshake without a certificate: none of them is a party, and none keeps the parties from
/// meeting.
#[test]
fn strangers_do_not_end_a_meeting() {
    let town = Town::of(2);
    let bank = bank_meets_during(&town, || {
        town.knock(0).write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
        town.knock(0).write_all(&[0xff; 5000]).unwrap();
        let silent: Vec<_> = (0..10).map(|_| town.knock(0)).collect();
        let mut nobody = Raw::call_without_certificate(&town, 0);
        nobody.frame(GREETING, b"let me in");
        assert_eq!(nobody.read(), None);
        let clinic = town.connect(1).unwrap();
        drop(silent);
        thread::spawn(move || clinic.close());
    });
    bank.unwrap().close().unwrap();
}

#[test]
fn an_answer_that_is_not_encrypted_is_not_a_party() {
    let town = Town::with_limits(2, impatient());
    thread::scope(|scope| {
        let listener = TcpListener::bind(&town.parties[0].address).unwrap();
        scope.spawn(move || {
            let (mut tcp, _) = listener.accept().unwrap();
            tcp.write_all(b"220 mail at your service\r\n").unwrap();
        });
        let error = town.connect(1).unwrap_err();
        assert!(matches!(error, LinkError::NotMet { .. }), "{error}");
    });
}

#[test]
fn the_own_certificate_is_checked_before_anybody_is_called() {
    let town = Town::of(2);
    let error = town.connect_with(0, &town.identity(1)).unwrap_err();
    let fault = match &error {
        LinkError::OwnCertificate { fault, .. } => *fault,
        other => panic!("{other}"),
    };
    assert_eq!(fault, CertificateFault::OtherName);
    assert!(error.to_string().ends_with("`bank` needs another one"), "{error}");
}

#[test]
fn a_list_that_makes_no_sense_is_refused() {
    let town = Town::of(2);
    let connect = |own, names: [&str; 2], address: &str| {
        let peer = |name: &str| Peer {
            name: name.to_owned(),
            address: address.to_owned(),
        };
        let identity = town.identity(0);
        Links::connect(own, &names.map(peer), None, &identity, &town.limits).unwrap_err()
    };
    assert!(matches!(
        connect(0, ["bank", "Bank"], "localhost:1"),
        LinkError::SameName { .. }
    ));
    assert!(matches!(
        connect(0, ["bank", "the shop"], "localhost:1"),
        LinkError::Name { .. }
    ));
    assert!(matches!(
        connect(0, ["bank", "shop"], "localhost"),
        LinkError::Address { .. }
    ));
    assert!(matches!(
        connect(2, ["bank", "shop"], "localhost:1"),
        LinkError::NoSuchPeer { index: 2 }
    ));
}

#[test]
fn an_address_in_use_is_an_error() {
    let town = Town::of(2);
    let _taken = TcpListener::bind(&town.parties[0].address).unwrap();
    let error = town.connect(0).unwrap_err();
    assert!(
        matches!(&error, LinkError::Listen { address, .. } if *address == town.parties[0].address),
        "{error}"
    );
}
