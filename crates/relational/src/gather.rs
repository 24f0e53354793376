//! Algorithm 2: persons join the nearest cluster that is open, or open one.
//!
//! Most clusters need no look: a sketch of them tells that they are beyond the nearest one.
//!
//! | | {S1, S4} | {S2} | {S3} |
//! |---|---|---|---|
//! | S5, at least | 0.10 | 0.15 | 0.40 |
//! | S5 | 0.30 | 0.20 | beyond 0.20 |
//!
//! Many persons are gathered in blocks, all at once. The clusters that are open at the end of a block come to those of the
//! first one as persons do: each joins the nearest that is open, or stays open beside it.
//!
//! Invariant: who joins whom is as if every person were compared with every cluster that is open in their block when
//! their turn comes. The number of threads does not change it.

use std::cmp::Ordering;

use rayon::prelude::*;

use scumble_progress::{Interrupted, Work};

use crate::cost::{Cost, Unit};
use crate::likeness::Likeness;
use crate::settings::Settings;
use crate::sketch::Horizon;

/// The part of the work that is to gather persons, the first time, and again with an eye on what must not be known of them.
pub(crate) fn gathering(work: Work<'_>, minds_secrets: bool) -> Work<'_> {
    if minds_secrets {
        work.phase("gathering persons with their secrets", 0.6..0.9)
    } else {
        work.phase("gathering persons", 0.0..0.6)
    }
}

/// What became of some persons.
pub(crate) struct Gathered<S> {
    /// The clusters, in the order in which they were closed, block by block.
    pub(crate) closed: Vec<S>,
    /// How many of them were closed before the last person had come.
    pub(crate) closed_in_time: usize,
    /// Who is in none.
    pub(crate) left_out: Vec<u32>,
}

/// The share of the work that is to take persons in; the rest is to bring the open clusters of all blocks together.
const TAKEN: f64 = 0.8;

/// Gathers some persons in this order. It is asked whether to go on before each of them, and before each merge at the end.
pub(crate) fn gather<L: Likeness>(
    likeness: &L,
    unit: Unit,
    settings: Settings,
    persons: &[u32],
    is_full: impl Fn(&L::Shape) -> bool + Sync,
    work: Work,
) -> Result<Gathered<L::Shape>, Interrupted> {
    let taken = work.part(0.0..TAKEN).count(persons.len());
    let nobody = || Gathering {
        likeness,
        unit,
        settings,
        is_full: &is_full,
        open: Vec::new(),
        closed: Vec::new(),
        bounds: Vec::new(),
    };
    let blocks = persons.par_chunks(settings.block).map(|block| {
        let mut gathering = nobody();
        for &person in block {
            taken.go_on(1)?;
            gathering.take(person);
        }
        Ok(gathering)
    });
    let mut blocks = blocks.collect::<Result<Vec<_>, _>>()?.into_iter();
    let mut gathering = blocks.next().unwrap_or_else(nobody);
    let mut still_open = Vec::new();
    for block in blocks {
        gathering.closed.extend(block.closed);
        still_open.extend(block.open);
    }
    let closed_in_time = gathering.closed.len();
    let joined = work.part(TAKEN..1.0).count(still_open.len());
    for open in still_open {
        joined.go_on(1)?;
        gathering.take_open(open);
    }
    while gathering.gather_open() {
        work.go_on()?;
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
    /// For each open cluster, what each cell of the person whose turn it is loses in it at least.
    bounds: Vec<(f64, usize)>,
}

struct Open<L: Likeness> {
    shape: L::Shape,
    sketch: L::Sketch,
    size: u64,
}

impl<L: Likeness> Gathering<'_, L> {
    /// Lines 3 to 12: a person joins the nearest cluster, or opens one.
    fn take(&mut self, person: u32) {
        let person = self.likeness.shape(person);
        let nearest = self.nearest(&person);
        self.join_or_open(nearest, person);
    }

    /// As lines 3 to 12, for a cluster that another block has left open.
    fn take_open(&mut self, other: Open<L>) {
        let nearest = self.nearest_of(&self.open, |open| self.distance(&open.shape, &other.shape));
        self.join_or_open(nearest, other.shape);
    }

    fn join_or_open(&mut self, nearest: Option<(usize, Cost)>, shape: L::Shape) {
        let too_far = |cost| self.unit.exceeds(cost, self.settings.threshold);
        match nearest {
            Some((place, cost)) if self.open.len() > self.settings.climit || !too_far(cost) => self.join(place, &shape),
            _ => {
                let open = self.opened(shape);
                self.open.push(open);
                self.close_if_full(self.open.len() - 1);
            }
        }
    }

    /// The first of the clusters that are nearest to a person. Of those that are farther, a bound is enough.
    fn nearest(&mut self, person: &L::Shape) -> Option<(usize, Cost)> {
        let (probe, size) = (self.likeness.probe(person), self.likeness.size(person));
        let mut bounds = std::mem::take(&mut self.bounds);
        bounds.clear();
        bounds.extend(self.open.iter().enumerate().map(|(place, open)| {
            let least = self.likeness.least(&open.sketch, &probe);
            (Horizon::share(least, open.size + size), place)
        }));
        let nearest = self.nearest_within(person, size, &mut bounds);
        self.bounds = bounds;
        nearest
    }

    fn nearest_within(&self, person: &L::Shape, size: u64, bounds: &mut Vec<(f64, usize)>) -> Option<(usize, Cost)> {
        // Most others are beyond the cluster with the least bound.
        let by_bound = |a: &(f64, usize), b: &(f64, usize)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
        let &(_, likely) = bounds.iter().min_by(|a, b| by_bound(a, b))?;
        let mut best = (likely, self.distance(&self.open[likely].shape, person));
        let mut horizon = Horizon::new(self.unit, best.1);
        bounds.retain(|&(share, place)| place != likely && !horizon.is_before(share));
        bounds.sort_unstable_by(by_bound);
        for &(share, place) in bounds.iter() {
            if horizon.is_before(share) {
                break; // So are all that follow.
            }
            let open = &self.open[place];
            let most = horizon.most(open.size + size);
            let cost = self.likeness.distance(&open.shape, person, most);
            if cost.lost <= most && closer((place, cost), best).is_lt() {
                best = (place, cost);
                horizon = Horizon::new(self.unit, cost);
            }
        }
        Some(best)
    }

    /// Lines 13 to 20: the first open cluster takes the nearest one. False if it is the last.
    fn gather_open(&mut self) -> bool {
        let [first, others @ ..] = &self.open[..] else {
            return false;
        };
        let Some((place, _)) = self.nearest_of(others, |other| self.distance(&first.shape, &other.shape)) else {
            return false;
        };
        let other = self.open.remove(1 + place);
        self.join(0, &other.shape);
        true
    }

    fn nearest_of(&self, clusters: &[Open<L>], distance: impl Fn(&Open<L>) -> Cost) -> Option<(usize, Cost)> {
        clusters.iter().map(distance).enumerate().min_by(|&a, &b| closer(a, b))
    }

    fn distance(&self, first: &L::Shape, second: &L::Shape) -> Cost {
        self.likeness.distance(first, second, u64::MAX)
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
        }
    }

    fn close_if_full(&mut self, place: usize) {
        if (self.is_full)(&self.open[place].shape) {
            self.closed.push(self.open.remove(place).shape);
        }
    }
}

/// Which cluster is closer; of equals, the one that was opened first.
fn closer(a: (usize, Cost), b: (usize, Cost)) -> Ordering {
    a.1.compare(b.1).then(a.0.cmp(&b.0))
}
