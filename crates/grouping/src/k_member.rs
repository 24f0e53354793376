//! [`KMember`]: groups grow one by one, each from a seed, by the row that costs least.
//!
//! Two rows to a group, ages from 20 to 60; the first seed is the row furthest from one drawn by lot, say the first:
//!
//! | age | cost beside the seed 60 | group | cost beside the seed 20 | group |
//! |---|---|---|---|---|
//! | 20 | 40 / 40 | | seed: furthest from 60 | 2 |
//! | 24 | 36 / 40 | | 4 / 40 | 2 |
//! | 31 | 29 / 40 | | 11 / 40 | left over: joins group 2, which grows less than group 1 |
//! | 59 | 1 / 40 | 1 | | |
//! | 60 | seed | 1 | | |
//!
//! Invariant: of two rows that cost the same, the one that comes first in the table is taken. So the groups are those
//! of the plain algorithm, which looks at every row for every place.
//!
//! # Source
//! Byun, Kamra, Bertino and Li, *Efficient k-anonymization using clustering techniques*, 2007; k-member-p is that of
//! Loukides, sections 4.1 and 6.4. A seed is furthest from the seed before it. A group grows until it has `k` rows
//! *and* keeps every condition; a row left over joins a group only if that group keeps them with it, and else stays
//! left over.
//!
//! # Cost
//! `O(n² / k)` where costs never fall as a group grows: what a row cost before is a lower bound, so few are asked
//! again. Otherwise `O(n · m)` for `m` different rows. Rows that are alike are one.
//!
//! # What is lost
//! Late groups get what is left, so they may be wide; and nothing is ever taken back.

mod objective;

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

use fastrand::Rng;
use rayon::prelude::*;
use scumble_level::{Conditions, Contributions};
use scumble_progress::Work;
use scumble_table::ColumnId;

use crate::{Failure, Method, Problem, Space};
use objective::{Loss, Objective, RangeDiversity, SDiversity};

/// Grows groups by the row that costs least.
#[derive(Clone, Copy, Debug)]
pub struct KMember<'t> {
    /// What a row costs.
    pub objective: MemberObjective<'t>,
}

/// What a row costs in a group, and how far two rows are from each other.
#[derive(Clone, Copy, Debug)]
pub enum MemberObjective<'t> {
    /// What is lost on the quasi columns: k-member.
    Utility,
    /// What is given away of the sensitive columns: k-member-p.
    Protection(Protection<'t>),
}

/// What a group gives away of sensitive columns.
#[derive(Clone, Copy, Debug)]
pub enum Protection<'t> {
    /// S-diversity: 1 less the loss on these columns.
    SDiversity(&'t Space),
    /// Range diversity, averaged over these columns.
    RangeDiversity(&'t [(ColumnId, Contributions)]),
}

impl Method for KMember<'_> {
    fn groups(&self, problem: &Problem, conditions: &Conditions) -> Result<Vec<Vec<u32>>, Failure> {
        match self.objective {
            MemberObjective::Utility => groups(&Loss(problem.space), problem, conditions),
            MemberObjective::Protection(Protection::SDiversity(space)) => {
                groups(&SDiversity(space), problem, conditions)
            }
            MemberObjective::Protection(Protection::RangeDiversity(columns)) => {
                groups(&RangeDiversity::new(problem.table, columns), problem, conditions)
            }
        }
    }
}

