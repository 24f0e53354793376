//! One [`Group`] that a refinement splits: what each party puts in for it, and the circuit that checks its parts.
//!
//! Invariant: [`Group::met`] takes the inputs of each party in the order in which [`Group::proposer_inputs`] and
//! [`Group::holder_inputs`] give them. Whatever a party puts in, each row is in one part, and has one value of each column:
//! both are put in as a number, and told apart in the circuit.
//!
//! The circuit counts, for every child but the last, the rows of each *tally*: a secret set, or one value of a column. What
//! the last child has of a tally is what the others leave of the total, which the holder puts in. From the size of a part
//! follows what it may have; the size is counted too, or is the sum of the tallies of a column.

use std::ops::Range;

use super::rule::{Bound, Rule};
use super::secrets::{Counted, OTHER, Secrets};
use super::split::Split;
use crate::secure::circuit::{Bit, Builder, bits_of, width};

/// Who asks, and who has the secrets, as the computation numbers them.
pub(super) const PROPOSER: usize = 0;
pub(super) const HOLDER: usize = 1;

/// A group and how its parts are measured.
#[derive(Clone, Debug)]
pub(super) struct Group<'a> {
    pub(super) rows: Range<usize>,
    pub(super) children: usize,
    pub(super) rule: &'a Rule,
    pub(super) counted: &'a Counted,
}

/// A number of a circuit, the lowest bit first.
type Number = Vec<Bit>;

/// What is counted of one part.
struct Part {
    /// The rows, where they are asked for.
    size: Number,
    /// The rows of each tally that is compared.
    tallies: Vec<Number>,
}

impl Split {
    /// One of its groups, of which all parts must be as the rule says.
    pub(super) fn group<'a>(&self, number: usize, rule: &'a Rule, counted: &'a Counted) -> Group<'a> {
        Group {
            rows: self.rows_of(number),
            children: self.children,
            rule,
            counted,
        }
    }
}

