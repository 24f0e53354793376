//! Messages between parties that keep to the rules: they arrive whole, once, and in order.

use std::{
    sync::atomic::{AtomicU32, Ordering::SeqCst},
    thread,
    time::Duration,
};

use scumble_link::{Fault, Limits, LinkError, Links};

use crate::town::{NAMES, Town, quick};

/// Receives until every other party has sent so many messages, and returns them by sender.
fn receive_from_each(links: &Links, parties: usize, count: usize) -> Vec<Vec<Vec<u8>>> {
    let mut received = vec![Vec::new(); parties];
    for _ in 0..(parties - 1) * count {
        let (from, message) = links.receive().unwrap();
        received[from].push(message);
    }
    received
}

/// Every party sends to every other, and checks what it gets.
fn exchange(parties: usize, count: usize) {
    let town = Town::of(parties);
    town.run(|own, links| {
        let message = |from: usize, to: usize, number: usize| format!("{number} of {from} for {to}").into_bytes();
        for number in 0..count {
            for to in (0..parties).filter(|&to| to != own) {
                links.send(to, message(own, to, number)).unwrap();
            }
        }
        let received = receive_from_each(&links, parties, count);
        for (from, messages) in received.into_iter().enumerate().filter(|(from, _)| *from != own) {
            let sent: Vec<_> = (0..count).map(|number| message(from, own, number)).collect();
            assert_eq!(messages, sent, "from {} to {}", NAMES[from], NAMES[own]);
        }
        links.close().unwrap();
    });
}

#[test]
fn three_parties_receive_what_each_sent_in_order() {
    exchange(3, 200);
}

#[test]
fn eight_parties_meet_and_talk() {
    exchange(8, 5);
}

#[test]
fn a_large_message_goes_in_many_frames() {
    let mut town = Town::of(2);
    town.limits.frame = 1000;
    let large: Vec<u8> = (0..3_000_001_u32).map(|byte| (byte % 251) as u8).collect();
    town.run(|own, links| {
        // Both at once: neither waits for the other to receive first.
        links.send(1 - own, large.clone()).unwrap();
        links.send(1 - own, Vec::new()).unwrap();
        assert!(links.receive().unwrap() == (1 - own, large.clone()));
        assert_eq!(links.receive().unwrap(), (1 - own, Vec::new()));
        assert_eq!(links.traffic()[1 - own].received, 3_000_001);
        assert_eq!(links.traffic()[own], Default::default());
        links.close().unwrap();
    });
}

/// The clinic sends four hundred messages of 100 KB where 300 KB may wait, and the bank does not receive for a while.
#[test]
fn whoever_sends_to_a_slow_party_waits_and_loses_nothing() {
    let town = Town::with_limits(
        2,
        Limits {
            queue: 300_000,
            frame: 10_000,
            ..quick()
        },
    );
    const MESSAGES: u32 = 400;
    let sent = AtomicU32::new(0);
    town.run(|own, links| {
        if own == 1 {
            for number in 0..MESSAGES {
                let mut message = vec![0; 100_000];
                message[..4].copy_from_slice(&number.to_be_bytes());
                links.send(0, message).unwrap();
                sent.fetch_add(1, SeqCst);
            }
        } else {
            thread::sleep(Duration::from_secs(1));
            assert!(
                sent.load(SeqCst) < MESSAGES,
                "40 MB are more than queues and sockets hold"
            );
            for number in 0..MESSAGES {
                let (_, message) = links.receive().unwrap();
                assert_eq!((&message[..4], message.len()), (&number.to_be_bytes()[..], 100_000));
            }
        }
        links.close().unwrap();
    });
}

#[test]
fn goodbye_comes_after_all_that_was_sent() {
    let town = Town::of(2);
    town.run(|own, links| {
        if own == 0 {
            links.send(1, vec![7; 5_000_000]).unwrap();
            links.close().unwrap();
        } else {
            thread::sleep(Duration::from_millis(200));
            assert_eq!(links.receive().unwrap().1.len(), 5_000_000);
            // The bank has left; to wait for more of it is an error, and not for ever.
            assert!(matches!(links.receive(), Err(LinkError::Ended)));
            links.close().unwrap();
        }
    });
}

/// The bank is done early. The others go on, and may even write to it.
#[test]
fn the_others_go_on_after_a_goodbye() {
    let town = Town::of(3);
    town.run(|own, links| {
        if own > 0 {
            thread::sleep(Duration::from_millis(200));
            links.send(0, b"too late".to_vec()).unwrap();
            links.send(3 - own, b"still here".to_vec()).unwrap();
            assert_eq!(links.receive().unwrap(), (3 - own, b"still here".to_vec()));
        }
        links.close().unwrap();
    });
}

#[test]
fn a_busy_party_is_not_silent() {
    let mut town = Town::of(2);
    town.limits.silence = Duration::from_millis(1000);
    town.run(|own, links| {
        if own == 0 {
            thread::sleep(Duration::from_millis(2500));
            links.send(1, b"done".to_vec()).unwrap();
        } else {
            assert_eq!(links.receive().unwrap(), (0, b"done".to_vec()));
        }
        links.close().unwrap();
    });
}

#[test]
fn giving_up_reaches_all_with_its_reason() {
    let town = Town::of(3);
    let errors = town.run(|own, links| {
        if own == 1 {
            // What waits to be sent does not hold up the news.
            links.send(0, vec![0; 50_000_000]).unwrap();
            links.abort("the table\u{7} has no rows");
            return None;
        }
        Some(links.receive().unwrap_err())
    });
    let gave_up: Vec<_> = errors.into_iter().flatten().collect();
    assert_eq!(gave_up.len(), 2);
    // One may hear it from the other first, who names the clinic.
    let direct = "`clinic` gave up: the table has no rows";
    assert!(gave_up.iter().any(|error| error.to_string() == direct), "{gave_up:?}");
    assert!(
        gave_up.iter().all(|error| error.to_string().ends_with(direct)),
        "{gave_up:?}"
    );
}

#[test]
fn a_handle_that_is_dropped_gives_up() {
    let town = Town::of(2);
    let errors = town.run(|own, links| {
        if own == 0 {
            None
        } else {
            Some(links.receive().unwrap_err())
        }
    });
    let error = errors[1].as_ref().unwrap();
    assert!(
        matches!(
            error,
            LinkError::Peer {
                peer: 0,
                fault: Fault::GaveUp(_),
                ..
            }
        ),
        "{error}"
    );
    assert_eq!(error.peer(), Some(0));
}

#[test]
fn nobody_sends_to_itself_or_more_than_is_allowed() {
    let mut town = Town::of(2);
    town.limits.message = 10;
    town.run(|own, links| {
        let too_large = links.send(1 - own, vec![0; 11]);
        assert!(matches!(
            too_large,
            Err(LinkError::MessageTooLarge { bytes: 11, limit: 10 })
        ));
        assert!(matches!(links.send(own, vec![]), Err(LinkError::NoSuchPeer { index }) if index == own));
        assert!(matches!(links.send(2, vec![]), Err(LinkError::NoSuchPeer { index: 2 })));
        // That was no fault of a link.
        links.send(1 - own, vec![0; 10]).unwrap();
        assert_eq!(links.receive().unwrap().1.len(), 10);
        links.close().unwrap();
    });
}
