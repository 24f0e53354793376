//! Who has the largest bid.

use proptest::prelude::*;

use super::*;
use crate::secure::network::{Network, Task};

/// The winner, after checking that all parties name the same.
fn winner(bids: &[u64]) -> usize {
    let network = Network::new(bids.len());
    let maximum = Maximum::new(bids.len()).unwrap();
    let lines: Vec<_> = (0..bids.len()).map(|party| network.line(party)).collect();
    let party = |own: usize| -> Task<'_, _> { Box::pin(maximum.winner(&lines[own], own, bids[own])) };
    let winners = network.run((0..bids.len()).map(party).collect());
    let winners: Vec<usize> = winners
        .into_iter()
        .map(|winner| winner.expect("a party waits for ever").unwrap())
        .collect();
    assert!(
        winners.iter().all(|winner| *winner == winners[0]),
        "the parties disagree: {winners:?}"
    );
    winners[0]
}

const LARGEST: u64 = (1 << BID_BITS) - 1;

#[test]
fn the_larger_of_two_bids_wins() {
    assert_eq!(winner(&[140, 215]), 1);
    assert_eq!(winner(&[216, 215]), 0);
    assert_eq!(winner(&[LARGEST - 1, LARGEST]), 1);
    assert_eq!(winner(&[1 << (BID_BITS - 1), LARGEST >> 1]), 0);
}

#[test]
fn the_largest_of_many_bids_wins_wherever_it_is() {
    assert_eq!(winner(&[140, 215, 98]), 1);
    assert_eq!(winner(&[3, 1, 4, 0, 5]), 4);
    assert_eq!(winner(&[2, 7, 1, 8, 2, 8 << 40, 4, LARGEST >> 2]), 7);
}

/// Nobody has a candidate: the first party says so. Zeros beside a candidate do not hide it.
#[test]
fn of_equal_bids_the_first_wins() {
    assert_eq!(winner(&[0, 0]), 0);
    assert_eq!(winner(&[0, 0, 0]), 0);
    assert_eq!(winner(&[0, 0, 1]), 2);
    assert_eq!(winner(&[5, 7, 7]), 1);
}

#[test]
fn what_does_not_fit_is_refused_before_anything_is_sent() {
    assert!(matches!(Maximum::new(1), Err(SecureError::Parties { parties: 1 })));
    assert!(matches!(Maximum::new(9), Err(SecureError::Parties { parties: 9 })));
    let network = Network::new(2);
    let maximum = Maximum::new(2).unwrap();
    let line = network.line(0);
    let refused = network.run(vec![Box::pin(maximum.winner(&line, 0, LARGEST + 1)) as Task<'_, _>]);
    assert!(matches!(refused[0], Some(Err(SecureError::Bid))));
    assert_eq!(network.messages(), 0);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    /// Small bids, so that ties and zeros are common, and large ones that differ in few bits.
    #[test]
    fn the_circuit_finds_the_first_largest_bid(
        bids in prop::collection::vec(prop_oneof![0u64..4, LARGEST - 3..=LARGEST, 0..=LARGEST], 2..=8),
    ) {
        let inputs: Vec<Vec<bool>> = bids.iter().map(|&bid| bits_of(bid, BID_BITS).collect()).collect();
        let bits = circuit(bids.len()).eval(&inputs);
        let largest = bids.iter().max().unwrap();
        let first = bids.iter().position(|bid| bid == largest).unwrap();
        prop_assert_eq!(bits, bits_of(first as u64, width(bids.len() - 1)).collect::<Vec<bool>>());
    }
}

#[test]
fn two_parties_need_one_comparison() {
    assert_eq!(circuit(2).and_ops, BID_BITS);
    assert!(circuit(8).and_ops < 13 * BID_BITS + 20);
}
