//! The checker: [`Evidence`] is what one party received in a run, and a [`Leak`] what it should not have.

use std::collections::{BTreeMap, BTreeSet};

use memchr::memmem;

use crate::{Ask, Cells, Digest, Event, Masked, Message, Packed, Plain, Refine, Scope, Shown, Written};

use super::super::drive::Side;
use super::super::party::Known;
use super::super::world::{Person, World};

/// Payloads of fewer bytes may be the same twice by accident.
pub const SHORT: usize = 8;

/// Bids below this are too short to be recognised in other bytes.
const RECOGNISED: u64 = 1 << 40;

/// What a party received that it should not have.
#[derive(Debug, PartialEq, Eq)]
pub enum Leak {
    /// What was said depends on what the release hides.
    Depends { from: usize, what: &'static str },
    /// An instruction tells people apart that look the same in the release.
    Finer { from: usize, column: usize },
    /// A text that the release does not show.
    Text { from: usize, what: &'static str },
    /// A bid.
    Bid { from: usize, what: &'static str },
    /// A part of a secure computation is the same in every run: it is not random, and so a function of the data.
    Repeats { from: usize },
    /// A message cannot be read, or does not fit those before.
    Unreadable { from: usize },
}

/// What one party received, and what it may know.
pub struct Evidence<'e> {
    pub world: &'e World,
    pub own: usize,
    pub side: &'e Side,
    /// Who bid what, in any run.
    pub bids: &'e [(usize, u64)],
}

/// What a party may know of how the search went, beside the release.
#[derive(PartialEq)]
pub enum Turn {
    Won(usize),
    Refused,
    /// About which consent, column and value.
    Asked(u32, u32, u32),
}

/// The course of the search, as far as a party took part in it.
pub fn course(side: &Side) -> Vec<Turn> {
    let events = side.events.iter().filter_map(|event| match event {
        Event::Won { by, .. } => Some(Turn::Won(*by)),
        Event::Refused { .. } => Some(Turn::Refused),
        _ => None,
    });
    let asked = side
        .received
        .iter()
        .filter_map(|(from, bytes)| match Message::decode(*from, bytes) {
            Ok((_, Message::Ask(ask))) => Some(Turn::Asked(ask.consent, ask.column, ask.value)),
            _ => None,
        });
    events.chain(asked).collect()
}

/// What can be seen of a message.
#[derive(Debug, PartialEq)]
enum Seen<'m> {
    /// All of it.
    Clear(&'m Message),
    /// All but a seal, or what opens one: random numbers.
    Sealed(Message),
    /// How long it is.
    Payload(usize),
}

/// Every message and every field that there is, and why it may be there. What is added to a message must be added here.
fn seen(message: &Message) -> Seen<'_> {
    match message {
        // The version; a digest of what all agreed on; a random number.
        Message::Greeting {
            protocol: _,
            agreement: _,
            secret: _,
        }
        // What its sender agreed on, which has no data in it.
        | Message::Agreement(_)
        // How many records someone has, which aligning tells; whether they are the same, under a key of this session.
        | Message::Records { count: _, digest: _ }
        // Who is known to whom, under a key of this session.
        | Message::Ids(_)
        // Whether two have the same class, which both publish.
        | Message::ClassDigest(_)
        // The class, which is published.
        | Message::Class(Cells {
            texts: _,
            of_record: _,
        })
        // Whether there is a release at all.
        | Message::Start { met: _ }
        // Which groups have few of each secret, and how many a group has: the release shows both.
        | Message::Scope(Scope { settled: _, columns: _ })
        // That it was refused.
        | Message::Refused
        // That someone refined something, which the release shows.
        | Message::Elsewhere
        // That nobody has anything left.
        | Message::Finished
        // What the release and its certificate show of a masked column.
        | Message::Masked(Masked {
            column: _,
            mask: _,
            penalty: _,
            labels: _,
            shown: Shown::Values(_) | Shown::Records(Packed::Bits { width: _, bits: _ } | Packed::Runs(_)),
        })
        // What the release shows of a plain column.
        | Message::Plain(Plain {
            column: _,
            cells: Cells {
                texts: _,
                of_record: _,
            },
        })
        // Digests of masked columns, which all know.
        | Message::Heard(_)
        // Digests of the release and of its columns.
        | Message::Written(Written { release: _, plain: _ })
        // That all have the same.
        | Message::Agreed => Seen::Clear(message),
        // The question that won: which column and value is asked about, and into how many parts at most. The seal is random to
        // whoever does not know what opens it.
        Message::Ask(Ask {
            consent,
            column,
            value,
            children,
            sealed: _,
        }) => Seen::Sealed(Message::Ask(Ask {
            consent: *consent,
            column: *column,
            value: *value,
            children: *children,
            sealed: Digest::default(),
        })),
        // Who goes where: checked against the groups of the release. What opens the seal is a random number.
        Message::Refine(refine) => Seen::Sealed(Message::Refine(Refine {
            opening: Digest::default(),
            ..refine.clone()
        })),
        // Random to whoever sees it, but for its length.
        Message::Secure(payload) => Seen::Payload(payload.len()),
    }
}

impl Evidence<'_> {
    /// Looks at this run alone: groups, texts and bids.
    pub fn check(&self) -> Result<(), Leak> {
        self.check_texts()?;
        self.check_bids()?;
        self.check_groups()
    }

