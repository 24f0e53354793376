//! Mishaps on the way, and peers that do not do as they should.
//!
//! Whatever happens, a party ends with the release that all would have made, or with a fault, or it waits for what does not
//! come (its driver has a clock). It never ends with another release.

use std::collections::BTreeSet;

use fastrand::Rng;
use scumble_privacy::{QuasiIdentifier, Template};

use crate::message::PROTOCOL;
use crate::{Ask, Cells, End, Fault, Masked, Message, Packed, Plain, Refine, Scope, Shown, Written};

use super::drive::{Parcel, Setting, Side, run, run_with};
use super::equal::{contested, secure};
use super::judges::Open;
use super::party::{AGREEMENT, Conduct, Known};
use super::world::{World, counting};

/// What can happen to a message.
#[derive(Clone, Copy, Debug)]
enum Mishap {
    Lost,
    Repeated,
    /// The next message of the same link arrives before it.
    Overtaken,
    /// Its last byte is missing.
    Truncated,
    /// A bit at a random place is another.
    Flipped(u64),
}

impl Mishap {
    /// Carries messages, with this mishap to one of them.
    fn to(self, unlucky: usize) -> impl FnMut(Parcel) -> Vec<Vec<u8>> {
        let mut late: Option<Parcel> = None;
        move |parcel| {
            if parcel.number == unlucky {
                return match self {
                    Mishap::Lost => vec![],
                    Mishap::Repeated => vec![parcel.bytes.clone(), parcel.bytes],
                    Mishap::Truncated => vec![parcel.bytes[..parcel.bytes.len() - 1].to_vec()],
                    Mishap::Flipped(seed) => vec![flipped(parcel.bytes, seed)],
                    Mishap::Overtaken => {
                        late = Some(parcel);
                        vec![]
                    }
                };
            }
            let follows = |late: &mut Parcel| (late.from, late.to) == (parcel.from, parcel.to);
            let late = late.take_if(follows).map(|late| late.bytes);
            [parcel.bytes].into_iter().chain(late).collect()
        }
    }
}

fn flipped(mut bytes: Vec<u8>, seed: u64) -> Vec<u8> {
    let mut rng = Rng::with_seed(seed);
    let place = rng.usize(0..bytes.len());
    bytes[place] ^= 1 << rng.u8(0..8);
    bytes
}

/// A run without mishap, in which every message that there is was sent, but for the text of an agreement.
struct Rehearsal {
    world: World,
    seed: u64,
    release: Known,
    /// Who sent what to whom, in the order in which it was carried.
    carried: Vec<(usize, usize, Message)>,
}

impl Rehearsal {
    fn new() -> Self {
        let worlds = contested(3, 12, usize::MAX)
            .filter(|(_, world)| world.class_holders.len() == 2 && !world.strays.is_empty());
        let mut rehearsals = worlds.filter_map(|(seed, world)| Rehearsal::of(world, seed));
        let has_all = |rehearsal: &Rehearsal| {
            let kinds: BTreeSet<&str> = rehearsal.carried.iter().map(|(.., message)| message.name()).collect();
            kinds.len() == every_kind().len() - 1
        };
        rehearsals.find(has_all).expect("there are many worlds")
    }

    fn of(world: World, seed: u64) -> Option<Self> {
        let mut carried = Vec::new();
        let sides = run_with(
            &world,
            &Setting::new(seed),
            || Open,
            |parcel| {
                let message = Message::decode(parcel.from, &parcel.bytes).expect("nothing happened to it");
                carried.push((parcel.from, parcel.to, message.1));
                vec![parcel.bytes]
            },
        );
        let release = sides[0].known()?.clone();
        Some(Rehearsal {
            world,
            seed,
            release,
            carried,
        })
    }

    /// The same run, where messages are carried like this.
    fn again(&self, carry: impl FnMut(Parcel) -> Vec<Vec<u8>>) -> Vec<Side> {
        run_with(&self.world, &Setting::new(self.seed), || Open, carry)
    }

    /// The same run with one message in the place of another.
    fn with_instead(&self, place: usize, message: &Message) -> Vec<Side> {
        self.again(|parcel| match parcel.number == place {
            true => {
                let (number, _) = Message::decode(parcel.from, &parcel.bytes).expect("nothing happened to it");
                vec![message.encode(number)]
            }
            false => vec![parcel.bytes],
        })
    }

    /// The places of messages.
    fn places(&self, mut is_one: impl FnMut(&Message) -> bool) -> Vec<usize> {
        let carried = self.carried.iter().enumerate();
        carried
            .filter(|(_, (.., message))| is_one(message))
            .map(|(place, _)| place)
            .collect()
    }

