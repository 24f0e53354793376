//! Lies about records, and floods: a liar gets no hash of an id where all agreed to have the same records, and whoever
//! sends more than the agreement takes is named before it takes any memory.

use fastrand::Rng;

use crate::limits::LONGEST_TEXT;
use crate::sim::drive::{Parcel, Setting, Side, run_with};
use crate::sim::equal::check;
use crate::sim::judges::Open;
use crate::sim::party::Conduct;
use crate::sim::world::World;
use crate::{End, Fault, Machine, Message, Packed, Session, Shown};

/// A world whose parties all have the same records, and in which there is a release.
fn world(parties: usize) -> (u64, World) {
    let mut worlds = (0..).map(|seed| (seed, World::random(&mut Rng::with_seed(seed), parties, 20)));
    let fits = |world: &World| world.strays.is_empty() && world.refined().is_some() && world.class_holders.len() == 1;
    worlds.find(|(_, world)| fits(world)).expect("there are many worlds")
}

/// A setting in which these are the conducts of the parties.
fn setting(seed: u64, conducts: &[Conduct]) -> Setting {
    let parties = conducts.iter().enumerate();
    parties.fold(Setting::new(seed), |setting, (party, &conduct)| {
        setting.with(party, conduct)
    })
}

/// Runs a world and names what went over the wire.
fn carried(world: &World, setting: &Setting, lie: impl Fn(&Parcel, Message) -> Message) -> (Vec<Side>, Vec<Message>) {
    let mut carried = Vec::new();
    let sides = run_with(
        world,
        setting,
        || Open,
        |parcel| {
            let (number, message) = Message::decode(parcel.from, &parcel.bytes).expect("parties say what can be read");
            let message = lie(&parcel, message);
            carried.push(message.clone());
            vec![message.encode(number)]
        },
    );
    (sides, carried)
}

fn hashes(carried: &[Message]) -> usize {
    let is_hashes = |message: &&Message| matches!(message, Message::Ids(_));
    carried.iter().filter(is_hashes).count()
}

/// Without an agreement about records a wrong digest is enough. With one there is no digest to lie about: a party with
/// other records is found out, and nothing else is.
#[test]
fn a_wrong_digest_forces_out_hashes_only_where_records_may_differ() {
    let (seed, world) = world(3);
    let lie = |parcel: &Parcel, message: Message| match message {
        Message::Records { count, .. } if parcel.from == 2 => Message::Records { count, digest: [7; 32] },
        message => message,
    };
    let (_, open) = carried(&world, &Setting::new(seed), lie);
    assert_eq!(hashes(&open), 4, "each that is honest sends its hashes to each");

    let conducts = [Conduct::SameRecords, Conduct::SameRecords, Conduct::OtherRecords];
    let (sides, closed) = carried(&world, &setting(seed, &conducts), lie);
    let known = |message: &Message| matches!(message, Message::Greeting { .. } | Message::Secure(_));
    assert!(closed.iter().all(known), "nothing of the records is sent");
    for side in &sides[..2] {
        let fault = side.fault();
        assert!(
            matches!(fault, Some(Fault::OtherRecords { by, are_ours: false }) if by == &[2]),
            "{fault:?}"
        );
    }
    let own = sides[2].fault();
    assert!(
        matches!(own, Some(Fault::OtherRecords { by, are_ours: true }) if by == &[2]),
        "{own:?}"
    );
}

#[test]
fn parties_that_agreed_to_have_the_same_records_find_what_they_found_before() {
    for parties in [2, 3] {
        let (seed, world) = world(parties);
        let (sides, sent) = carried(
            &world,
            &setting(seed, &vec![Conduct::SameRecords; parties]),
            |_, said| said,
        );
        check(&world, &sides, "the same records");
        assert_eq!(hashes(&sent), 0);
    }
}

