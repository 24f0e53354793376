//! Counting the matches of a group of records without making them.
//!
//! A group of this table is given as how many records it has of each combination and category. Every combination matches
//! some kinds of each earlier release; kinds that also go with each other make matches. The matches of a group fall apart
//! by what the earlier releases show on the columns of the template: each such part is one value of the quasi-identifier,
//! and the worst of them is the level of the group.
//!
//! Memory follows the parts of one group, and is used again for the next. Numbers of matches are products of numbers of
//! records; the product over all releases fits 128 bits, which is checked before, so no sum of parts of it can overflow.

use hashbrown::{HashMap, HashSet};
use scumble_privacy::Sense;

use super::matching::{Combination, Matching};
use super::side::Side;

/// Records of a group that match alike and count alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Part {
    pub combination: Combination,
    /// What is counted of them.
    pub category: u32,
    pub records: u64,
}

/// What is counted of matches.
#[derive(Debug)]
pub(super) enum Tally {
    /// The matches.
    Matches,
    /// Records of this table.
    OfThis,
    /// Records of the earlier release at this place.
    OfEarlier(usize),
    /// Different combinations of categories, of which this table has so many.
    Different { of_this: u32 },
    /// The largest share of matches with a secret.
    Shares(Secrets),
}

/// The secrets that categories stand for.
#[derive(Debug)]
pub(super) struct Secrets {
    /// How many there are.
    pub count: usize,
    /// For each category of this table, the secrets that it has.
    pub of_this: Vec<Vec<u32>>,
    /// The same for each earlier release.
    pub of_earlier: Vec<Vec<Vec<u32>>>,
}

/// Counts the matches of groups, one after the other.
#[derive(Debug)]
pub(super) struct Counter {
    tally: Tally,
    /// Whether only records of this table are counted, however often each is matched.
    is_of_this: bool,
    /// The parts of the present group: by what the earlier releases show, their place in `sums`.
    parts: HashMap<u128, u32>,
    /// What was counted of each part; with secrets, all matches and then those with each secret.
    sums: Vec<u128>,
    /// The last combination that was counted in each part.
    last: Vec<Combination>,
    /// What was counted before in each part, where each thing counts once.
    seen: HashSet<(u32, u128)>,
    /// The fewest matches of one record of a combination in any part; `None` if it has none.
    fewest: HashMap<Combination, Option<u128>>,
}

/// A way through one kind of each earlier release.
struct Way {
    group: u128,
    matches: u128,
    category: u128,
    entries: Vec<u32>,
}

impl Counter {
    pub fn new(tally: Tally) -> Self {
        Counter {
            is_of_this: tally.is_of_this(),
            tally,
            parts: HashMap::new(),
            sums: Vec::new(),
            last: Vec::new(),
            seen: HashSet::new(),
            fewest: HashMap::new(),
        }
    }

    /// Forgets what it knows of combinations.
    pub fn forget(&mut self) {
        self.fewest.clear();
    }

    /// The level of a group; `None` if it has no match. `parts` are ascending.
    pub fn level(&mut self, parts: &[Part], matching: &Matching, sides: &[Side]) -> Option<f64> {
        match parts {
            [first, .., last] if first.combination != last.combination => {}
            [_, ..] if self.is_of_this => return self.level_of_alike(parts, matching, sides),
            _ => {}
        }
        self.count_all(parts, matching, sides);
        self.worst()
    }

    /// The level of records that all match the same. Each part has all of them, as often as the earlier releases say, so what
    /// is counted of this table is the same in every part.
    fn level_of_alike(&mut self, parts: &[Part], matching: &Matching, sides: &[Side]) -> Option<f64> {
        let combination = parts[0].combination;
        let fewest = match self.fewest.get(&combination) {
            Some(&known) => known,
            None => {
                let one = Part { records: 1, ..parts[0] };
                let tally = std::mem::replace(&mut self.tally, Tally::Matches);
                self.count_all(&[one], matching, sides);
                self.tally = tally;
                *self
                    .fewest
                    .entry(combination)
                    .insert(self.sums.iter().min().copied())
                    .get()
            }
        };
        let fewest = fewest?;
        let records: u64 = parts.iter().map(|part| part.records).sum();
        Some(match &self.tally {
            Tally::Matches => (u128::from(records) * fewest) as f64,
            Tally::Shares(secrets) => {
                let mut having = vec![0u64; secrets.count];
                for part in parts {
                    let of_part = secrets.of_this[part.category as usize].iter();
                    of_part.for_each(|&secret| having[secret as usize] += part.records);
                }
                having.into_iter().max().unwrap_or(0) as f64 / records as f64
            }
            _ => records as f64,
        })
    }