    /// Where the parties do not speak to a judge: [`Open`] believes whatever it hears, as no other judge does.
    fn unjudged(&self) -> Vec<usize> {
        self.places(|message| !matches!(message, Message::Secure(_)))
    }

    /// Nobody ends well with another release.
    fn assert_no_other_release(&self, sides: &[Side], what: &str) {
        for known in sides.iter().filter_map(Side::known) {
            assert_eq!(known.rows(), self.release.rows(), "{what}");
            assert_eq!(known.masks, self.release.masks, "{what}");
        }
    }
}

/// One message of each kind, with content that fits nothing.
fn every_kind() -> Vec<Message> {
    let packed = || Packed::Runs(vec![(0, 3)]);
    let cells = || Cells {
        texts: vec![None],
        of_record: packed(),
    };
    vec![
        Message::Greeting {
            protocol: PROTOCOL,
            agreement: [1; 32],
            secret: [2; 32],
        },
        Message::Agreement("another".to_owned()),
        Message::Records {
            count: u64::MAX,
            digest: [3; 32],
        },
        Message::Ids(vec![4; 17]),
        Message::ClassDigest([5; 32]),
        Message::Class(cells()),
        Message::Start { met: false },
        Message::Secure(vec![6]),
        Message::Ask(Ask {
            consent: 9,
            column: u32::MAX,
            value: 9,
            children: 200,
            sealed: [8; 32],
        }),
        Message::Scope(Scope {
            settled: packed(),
            columns: vec![(u32::MAX, false); 3],
        }),
        Message::Refused,
        Message::Refine(Refine {
            column: u32::MAX,
            value: 9,
            children: u32::MAX,
            child_of: packed(),
            opening: [9; 32],
        }),
        Message::Elsewhere,
        Message::Finished,
        Message::Masked(Masked {
            column: 0,
            mask: String::new(),
            penalty: f64::NAN,
            labels: vec![],
            shown: Shown::Records(packed()),
        }),
        Message::Heard(vec![[8; 32]]),
        Message::Plain(Plain {
            column: 9,
            cells: cells(),
        }),
        Message::Written(Written {
            release: [7; 32],
            plain: vec![[9; 32]],
        }),
        Message::Agreed,
    ]
}

/// What a winner may do, so that it is no fault by itself.
fn is_a_winners(message: &Message) -> bool {
    use Message::*;
    matches!(message, Ask(_) | Refused | Refine(_) | Elsewhere | Finished)
}

#[test]
fn a_message_that_is_lost_or_cut_is_missed_by_its_receiver() {
    let rehearsal = Rehearsal::new();
    for (place, (from, to, message)) in rehearsal.carried.iter().enumerate() {
        let what = format!("{} from {from} to {to}", message.name());
        for mishap in [Mishap::Lost, Mishap::Truncated] {
            let sides = rehearsal.again(mishap.to(place));
            rehearsal.assert_no_other_release(&sides, &what);
            assert!(sides[*to].known().is_none(), "{what} was not missed");
        }
        let cut = &rehearsal.again(Mishap::Truncated.to(place))[*to];
        assert!(
            matches!(cut.fault(), Some(Fault::Malformed { from: by }) if by == from),
            "{what}: {:?}",
            cut.end
        );
    }
}

#[test]
fn a_message_that_is_repeated_or_overtaken_is_noticed() {
    let rehearsal = Rehearsal::new();
    for (place, (from, to, message)) in rehearsal.carried.iter().enumerate() {
        let what = format!("{} from {from} to {to}", message.name());
        let later = &rehearsal.carried[place + 1..];
        let is_last = !later.iter().any(|(by, of, _)| (by, of) == (from, to));
        for mishap in [Mishap::Repeated, Mishap::Overtaken] {
            let sides = rehearsal.again(mishap.to(place));
            rehearsal.assert_no_other_release(&sides, &what);
            let fault = sides[*to].fault();
            let is_noticed = matches!(fault, Some(Fault::OutOfOrder { from: by, .. }) if by == from);
            // The next message may be an answer to something that the receiver now does not say.
            let waits = matches!(mishap, Mishap::Overtaken) && sides[*to].end.is_none();
            assert!(
                is_noticed || is_last || waits,
                "{what}, {mishap:?}: {:?}",
                sides[*to].end
            );
        }
    }
}

#[test]
fn a_flipped_bit_never_makes_another_release() {
    let rehearsal = Rehearsal::new();
    let mut noticed = 0;
    let places = rehearsal.unjudged();
    for &place in &places {
        for seed in 0..6 {
            let sides = rehearsal.again(Mishap::Flipped(seed + 10 * place as u64).to(place));
            rehearsal.assert_no_other_release(&sides, &format!("message {place}, {seed}"));
            noticed += usize::from(sides.iter().any(|side| side.known().is_none()));
        }
    }
    assert!(noticed > 4 * places.len(), "only {noticed} were noticed");
}

