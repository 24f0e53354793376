//! [`look_up`]: for each record of this release, the fewest candidates, and whether a secret is given away.

use scumble_privacy::{History, JoinSecrets, Place, SecretValues, THIS};
use scumble_progress::Work;

use super::matching::Matching;
use super::side::{Part, Side};

/// A secret that is asked for.
pub(super) struct Asked {
    place: Place,
    secrets: Secrets,
}

/// Which labels of a column are secrets.
enum Secrets {
    /// Each but a `*` that hides, which tells nothing.
    Each { star: Option<u32> },
    /// For each set, whether each label is in it.
    Sets(Vec<Vec<bool>>),
}

impl Asked {
    /// One of the secrets of a release.
    pub(super) fn new(asked: &JoinSecrets, history: &History, sides: &[Side]) -> Self {
        let labels = sides[asked.place.release].column(asked.place.column).dictionary();
        let mut codes = 0..labels.len() as u32;
        let secrets = match &asked.values {
            SecretValues::Every => Secrets::Each {
                star: codes.find(|&code| history.hides(asked.place, labels.value(code))),
            },
            SecretValues::Sets(sets) => {
                let is_in = |set: &[String], code| set.iter().any(|text| labels.value(code) == Some(text));
                let members = |set: &Vec<String>| codes.clone().map(|code| is_in(set, code)).collect();
                Secrets::Sets(sets.iter().map(members).collect())
            }
        };
        Asked {
            place: asked.place,
            secrets,
        }
    }

    /// Whether matches that have these labels give a secret away.
    fn is_certain(&self, mut labels: impl Iterator<Item = u32> + Clone) -> bool {
        match &self.secrets {
            Secrets::Each { star } => {
                let first = labels.next();
                first != *star && labels.all(|label| Some(label) == first)
            }
            Secrets::Sets(sets) => sets.iter().any(|set| labels.clone().all(|label| set[label as usize])),
        }
    }
}

/// What is found of all records.
#[derive(Default)]
pub(super) struct Found {
    /// How many groups there are.
    pub(super) groups: u64,
    /// Records that are in a group, and what is found of each of them.
    of_records: Vec<(u64, FoundRecord)>,
}

/// What is found of a record.
#[derive(Clone, Copy)]
pub(super) struct FoundRecord {
    /// The fewest candidates in a group that it is in.
    pub(super) candidates: u64,
    /// Whether a group that it is in gives the secret away.
    pub(super) certain: bool,
}

impl Found {
    /// How many records are found to be so.
    pub(super) fn records(&self, is_so: impl Fn(&FoundRecord) -> bool) -> u64 {
        let so = self.of_records.iter().filter(|(_, found)| is_so(found));
        so.map(|(records, _)| records).sum()
    }

    /// The fewest candidates of any record.
    pub(super) fn smallest(&self) -> u64 {
        let candidates = self.of_records.iter().map(|(_, found)| found.candidates);
        candidates.min().unwrap_or(0)
    }

    /// The share of records that is hit on average.
    pub(super) fn average(&self) -> f64 {
        let hits = |(records, found): &(u64, FoundRecord)| *records as f64 / found.candidates as f64;
        let all = self.records(|_| true).max(1);
        self.of_records.iter().map(hits).sum::<f64>() / all as f64
    }
}

/// Looks up every record of the first side in the join of all of these sides.
pub(super) fn look_up(sides: &[Side], matching: &Matching, asked: Option<&Asked>, work: Work) -> Found {
    let mut search = Search::new(sides, matching, asked);
    let mut this = search.parts[THIS].clone();
    this.sort_by_key(|part| part.group);
    for group in this.chunk_by(|a, b| a.group == b.group) {
        if work.should_stop() {
            break;
        }
        if group.iter().all(|part| part.class == group[0].class) {
            search.look_up_as_one(group);
        } else {
            search.look_up(group);
        }
    }
    search.found
}

/// A search that goes from group to group of this release.
struct Search<'a> {
    matching: &'a Matching,
    asked: Option<&'a Asked>,
    /// The parts of each release, by class.
    parts: Vec<Vec<Part>>,
    /// How many groups each release has.
    groups: Vec<usize>,
    /// For each class of this release, what it matches, once it is looked up.
    others: Vec<Option<Others>>,
    /// Of the group that is being looked up; empty between groups.
    matches: Matches,
    found: Found,
}

/// What a class of this release matches in the others.
#[derive(Clone, Copy)]
struct Others {
    /// How many groups of matches.
    groups: u64,
    /// Whether one of them gives a secret of an earlier release away.
    certain: bool,
}

impl<'a> Search<'a> {
    fn new(sides: &[Side], matching: &'a Matching, asked: Option<&'a Asked>) -> Self {
        let labelled = |release: usize| asked.map(|asked| asked.place).filter(|place| place.release == release);
        let parts = |(release, side): (usize, &Side)| side.parts(labelled(release).map(|place| place.column));
        Search {
            matching,
            asked,
            parts: sides.iter().enumerate().map(parts).collect(),
            groups: sides.iter().map(|side| side.group.kinds.len()).collect(),
            others: vec![None; sides[THIS].class.kinds.len()],
            matches: Matches::default(),
            found: Found::default(),
        }
    }

