//! Runs the parties of a [`World`] in one process, and hands their messages on in a random order.

use std::collections::{BTreeMap, VecDeque};

use fastrand::Rng;

use crate::judge::Judge;
use crate::{End, Event, Fault, Machine};

use super::party::{Conduct, Known, Sight, party};
use super::world::World;

/// What one party got and what came of it.
pub struct Side {
    /// `None` if it still waits.
    pub end: Option<End<Result<Known, Fault>>>,
    pub received: Vec<(usize, Vec<u8>)>,
    pub events: Vec<Event>,
    pub sight: Sight,
}

/// A message on its way.
pub struct Parcel {
    /// How many were carried before it.
    pub number: usize,
    pub from: usize,
    pub to: usize,
    pub bytes: Vec<u8>,
}

/// How a run is made.
#[derive(Clone)]
pub struct Setting {
    /// For the order of rows and of delivery, and for the secret of the session.
    pub seed: u64,
    /// How some parties behave; all others are proper.
    pub conducts: BTreeMap<usize, Conduct>,
    /// A link, from and to, that only carries when nothing else moves.
    pub slow: Option<(usize, usize)>,
}

impl Setting {
    pub fn new(seed: u64) -> Self {
        Setting {
            seed,
            conducts: BTreeMap::new(),
            slow: None,
        }
    }

    pub fn with(mut self, party: usize, conduct: Conduct) -> Self {
        self.conducts.insert(party, conduct);
        self
    }
}

impl Side {
    /// What the party knows, if it ended well.
    pub fn known(&self) -> Option<&Known> {
        match &self.end {
            Some(End::Returned(Ok(known))) => Some(known),
            _ => None,
        }
    }

    /// What the party complains of, if it ended so.
    pub fn fault(&self) -> Option<&Fault> {
        match &self.end {
            Some(End::Returned(Err(fault))) => Some(fault),
            _ => None,
        }
    }
}

/// Runs all parties; messages of one link stay in order, links take turns at random.
pub fn run<J: Judge>(world: &World, seed: u64, judge: impl Fn() -> J) -> Vec<Side> {
    run_with(world, &Setting::new(seed), judge, |parcel| vec![parcel.bytes])
}

/// The same, where `carry` says what arrives of a message.
pub fn run_with<J: Judge>(
    world: &World,
    setting: &Setting,
    judge: impl Fn() -> J,
    mut carry: impl FnMut(Parcel) -> Vec<Vec<u8>>,
) -> Vec<Side> {
    run_posting(world, setting, judge, |parcel| {
        let Parcel { number, from, to, .. } = parcel;
        let arrives = |bytes| Parcel {
            number,
            from,
            to,
            bytes,
        };
        carry(parcel).into_iter().map(arrives).collect()
    })
}

/// The same, where `carry` says what arrives when a message is carried, also elsewhere.
pub fn run_posting<J: Judge>(
    world: &World,
    setting: &Setting,
    judge: impl Fn() -> J,
    mut carry: impl FnMut(Parcel) -> Vec<Parcel>,
) -> Vec<Side> {
    let mut rng = Rng::with_seed(setting.seed);
    let sights: Vec<Sight> = (0..world.parties).map(|_| Sight::default()).collect();
    let mut machines: Vec<_> = (0..world.parties)
        .map(|own| {
            let sight = sights[own].clone();
            let conduct = setting.conducts.get(&own).copied().unwrap_or(Conduct::Proper);
            let seed = setting.seed + own as u64;
            Machine::new(own, world.parties, |mail| {
                party(world, own, conduct, seed, judge(), mail, sight)
            })
        })
        .collect();
    let mut sides: Vec<Side> = sights
        .iter()
        .map(|sight| Side {
            end: None,
            received: Vec::new(),
            events: Vec::new(),
            sight: sight.clone(),
        })
        .collect();
    let mut links = Links::default();
    let mut to_turn: Vec<usize> = (0..world.parties).collect();
    let mut carried = 0;
    loop {
        while let Some(own) = to_turn.pop() {
            let turn = machines[own].turn();
            let side = &mut sides[own];
            side.events.extend(turn.events);
            side.end = side.end.take().or(turn.end);
            turn.out
                .into_iter()
                .for_each(|message| links.put(own, message.to, message.bytes));
        }
        let Some((from, to, bytes)) = links.take(&mut rng, setting.slow) else {
            return sides;
        };
        let number = carried;
        carried += 1;
        let arriving = carry(Parcel {
            number,
            from,
            to,
            bytes,
        });
        for Parcel { from, to, bytes, .. } in arriving {
            sides[to].received.push((from, bytes.clone()));
            machines[to].deliver(from, bytes);
            to_turn.push(to);
        }
    }
}

/// What is under way, by sender and receiver.
#[derive(Default)]
struct Links(BTreeMap<(usize, usize), VecDeque<Vec<u8>>>);

impl Links {
    fn put(&mut self, from: usize, to: usize, bytes: Vec<u8>) {
        self.0.entry((from, to)).or_default().push_back(bytes);
    }

    /// The first message of a random link, of the slow one only if there is no other.
    fn take(&mut self, rng: &mut Rng, slow: Option<(usize, usize)>) -> Option<(usize, usize, Vec<u8>)> {
        let full = self.0.iter().filter(|(_, queue)| !queue.is_empty());
        let mut full: Vec<(usize, usize)> = full.map(|(&link, _)| link).collect();
        if full.len() > 1 {
            full.retain(|&link| Some(link) != slow);
        }
        let (from, to) = rng.choice(full)?;
        let bytes = self.0.get_mut(&(from, to))?.pop_front()?;
        Some((from, to, bytes))
    }
}