    /// Counts all matches of a group.
    fn count_all(&mut self, parts: &[Part], matching: &Matching, sides: &[Side]) {
        self.parts.clear();
        self.sums.clear();
        self.last.clear();
        self.seen.clear();
        for alike in parts.chunk_by(|a, b| a.combination == b.combination) {
            let mut way = Way {
                group: 0,
                matches: 1,
                category: 0,
                entries: Vec::with_capacity(sides.len()),
            };
            self.go(alike, &mut Vec::with_capacity(sides.len()), &mut way, matching, sides);
        }
    }

    /// Goes on to the kinds and entries of the next release.
    fn go(&mut self, alike: &[Part], chosen: &mut Vec<u32>, way: &mut Way, matching: &Matching, sides: &[Side]) {
        let at = chosen.len();
        let Some(side) = sides.get(at) else {
            return self.count(alike, way, sides);
        };
        for &kind in &matching.matched(alike[0].combination)[at] {
            if matching.ties_sides() && !matching.goes_with(chosen, kind, sides) {
                continue;
            }
            chosen.push(kind);
            for entry in side.entries_of(kind) {
                let own = side.entries[entry as usize];
                let before = (way.group, way.matches, way.category);
                way.group = way.group * u128::from(side.groups) + u128::from(own.group);
                way.matches *= u128::from(own.records);
                way.category = way.category * u128::from(side.categories) + u128::from(own.category);
                way.entries.push(entry);
                self.go(alike, chosen, way, matching, sides);
                way.entries.pop();
                (way.group, way.matches, way.category) = before;
            }
            chosen.pop();
        }
    }

    /// Counts the records of one combination with one way through the earlier releases.
    fn count(&mut self, alike: &[Part], way: &Way, sides: &[Side]) {
        let part = self.part(way.group);
        let records = |parts: &[Part]| parts.iter().map(|part| u128::from(part.records)).sum::<u128>();
        match &self.tally {
            Tally::Matches => self.sums[part] += records(alike) * way.matches,
            Tally::OfThis => {
                let combination = alike[0].combination;
                if self.last[part] != combination {
                    self.last[part] = combination;
                    self.sums[part] += records(alike);
                }
            }
            Tally::OfEarlier(side) => {
                let entry = way.entries[*side];
                if self.seen.insert((part as u32, u128::from(entry))) {
                    self.sums[part] += u128::from(sides[*side].entries[entry as usize].records);
                }
            }
            Tally::Different { of_this } => {
                for own in alike {
                    let different = way.category * u128::from(*of_this) + u128::from(own.category);
                    self.sums[part] += u128::from(self.seen.insert((part as u32, different)));
                }
            }
            Tally::Shares(secrets) => {
                let sums = &mut self.sums[part * (secrets.count + 1)..][..=secrets.count];
                let all = records(alike) * way.matches;
                sums[0] += all;
                for own in alike {
                    for &secret in &secrets.of_this[own.category as usize] {
                        sums[1 + secret as usize] += u128::from(own.records) * way.matches;
                    }
                }
                for ((side, &entry), of_category) in sides.iter().zip(&way.entries).zip(&secrets.of_earlier) {
                    for &secret in &of_category[side.entries[entry as usize].category as usize] {
                        sums[1 + secret as usize] += all;
                    }
                }
            }
        }
    }

    /// The place of a part of the present group.
    fn part(&mut self, group: u128) -> usize {
        let next = self.parts.len() as u32;
        let part = *self.parts.entry(group).or_insert(next);
        if part == next {
            self.sums.resize(self.sums.len() + self.tally.width(), 0);
            self.last.push(Combination::MAX);
        }
        part as usize
    }

    /// The worst of all parts.
    fn worst(&self) -> Option<f64> {
        let parts = self.sums.chunks_exact(self.tally.width());
        match &self.tally {
            Tally::Shares(_) => {
                let share = |sums: &[u128]| {
                    let largest = sums[1..].iter().max().copied().unwrap_or(0);
                    largest as f64 / sums[0] as f64
                };
                parts.map(share).reduce(|a, b| Sense::AtMost.worse(a, b))
            }
            _ => parts.map(|sums| sums[0]).min().map(|least| least as f64),
        }
    }
}

impl Tally {
    /// Whether what is counted of a match depends on its record of this table alone.
    fn is_of_this(&self) -> bool {
        match self {
            Tally::Matches | Tally::OfThis => true,
            Tally::OfEarlier(_) | Tally::Different { .. } => false,
            Tally::Shares(secrets) => {
                let mut of_earlier = secrets.of_earlier.iter().flatten();
                of_earlier.all(Vec::is_empty)
            }
        }
    }

    /// How many sums a part has.
    fn width(&self) -> usize {
        match self {
            Tally::Shares(secrets) => secrets.count + 1,
            _ => 1,
        }
    }
}