    /// Looks for what differs from a run that may not differ.
    pub fn compare(&self, twin: &Side) -> Result<(), Leak> {
        for from in 0..self.world.parties {
            let (own, theirs) = (heard(self.side, from)?, heard(twin, from)?);
            let mut pairs = own.iter().zip(&theirs);
            if let Some((message, _)) = pairs.find(|(own, theirs)| seen(own) != seen(theirs)) {
                let what = message.name();
                return Err(Leak::Depends { from, what });
            }
            if own.len() != theirs.len() {
                let what = "the number of messages";
                return Err(Leak::Depends { from, what });
            }
        }
        Ok(())
    }

    /// Looks for parts of secure computations that are the same in another run of the same world.
    pub fn compare_payloads(&self, again: &Side) -> Result<(), Leak> {
        for from in 0..self.world.parties {
            let (own, theirs) = (heard(self.side, from)?, heard(again, from)?);
            let is_repeated = |(own, theirs): (&Message, &Message)| match (own, theirs) {
                (Message::Secure(own), Message::Secure(theirs)) => own.len() >= SHORT && own == theirs,
                (Message::Ask(own), Message::Ask(theirs)) => own.sealed == theirs.sealed,
                _ => false,
            };
            if own.iter().zip(&theirs).any(is_repeated) {
                return Err(Leak::Repeats { from });
            }
        }
        Ok(())
    }

    /// Replays all instructions: whoever looks the same in the release must go the same way.
    fn check_groups(&self) -> Result<(), Leak> {
        let Some(known) = self.side.known() else { return Ok(()) };
        let mut columns: BTreeMap<usize, Told> = BTreeMap::new();
        for (from, bytes) in &self.side.received {
            let from = *from;
            let Ok((_, Message::Refine(refine))) = Message::decode(from, bytes) else {
                continue;
            };
            let column = refine.column as usize;
            let told = columns.entry(column).or_insert_with(|| Told::new(known.order.len()));
            told.follow(&refine).ok_or(Leak::Unreadable { from })?;
            if told.is_finer_than(known, column) {
                return Err(Leak::Finer { from, column });
            }
        }
        Ok(())
    }

    /// Looks for texts that the release does not show.
    fn check_texts(&self) -> Result<(), Leak> {
        let Some(known) = self.side.known() else { return Ok(()) };
        let shown: BTreeSet<&str> = known.cells.values().flatten().flatten().map(String::as_str).collect();
        let mut hidden = self.texts_of_others();
        hidden.retain(|text| !shown.iter().any(|shown| shown.contains(&text[..])));
        self.find(hidden.iter().map(|text| text.as_bytes()))
            .map_or(Ok(()), |(from, what)| Err(Leak::Text { from, what }))
    }

