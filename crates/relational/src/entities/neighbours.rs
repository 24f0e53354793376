//! Who is like whom: for each person a few others that are near, without comparing everybody with everybody.
//!
//! All persons are cut in two halves, again and again: two who are far from each other are chosen, and everybody goes to
//! the one that is nearer, as far as the halves stay equal. In blocks that are small enough all are compared.
//!
//! | person | to S1 | to S3 | nearer to | |
//! |---|---|---|---|---|
//! | S1 | 0 | 8 | S1 | first half |
//! | S2 | 3 | 7 | S1 | first half |
//! | S4 | 7 | 5 | S3 | second half |
//! | S3 | 8 | 0 | S3 | second half |
//!
//! A cut may part two who are near. So all is done several times with others to choose, and the nearest of all times
//! are kept.
//!
//! Invariant: what is found depends on the persons and the seed, not on the number of threads.
//!
//! # Cost
//! For `n` persons `O(n log n)` distances for the cuts, and `n` times half a block for the blocks, each time.

use rayon::prelude::*;
use scumble_progress::{Interrupted, Work};

use super::group::Persons;

/// Persons in a block are all compared with each other.
const BLOCK: usize = 96;
/// How often persons are cut into blocks.
const TIMES: u64 = 3;
/// So many are looked at to find one who is far.
const SAMPLE: usize = 24;

/// For each person, others that are near, and persons in an order in which neighbours are near.
pub(crate) struct Neighbours {
    /// With their distance, the nearest first.
    pub(crate) of: Vec<Vec<(i64, u32)>>,
    pub(crate) order: Vec<u32>,
}

impl Neighbours {
    /// At most `most` of each person.
    pub(crate) fn new(persons: &Persons, most: usize, seed: u64, work: Work) -> Result<Self, Interrupted> {
        let mut of: Vec<Vec<(i64, u32)>> = vec![Vec::new(); persons.trees.len()];
        let mut order: Vec<u32> = Vec::new();
        // Blocks that hold everybody are the same each time.
        let times = if persons.trees.len() <= BLOCK { 1 } else { TIMES };
        let compared = work.count(times as usize * persons.trees.len());
        for time in 0..times {
            let mut all: Vec<u32> = (0..persons.trees.len() as u32).collect();
            cut(persons, &mut all, seed.wrapping_mul(TIMES).wrapping_add(time), work);
            let found: Vec<Vec<(i64, u32, u32)>> = leaves(&all)
                .into_par_iter()
                .map(|block| {
                    if work.should_stop() {
                        return Vec::new();
                    }
                    compared.add(block.len());
                    compare(persons, block, most)
                })
                .collect();
            for (distance, a, b) in found.into_iter().flatten() {
                of[a as usize].push((distance, b));
            }
            of.par_iter_mut().for_each(|near| {
                near.sort_unstable();
                near.dedup();
                near.truncate(most);
            });
            if time == 0 {
                order = all;
            }
        }
        work.go_on()?;
        Ok(Neighbours { of, order })
    }
}

/// Puts persons in an order in which the halves of halves are blocks.
fn cut(persons: &Persons, block: &mut [u32], seed: u64, work: Work) {
    if block.len() <= BLOCK || work.should_stop() {
        return;
    }
    let mut rng = fastrand::Rng::with_seed(seed);
    let sample: Vec<u32> = (0..SAMPLE).map(|_| block[rng.usize(..block.len())]).collect();
    let one = farthest(persons, sample[0], &sample);
    let other = farthest(persons, one, &sample);
    let side = |&person: &u32| {
        // Who stops makes nothing of the order.
        if work.should_stop() {
            return (0, 0, person);
        }
        let (to_one, to_other) = (distance(persons, one, person), distance(persons, other, person));
        // Who is equally near to both is beside who is as near as they are.
        (to_one - to_other, to_one, person)
    };
    let mut sides: Vec<(i64, i64, u32)> = block.par_iter().map(side).collect();
    sides.sort_unstable();
    block
        .iter_mut()
        .zip(sides)
        .for_each(|(place, (_, _, person))| *place = person);
    let (first, second) = block.split_at_mut(half(block.len()));
    let (left, right) = (rng.u64(..), rng.u64(..));
    rayon::join(|| cut(persons, first, left, work), || cut(persons, second, right, work));
}

fn half(len: usize) -> usize {
    len / 2
}

/// The blocks of an order.
fn leaves(order: &[u32]) -> Vec<&[u32]> {
    if order.len() <= BLOCK {
        return vec![order];
    }
    let (first, second) = order.split_at(half(order.len()));
    [leaves(first), leaves(second)].concat()
}

fn farthest(persons: &Persons, from: u32, sample: &[u32]) -> u32 {
    let distances: Vec<i64> = sample
        .par_iter()
        .map(|&person| distance(persons, from, person))
        .collect();
    let farthest = (0..sample.len()).max_by_key(|&place| (distances[place], sample[place]));
    farthest.map_or(from, |place| sample[place])
}

fn distance(persons: &Persons, a: u32, b: u32) -> i64 {
    persons.lost(&persons.alone(a), &persons.alone(b))
}

/// The nearest of each person within a block: distance, person, neighbour.
fn compare(persons: &Persons, block: &[u32], most: usize) -> Vec<(i64, u32, u32)> {
    let mut near: Vec<Vec<(i64, u32)>> = vec![Vec::new(); block.len()];
    for first in 0..block.len() {
        for second in first + 1..block.len() {
            let distance = distance(persons, block[first], block[second]);
            near[first].push((distance, block[second]));
            near[second].push((distance, block[first]));
        }
    }
    let nearest = near.into_iter().zip(block).flat_map(|(mut near, &person)| {
        near.sort_unstable();
        near.truncate(most);
        near.into_iter().map(move |(distance, other)| (distance, person, other))
    });
    nearest.collect()
}