#[test]
fn a_slow_link_changes_nothing() {
    let rehearsal = Rehearsal::new();
    for from in 0..3 {
        for to in (0..3).filter(|&to| to != from) {
            let setting = Setting {
                slow: Some((from, to)),
                ..Setting::new(rehearsal.seed)
            };
            let sides = run_with(&rehearsal.world, &setting, || Open, |parcel| vec![parcel.bytes]);
            assert!(sides.iter().all(|side| side.known().is_some()));
            rehearsal.assert_no_other_release(&sides, "a slow link");
        }
    }
}

/// The same with the computation that this program uses: a few messages of each stage.
#[test]
fn mishaps_to_a_secure_computation_end_it() {
    let (seed, mut world) = contested(2, 10, usize::MAX).next().expect("there are many worlds");
    world.steps = Some(1);
    let mut carried = 0;
    let count = |parcel: Parcel| {
        carried += 1;
        vec![parcel.bytes]
    };
    let release = run_with(&world, &Setting::new(seed), || secure(2), count)
        .swap_remove(0)
        .known()
        .expect("the run ends well")
        .clone();
    // Nobody listens after the last words, so that one may be said twice.
    for place in (0..carried - world.parties).step_by(carried / 8) {
        for mishap in [
            Mishap::Lost,
            Mishap::Repeated,
            Mishap::Truncated,
            Mishap::Flipped(place as u64),
        ] {
            let sides = run_with(&world, &Setting::new(seed), || secure(2), mishap.to(place));
            for known in sides.iter().filter_map(Side::known) {
                assert_eq!(known.rows(), release.rows(), "{mishap:?} of message {place}");
            }
            // Not every bit of a computation counts.
            let may_be_well = matches!(mishap, Mishap::Flipped(_));
            let all_well = sides.iter().all(|side| side.known().is_some());
            assert!(
                may_be_well || !all_well,
                "{mishap:?} of message {place} was not noticed"
            );
        }
    }
}

/// Every kind of message at every moment: the receiver names the sender, and does not panic.
#[test]
fn a_message_out_of_turn_is_a_fault_of_its_sender() {
    let rehearsal = Rehearsal::new();
    for (place, (from, to, due)) in rehearsal.carried.iter().enumerate() {
        for message in every_kind() {
            if matches!((due, &message), (Message::Secure(_), Message::Secure(_))) {
                continue;
            }
            let what = format!("{} instead of {} from {from} to {to}", message.name(), due.name());
            let sides = rehearsal.with_instead(place, &message);
            rehearsal.assert_no_other_release(&sides, &what);
            let broken = sides.iter().any(|side| matches!(side.end, Some(End::Broken)));
            assert!(!broken, "{what}: a panic");
            let has_a_place = message.name() == due.name() || is_a_winners(&message) && is_a_winners(due);
            if !has_a_place {
                let fault = sides[*to].fault();
                assert_eq!(fault.and_then(Fault::party), Some(*from), "{what}: {fault:?}");
            }
        }
    }
}

/// Instructions that their sender may not give, or that do not fit what it told before.
#[test]
fn an_instruction_that_does_not_fit_is_a_contradiction() {
    let rehearsal = Rehearsal::new();
    let places = rehearsal.places(|message| matches!(message, Message::Refine(_)));
    let columns = rehearsal.world.forms.len() as u32;
    for place in places {
        let (from, to, Message::Refine(refine)) = &rehearsal.carried[place] else {
            unreachable!("it is an instruction")
        };
        let (from, to) = (*from, *to);
        let is_theirs = |column: &u32| rehearsal.world.owner_of[*column as usize] == Some(from);
        let not_theirs = (0..columns)
            .filter(|column| !is_theirs(column))
            .chain([columns, u32::MAX]);
        let mut wrong: Vec<Refine> = not_theirs
            .map(|column| Refine {
                column,
                ..refine.clone()
            })
            .collect();
        let changes: [fn(&mut Refine); 4] = [
            |refine| refine.value += 1000,
            |refine| refine.children = u32::MAX,
            |refine| refine.children = 0,
            |refine| refine.child_of = Packed::Runs(vec![(0, 1_000_000)]),
        ];
        for change in changes {
            let mut refine = refine.clone();
            change(&mut refine);
            wrong.push(refine);
        }
        for refine in wrong {
            let sides = rehearsal.with_instead(place, &Message::Refine(refine.clone()));
            rehearsal.assert_no_other_release(&sides, "an instruction");
            let fault = sides[to].fault();
            let expected = matches!(fault, Some(Fault::Contradiction { from: by, what: "a column" }) if *by == from);
            assert!(expected, "{refine:?}: {:?}", sides[to].end);
        }
    }
}

