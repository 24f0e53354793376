//! Who is not a party is not let in, and a party that breaks the rules ends the run. Nobody writes anything then.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use scumble_link::{Identity, Limits, Links, Peer};

use super::company::{Company, Running};
use super::wire::call;
use crate::desk::Ended;

/// A party ended with this code and these words, and wrote nothing.
#[track_caller]
pub fn refused(company: &Company, ended: &Ended, code: i32, words: &[&str]) {
    assert_eq!(ended.code, Some(code), "{ended:?}");
    for word in words {
        assert!(ended.err.contains(word), "{word:?} is not in: {ended:?}");
    }
    company.nothing_written();
}

/// Noise before the others come, while they meet, and while they search.
#[test]
fn noise_at_the_door_is_ignored() {
    let company = Company::small(3);
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut noise = call(&company.address(0));
            while !is_over.load(Relaxed) {
                let _ = noise.write_all(&[0x16, 0x03, 0x01, 0xff, 0xff, b'?', 0, 0]);
                thread::sleep(Duration::from_millis(30));
                if let Ok(again) = std::net::TcpStream::connect(company.address(0)) {
                    noise = again;
                }
            }
        });
        let bank = company.start("bank", &[]);
        thread::sleep(Duration::from_millis(300));
        let others = company.start_all(&company.names[1..], &[]);
        let ended: Vec<Ended> = others.into_iter().chain([bank]).map(Running::end).collect();
        is_over.store(true, Relaxed);
        company.succeeded(&ended);
    });
}

#[test]
fn who_is_missing_is_named() {
    let company = Company::small(3);
    let [bank, clinic] = ["bank", "clinic"].map(|name| company.start(name, &[("--wait", "1")]));
    for ended in [bank, clinic].map(Running::end) {
        // Who gave up first told the other.
        refused(&company, &ended, 3, &["missing: `shop`"]);
    }
}

/// The certificate is checked before anybody is called, so this needs no other party.
#[test]
fn the_certificate_of_another_party() {
    let company = Company::small(2);
    let certificate = [("--cert", "keys/clinic.pem"), ("--key", "keys/clinic.key")];
    let ended = company.start("bank", &certificate).end();
    refused(
        &company,
        &ended,
        2,
        &["keys/clinic.pem: the certificate", "`bank` needs another one"],
    );
}

#[test]
fn an_expired_certificate() {
    let company = Company::small(2);
    company
        .desk
        .must(&["keys", "agreement.toml", "--out", "old", "--days", "0"]);
    thread::sleep(Duration::from_millis(1100));
    let old = [
        ("--cert", "old/bank.pem"),
        ("--key", "old/bank.key"),
        ("--ca", "old/ca.pem"),
    ];
    let ended = company.start("bank", &old).end();
    refused(
        &company,
        &ended,
        2,
        &["old/bank.pem: the certificate has expired", "`bank` needs another one"],
    );
}

/// A whole set of keys that somebody else made: each side refuses the other, and says why.
#[test]
fn keys_of_another_authority() {
    let company = Company::small(2);
    company.desk.must(&["keys", "agreement.toml", "--out", "forged"]);
    let patience = ("--wait", "3");
    let bank = company.start("bank", &[patience]);
    let forged = [
        ("--cert", "forged/clinic.pem"),
        ("--key", "forged/clinic.key"),
        ("--ca", "forged/ca.pem"),
        patience,
    ];
    let clinic = company.start("clinic", &forged);
    let [bank, clinic] = [bank, clinic].map(Running::end);
    refused(&company, &clinic, 3, &["`bank` is refused: its certificate"]);
    refused(&company, &bank, 3, &["missing: `clinic`"]);
}

/// The certificate is of the right authority, and only the authority by which it judges is another.
#[test]
fn another_authority_to_judge_by() {
    let company = Company::small(2);
    company.desk.must(&["keys", "agreement.toml", "--out", "forged"]);
    let ended = company.start("bank", &[("--ca", "forged/ca.pem")]).end();
    refused(
        &company,
        &ended,
        2,
        &["keys/bank.pem: the certificate", "`bank` needs another one"],
    );
}

/// What the bank makes of a clinic with a right certificate that behaves in its own way.
pub fn bank_meets(company: &Company, flags: &[(&str, &str)], limits: Limits, behave: impl FnOnce(Links)) -> Ended {
    let bank = company.start("bank", flags);
    behave(links_of(company, 1, limits));
    bank.end()
}

/// The links of a party with a right certificate, in the hands of a test.
pub fn links_of(company: &Company, own: usize, limits: Limits) -> Links {
    let name = &company.names[own];
    let key = |ending: &str| company.path(&format!("keys/{name}.{ending}"));
    let identity = Identity::read(&key("pem"), &key("key"), &company.path("keys/ca.pem")).unwrap();
    let peer = |(party, name): (usize, &String)| Peer {
        name: name.clone(),
        address: company.address(party),
    };
    let parties: Vec<Peer> = company.names.iter().enumerate().map(peer).collect();
    Links::connect(own, &parties, None, &identity, &limits).unwrap()
}

#[test]
fn a_frame_that_is_too_large() {
    let company = Company::small(2);
    let limits = Limits {
        frame: 2 << 20,
        ..Limits::default()
    };
    let ended = bank_meets(&company, &[], limits, |links| {
        links.send(0, vec![0; (1 << 20) + 1]).unwrap();
        while links.receive().is_ok() {}
    });
    let told = "`clinic` sent a frame of 1048577 bytes, where 1048576 are allowed";
    refused(&company, &ended, 3, &[told]);
}

#[test]
fn a_message_that_is_none() {
    for nonsense in [&b""[..], b"hello", &[0; 1000], &[0xff; 64]] {
        let company = Company::small(2);
        let ended = bank_meets(&company, &[], Limits::default(), |links| {
            links.send(0, nonsense.to_vec()).unwrap();
            while links.receive().is_ok() {}
        });
        refused(&company, &ended, 3, &["nothing was written", "clinic sent"]);
    }
}

/// What the bank sends comes back to it, as if it were the clinic's.
#[test]
fn a_party_that_repeats_what_it_hears() {
    let company = Company::small(2);
    let ended = bank_meets(&company, &[], Limits::default(), |links| {
        while let Ok((from, message)) = links.receive() {
            let _ = links.send(from, message);
        }
    });
    refused(&company, &ended, 3, &["nothing was written"]);
}

#[test]
fn a_party_that_leaves_with_a_goodbye() {
    let company = Company::small(2);
    let ended = bank_meets(&company, &[], Limits::default(), |links| drop(links.close()));
    refused(&company, &ended, 3, &["nothing was written"]);
}