    /// Adds all matches of one class of this release.
    fn add_matches(&mut self, one: Match, class: u32) {
        let Search {
            matching,
            parts,
            groups,
            matches,
            ..
        } = self;
        matching.each(parts.len(), &mut vec![class], &mut |classes| {
            matches.add_all(one, &classes[1..], &parts[1..], &groups[1..]);
        });
    }

    fn is_certain(&self, same: &[Match]) -> bool {
        let labels = || same.iter().map(|one| one.label);
        self.asked.is_some_and(|asked| asked.is_certain(labels()))
    }

    /// Looks up the records of one group of this release.
    fn look_up(&mut self, group: &[Part]) {
        for (place, part) in (0..).zip(group) {
            let of_part = Match {
                part: place,
                label: part.label,
                ..Match::default()
            };
            self.add_matches(of_part, part.class);
        }
        let mut of_parts: Vec<Option<FoundRecord>> = vec![None; group.len()];
        for same in self.matches.take().chunk_by(|a, b| a.x == b.x) {
            self.found.groups += 1;
            let each_part = || same.chunk_by(|a, b| a.part == b.part).map(|of_part| of_part[0].part);
            let found = FoundRecord {
                candidates: each_part().map(|part| group[part].records).sum(),
                certain: self.is_certain(same),
            };
            for part in each_part() {
                let before = of_parts[part].unwrap_or(found);
                of_parts[part] = Some(FoundRecord {
                    candidates: found.candidates.min(before.candidates),
                    certain: found.certain || before.certain,
                });
            }
        }
        let of_records = group.iter().zip(of_parts);
        let of_records = of_records.filter_map(|(part, found)| Some((part.records, found?)));
        self.found.of_records.extend(of_records);
    }

    /// The same of a group that is of one class: all its records are in each group of the join that one is in.
    fn look_up_as_one(&mut self, group: &[Part]) {
        let class = group[0].class;
        let others = self.others[class as usize].unwrap_or_else(|| self.others_of(class));
        self.others[class as usize] = Some(others);
        if others.groups == 0 {
            return;
        }
        let certain = match self.asked {
            Some(asked) if asked.place.release == THIS => asked.is_certain(group.iter().map(|part| part.label)),
            _ => others.certain,
        };
        let candidates = group.iter().map(|part| part.records).sum();
        self.found.groups += others.groups;
        self.found
            .of_records
            .push((candidates, FoundRecord { candidates, certain }));
    }

    fn others_of(&mut self, class: u32) -> Others {
        self.add_matches(Match::default(), class);
        let matches = self.matches.take();
        let groups = || matches.chunk_by(|a, b| a.x == b.x);
        Others {
            groups: groups().count() as u64,
            certain: groups().any(|same| self.is_certain(same)),
        }
    }
}

/// Matches of one part of this release that show the same and have the same label.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Match {
    /// What they show of the earlier releases, as one number: the groups as digits.
    x: u128,
    /// The place of the part in its group.
    part: usize,
    label: u32,
}

/// All matches of one group of this release, each once.
#[derive(Default)]
struct Matches {
    all: Vec<Match>,
    /// How many differed when they were last compared.
    different: usize,
}

impl Matches {
    /// Adds a match, made longer by all parts of one class per earlier release.
    fn add_all(&mut self, one: Match, classes: &[u32], parts: &[Vec<Part>], groups: &[usize]) {
        let ([class, classes @ ..], [next, parts @ ..], [base, groups @ ..]) = (classes, parts, groups) else {
            return self.add(one);
        };
        let from = next.partition_point(|part| part.class < *class);
        for part in next[from..].iter().take_while(|part| part.class == *class) {
            let x = one.x.checked_mul(*base as u128).map(|x| x + u128::from(part.group));
            let longer = Match {
                x: x.expect("the product of the rows of all releases fits in 128 bits"),
                // Parts that are not asked for a label have label 0.
                label: one.label.max(part.label),
                ..one
            };
            self.add_all(longer, classes, parts, groups);
        }
    }

    /// Repeats are dropped whenever there may be as many as others, so that memory follows those that differ.
    fn add(&mut self, one: Match) {
        const LITTLE: usize = 1 << 16;
        if self.all.len() >= LITTLE.max(2 * self.different) {
            self.drop_repeats();
        }
        self.all.push(one);
    }

    fn drop_repeats(&mut self) {
        self.all.sort_unstable();
        self.all.dedup();
        self.different = self.all.len();
    }

    /// All of them in order, which are then forgotten.
    fn take(&mut self) -> Vec<Match> {
        self.drop_repeats();
        self.different = 0;
        std::mem::take(&mut self.all)
    }
}
