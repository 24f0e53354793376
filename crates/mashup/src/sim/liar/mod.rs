//! A party that keeps the form of the protocol and lies in its content: what it learns, and who is blamed.
//!
//! A lie is a function from what the liar would say to what it says instead. All else is as it should be: the liar takes its
//! steps as if it had told the truth, so that whatever the others do because of the lie is what is seen. It covers its tracks:
//! each digest that it says is the one that the other has, so that what is found out is found out by what was told.
//!
//! What a liar *reads* is measured on what it received: a value of a single person in a column of somebody else that is
//! published as it is and told by group. If all of a group have the same, it is read. What it reads in a run without the lie
//! is in the release, and counts for nothing.

mod questions;
mod records;
mod told;

use std::collections::{BTreeMap, BTreeSet};

use fastrand::Rng;

use crate::{Cells, Contribution, Fault, Message, Plain};

use super::drive::{Parcel, Setting, Side, run_posting};
use super::judges::Trusted;
use super::party::Seen;
use super::world::World;

/// A run in which one party lies.
pub struct Lied<'w> {
    pub world: &'w World,
    pub liar: usize,
    pub sides: Vec<Side>,
    /// How often it lied.
    pub lies: usize,
    /// Whether any of what it said was something else than what is so.
    pub changed: bool,
}

/// A value of a person in a column that is published as it is.
type Secret = (usize, usize);

/// Runs a world in which one party says something else wherever `lie`, which gets whom it is for, has something to say.
pub fn run_lying(
    world: &World,
    seed: u64,
    liar: usize,
    mut lie: impl FnMut(usize, &Message) -> Option<Message>,
) -> Lied<'_> {
    let (trusted, mut lies, mut changed) = (Trusted::default(), 0, false);
    let mut held: BTreeMap<(usize, usize), Parcel> = BTreeMap::new();
    let carry = |mut parcel: Parcel| {
        let (from, to) = (parcel.from, parcel.to);
        let (number, message) = Message::decode(from, &parcel.bytes).expect("parties say what can be read");
        if from == liar
            && let Some(said) = lie(to, &message)
        {
            lies += 1;
            changed |= said != message;
            parcel.bytes = said.encode(number);
            return vec![parcel];
        }
        if ![from, to].contains(&liar) || !is_digest(&message) {
            return vec![parcel];
        }
        // Each of the two hears its own digest.
        let Some(mut other) = held.remove(&(to, from)) else {
            held.insert((from, to), parcel);
            return vec![];
        };
        let (other_number, other_message) = Message::decode(to, &other.bytes).expect("it was read before");
        other.bytes = message.encode(other_number);
        parcel.bytes = other_message.encode(number);
        vec![other, parcel]
    };
    let sides = run_posting(world, &Setting::new(seed), || trusted.clone(), carry);
    Lied {
        world,
        liar,
        sides,
        lies,
        changed,
    }
}

/// Whether a message only says what its sender knows.
fn is_digest(message: &Message) -> bool {
    matches!(
        message,
        Message::ClassDigest(_) | Message::Heard(_) | Message::Written(_)
    )
}

