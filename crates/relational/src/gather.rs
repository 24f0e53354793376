//! Algorithm 2: persons join the nearest cluster that is open, or open one.
//!
//! Some persons ahead are compared with the clusters that are open now, all at once. Then they join one after the
//! other, and only clusters that have changed meanwhile are looked at again:
//!
//! | | {S1, S4} | {S2} | {S3} |
//! |---|---|---|---|
//! | S5, compared ahead | 0.30 | 0.20 | at least 0.40 |
//! | S6, compared ahead | at least 0.50 | 0.10 | 0.30 |
//! | S5 joins {S2} | 0.30 | 0.20 | |
//! | S6 looks at {S2, S5} again: 0.35, so it joins {S3} | | 0.35 | 0.30 |
//!
//! Invariant: who joins whom is as if every person were compared with every open cluster when their turn comes. Neither
//! the number of threads nor that of persons ahead changes it.

use std::cmp::Ordering;

use rayon::prelude::*;

use crate::cluster::{Interrupted, Settings};
use crate::cost::{Cost, Unit};
use crate::likeness::Likeness;
use crate::sketch::Horizon;

/// What became of some persons.
pub(crate) struct Gathered<S> {
    /// The clusters, in the order in which they were closed.
    pub(crate) closed: Vec<S>,
    /// How many of them were closed before the last person had come.
    pub(crate) closed_in_time: usize,
    /// Who is in none.
    pub(crate) left_out: Vec<u32>,
}

/// Gathers some persons in this order. `go_on` is asked before each of them, and before each merge at the end.
pub(crate) fn gather<L: Likeness>(
    likeness: &L,
    unit: Unit,
    settings: Settings,
    persons: &[u32],
    is_full: impl Fn(&L::Shape) -> bool + Sync,
    go_on: impl Fn() -> bool,
) -> Result<Gathered<L::Shape>, Interrupted> {
    let ask = || if go_on() { Ok(()) } else { Err(Interrupted) };
    let mut gathering = Gathering {
        likeness,
        unit,
        settings,
        is_full: &is_full,
        open: Vec::new(),
        closed: Vec::new(),
        estimates: Vec::new(),
    };
    let mut persons = persons;
    while !persons.is_empty() {
        let (ahead, rest) = persons.split_at(gathering.ahead().min(persons.len()));
        for (person, seen) in gathering.look(ahead) {
            ask()?;
            gathering.take(person, &seen);
        }
        persons = rest;
    }
    let closed_in_time = gathering.closed.len();
    while gathering.gather_open() {
        ask()?;
    }
    // The last one may have waited for others though it has enough members.
    let last = gathering.open.into_iter().map(|open| open.shape);
    let (enough, few): (Vec<_>, Vec<_>) = last.partition(|shape| likeness.members(shape).len() >= settings.k);
    let mut closed = gathering.closed;
    closed.extend(enough);
    Ok(Gathered {
        closed_in_time,
        left_out: few.iter().flat_map(|shape| likeness.members(shape)).copied().collect(),
        closed,
    })
}

struct Gathering<'g, L: Likeness> {
    likeness: &'g L,
    unit: Unit,
    settings: Settings,
    /// Whether a cluster needs no more members.
    is_full: &'g (dyn Fn(&L::Shape) -> bool + Sync + 'g),
    /// In the order in which they were opened.
    open: Vec<Open<L>>,
    closed: Vec<L::Shape>,
    /// What is known of the person whose turn it is, kept for the next one's.
    estimates: Vec<Estimate>,
}

struct Open<L: Likeness> {
    shape: L::Shape,
    sketch: L::Sketch,
    size: u64,
    /// Its place when the persons ahead were compared, unless it has changed since.
    seen: Option<usize>,
}

/// A person who is in no cluster yet.
struct Person<L: Likeness> {
    shape: L::Shape,
    probe: L::Probe,
    size: u64,
}

/// A person, and how far they are from the clusters that were open when they were compared.
type Sight<L> = (Person<L>, Vec<Estimate>);

/// What is known of a distance.
#[derive(Clone, Copy)]
enum Estimate {
    /// As much is lost, or more.
    AtLeast(u64),
    Exactly(Cost),
}

/// Fewer persons ahead are not worth to be shared among threads.
const FEWEST_AHEAD: usize = 8;
const MOST_AHEAD: usize = 64;

