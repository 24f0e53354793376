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

/// Limits under which a message must come within a second.
fn hurried() -> Limits {
    Limits {
        progress: Duration::from_secs(1),
        ..quick()
    }
}

/// What the bank says of a clinic whose message it waits for, and which does what a test wants of it until then.
fn bank_waits_for(limits: Limits, behave: impl Fn(&mut Raw)) -> LinkError {
    let town = Town::with_limits(2, limits);
    thread::scope(|scope| {
        let bank = scope.spawn(|| {
            let links = town.connect(0).unwrap();
            loop {
                if let Err(error) = links.receive_due(&[1], &|| true) {
                    return error;
                }
            }
        });
        let mut clinic = Raw::call(&town, 0, town.key(1));
        clinic.greet(1, 0, 2);
        clinic.read().unwrap();
        while !bank.is_finished() {
            behave(&mut clinic);
            thread::sleep(Duration::from_millis(50));
        }
        bank.join().unwrap()
    })
}

/// Empty signs of life, lies about a third party, a message that never ends: none of it is a message.
#[test]
fn a_peer_that_lives_but_sends_no_message_is_given_up() {
    let behaviours: [fn(&mut Raw); 4] = [
        |clinic| clinic.frame(KEEP_ALIVE, &[]),
        |clinic| clinic.frame(KEEP_ALIVE, &[7, 1]),
        |clinic| clinic.frame(KEEP_ALIVE, &[255, 1]),
        |clinic| clinic.frame(PART, b"more to come"),
    ];
    for behave in behaviours {
        let error = bank_waits_for(hurried(), behave);
        let expected = Fault::NoProgress(Duration::from_secs(1));
        assert!(
            matches!(&error, LinkError::Peer { peer: 1, fault, .. } if *fault == expected),
            "{error}"
        );
    }
}

#[test]
fn an_empty_part_is_no_part() {
    let error = bank_waits_for(quick(), |clinic| clinic.frame(PART, &[]));
    assert!(error.to_string().contains("an empty part of a message"), "{error}");
}

/// Messages come, one after the other, and the run does not end.
#[test]
fn a_run_that_goes_on_and_on_ends_with_its_deadline() {
    let limits = Limits {
        deadline: Some(Duration::from_secs(1)),
        ..quick()
    };
    let error = bank_waits_for(limits, |clinic| clinic.frame(LAST_PART, b"on and on"));
    assert_eq!(
        error.to_string(),
        "the run was not over after 1s, which is all the time that it has here; it waited for `clinic`"
    );
}

/// Only who is waited for is late.
#[test]
fn a_peer_that_nobody_waits_for_may_take_its_time() {
    let town = Town::with_limits(2, hurried());
    thread::scope(|scope| {
        let bank = scope.spawn(|| town.connect(0).unwrap().receive());
        let clinic = scope.spawn(|| {
            let links = town.connect(1).unwrap();
            thread::sleep(Duration::from_secs(3));
            links.send(0, b"late".to_vec()).unwrap();
            links.close()
        });
        assert_eq!(bank.join().unwrap().unwrap().1, b"late");
        // The bank did not say goodbye.
        let _ = clinic.join().unwrap();
    });
}

/// The shop waits for the clinic, the clinic for the bank, and the bank only lives.
#[test]
fn who_waits_for_the_culprit_gives_up_first_and_names_it() {
    let town = Town::with_limits(3, hurried());
    thread::scope(|scope| {
        let wait = |own: usize, due: usize| {
            let links = town.connect(own).unwrap();
            links.receive_due(&[due], &|| true).unwrap_err()
        };
        let shop = scope.spawn(move || wait(2, 1));
        let clinic = scope.spawn(move || wait(1, 0));
        let bank = scope.spawn(|| town.connect(0).unwrap().receive().unwrap_err());
        let told = shop.join().unwrap().to_string();
        // From the clinic, or from the bank, which the clinic told.
        assert!(told.contains("`clinic` gave up: `bank` has sent no message"), "{told}");
        let told = clinic.join().unwrap().to_string();
        assert!(told.starts_with("`bank` has sent no message for 1s"), "{told}");
        bank.join().unwrap();
    });
}

#[test]
fn links_can_be_given_to_another_thread() {
    fn is_send_and_sync<T: Send + Sync>() {}
    is_send_and_sync::<Links>();
}