    /// All texts that stand in the files of others and are not known to all: raw values, and everything of strays.
    fn texts_of_others(&self) -> BTreeSet<String> {
        let world = self.world;
        let of_others =
            (0..world.cells.len()).filter(|&column| world.owner_of[column].is_some_and(|owner| owner != self.own));
        let unknown = |stray: &usize| !world.strays[*stray].held_by.contains(&self.own);
        let strays: Vec<Person> = (0..world.strays.len()).filter(unknown).map(Person::Stray).collect();
        let people: Vec<Person> = (0..world.records()).map(Person::Common).chain(strays).collect();
        let cells = of_others.flat_map(|column| people.iter().map(move |&person| world.cell(column, person)));
        let ids = ["person number", "stray number"].map(str::to_owned);
        cells.chain(ids).collect()
    }

    fn check_bids(&self) -> Result<(), Leak> {
        let of_others = self
            .bids
            .iter()
            .filter(|&&(by, bid)| by != self.own && bid >= RECOGNISED);
        let written = of_others.flat_map(|&(_, bid)| {
            let varint = postcard::to_stdvec(&bid).expect("a number can be written");
            [bid.to_le_bytes().to_vec(), bid.to_be_bytes().to_vec(), varint]
        });
        let written: BTreeSet<Vec<u8>> = written.collect();
        self.find(written.iter().map(|bytes| &bytes[..]))
            .map_or(Ok(()), |(from, what)| Err(Leak::Bid { from, what }))
    }

    /// The first message that contains one of some bytes: whose it was, and what.
    fn find<'b>(&self, needles: impl Iterator<Item = &'b [u8]> + Clone) -> Option<(usize, &'static str)> {
        let contains = |bytes: &[u8]| needles.clone().any(|needle| memmem::find(bytes, needle).is_some());
        let (from, bytes) = self.side.received.iter().find(|(_, bytes)| contains(bytes))?;
        let what = Message::decode(*from, bytes).map_or("no message", |(_, message)| message.name());
        Some((*from, what))
    }
}

/// What a party was told of a column: the number of the value that each record shows.
struct Told {
    shown: Vec<u32>,
    values: u32,
}

impl Told {
    fn new(records: usize) -> Self {
        Told {
            shown: vec![0; records],
            values: 1,
        }
    }

    /// Gives each part a new number; `None` if that does not fit.
    fn follow(&mut self, refine: &Refine) -> Option<()> {
        let showing = self.shown.iter_mut().filter(|shown| **shown == refine.value);
        let showing: Vec<&mut u32> = showing.collect();
        let child_of = refine.child_of.unpack(showing.len(), refine.children)?;
        for (shown, child) in showing.into_iter().zip(child_of) {
            *shown = self.values + child;
        }
        self.values += refine.children;
        Some(())
    }

    /// Whether records that show the same label in the release are told apart.
    fn is_finer_than(&self, known: &Known, column: usize) -> bool {
        let labels = &known.cells[&column];
        let mut value_of: BTreeMap<&Option<String>, u32> = BTreeMap::new();
        let mut records = known.order.iter().zip(&self.shown);
        records.any(|(&person, &value)| *value_of.entry(&labels[person]).or_insert(value) != value)
    }
}

/// What a party heard from another, in order.
fn heard(side: &Side, from: usize) -> Result<Vec<Message>, Leak> {
    let of_party = side.received.iter().filter(|(party, _)| *party == from);
    of_party
        .map(|(_, bytes)| match Message::decode(from, bytes) {
            Ok((_, message)) => Ok(message),
            Err(_) => Err(Leak::Unreadable { from }),
        })
        .collect()
}
