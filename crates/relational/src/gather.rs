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

use crate::cluster::{Clustering, Interrupted};
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
    settings: Clustering,
    persons: &[u32],
    go_on: impl Fn() -> bool,
) -> Result<Gathered<L::Shape>, Interrupted> {
    let ask = || if go_on() { Ok(()) } else { Err(Interrupted) };
    let mut gathering = Gathering {
        likeness,
        unit,
        settings,
        open: Vec::new(),
        closed: Vec::new(),
    };
    let mut persons = persons;
    while !persons.is_empty() {
        let (ahead, rest) = persons.split_at(gathering.ahead().min(persons.len()));
        for sight in gathering.look(ahead) {
            ask()?;
            gathering.take(sight);
        }
        persons = rest;
    }
    let closed_in_time = gathering.closed.len();
    while gathering.gather_open() {
        ask()?;
    }
    let left_out = gathering.open.iter().flat_map(|open| likeness.members(&open.shape));
    Ok(Gathered {
        closed_in_time,
        left_out: left_out.copied().collect(),
        closed: gathering.closed,
    })
}

struct Gathering<'g, L: Likeness> {
    likeness: &'g L,
    unit: Unit,
    settings: Clustering,
    /// In the order in which they were opened.
    open: Vec<Open<L>>,
    closed: Vec<L::Shape>,
}

struct Open<L: Likeness> {
    shape: L::Shape,
    sketch: L::Sketch,
    size: u64,
    /// Its place when the persons ahead were compared, unless it has changed since.
    seen: Option<usize>,
}

/// A person, and how far they are from the clusters that were open when they were compared.
struct Sight<L: Likeness> {
    shape: L::Shape,
    probe: L::Probe,
    size: u64,
    estimates: Vec<Estimate>,
}

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

    /// Compares persons with the clusters that are open.
    fn look(&mut self, ahead: &[u32]) -> Vec<Sight<L>> {
        for (place, open) in self.open.iter_mut().enumerate() {
            open.seen = Some(place);
        }
        match ahead {
            [person] => vec![self.sight(*person)],
            _ => ahead.par_iter().map(|&person| self.sight(person)).collect(),
        }
    }

    fn sight(&self, person: u32) -> Sight<L> {
        let shape = self.likeness.shape(person);
        let probe = self.likeness.probe(&shape);
        let bound = |open: &Open<L>| Estimate::AtLeast(self.likeness.least(&open.sketch, &probe));
        let mut sight = Sight {
            estimates: self.open.iter().map(bound).collect(),
            size: self.likeness.size(&shape),
            shape,
            probe,
        };
        self.nearest(&mut sight);
        sight
    }

    /// The first of the nearest clusters. Of those that are farther, a bound is enough.
    fn nearest(&self, person: &mut Sight<L>) -> Option<(usize, Cost)> {
        let mut best = known(&person.estimates).or_else(|| self.likely(person))?;
        person.estimates[best.0] = Estimate::Exactly(best.1);
        let mut horizon = Horizon::new(self.unit, best.1);
        for (place, open) in self.open.iter().enumerate() {
            let Estimate::AtLeast(least) = person.estimates[place] else {
                continue;
            };
            if horizon.is_beyond(least, open.size + person.size) || best.1.lost == 0 && place > best.0 {
                continue;
            }
            let cost = self.likeness.distance(&open.shape, &person.shape);
            person.estimates[place] = Estimate::Exactly(cost);
            if closer((place, cost), best).is_lt() {
                best = (place, cost);
                horizon = Horizon::new(self.unit, cost);
            }
        }
        Some(best)
    }

    /// The cluster with the least bound: others are soon beyond it.
    fn likely(&self, person: &Sight<L>) -> Option<(usize, Cost)> {
        let bounds = person
            .estimates
            .iter()
            .zip(&self.open)
            .map(|(estimate, open)| match estimate {
                Estimate::AtLeast(least) => *least as f64 / (open.size + person.size) as f64,
                Estimate::Exactly(_) => 0.0,
            });
        let (place, _) = bounds.enumerate().min_by(|(_, a), (_, b)| a.total_cmp(b))?;
        Some((place, self.likeness.distance(&self.open[place].shape, &person.shape)))
    }

    /// Lines 3 to 12: a person joins the nearest cluster, or opens one.
    fn take(&mut self, mut person: Sight<L>) {
        let estimate = |open: &Open<L>| match open.seen {
            Some(place) => person.estimates[place],
            None => Estimate::AtLeast(self.likeness.least(&open.sketch, &person.probe)),
        };
        person.estimates = self.open.iter().map(estimate).collect();
        let too_far = |cost| self.unit.exceeds(cost, self.settings.threshold);
        match self.nearest(&mut person) {
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
        let distance = |other: &Open<L>| self.likeness.distance(&first.shape, &other.shape);
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
        if self.likeness.members(&self.open[place].shape).len() >= self.settings.k {
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
