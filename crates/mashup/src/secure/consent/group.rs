//! One [`Group`] that a refinement splits: what each party puts in for it, and the circuit that checks its parts.
//!
//! Invariant: [`Group::met`] takes the inputs of each party in the order in which [`Group::proposer_inputs`] and
//! [`Group::holder_inputs`] give them.
//!
//! The circuit counts, for every child but the last, the rows of each *tally*: a secret set, or one sensitive value. What
//! the last child has of a tally is what the others leave of the total, which the holder puts in.

use std::collections::HashMap;
use std::ops::Range;

use super::{HOLDER, Measure, PROPOSER, Secrets};
use crate::secure::circuit::{Bit, Builder, bits_of, width};

/// A group and how its parts are measured.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// Its place among the groups.
    pub(super) number: usize,
    pub(super) rows: Range<usize>,
    pub(super) children: usize,
    pub(super) measure: Measure,
}

/// A number of a circuit, the lowest bit first.
type Number = Vec<Bit>;

impl Group {
    /// The proposer's: for every row and child but the last, whether the row goes there; then the thresholds.
    pub(super) fn proposer_inputs(&self, children: &[u16], thresholds: &[u32]) -> Vec<bool> {
        let rows = children[self.rows.clone()].iter();
        let goes = rows.flat_map(|&child| (0..self.children - 1).map(move |other| usize::from(child) == other));
        let largest = self.largest_threshold();
        let thresholds = thresholds[self.number * self.children..][..self.children].iter();
        let thresholds = thresholds.map(|&threshold| (threshold as usize).min(largest));
        goes.chain(thresholds.flat_map(|threshold| bits_of(threshold as u64, width(largest))))
            .collect()
    }

    /// The holder's: for every row its secret, then the total of every tally.
    pub(super) fn holder_inputs(&self, secrets: Secrets<'_>) -> Vec<bool> {
        let mut inputs = Vec::with_capacity(self.rows.len() * self.secret_bits());
        let mut totals = vec![0; self.tallies()];
        match secrets {
            Secrets::Sets(sets) => {
                for row in self.rows.clone() {
                    for (set, total) in sets.iter().zip(&mut totals) {
                        inputs.push(set[row]);
                        *total += u64::from(set[row]);
                    }
                }
            }
            Secrets::Values { of_rows, .. } => {
                for value in renumbered(&of_rows[self.rows.clone()]) {
                    inputs.extend(bits_of(value as u64, self.secret_bits()));
                    totals[value] += 1;
                }
            }
        }
        inputs.extend(
            totals
                .into_iter()
                .flat_map(|total| bits_of(total, width(self.rows.len()))),
        );
        inputs
    }

    /// Whether every part of the group meets the template.
    pub(super) fn met(&self, circuit: &mut Builder) -> Bit {
        let counts = self.counts(circuit);
        let thresholds: Vec<Number> = (0..self.children)
            .map(|_| circuit.number(PROPOSER, width(self.largest_threshold())))
            .collect();
        let totals: Vec<Number> = (0..self.tallies())
            .map(|_| circuit.number(HOLDER, width(self.rows.len())))
            .collect();
        let breaches = match self.measure {
            Measure::SharesAtMost { .. } => too_many(circuit, &counts, &totals, &thresholds),
            Measure::DistinctAtLeast { .. } => too_few(circuit, &counts, &totals, &thresholds),
        };
        let breached = circuit.any(&breaches);
        circuit.not(breached)
    }

    /// For every child but the last and every tally, how many rows there are.
    fn counts(&self, circuit: &mut Builder) -> Vec<Vec<Number>> {
        let mut rows = vec![vec![Vec::with_capacity(self.rows.len()); self.tallies()]; self.children - 1];
        for _ in self.rows.clone() {
            let goes = circuit.number(PROPOSER, self.children - 1);
            let secret = circuit.number(HOLDER, self.secret_bits());
            for (goes, rows) in goes.into_iter().zip(&mut rows) {
                for (counted, rows) in self.counted(circuit, goes, &secret).into_iter().zip(rows) {
                    rows.push(counted);
                }
            }
        }
        rows.iter()
            .map(|child| child.iter().map(|rows| circuit.count(rows)).collect())
            .collect()
    }

