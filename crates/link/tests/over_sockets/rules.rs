//! A peer that breaks the rules ends the run, at every party, and is named.

use std::{
    thread::{self, ScopedJoinHandle},
    time::Duration,
};

use scumble_link::{Fault, Limits, LinkError, Links};

use crate::{
    raw::{ABORT, GOODBYE, KEEP_ALIVE, LAST_PART, PART, Raw},
    town::{Town, quick},
};

/// What the bank hears, where the clinic keeps to the rules and the third party is played by the test.
///
/// Returns what the bank and the clinic say of it.
fn third_party_is(limits: Limits, play: impl FnOnce(Raw, Raw) + Send) -> [LinkError; 2] {
    let town = Town::with_limits(3, limits);
    thread::scope(|scope| {
        let bank = scope.spawn(|| town.connect(0).unwrap().receive().unwrap_err());
        let clinic = scope.spawn(|| town.connect(1).unwrap().receive().unwrap_err());
        let [to_bank, to_clinic] = [0, 1].map(|to| {
            let mut raw = Raw::call(&town, to.into(), town.key(2));
            raw.greet(2, to, 3);
            raw.read().unwrap();
            raw
        });
        play(to_bank, to_clinic);
        [bank, clinic].map(|party| party.join().unwrap())
    })
}

/// The bank blames the shop for this; and the clinic, with which the shop did nothing wrong, ends with the bank.
fn assert_fault([bank, clinic]: [LinkError; 2], expected: Fault) {
    match bank {
        LinkError::Peer { peer: 2, name, fault } => assert_eq!((name.as_str(), fault), ("shop", expected)),
        other => panic!("{other}"),
    }
    let told = clinic.to_string();
    assert!(told.starts_with("`bank` gave up: `shop` "), "{told}");
}

/// Keeps one link up while the test breaks the other: answers every sign of life with another.
fn stay_alive(mut link: Raw) {
    thread::spawn(move || {
        while link.read().is_some_and(|(kind, _)| kind == KEEP_ALIVE) {
            link.frame(KEEP_ALIVE, &[]);
        }
    });
}

/// Shows signs of life and does nothing else until the other party has come to an end, which it returns.
fn show_life_until_end_of<T>(party: ScopedJoinHandle<'_, T>, mut link: Raw) -> T {
    while !party.is_finished() {
        link.frame(KEEP_ALIVE, &[]);
        thread::sleep(Duration::from_millis(100));
    }
    party.join().unwrap()
}

#[test]
fn a_connection_that_is_cut_in_a_message() {
    let errors = third_party_is(quick(), |mut bank, clinic| {
        stay_alive(clinic);
        bank.frame(PART, b"half of");
        bank.header(LAST_PART, 100);
        drop(bank);
    });
    let told = errors[1].to_string();
    assert_eq!(told, "`bank` gave up: `shop` is gone");
    assert_fault(errors, Fault::Gone);
}

#[test]
fn a_frame_that_is_too_large() {
    let limits = Limits { frame: 1000, ..quick() };
    let errors = third_party_is(limits, |mut bank, clinic| {
        stay_alive(clinic);
        bank.header(PART, 1001);
        // It is told why before the connection ends.
        let told = String::from_utf8(bank.read_until(ABORT).unwrap()).unwrap();
        assert_eq!(told, "`shop` sent a frame of 1001 bytes, where 1000 are allowed");
    });
    assert_fault(
        errors,
        Fault::FrameTooLarge {
            bytes: 1001,
            limit: 1000,
        },
    );
}

#[test]
fn a_message_that_is_too_large() {
    let limits = Limits {
        frame: 1000,
        message: 2500,
        ..quick()
    };
    let errors = third_party_is(limits, |mut bank, clinic| {
        stay_alive(clinic);
        bank.frame(PART, &[0; 1000]);
        bank.frame(PART, &[0; 1000]);
        bank.frame(LAST_PART, &[0; 501]);
        bank.read_until(ABORT).unwrap();
    });
    assert_fault(errors, Fault::MessageTooLarge { limit: 2500 });
}

#[test]
fn a_frame_of_no_known_kind() {
    let errors = third_party_is(quick(), |mut bank, clinic| {
        stay_alive(clinic);
        bank.frame(77, b"?");
        bank.read_until(ABORT).unwrap();
    });
    assert_fault(errors, Fault::Malformed("a frame of an unknown kind"));
}

#[test]
fn a_peer_that_sends_no_sign_of_life() {
    let silence = Duration::from_secs(1);
    let limits = Limits { silence, ..quick() };
    let errors = third_party_is(limits, |mut bank, clinic| {
        stay_alive(clinic);
        while bank.read().is_some_and(|(kind, _)| kind == KEEP_ALIVE) {}
    });
    assert_fault(errors, Fault::Silent(silence));
}

/// The clinic shows that it lives, but reads nothing.
#[test]
fn a_peer_that_accepts_nothing() {
    let silence = Duration::from_secs(1);
    let town = Town::with_limits(2, Limits { silence, ..quick() });
    thread::scope(|scope| {
        let bank = scope.spawn(|| {
            let links = town.connect(0).unwrap();
            loop {
                if let Err(error) = links.send(1, vec![0; 10_000_000]) {
                    return error;
                }
            }
        });
        let mut clinic = Raw::call(&town, 0, town.key(1));
        clinic.greet(1, 0, 2);
        clinic.read().unwrap();
        let error = show_life_until_end_of(bank, clinic);
        assert!(
            matches!(
                &error,
                LinkError::Peer {
                    peer: 1,
                    fault: Fault::Stalled(_),
                    ..
                }
            ),
            "{error}"
        );
    });
}

#[test]
fn what_arrived_before_a_failure_is_received_before_the_error() {
    let town = Town::of(2);
    thread::scope(|scope| {
        let bank = scope.spawn(|| town.connect(0).unwrap());
        let mut clinic = Raw::call(&town, 0, town.key(1));
        clinic.greet(1, 0, 2);
        clinic.frame(LAST_PART, b"first");
        clinic.frame(LAST_PART, b"second");
        clinic.frame(ABORT, b"no more");
        let bank = bank.join().unwrap();
        clinic.read_until(ABORT);
        assert_eq!(bank.receive().unwrap().1, b"first");
        assert_eq!(bank.receive().unwrap().1, b"second");
        let error = bank.receive().unwrap_err();
        assert_eq!(error.to_string(), "`clinic` gave up: no more");
        // From now on everything fails, with the same words.
        assert_eq!(bank.receive().unwrap_err().to_string(), error.to_string());
        assert_eq!(bank.send(1, vec![]).unwrap_err().to_string(), error.to_string());
        assert_eq!(bank.close().unwrap_err().to_string(), error.to_string());
    });
}

#[test]
fn a_peer_that_never_says_goodbye_is_not_waited_for_for_ever() {
    let silence = Duration::from_secs(1);
    let town = Town::with_limits(2, Limits { silence, ..quick() });
    thread::scope(|scope| {
        let bank = scope.spawn(|| town.connect(0).unwrap().close().unwrap_err());
        let mut clinic = Raw::call(&town, 0, town.key(1));
        clinic.greet(1, 0, 2);
        clinic.read_until(GOODBYE).unwrap();
        let error = show_life_until_end_of(bank, clinic);
        assert!(
            matches!(
                &error,
                LinkError::Peer {
                    peer: 1,
                    fault: Fault::NoGoodbye(_),
                    ..
                }
            ),
            "{error}"
        );
    });
}

#[test]
fn links_can_be_given_to_another_thread() {
    fn is_send_and_sync<T: Send + Sync>() {}
    is_send_and_sync::<Links>();
}
