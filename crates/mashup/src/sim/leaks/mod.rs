//! The leak test: what a party receives determines nothing about another's column beyond the release.
//!
//! Beside the release a party may know the *course* of the search: who won each round, whether that was refused, and what it
//! was itself asked about (a question names a value and, as a power of two, the parts that it would have). Four things are held against everything that it received:
//!
//! | claim | how it is checked |
//! |---|---|
//! | it does not depend on what the release hides | a [`twin`] world differs only there, and the party hears the same |
//! | groups are never finer than in the release | all instructions are replayed |
//! | no hidden value and no bid is in clear | values are long words that nothing else contains |
//! | a secure computation shows nothing | same lengths in the twin, and never the same bytes in a second run |
//!
//! That the checker can fail is shown on three leaky builds. A payload of less than [`SHORT`](checker::SHORT) bytes may be
//! the same twice by accident, so a leak of a few bits within a secure computation is not its to find.

mod checker;
mod twin;

use fastrand::Rng;

use crate::judge::{Judge, Secure};
use crate::{Contribution, Fault, Message};

use super::drive::{Setting, Side, run, run_with};
use super::equal::{contested, secure};
use super::judges::{Open, Record, Recorded, Talkative, Trusted};
use super::party::Conduct;
use super::world::World;
use checker::{Evidence, Leak, course};
use twin::Change;

/// Three runs, seen by one party: the world, its twin, and the world again.
struct Trial {
    observer: usize,
    world: World,
    sides: [Side; 3],
    bids: Vec<(usize, u64)>,
}

impl Trial {
    /// Runs a world and its twin, if it has one in which the search takes the same course. Every run has judges of its own.
    fn new<J: Judge, F: Fn() -> J>(
        world: World,
        seed: u64,
        changes: &[Change],
        judges: impl Fn(usize) -> F,
    ) -> Option<Trial> {
        let observer = seed as usize % world.parties;
        let twin = twin::of(&world, observer, changes, &mut Rng::with_seed(seed))?;
        let record = Record::default();
        let one = |world: &World| {
            let judge = judges(world.parties);
            let recorded = || Recorded {
                judge: judge(),
                record: record.clone(),
            };
            run(world, seed, recorded).swap_remove(observer)
        };
        let sides = [one(&world), one(&twin), one(&world)];
        for side in &sides {
            assert!(side.known().is_some(), "seed {seed}: {:?}", side.end);
        }
        let is_same_course = course(&sides[0]) == course(&sides[1]);
        let bids = record.bids.take();
        is_same_course.then_some(Trial {
            observer,
            world,
            sides,
            bids,
        })
    }

    fn check(&self) -> Result<(), Leak> {
        let [side, twin, again] = &self.sides;
        let evidence = Evidence {
            world: &self.world,
            own: self.observer,
            side,
            bids: &self.bids,
        };
        evidence.check()?;
        evidence.compare(twin)?;
        evidence.compare_payloads(again)
    }
}

fn trials<J: Judge, F: Fn() -> J>(
    worlds: impl Iterator<Item = (u64, World)>,
    changes: &'static [Change],
    judges: impl Fn(usize) -> F,
) -> impl Iterator<Item = (u64, Trial)> {
    worlds.filter_map(move |(seed, world)| Some((seed, Trial::new(world, seed, changes, &judges)?)))
}

/// The judges of this program.
fn all_secure(parties: usize) -> impl Fn() -> Secure {
    move || secure(parties)
}

/// Judges that share a third party.
fn all_trusted(_: usize) -> impl Fn() -> Trusted {
    let trusted = Trusted::default();
    move || trusted.clone()
}

fn random_worlds() -> impl Iterator<Item = (u64, World)> {
    (0..).map(|seed| {
        let mut rng = Rng::with_seed(seed);
        let parties = 2 + rng.usize(0..3);
        (seed, World::random(&mut rng, parties, 40))
    })
}

/// Worlds in which a plain column is contributed like this by someone else than the observer.
fn contributed(how: Contribution) -> impl Iterator<Item = (u64, World)> {
    random_worlds().filter(move |(seed, world)| {
        let observer = *seed as usize % world.parties;
        let is_owner = |&(_, owner): &(usize, usize)| owner == observer;
        world.contribution() == how && !world.plain_columns().iter().any(is_owner)
    })
}