impl Lied<'_> {
    /// Those who do not lie.
    pub fn honest(&self) -> impl Iterator<Item = (usize, &Side)> {
        self.sides.iter().enumerate().filter(|&(own, _)| own != self.liar)
    }

    /// Someone found out the liar, nobody complains of anyone else, and nobody has a release.
    #[track_caller]
    pub fn assert_found_out(&self, what: &str) {
        let mut with_a_release = self.honest().filter(|(_, side)| side.known().is_some());
        assert!(with_a_release.next().is_none(), "{what}: someone has a release");
        let faults: Vec<&Fault> = self.honest().filter_map(|(_, side)| side.fault()).collect();
        assert!(!faults.is_empty(), "{what}: nobody complains");
        for fault in faults {
            assert!(fault.names(self.liar), "{what}: {fault:?} does not name the liar");
        }
    }

    /// The values of single persons that the liar read.
    pub fn read(&self) -> BTreeSet<Secret> {
        let mut read = BTreeSet::new();
        if self.world.contribution() == Contribution::ByRecord {
            return read;
        }
        for (owner, bytes) in &self.sides[self.liar].received {
            let Ok((_, Message::Plain(Plain { column, cells }))) = Message::decode(*owner, bytes) else {
                continue;
            };
            let column = column as usize;
            let sight = self.sides[*owner].sight.borrow();
            let seen = sight.as_ref().expect("who contributes was told");
            let of_person = read_by_group(self.world, seen, &cells);
            for (person, text) in of_person {
                assert_eq!(text, Some(&self.world.cells[column][person]), "a group is read wrongly");
                read.insert((column, person));
            }
        }
        read
    }

    /// The same, without what it reads if it tells the truth.
    pub fn read_by_lying(&self, seed: u64) -> usize {
        let honest = run_lying(self.world, seed, self.liar, |_, _| None);
        self.read().difference(&honest.read()).count()
    }
}

/// What is known of each person by what was told of their group: the text, if all in it have the same.
fn read_by_group<'c>(world: &World, seen: &Seen, cells: &'c Cells) -> Vec<(usize, Option<&'c String>)> {
    let texts = cells.of_record.unpack(seen.order.len(), cells.texts.len() as u32);
    let mut texts = texts.expect("who is honest tells every record").into_iter();
    // The slots of a group are filled one after the other, and groups come as they are met.
    let mut groups: Vec<(Vec<Option<String>>, Vec<usize>)> = Vec::new();
    let mut place_of = BTreeMap::new();
    for (record, &person) in seen.order.iter().enumerate() {
        let shown = seen.masked.iter().map(|column| column.text(record).map(str::to_owned));
        let class = world
            .has_class
            .then(|| Some(world.cells[world.class()][person].clone()));
        let looks: Vec<Option<String>> = shown.chain(class).collect();
        let place = *place_of.entry(looks.clone()).or_insert_with(|| {
            groups.push((looks, Vec::new()));
            groups.len() - 1
        });
        groups[place].1.push(person);
    }
    let mut read = Vec::new();
    for (_, people) in &groups {
        let of_group: BTreeSet<u32> = texts.by_ref().take(people.len()).collect();
        if let Some(&text) = of_group.first().filter(|_| of_group.len() == 1) {
            let text = cells.texts[text as usize].as_ref();
            read.extend(people.iter().map(|&person| (person, text)));
        }
    }
    read
}

/// Random worlds that have a release, each with a party that may lie.
fn worlds_where(records: usize, may_lie: impl Fn(&World, usize) -> bool) -> impl Iterator<Item = (u64, World, usize)> {
    (0..).filter_map(move |seed| {
        let mut rng = Rng::with_seed(seed);
        let parties = 2 + rng.usize(0..3);
        let world = World::random(&mut rng, parties, records);
        let liars: Vec<usize> = (0..parties).filter(|&party| may_lie(&world, party)).collect();
        let liar = rng.choice(liars)?;
        world.refined().is_some().then_some((seed, world, liar))
    })
}

/// Worlds with a liar who holds none of the columns that are published as they are, and that are told by group.
pub fn worlds_with_a_reader(records: usize) -> impl Iterator<Item = (u64, World, usize)> {
    worlds_where(records, |world, party| {
        let plain = world.plain_columns();
        world.contribution() == Contribution::ByGroup && plain.iter().all(|&(_, owner)| owner != party)
    })
}

/// Worlds with a liar who holds one of these columns.
pub fn worlds_with_a_holder(records: usize) -> impl Iterator<Item = (u64, World, usize)> {
    worlds_where(records, |world, party| {
        world.plain_columns().iter().any(|&(_, owner)| owner == party)
    })
}

/// Worlds with a liar who tells others the class.
pub fn worlds_with_a_teller(records: usize) -> impl Iterator<Item = (u64, World, usize)> {
    worlds_where(records, |world, party| {
        world.class_holders.first() == Some(&party) && world.class_holders.len() < world.parties
    })
}