fn groups<O: Objective>(objective: &O, problem: &Problem, conditions: &Conditions) -> Result<Vec<Vec<u32>>, Failure> {
    let n = problem.table.rows();
    if n == 0 {
        return Ok(Vec::new());
    }
    let mut pool = Pool::new(objective, n);
    let by_lot = Rng::with_seed(problem.seed).u32(0..n as u32);
    pool.price(&objective.start(by_lot));
    let mut members: Vec<Member<O>> = Vec::new();
    let mut left_over = Vec::new();
    let growing = problem.work.phase("growing groups", 0.0..GROWING);
    while pool.rows >= conditions.fewest_rows() && pool.rows > 0 {
        growing.go_on()?;
        let group = pool.grow(conditions, growing);
        growing.done(n - pool.rows, n);
        if conditions.are_met_by(&group.rows) {
            members.push(group);
        } else {
            left_over.extend(group.rows);
        }
    }
    left_over.extend(pool.rows_left());
    left_over.sort_unstable();
    let placing = problem
        .work
        .phase("placing rows left over", GROWING..1.0)
        .count(left_over.len());
    for row in left_over {
        placing.go_on(1)?;
        join(objective, conditions, &mut members, row);
    }
    Ok(members.into_iter().map(|member| member.rows).collect())
}

/// The share of the work that growing groups takes.
const GROWING: f64 = 0.9;

/// A group that grows.
struct Member<O: Objective> {
    rows: Vec<u32>,
    cluster: O::Cluster,
}

/// Takes a row into the group that costs least more with it and still keeps the conditions; into none if none does.
fn join<O: Objective>(objective: &O, conditions: &Conditions, members: &mut [Member<O>], row: u32) {
    let growth = |(place, member): (usize, &Member<O>)| {
        let (before, after) = (
            objective.cost(&member.cluster),
            objective.cost_with(&member.cluster, row),
        );
        let rows = member.rows.len() as f64;
        Reverse(Offer {
            cost: (rows + 1.0) * after - rows * before,
            row: 0,
            place: place as u32,
        })
    };
    let mut cheapest: BinaryHeap<Reverse<Offer>> =
        members.par_iter().enumerate().map(growth).collect::<Vec<_>>().into();
    while let Some(Reverse(offer)) = cheapest.pop() {
        let member = &mut members[offer.place as usize];
        member.rows.push(row);
        if conditions.are_met_by(&member.rows) {
            objective.add(&mut member.cluster, row);
            return;
        }
        member.rows.pop();
    }
}

/// Something to take, and what it costs. The order is by cost, then by row, then by place.
#[derive(Clone, Copy)]
struct Offer {
    cost: f64,
    row: u32,
    /// Of the kind in the pool, or of the group.
    place: u32,
}

impl Ord for Offer {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_cost = self.cost.total_cmp(&other.cost);
        by_cost
            .then(self.row.cmp(&other.row))
            .then(self.place.cmp(&other.place))
    }
}

impl PartialOrd for Offer {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Offer {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Offer {}

/// The rows that are in no group yet, those that are alike as one kind.
struct Pool<'a, O> {
    objective: &'a O,
    kinds: Vec<Kind>,
    /// How many rows there are.
    rows: usize,
}

/// Rows that cost the same in every group.
struct Kind {
    /// Descending: the next to take is the last.
    rows: Vec<u32>,
    /// What one of them costs beside the latest seed.
    cost: f64,
}

/// Fewer kinds than this are priced before a thread could be woken.
const KINDS_FOR_A_THREAD: usize = 512;

impl<'a, O: Objective> Pool<'a, O> {
    fn new(objective: &'a O, rows: usize) -> Self {
        let mut sorted: Vec<u32> = (0..rows as u32).collect();
        sorted.par_sort_unstable_by(|&a, &b| objective.compare(a, b).then(b.cmp(&a)));
        let alike = sorted.chunk_by(|&a, &b| objective.compare(a, b) == Ordering::Equal);
        let kinds = alike.map(|rows| Kind {
            rows: rows.to_vec(),
            cost: 0.0,
        });
        Pool {
            objective,
            kinds: kinds.collect(),
            rows,
        }
    }

    fn rows_left(self) -> impl Iterator<Item = u32> {
        self.kinds.into_iter().flat_map(|kind| kind.rows)
    }