/// A number that would make a circuit of any size is not taken on trust.
#[test]
fn a_scope_out_of_thin_air_is_a_contradiction() {
    let rehearsal = Rehearsal::new();
    let places = rehearsal.places(|message| matches!(message, Message::Scope(_)));
    assert!(!places.is_empty());
    for place in places {
        let (from, to, Message::Scope(scope)) = &rehearsal.carried[place] else {
            unreachable!("it is a scope")
        };
        let scope = Scope {
            columns: vec![(u32::MAX, true); scope.columns.len().max(1)],
            ..scope.clone()
        };
        let sides = rehearsal.with_instead(place, &Message::Scope(scope));
        let fault = sides[*to].fault();
        assert!(
            matches!(fault, Some(Fault::Contradiction { from: by, .. }) if by == from),
            "{fault:?}"
        );
    }
}

/// A world of three parties.
fn some_world() -> (u64, World) {
    contested(3, 12, usize::MAX).next().expect("there are many worlds")
}

fn run_where(party: usize, conduct: Conduct) -> Vec<Side> {
    let (seed, world) = some_world();
    let setting = Setting::new(seed).with(party, conduct);
    run_with(&world, &setting, || Open, |parcel| vec![parcel.bytes])
}

#[test]
fn who_has_another_agreement_and_all_others_get_each_others_text() {
    let sides = run_where(1, Conduct::OtherAgreement("something else"));
    for (own, side) in sides.iter().enumerate() {
        let Some(Fault::OtherAgreement { from, theirs }) = side.fault() else {
            panic!("{:?}", side.end)
        };
        match own {
            1 => assert_eq!(theirs, AGREEMENT),
            _ => assert_eq!((*from, &theirs[..]), (1, "something else")),
        }
    }
}

#[test]
fn another_version_of_the_protocol_is_named() {
    let (seed, world) = some_world();
    let older = |mut parcel: Parcel| {
        let read = Message::decode(parcel.from, &parcel.bytes);
        if let (2, Ok((number, Message::Greeting { agreement, secret, .. }))) = (parcel.from, read) {
            let protocol = PROTOCOL - 1;
            let greeting = Message::Greeting {
                protocol,
                agreement,
                secret,
            };
            parcel.bytes = greeting.encode(number);
        }
        vec![parcel.bytes]
    };
    let sides = run_with(&world, &Setting::new(seed), || Open, older);
    for side in &sides[..2] {
        let is_named = matches!(side.fault(), Some(Fault::Version { from: 2, theirs, .. }) if *theirs == PROTOCOL - 1);
        assert!(is_named, "{:?}", side.end);
    }
    assert!(sides[2].known().is_none());
}

#[test]
fn another_class_is_found_by_all_who_hold_it() {
    let worlds = contested(3, 12, usize::MAX).filter(|(_, world)| world.class_holders.len() > 1);
    for (seed, world) in worlds.take(3) {
        let odd = world.class_holders[0];
        let setting = Setting::new(seed).with(odd, Conduct::OtherClass);
        let sides = run_with(&world, &setting, || Open, |parcel| vec![parcel.bytes]);
        for &holder in &world.class_holders {
            assert!(
                matches!(sides[holder].fault(), Some(Fault::OtherClass { .. })),
                "{:?}",
                sides[holder].end
            );
        }
        assert!(sides.iter().all(|side| side.known().is_none()));
    }
}

#[test]
fn without_a_common_record_nobody_goes_on() {
    for side in run_where(0, Conduct::OtherPeople) {
        assert!(matches!(side.fault(), Some(Fault::NothingInCommon)), "{:?}", side.end);
    }
}

#[test]
fn a_repeated_id_is_told_by_its_rows() {
    let sides = run_where(0, Conduct::RepeatedId);
    assert!(
        matches!(sides[0].fault(), Some(Fault::RepeatedId { first: 1, second: 2 })),
        "{:?}",
        sides[0].end
    );
    assert!(sides[1..].iter().all(|side| side.known().is_none()));
}

#[test]
fn a_requirement_that_cannot_be_met_is_named_by_who_sees_to_it() {
    let (seed, mut world) = some_world();
    let of: Vec<_> = world
        .quasi()
        .into_iter()
        .filter(|id| world.owner_of[id.0] == Some(2))
        .collect();
    world.requirement.templates = vec![Template {
        of: QuasiIdentifier::all(of),
        demand: counting(world.records() as u64 + 1, &[]),
    }];
    for (own, side) in run(&world, seed, || Open).iter().enumerate() {
        let Some(Fault::CannotBeMet { by: 2, templates }) = side.fault() else {
            panic!("{:?}", side.end)
        };
        assert_eq!(
            templates.len(),
            usize::from(own == 2),
            "only who sees to it knows which"
        );
    }
}
