//! A [`Question`] is one party's side of a consent: the computations that lead to the answer, in their order.
//!
//! Invariant: both sides make the same computations, because what decides them (the split, the rule and what is counted) is
//! known to both; the sides differ only in what they put in.

use std::ops::Range;

use polytune::channel::Channel;

use super::group::{Group, HOLDER, PROPOSER};
use super::rule::Rule;
use super::secrets::Counted;
use super::split::Split;
use crate::secure::SecureError;
use crate::secure::circuit::{Bit, Builder};
use crate::secure::compute::compute;

/// What one party needs to find the answer.
pub(super) struct Question<'a, C, I> {
    pub(super) channel: &'a C,
    pub(super) split: &'a Split,
    pub(super) rule: &'a Rule,
    pub(super) counted: &'a Counted,
    /// Which party this is.
    pub(super) own: usize,
    /// What this party puts in for a group.
    pub(super) inputs: I,
}

/// As many groups as one circuit takes.
struct Batch {
    circuit: Builder,
    groups: Range<usize>,
    /// Whether all parts of these groups meet the template.
    met: Bit,
}

impl<C: Channel, I: Fn(Group) -> Vec<bool>> Question<'_, C, I> {
    /// Whether all parts of all groups meet the template.
    pub(super) async fn decide(&self) -> Result<bool, SecureError> {
        let first = self.batch(0);
        let mut done = first.groups.end;
        if done == self.split.groups() {
            return self.open(first).await;
        }
        let mut shares = vec![self.share(first).await?];
        while done < self.split.groups() {
            let batch = self.batch(done);
            done = batch.groups.end;
            shares.push(self.share(batch).await?);
        }
        self.join(&shares).await
    }

    fn batch(&self, first: usize) -> Batch {
        let mut circuit = Builder::new(2);
        let mut met = Bit::Known(true);
        let mut end = first;
        while end < self.split.groups() && (end == first || circuit.ands() < self.split.ands_per_circuit) {
            let parts_met = self.group(end).met(&mut circuit);
            met = circuit.and(met, parts_met);
            end += 1;
        }
        Batch {
            circuit,
            groups: first..end,
            met,
        }
    }

    /// Both parties learn the outcome of a batch.
    async fn open(&self, batch: Batch) -> Result<bool, SecureError> {
        let inputs = self.inputs_of(batch.groups);
        let circuit = batch.circuit.finish(&[batch.met]);
        let outcome = compute(self.channel, &circuit, self.own, &inputs, &[PROPOSER, HOLDER]).await?;
        Ok(outcome == [true])
    }

    /// This party's share of the outcome of a batch. The proposer's is a random bit, the holder's is the outcome XOR that
    /// bit, so neither tells its owner anything.
    async fn share(&self, mut batch: Batch) -> Result<bool, SecureError> {
        let mask = batch.circuit.input(PROPOSER);
        let masked = batch.circuit.xor(batch.met, mask);
        let circuit = batch.circuit.finish(&[masked]);
        let mut inputs = self.inputs_of(batch.groups);
        if self.own == HOLDER {
            let share = compute(self.channel, &circuit, self.own, &inputs, &[HOLDER]).await?;
            return Ok(share == [true]);
        }
        let share = random_bit()?;
        inputs.push(share);
        compute(self.channel, &circuit, self.own, &inputs, &[HOLDER]).await?;
        Ok(share)
    }

    /// Both parties learn whether all shared outcomes are yes.
    async fn join(&self, shares: &[bool]) -> Result<bool, SecureError> {
        let mut circuit = Builder::new(2);
        let outcomes: Vec<Bit> = shares
            .iter()
            .map(|_| {
                let (proposers, holders) = (circuit.input(PROPOSER), circuit.input(HOLDER));
                circuit.xor(proposers, holders)
            })
            .collect();
        let met = circuit.all(&outcomes);
        let circuit = circuit.finish(&[met]);
        let outcome = compute(self.channel, &circuit, self.own, shares, &[PROPOSER, HOLDER]).await?;
        Ok(outcome == [true])
    }

    fn group(&self, number: usize) -> Group<'_> {
        self.split.group(number, self.rule, self.counted)
    }

    fn inputs_of(&self, groups: Range<usize>) -> Vec<bool> {
        groups.flat_map(|number| (self.inputs)(self.group(number))).collect()
    }
}

fn random_bit() -> Result<bool, getrandom::Error> {
    let mut byte = [0];
    getrandom::fill(&mut byte)?;
    Ok(byte[0] & 1 == 1)
}