    /// Sets what each kind costs in a group.
    fn price(&mut self, cluster: &O::Cluster) {
        let objective = self.objective;
        let kinds = self.kinds.par_iter_mut().with_min_len(KINDS_FOR_A_THREAD);
        kinds.for_each(|kind| kind.cost = objective.cost_with(cluster, kind.next()));
    }

    /// Takes a group: the row furthest from the seed before, then the cheapest, until the conditions are met or no
    /// row is left, or it should stop.
    fn grow(&mut self, conditions: &Conditions, work: Work) -> Member<O> {
        let seed = self.take(self.furthest());
        let mut member = Member {
            rows: vec![seed],
            cluster: self.objective.start(seed),
        };
        self.kinds.retain(|kind| !kind.rows.is_empty());
        self.price(&member.cluster);
        let mut offers = self.offers();
        while !conditions.are_met_by(&member.rows) && !work.should_stop() {
            let cheapest = if O::NEVER_FALLS {
                self.pop_cheapest(&mut offers, &member.cluster)
            } else {
                self.look_for_cheapest(&member.cluster)
            };
            let Some(place) = cheapest else { break };
            let row = self.take(place);
            member.rows.push(row);
            self.objective.add(&mut member.cluster, row);
        }
        self.kinds.retain(|kind| !kind.rows.is_empty());
        member
    }

    /// The kind that costs most beside the latest seed.
    fn furthest(&self) -> usize {
        let places = 0..self.kinds.len();
        let cost = |place: usize| self.kinds[place].cost;
        let first_row = |place: usize| Reverse(self.kinds[place].next());
        let order = |&a: &usize, &b: &usize| cost(a).total_cmp(&cost(b)).then(first_row(a).cmp(&first_row(b)));
        places
            .max_by(order)
            .expect("a group is grown only while there are rows")
    }

    fn take(&mut self, place: usize) -> u32 {
        self.rows -= 1;
        let row = self.kinds[place].rows.pop();
        row.expect("a kind is taken from only while it has rows")
    }

    /// All kinds as offers, if these stay lower bounds.
    fn offers(&self) -> BinaryHeap<Reverse<Offer>> {
        let kinds = self.kinds.iter().enumerate().filter(|_| O::NEVER_FALLS);
        let offer = |(place, kind): (usize, &Kind)| Reverse(kind.offer(place, kind.cost));
        kinds.map(offer).collect::<Vec<_>>().into()
    }

    /// The cheapest kind by offers of which each is a lower bound. One that is still the cheapest when asked again is
    /// it.
    fn pop_cheapest(&self, offers: &mut BinaryHeap<Reverse<Offer>>, cluster: &O::Cluster) -> Option<usize> {
        while let Some(mut top) = offers.peek_mut() {
            let place = top.0.place as usize;
            let kind = &self.kinds[place];
            if kind.rows.is_empty() {
                PeekMut::pop(top);
                continue;
            }
            let now = kind.offer(place, self.objective.cost_with(cluster, kind.next()));
            if now == top.0 {
                return Some(place);
            }
            // Dropping `top` puts the offer where it belongs now.
            top.0 = now;
        }
        None
    }

    /// The cheapest kind, all of them asked again.
    fn look_for_cheapest(&self, cluster: &O::Cluster) -> Option<usize> {
        let kinds = self.kinds.par_iter().with_min_len(KINDS_FOR_A_THREAD).enumerate();
        let in_stock = kinds.filter(|(_, kind)| !kind.rows.is_empty());
        let offers = in_stock.map(|(place, kind)| kind.offer(place, self.objective.cost_with(cluster, kind.next())));
        offers.min().map(|offer| offer.place as usize)
    }
}

impl Kind {
    /// The row to take next. Kinds without rows are dropped before anyone asks.
    fn next(&self) -> u32 {
        self.rows[self.rows.len() - 1]
    }

    fn offer(&self, place: usize, cost: f64) -> Offer {
        Offer {
            cost,
            row: self.next(),
            place: place as u32,
        }
    }
}