impl Group<'_> {
    /// The proposer's: for every row, the number of its child.
    pub(super) fn proposer_inputs(&self, children: &[u16]) -> Vec<bool> {
        let rows = children[self.rows.clone()].iter();
        rows.flat_map(|&child| bits_of(child.into(), self.child_bits()))
            .collect()
    }

    /// The holder's: for every row its secrets, then the total of every tally.
    pub(super) fn holder_inputs(&self, secrets: Secrets<'_>) -> Vec<bool> {
        let mut inputs = Vec::new();
        let mut totals = vec![0u64; self.tallies()];
        for row in self.rows.clone() {
            for (set, total) in secrets.sets.iter().zip(&mut totals) {
                inputs.push(set[row]);
                *total += u64::from(set[row]);
            }
            let mut first = secrets.sets.len();
            for (column, wires) in secrets.columns.iter().zip(self.wires()) {
                let value = match column.of_rows[row] {
                    OTHER => wires - 1,
                    value => value as usize,
                };
                inputs.extend(bits_of(value as u64, width(wires - 1)));
                totals[first + value] += 1;
                first += wires;
            }
        }
        let bits = width(self.rows.len());
        inputs.extend(totals.into_iter().flat_map(|total| bits_of(total, bits)));
        inputs
    }

    /// Whether every part of the group is as the rule says.
    pub(super) fn met(&self, circuit: &mut Builder) -> Bit {
        let rows = self.counted_rows(circuit);
        let mut counts: Vec<Vec<Number>> = rows
            .iter()
            .map(|child| child.iter().map(|rows| circuit.count(rows)).collect())
            .collect();
        let bits = width(self.rows.len());
        let totals: Vec<Number> = (0..self.tallies()).map(|_| circuit.number(HOLDER, bits)).collect();
        let counts_size = self.counts_size();
        let all = counts_size.then(|| bits_of(self.rows.len() as u64, bits).map(Bit::Known).collect());
        let last = totals.into_iter().chain(all).enumerate();
        let last = last
            .map(|(tally, total)| rest(circuit, total, &counts, tally))
            .collect();
        counts.push(last);
        let breaches: Vec<Bit> = counts
            .into_iter()
            .map(|counts| {
                let part = self.part(circuit, counts);
                self.breach(circuit, &part)
            })
            .collect();
        let breached = circuit.any(&breaches);
        circuit.not(breached)
    }

    /// For every child but the last and every tally, a bit for each row: whether it is there and counts. At the end the rows
    /// themselves, if their number is asked for and follows from nothing else.
    fn counted_rows(&self, circuit: &mut Builder) -> Vec<Vec<Vec<Bit>>> {
        let per_child = self.tallies() + usize::from(self.counts_size());
        let mut rows = vec![vec![Vec::with_capacity(self.rows.len()); per_child]; self.children - 1];
        for _ in self.rows.clone() {
            let child = circuit.number(PROPOSER, self.child_bits());
            let goes = circuit.one_of(&child, self.children);
            let sets = circuit.number(HOLDER, self.counted.sets);
            let values: Vec<(Number, usize)> = self
                .wires()
                .map(|wires| (circuit.number(HOLDER, width(wires - 1)), wires))
                .collect();
            for (&goes, rows) in goes.iter().zip(&mut rows) {
                let mut bits: Vec<Bit> = sets.iter().map(|&has| circuit.and(goes, has)).collect();
                for (value, wires) in &values {
                    bits.extend(circuit.spread(goes, value, *wires));
                }
                bits.extend(self.counts_size().then_some(goes));
                rows.iter_mut().zip(bits).for_each(|(rows, bit)| rows.push(bit));
            }
        }
        rows
    }

    /// What is compared of a part, from all that was counted of it.
    fn part(&self, circuit: &mut Builder, counts: Vec<Number>) -> Part {
        let mut counts = counts.into_iter();
        let mut tallies: Vec<Number> = counts.by_ref().take(self.counted.sets).collect();
        let mut size = None;
        for (place, values) in self.counted.columns.iter().enumerate() {
            let mut of_column: Vec<Number> = counts.by_ref().take(self.wires_of(place)).collect();
            if self.needs_size() && size.is_none() {
                size = Some(self.sum(circuit, &of_column));
            }
            of_column.truncate(of_column.len() - usize::from(values.others));
            tallies.extend(of_column);
        }
        let size = size.or_else(|| counts.next()).unwrap_or_default();
        Part { size, tallies }
    }

    /// Whether a part is not as the rule says.
    fn breach(&self, circuit: &mut Builder, part: &Part) -> Bit {
        let mut breaches = Vec::new();
        match &self.rule.bound {
            Bound::Share(shares) => {
                // with / size > p / q, without a division.
                let (p, q) = shares.largest(self.rows.len());
                let allowed = circuit.times(&part.size, p);
                for with in &part.tallies {
                    let with = circuit.times(with, q);
                    breaches.push(circuit.greater_than(&with, &allowed));
                }
            }
            Bound::Distinct(least) => {
                let present: Vec<Bit> = part.tallies.iter().map(|count| circuit.any(count)).collect();
                let distinct = circuit.count(&present);
                breaches.push(self.is_between(circuit, &distinct, *least));
            }
        }
        if self.checks_size() {
            breaches.push(self.is_between(circuit, &part.size, self.rule.least));
        }
        circuit.any(&breaches)
    }

    /// Whether a number is not 0 and below a bound.
    fn is_between(&self, circuit: &mut Builder, number: &[Bit], bound: u32) -> Bit {
        let some = circuit.any(number);
        let bound: Number = bits_of(bound.into(), u32::BITS as usize).map(Bit::Known).collect();
        let below = circuit.greater_than(&bound, number);
        circuit.and(some, below)
    }

    /// The sum of numbers that are together no more than the rows of the group.
    fn sum(&self, circuit: &mut Builder, numbers: &[Number]) -> Number {
        let bits = width(self.rows.len());
        let first = numbers.first().cloned().unwrap_or_default();
        numbers.iter().skip(1).fold(first, |sum, number| {
            let mut sum = circuit.sum(&sum, number);
            sum.truncate(bits);
            sum
        })
    }

    /// Whether the circuit must know how large a part is.
    fn needs_size(&self) -> bool {
        self.checks_size() || matches!(self.rule.bound, Bound::Share(_))
    }

    /// Whether a part could be too small and yet be as the bound says.
    fn checks_size(&self) -> bool {
        let enough = match &self.rule.bound {
            Bound::Distinct(least) => u64::from(*least),
            // Where every row has a secret, one row is a share that a small part cannot have.
            Bound::Share(shares) if self.counted.columns.iter().any(|values| !values.others) => {
                let (p, q) = shares.largest(self.rows.len());
                if p == 0 { u64::MAX } else { q.div_ceil(p) }
            }
            Bound::Share(_) => 1,
        };
        u64::from(self.rule.least) > enough
    }

    /// Whether rows are counted for their own sake: no column has a value for each of them.
    fn counts_size(&self) -> bool {
        self.needs_size() && self.counted.columns.is_empty()
    }

    fn child_bits(&self) -> usize {
        width(self.children - 1)
    }

    /// For each column, how many wires tell its values apart.
    fn wires(&self) -> impl Iterator<Item = usize> {
        (0..self.counted.columns.len()).map(|place| self.wires_of(place))
    }

    fn wires_of(&self, place: usize) -> usize {
        let values = self.counted.columns[place];
        // A group has no more values than rows, and the holder numbers them anew in every group.
        (values.compared.min(self.rows.len()) + usize::from(values.others)).max(1)
    }

    fn tallies(&self) -> usize {
        self.counted.sets + self.wires().sum::<usize>()
    }
}

/// What all children but the last leave of a tally.
fn rest(circuit: &mut Builder, total: Number, counts: &[Vec<Number>], tally: usize) -> Number {
    counts
        .iter()
        .fold(total, |left, counts| circuit.difference(&left, &counts[tally]))
}