impl<L: Likeness> Gathering<'_, L> {
    /// How many persons are compared ahead. The more there are for each open cluster, the more has changed when they join.
    fn ahead(&self) -> usize {
        let ahead = (self.open.len() / 2).min(MOST_AHEAD);
        if ahead < FEWEST_AHEAD || rayon::current_num_threads() == 1 {
            1
        } else {
            ahead
        }
    }

    /// Compares persons with the clusters that are open. One alone is not: it is their turn.
    fn look(&mut self, ahead: &[u32]) -> Vec<Sight<L>> {
        let is_seen = ahead.len() > 1;
        for (place, open) in self.open.iter_mut().enumerate() {
            open.seen = is_seen.then_some(place);
        }
        match ahead {
            [person] => vec![(self.person(*person), Vec::new())],
            _ => ahead.par_iter().map(|&person| self.sight(person)).collect(),
        }
    }

    fn person(&self, person: u32) -> Person<L> {
        let shape = self.likeness.shape(person);
        Person {
            probe: self.likeness.probe(&shape),
            size: self.likeness.size(&shape),
            shape,
        }
    }

    fn sight(&self, person: u32) -> Sight<L> {
        let person = self.person(person);
        let mut estimates: Vec<Estimate> = self.open.iter().map(|open| self.bound(open, &person)).collect();
        self.nearest(&person, &mut estimates);
        (person, estimates)
    }

    fn bound(&self, open: &Open<L>, person: &Person<L>) -> Estimate {
        Estimate::AtLeast(self.likeness.least(&open.sketch, &person.probe))
    }

    /// The first of the nearest clusters. Of those that are farther, a bound is enough.
    fn nearest(&self, person: &Person<L>, estimates: &mut [Estimate]) -> Option<(usize, Cost)> {
        let mut best = known(estimates).or_else(|| self.likely(person, estimates))?;
        estimates[best.0] = Estimate::Exactly(best.1);
        let mut horizon = Horizon::new(self.unit, best.1);
        for (share, place) in self.promising(person, estimates, horizon) {
            if horizon.is_before(share) {
                break; // So are all that follow.
            }
            let open = &self.open[place];
            let most = horizon.most(open.size + person.size);
            let cost = self.likeness.distance(&open.shape, &person.shape, most);
            if cost.lost > most {
                estimates[place] = Estimate::AtLeast(cost.lost);
                continue;
            }
            estimates[place] = Estimate::Exactly(cost);
            if closer((place, cost), best).is_lt() {
                best = (place, cost);
                horizon = Horizon::new(self.unit, cost);
            }
        }
        Some(best)
    }

    /// The clusters whose distance is not known, with what each cell loses at least.
    fn bounds(&self, person: &Person<L>, estimates: &[Estimate]) -> impl Iterator<Item = (f64, usize)> {
        let open = estimates.iter().zip(&self.open).enumerate();
        open.filter_map(|(place, (estimate, open))| match estimate {
            Estimate::AtLeast(least) => Some((Horizon::share(*least, open.size + person.size), place)),
            Estimate::Exactly(_) => None,
        })
    }

    /// The cluster with the least bound: most others are beyond it.
    fn likely(&self, person: &Person<L>, estimates: &[Estimate]) -> Option<(usize, Cost)> {
        let (_, place) = self.bounds(person, estimates).min_by(|a, b| a.0.total_cmp(&b.0))?;
        let cost = self.likeness.distance(&self.open[place].shape, &person.shape, u64::MAX);
        Some((place, cost))
    }

    /// The clusters that are not beyond the best, with their bounds. The least come first: after them, others may be.
    fn promising(&self, person: &Person<L>, estimates: &[Estimate], horizon: Horizon) -> Vec<(f64, usize)> {
        let bounds = self
            .bounds(person, estimates)
            .filter(|&(share, _)| !horizon.is_before(share));
        let mut promising: Vec<(f64, usize)> = bounds.collect();
        promising.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        promising
    }

    /// Lines 3 to 12: a person joins the nearest cluster, or opens one. Clusters that have not changed are as they were
    /// seen.
    fn take(&mut self, person: Person<L>, seen: &[Estimate]) {
        let mut estimates = std::mem::take(&mut self.estimates);
        estimates.clear();
        estimates.extend(self.open.iter().map(|open| match open.seen {
            Some(place) => seen[place],
            None => self.bound(open, &person),
        }));
        let nearest = self.nearest(&person, &mut estimates);
        self.estimates = estimates;
        let too_far = |cost| self.unit.exceeds(cost, self.settings.threshold);
        match nearest {
            Some((place, cost)) if self.open.len() > self.settings.climit || !too_far(cost) => {
                self.join(place, &person.shape);
            }
            _ => {
                let open = self.opened(person.shape);
                self.open.push(open);
                self.close_if_full(self.open.len() - 1);
            }
        }
    }

    /// Lines 13 to 20: the first open cluster takes the nearest one. False if it is the last.
    fn gather_open(&mut self) -> bool {
        let [first, others @ ..] = &self.open[..] else {
            return false;
        };
        let distance = |other: &Open<L>| self.likeness.distance(&first.shape, &other.shape, u64::MAX);
        let nearest = others.iter().map(distance).enumerate().min_by(|&a, &b| closer(a, b));
        let Some((place, _)) = nearest else {
            return false;
        };
        let other = self.open.remove(1 + place);
        self.join(0, &other.shape);
        true
    }

    fn join(&mut self, place: usize, other: &L::Shape) {
        self.open[place] = self.opened(self.likeness.merge(&self.open[place].shape, other));
        self.close_if_full(place);
    }

    fn opened(&self, shape: L::Shape) -> Open<L> {
        Open {
            sketch: self.likeness.sketch(&shape),
            size: self.likeness.size(&shape),
            shape,
            seen: None,
        }
    }

    fn close_if_full(&mut self, place: usize) {
        if (self.is_full)(&self.open[place].shape) {
            self.closed.push(self.open.remove(place).shape);
        }
    }
}

/// The nearest of the clusters whose distance is known.
fn known(estimates: &[Estimate]) -> Option<(usize, Cost)> {
    let exact = estimates
        .iter()
        .enumerate()
        .filter_map(|(place, estimate)| match estimate {
            Estimate::Exactly(cost) => Some((place, *cost)),
            Estimate::AtLeast(_) => None,
        });
    exact.min_by(|&a, &b| closer(a, b))
}

/// Which cluster is closer; of equals, the one that was opened first.
fn closer(a: (usize, Cost), b: (usize, Cost)) -> Ordering {
    a.1.compare(b.1).then(a.0.cmp(&b.0))
}