/// Of two nobody can say who is right, and of three who all differ neither.
#[test]
fn without_a_majority_each_names_those_who_differ_from_it() {
    let (seed, world) = world(2);
    let (sides, _) = carried(
        &world,
        &setting(seed, &[Conduct::SameRecords, Conduct::OtherRecords]),
        |_, said| said,
    );
    for (own, side) in sides.iter().enumerate() {
        let fault = side.fault().expect("nobody goes on");
        assert_eq!(fault.party(), Some(1 - own), "{fault:?}");
        let told = fault.in_words(|party| format!("party {party}"));
        assert!(
            told.starts_with(&format!("party {} brought other records", 1 - own)),
            "{told}"
        );
    }
    let (seed, world) = self::world(3);
    let conducts = [Conduct::SameRecords, Conduct::OtherRecords, Conduct::OtherPeopleSame];
    let (sides, _) = carried(&world, &setting(seed, &conducts), |_, said| said);
    let fault = sides[0].fault();
    assert!(
        matches!(fault, Some(Fault::OtherRecords { by, are_ours: false }) if by == &[1, 2]),
        "{fault:?}"
    );
}

/// While the first party waits for the second, the third sends and sends.
#[test]
fn a_peer_that_floods_is_named_though_nobody_waits_for_it() {
    for (bytes, most) in [(0, 170), (1000, 12)] {
        let mut machine = Machine::new(0, 3, |mail| Session::greet(mail, "agreed")).allowing(10_000);
        assert!(machine.turn().end.is_none());
        let mut sent = 0;
        let fault = loop {
            machine.deliver(2, vec![0; bytes]);
            sent += 1;
            assert_eq!(machine.waits_for(), [1]);
            match machine.turn().end {
                Some(End::Returned(Err(fault))) => break fault,
                Some(_) => panic!("it ended well"),
                None => assert!(sent < most, "{sent} messages of {bytes} bytes lie about"),
            }
        };
        assert!(matches!(fault, Fault::TooMuch { from: 2, .. }), "{fault:?}");
    }
}

/// Columns with more texts than records, with a text of any length, with millions of empty ones in few bytes.
#[test]
fn texts_that_no_honest_party_has_are_refused() {
    let (seed, world) = world(3);
    type Change = fn(&mut Vec<Option<String>>);
    let lies: [(&str, Change); 3] = [
        ("more texts than records", |texts| {
            texts.extend((0..21).map(|text| Some(text.to_string())));
        }),
        ("a long text", |texts| texts.push(Some("a".repeat(LONGEST_TEXT + 1)))),
        ("a million of missing ones", |texts| texts.extend(vec![None; 1_000_000])),
    ];
    for (what, change) in lies {
        for liar in 0..3 {
            let lie = |parcel: &Parcel, mut message: Message| {
                if parcel.from == liar {
                    match &mut message {
                        Message::Class(cells) => change(&mut cells.texts),
                        Message::Plain(plain) => change(&mut plain.cells.texts),
                        Message::Masked(masked) => change(&mut masked.labels),
                        _ => {}
                    }
                }
                message
            };
            let (sides, _) = carried(&world, &Setting::new(seed), lie);
            let honest = sides.iter().enumerate().filter(|&(own, _)| own != liar);
            for (own, side) in honest {
                let fault = side.fault().unwrap_or_else(|| panic!("{what}: {own} goes on"));
                let is_refused =
                    matches!(fault, Fault::TooMuch { from, .. } | Fault::Malformed { from } if *from == liar);
                assert!(is_refused, "{what}: {fault:?}");
            }
        }
    }
}

/// A text of one byte on the wire takes 24 in memory; so many are not even read.
#[test]
fn a_message_in_more_pieces_than_its_records_allow_is_none() {
    let pieces = Message::Masked(crate::Masked {
        column: 0,
        mask: String::new(),
        penalty: 0.0,
        labels: vec![None; 200_000],
        shown: Shown::Records(Packed::Runs(Vec::new())),
    });
    let bytes = pieces.encode(0);
    assert!(Message::decode_about(200_000, 1, &bytes).is_ok());
    let refused = Message::decode_about(1000, 1, &bytes);
    assert!(matches!(refused, Err(Fault::Malformed { from: 1 })), "{refused:?}");
}
