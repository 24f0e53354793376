//! A [`Maximum`] tells who of several parties has the largest bid, and nothing else.
//!
//! Invariant: everybody gets the same answer, the first of the parties whose bid is the largest. A bid of 0 means no
//! candidate, and other bids are never equal, so the winner of a tie is the one who says that nothing is left.
//!
//! | party | bid | | bid |
//! |---|---|---|---|
//! | 0 | 140 | | 0 |
//! | 1 | 215 | | 0 |
//! | 2 | 98 | | 0 |
//! | answer | 1 | | 0 |
//!
//! # Source
//! The step "secure maximum" of PPMashup (Mohammed et al.), here by a garbled circuit instead of a sum of secrets.
//!
//! # Cost
//! One comparison per party but the first, and one selection per party but the first and the last: 46 ANDs with two
//! parties, about 600 with eight. With two, nine tenths of the time go into the public-key operations that begin every
//! computation, which do not depend on the circuit.

use polytune::channel::Channel;
use polytune::garble_lang::register_circuit::Circuit;

use super::SecureError;
use super::circuit::{Bit, Builder, bits_of, width};
use super::compute::compute;
use super::error::check_parties;

/// How many bits a bid has.
pub const BID_BITS: usize = 46;

/// Who has the largest bid, for a fixed number of parties. Made once, asked every round.
#[derive(Debug)]
pub struct Maximum {
    parties: usize,
    circuit: Circuit,
}

impl Maximum {
    /// The maximum of so many parties, 2 to 8.
    pub fn new(parties: usize) -> Result<Self, SecureError> {
        check_parties(parties)?;
        Ok(Self {
            parties,
            circuit: circuit(parties),
        })
    }

    /// The party with the largest bid; of equal bids, the first. `own` is the place of this party, and the others are
    /// reached through the channel by theirs.
    pub async fn winner(&self, channel: &impl Channel, own: usize, bid: u64) -> Result<usize, SecureError> {
        if bid >> BID_BITS != 0 {
            return Err(SecureError::Bid);
        }
        let bid: Vec<bool> = bits_of(bid, BID_BITS).collect();
        let everybody: Vec<usize> = (0..self.parties).collect();
        let bits = compute(channel, &self.circuit, own, &bid, &everybody).await?;
        let winner = bits.iter().rev().fold(0, |number, &bit| number << 1 | usize::from(bit));
        if winner < self.parties {
            Ok(winner)
        } else {
            Err(SecureError::Garbage)
        }
    }
}

fn circuit(parties: usize) -> Circuit {
    let mut circuit = Builder::new(parties);
    let places = width(parties - 1);
    let mut largest = circuit.number(0, BID_BITS);
    let mut winner = vec![Bit::Known(false); places];
    for party in 1..parties {
        let bid = circuit.number(party, BID_BITS);
        let larger = circuit.greater_than(&bid, &largest);
        let place: Vec<Bit> = bits_of(party as u64, places).map(Bit::Known).collect();
        winner = circuit.select(larger, &place, &winner);
        // After the last party nobody compares with the largest bid any more.
        if party + 1 < parties {
            largest = circuit.select(larger, &bid, &largest);
        }
    }
    circuit.finish(&winner)
}

#[cfg(test)]
mod tests;