#[test]
fn nobody_hears_what_the_release_hides() {
    for change in Change::ALL {
        for (seed, trial) in trials(random_worlds(), change, all_trusted).take(120) {
            assert_eq!(trial.check(), Ok(()), "{change:?}, seed {seed}");
        }
    }
}

#[test]
fn nobody_sees_it_in_a_secure_computation_either() {
    for (parties, worlds) in [(2, 2), (3, 1)] {
        let worlds_of = contested(parties, 14, 3);
        for (seed, trial) in trials(worlds_of, &[Change::Raw, Change::Strays], all_secure).take(worlds) {
            assert_eq!(trial.check(), Ok(()), "seed {seed}");
        }
    }
}

/// By group, a receiver's view is the same whichever record of a group has which sensitive value.
#[test]
fn by_group_nobody_hears_whose_value_it_is() {
    let worlds = contributed(Contribution::ByGroup);
    for (seed, trial) in trials(worlds, &[Change::Owners], all_trusted).take(40) {
        assert_eq!(trial.check(), Ok(()), "seed {seed}");
    }
}

/// By record it is not, which is why the parties must agree to that: the column says it, and so do digests of it.
#[test]
fn by_record_everybody_hears_whose_value_it_is() {
    let worlds = contributed(Contribution::ByRecord);
    for (seed, trial) in trials(worlds, &[Change::Owners], all_trusted).take(40) {
        let leak = trial.check();
        assert!(
            matches!(
                leak,
                Err(Leak::Depends {
                    what: "a plain column" | "a digest of the release",
                    ..
                })
            ),
            "seed {seed}: {leak:?}"
        );
    }
}

/// Leaky build 1: bids and splits in clear.
#[test]
fn a_judge_that_says_the_bids_is_caught() {
    let leaks = trials(contested(2, 14, 4), &[Change::Raw], |_| || Open).take(20);
    let leaks: Vec<_> = leaks.map(|(_, trial)| trial.check()).collect();
    assert!(leaks.iter().all(Result::is_err), "{leaks:?}");
    assert!(
        leaks.iter().any(|leak| matches!(leak, Err(Leak::Bid { .. }))),
        "{leaks:?}"
    );
}

/// Leaky build 2: everything is computed in secret, but a question comes with the sizes of the parts.
#[test]
fn a_judge_that_says_the_sizes_of_parts_is_caught() {
    let talkative = |parties: usize| move || Talkative(secure(parties));
    let asked = |(_, trial): &(u64, Trial)| trial.sides[0].received.iter().any(|(from, bytes)| is_ask(*from, bytes));
    let (_, trial) = trials(contested(2, 14, 4), &[Change::Strays], talkative)
        .find(asked)
        .expect("someone is asked");
    assert!(
        matches!(trial.check(), Err(Leak::Repeats { .. })),
        "{:?}",
        trial.check()
    );
}

fn is_ask(from: usize, bytes: &[u8]) -> bool {
    matches!(Message::decode(from, bytes), Ok((_, Message::Ask(_))))
}

/// Leaky build 3: a party that tells the texts of people whom the others do not know. They refuse it, so that there is no
/// release; what they heard is held against the one that there would have been.
#[test]
fn a_party_that_tells_its_whole_dictionary_is_caught() {
    let mut caught = 0;
    for (seed, world) in random_worlds().take(200) {
        let Some(&(_, owner)) = world.plain_columns().first() else {
            continue;
        };
        let own = (owner + 1) % world.parties;
        let is_told = |stray: &super::world::Stray| stray.held_by.contains(&owner) && !stray.held_by.contains(&own);
        let honest = run(&world, seed, all_trusted(world.parties)).swap_remove(own);
        if honest.known().is_none() || !world.strays.iter().any(is_told) {
            continue;
        }
        let setting = Setting::new(seed).with(owner, Conduct::WholeDictionary);
        let mut side = run_with(&world, &setting, all_trusted(world.parties), |parcel| {
            vec![parcel.bytes]
        })
        .swap_remove(own);
        let fault = side.fault();
        assert_eq!(fault.and_then(Fault::party), Some(owner), "seed {seed}: {fault:?}");
        side.end = honest.end;
        let evidence = Evidence {
            world: &world,
            own,
            side: &side,
            bids: &[],
        };
        assert_eq!(
            evidence.check(),
            Err(Leak::Text {
                from: owner,
                what: "a plain column"
            }),
            "seed {seed}"
        );
        caught += 1;
    }
    assert!(caught > 20, "only {caught} were caught");
}
