//! A [`Same`] tells which parties hold the same number, and nothing else of the numbers.
//!
//! Invariant: everybody gets the same answer. A digest that is sent can be compared at leisure with the digest of any
//! guess; what goes in here is compared once, with what the others put in.
//!
//! | party | number | holds the same as |
//! |---|---|---|
//! | 0 | 71 | 2 |
//! | 1 | 14 | nobody |
//! | 2 | 71 | 0 |
//!
//! # Cost
//! 127 ANDs for each pair of parties.

use polytune::channel::Channel;
use polytune::garble_lang::register_circuit::Circuit;

use super::SecureError;
use super::circuit::{Builder, bits_of};
use super::compute::compute;
use super::error::check_parties;

/// How many bits a number has: two sets of records whose digests have these in common are not found by anybody.
const NUMBER_BITS: usize = 128;

/// Who holds the same number as whom, for a fixed number of parties.
#[derive(Debug)]
pub struct Same {
    parties: usize,
    circuit: Circuit,
}

impl Same {
    /// A comparison of so many parties, 2 to 8.
    pub fn new(parties: usize) -> Result<Self, SecureError> {
        check_parties(parties)?;
        Ok(Self {
            parties,
            circuit: circuit(parties),
        })
    }

    /// For each party, those that hold the same number as it, itself among them. `own` is the place of this party, and
    /// the others are reached through the channel by theirs.
    pub async fn compare(
        &self,
        channel: &impl Channel,
        own: usize,
        number: u128,
    ) -> Result<Vec<Vec<usize>>, SecureError> {
        let halves = [number as u64, (number >> 64) as u64];
        let inputs: Vec<bool> = halves.iter().flat_map(|&half| bits_of(half, 64)).collect();
        let everybody: Vec<usize> = (0..self.parties).collect();
        let differ = compute(channel, &self.circuit, own, &inputs, &everybody).await?;
        let mut same: Vec<Vec<usize>> = everybody.iter().map(|&party| vec![party]).collect();
        for ((a, b), _) in pairs(self.parties).zip(differ).filter(|(_, differ)| !differ) {
            same[a].push(b);
            same[b].push(a);
        }
        same.iter_mut().for_each(|parties| parties.sort_unstable());
        Ok(same)
    }
}

/// Every two parties, each pair once.
fn pairs(parties: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..parties).flat_map(move |a| (a + 1..parties).map(move |b| (a, b)))
}

/// For each pair, whether its numbers differ.
fn circuit(parties: usize) -> Circuit {
    let mut circuit = Builder::new(parties);
    let numbers: Vec<_> = (0..parties).map(|party| circuit.number(party, NUMBER_BITS)).collect();
    let differ: Vec<_> = pairs(parties)
        .map(|(a, b)| circuit.differ(&numbers[a], &numbers[b]))
        .collect();
    circuit.finish(&differ)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secure::network::{Network, Task};

    fn same(numbers: &[u128]) -> Vec<Vec<usize>> {
        let network = Network::new(numbers.len());
        let same = Same::new(numbers.len()).unwrap();
        let lines: Vec<_> = (0..numbers.len()).map(|party| network.line(party)).collect();
        let party = |own: usize| -> Task<'_, _> { Box::pin(same.compare(&lines[own], own, numbers[own])) };
        let answers = network.run((0..numbers.len()).map(party).collect());
        let answers: Vec<_> = answers.into_iter().map(|answer| answer.unwrap().unwrap()).collect();
        assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
        answers[0].clone()
    }

    #[test]
    fn two_numbers_are_the_same_or_not() {
        assert_eq!(same(&[u128::MAX, u128::MAX]), [[0, 1], [0, 1]]);
        assert_eq!(same(&[0, 1 << 127]), [[0], [1]]);
        assert_eq!(same(&[5, 4]), [[0], [1]]);
    }

    #[test]
    fn of_several_numbers_each_pair_is_compared() {
        assert_eq!(same(&[71, 14, 71]), [vec![0, 2], vec![1], vec![0, 2]]);
        assert_eq!(same(&[1, 2, 1, 2]), [[0, 2], [1, 3], [0, 2], [1, 3]]);
    }

    #[test]
    fn a_pair_costs_one_and_per_bit_but_one() {
        assert_eq!(circuit(2).and_ops, NUMBER_BITS - 1);
        assert_eq!(circuit(8).and_ops, 28 * (NUMBER_BITS - 1));
    }
}