    /// For every tally, whether a row with this secret goes to a child and counts there.
    fn counted(&self, circuit: &mut Builder, goes: Bit, secret: &[Bit]) -> Vec<Bit> {
        match self.measure {
            Measure::SharesAtMost { .. } => secret.iter().map(|&has| circuit.and(goes, has)).collect(),
            Measure::DistinctAtLeast { .. } => circuit.spread(goes, secret, self.tallies()),
        }
    }

    fn tallies(&self) -> usize {
        match self.measure {
            Measure::SharesAtMost { sets } => sets,
            // A group has no more values than rows, and the holder numbers them anew in every group.
            Measure::DistinctAtLeast { values } => values.min(self.rows.len()),
        }
    }

    /// How many bits tell the secret of a row.
    fn secret_bits(&self) -> usize {
        match self.measure {
            Measure::SharesAtMost { sets } => sets,
            Measure::DistinctAtLeast { .. } => width(self.tallies() - 1),
        }
    }

    /// A larger threshold says the same as this one: always met, or never.
    fn largest_threshold(&self) -> usize {
        match self.measure {
            Measure::SharesAtMost { .. } => self.rows.len(),
            Measure::DistinctAtLeast { .. } => self.tallies() + 1,
        }
    }
}

/// For every child and tally, whether the child has more rows of it than its threshold.
fn too_many(circuit: &mut Builder, counts: &[Vec<Number>], totals: &[Number], thresholds: &[Number]) -> Vec<Bit> {
    let mut breaches = Vec::new();
    for (counts, threshold) in counts.iter().zip(thresholds) {
        breaches.extend(counts.iter().map(|count| circuit.greater_than(count, threshold)));
    }
    let last = &thresholds[counts.len()];
    for (tally, total) in totals.iter().enumerate() {
        // total - elsewhere > threshold, without a subtraction.
        let elsewhere = elsewhere(circuit, counts, tally);
        let allowed = circuit.sum(&elsewhere, last);
        breaches.push(circuit.greater_than(total, &allowed));
    }
    breaches
}

/// For every child, whether it has rows of fewer tallies than its threshold.
fn too_few(circuit: &mut Builder, counts: &[Vec<Number>], totals: &[Number], thresholds: &[Number]) -> Vec<Bit> {
    let mut present: Vec<Vec<Bit>> = counts
        .iter()
        .map(|counts| counts.iter().map(|count| circuit.any(count)).collect())
        .collect();
    let in_last = totals.iter().enumerate().map(|(tally, total)| {
        let elsewhere = elsewhere(circuit, counts, tally);
        circuit.differ(total, &elsewhere)
    });
    present.push(in_last.collect());
    let parts = present.iter().zip(thresholds);
    parts
        .map(|(present, threshold)| {
            let distinct = circuit.count(present);
            circuit.greater_than(threshold, &distinct)
        })
        .collect()
}

/// How many rows of a tally are in other children than the last.
fn elsewhere(circuit: &mut Builder, counts: &[Vec<Number>], tally: usize) -> Number {
    let mut children = counts.iter().map(|counts| &counts[tally]);
    let first = children.next().cloned().unwrap_or_default();
    children.fold(first, |sum, count| {
        let mut sum = circuit.sum(&sum, count);
        // Together the children have no more rows than the group, so nothing is ever carried.
        sum.truncate(count.len());
        sum
    })
}

/// The same values numbered from 0 in the order in which they first occur.
fn renumbered(values: &[u32]) -> Vec<usize> {
    let mut numbers = HashMap::new();
    let number_of = |value: &u32| {
        let next = numbers.len();
        *numbers.entry(*value).or_insert(next)
    };
    values.iter().map(number_of).collect()
}
