//! A [`Builder`] writes down a boolean circuit that parties evaluate together.
//!
//! Invariant: a gate reads only wires that were made before it, and a bit that is known while building is never an
//! operand. XOR and NOT cost the parties nothing and every AND costs two of them about two kilobytes of messages, so
//! each part is built with as few ANDs as are known to do:
//!
//! | part | ANDs |
//! |---|---|
//! | `full_add`, and so `sum`, `difference` and `greater_than` | one per bit |
//! | `times` a known number | one `sum` per bit of it that is 1, but the first |
//! | `select` | one per bit |
//! | `count` of `n` bits | fewer than `n` |
//! | `spread` to `n` wires | `n - 1` |
//! | `one_of` `n` wires | at most `n - 2`, of 4 wires 1, of 8 wires 4 |
//! | `all`, `any` of `n` bits | `n - 1` |
//!
//! A number is a slice of bits, the lowest first; bits that it does not have are 0.
//!
//! # Source
//! One AND per full adder: Kolesnikov, Sadeghi and Schneider 2009. Counting by columns: Boyar and Peralta 2008.

use polytune::garble_lang::circuit::{Circuit as Gates, Gate as LaidOut};
use polytune::garble_lang::register_circuit::Circuit;

/// A bit of a circuit: known while building, or carried by a wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bit {
    Known(bool),
    On(Wire),
}

/// What carries a bit during the computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wire {
    /// An input of a party, by its place among the inputs of that party.
    Input { party: usize, place: usize },
    /// What a gate gives, by the place of the gate.
    Gate(usize),
}

#[derive(Clone, Copy, Debug)]
enum Gate {
    Xor(Wire, Wire),
    And(Wire, Wire),
    Not(Wire),
}

/// A circuit that is being written.
#[derive(Debug)]
pub(super) struct Builder {
    /// How many inputs each party has.
    inputs: Vec<usize>,
    gates: Vec<Gate>,
    ands: usize,
}

/// How many bits it takes to write every number up to this one.
pub(super) fn width(largest: usize) -> usize {
    (usize::BITS - largest.leading_zeros()) as usize
}

/// The lowest bits of a number, the lowest first: how a party gives a number to a circuit.
pub(super) fn bits_of(number: u64, width: usize) -> impl Iterator<Item = bool> {
    (0..width).map(move |bit| number >> bit & 1 == 1)
}

impl Builder {
    pub(super) fn new(parties: usize) -> Self {
        Self {
            inputs: vec![0; parties],
            gates: Vec::new(),
            ands: 0,
        }
    }

    /// How many ANDs there are so far.
    pub(super) fn ands(&self) -> usize {
        self.ands
    }

    /// The next input of a party.
    pub(super) fn input(&mut self, party: usize) -> Bit {
        let place = self.inputs[party];
        self.inputs[party] += 1;
        Bit::On(Wire::Input { party, place })
    }

    /// The next inputs of a party as a number.
    pub(super) fn number(&mut self, party: usize, width: usize) -> Vec<Bit> {
        (0..width).map(|_| self.input(party)).collect()
    }

    pub(super) fn not(&mut self, a: Bit) -> Bit {
        match a {
            Bit::Known(a) => Bit::Known(!a),
            Bit::On(a) => self.gate(Gate::Not(a)),
        }
    }

    pub(super) fn xor(&mut self, a: Bit, b: Bit) -> Bit {
        match (a, b) {
            (Bit::Known(false), other) | (other, Bit::Known(false)) => other,
            (Bit::Known(true), other) | (other, Bit::Known(true)) => self.not(other),
            (Bit::On(a), Bit::On(b)) if a == b => Bit::Known(false),
            (Bit::On(a), Bit::On(b)) => self.gate(Gate::Xor(a, b)),
        }
    }

    pub(super) fn and(&mut self, a: Bit, b: Bit) -> Bit {
        match (a, b) {
            (Bit::Known(false), _) | (_, Bit::Known(false)) => Bit::Known(false),
            (Bit::Known(true), other) | (other, Bit::Known(true)) => other,
            (Bit::On(a), Bit::On(b)) if a == b => Bit::On(a),
            (Bit::On(a), Bit::On(b)) => {
                self.ands += 1;
                self.gate(Gate::And(a, b))
            }
        }
    }

    /// Whether all bits are 1.
    pub(super) fn all(&mut self, bits: &[Bit]) -> Bit {
        bits.iter().fold(Bit::Known(true), |all, &bit| self.and(all, bit))
    }

    /// Whether a bit is 1.
    pub(super) fn any(&mut self, bits: &[Bit]) -> Bit {
        let none: Vec<Bit> = bits.iter().map(|&bit| self.not(bit)).collect();
        let none = self.all(&none);
        self.not(none)
    }

    /// `a` where `which` is 1, else `b`.
    pub(super) fn select(&mut self, which: Bit, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
        pairs(a, b).map(|(a, b)| self.select_bit(which, a, b)).collect()
    }

    fn select_bit(&mut self, which: Bit, a: Bit, b: Bit) -> Bit {
        let change = self.xor(a, b);
        let change = self.and(which, change);
        self.xor(b, change)
    }

    /// Whether `a > b`.
    pub(super) fn greater_than(&mut self, a: &[Bit], b: &[Bit]) -> Bit {
        // From the lowest bit up: where the bits differ, the one of `a` decides anew.
        pairs(a, b).fold(Bit::Known(false), |lower, (a, b)| {
            let differ = self.xor(a, b);
            self.select_bit(differ, a, lower)
        })
    }

    /// Whether two numbers are not the same.
    pub(super) fn differ(&mut self, a: &[Bit], b: &[Bit]) -> Bit {
        let differing: Vec<Bit> = pairs(a, b).map(|(a, b)| self.xor(a, b)).collect();
        self.any(&differing)
    }

    /// `a + b`, one bit longer than the longer of them.
    pub(super) fn sum(&mut self, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
        let mut carry = Bit::Known(false);
        let mut sum = Vec::with_capacity(a.len().max(b.len()) + 1);
        for (a, b) in pairs(a, b) {
            let (low, high) = self.full_add(a, b, carry);
            sum.push(low);
            carry = high;
        }
        sum.push(carry);
        sum
    }

    /// `a - b` in as many bits as the longer of them has; `a` is not the smaller.
    pub(super) fn difference(&mut self, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
        // a + not b + 1; nobody needs what the highest bit carries.
        let mut carry = Bit::Known(true);
        let bits = a.len().max(b.len());
        let mut difference = Vec::with_capacity(bits);
        for (place, (a, b)) in pairs(a, b).enumerate() {
            let b = self.not(b);
            if place + 1 == bits {
                let differ = self.xor(a, b);
                difference.push(self.xor(differ, carry));
            } else {
                let (low, high) = self.full_add(a, b, carry);
                difference.push(low);
                carry = high;
            }
        }
        difference
    }

    /// A number times one that is known.
    pub(super) fn times(&mut self, number: &[Bit], factor: u64) -> Vec<Bit> {
        let mut product = Vec::new();
        for shift in (0..u64::BITS as usize).filter(|&shift| factor >> shift & 1 == 1) {
            let shifted: Vec<Bit> = std::iter::repeat_n(Bit::Known(false), shift)
                .chain(number.iter().copied())
                .collect();
            product = if product.is_empty() {
                shifted
            } else {
                self.sum(&product, &shifted)
            };
        }
        product
    }

    /// How many of the bits are 1.
    pub(super) fn count(&mut self, bits: &[Bit]) -> Vec<Bit> {
        let mut count = Vec::with_capacity(width(bits.len()));
        // All bits of a column weigh the same. Adding them up leaves one, and carries for the next column.
        let mut column = bits.to_vec();
        while let Some((&first, rest)) = column.split_first() {
            let mut carries = Vec::with_capacity(rest.len().div_ceil(2));
            let left = rest.chunks(2).fold(first, |sum, two| {
                let (low, high) = self.full_add(sum, two[0], two.get(1).copied().unwrap_or(Bit::Known(false)));
                carries.push(high);
                low
            });
            count.push(left);
            column = carries;
        }
        count
    }

    /// The low and the high bit of `a + b + c`.
    fn full_add(&mut self, a: Bit, b: Bit, c: Bit) -> (Bit, Bit) {
        let differ = self.xor(a, b);
        let low = self.xor(differ, c);
        (low, self.select_bit(differ, c, a))
    }

    /// As many wires as asked for, of which the one that `number` says carries `bit` and all others 0.
    pub(super) fn spread(&mut self, bit: Bit, number: &[Bit], wires: usize) -> Vec<Bit> {
        if wires <= 1 {
            return vec![bit; wires];
        }
        let top = width(wires - 1) - 1;
        let lower = 1 << top;
        let above = self.and(bit, number[top]);
        let below = self.xor(bit, above);
        let mut spread = self.spread(below, number, lower);
        spread.extend(self.spread(above, number, wires - lower));
        spread
    }

    /// As many wires as asked for, of which the one that `number` says carries 1 and all others 0. A number that is too large
    /// says one of them, too.
    pub(super) fn one_of(&mut self, number: &[Bit], wires: usize) -> Vec<Bit> {
        if wires <= 1 {
            return vec![Bit::Known(true); wires];
        }
        let top = width(wires - 1) - 1;
        let lower = 1 << top;
        let mut all = self.one_of(number, lower);
        let upper = wires - lower;
        // Just one of the lower wires carries 1: where each has one above it, those above add up to the highest bit.
        let is_full = upper == lower;
        let mut above = vec![number[top]; upper];
        for place in usize::from(is_full)..upper {
            above[place] = self.and(all[place], number[top]);
        }
        if is_full {
            above[0] = above.iter().skip(1).fold(number[top], |left, &bit| self.xor(left, bit));
        }
        for (below, &above) in all.iter_mut().zip(&above) {
            *below = self.xor(*below, above);
        }
        all.extend(above);
        all
    }

    /// The circuit that gives these bits. At least one party has an input.
    pub(super) fn finish(mut self, outputs: &[Bit]) -> Circuit {
        let outputs: Vec<Wire> = outputs.iter().map(|&bit| self.carried(bit)).collect();
        let mut inputs = 0;
        let mut firsts = Vec::with_capacity(self.inputs.len());
        for own in &self.inputs {
            firsts.push(inputs);
            inputs += own;
        }
        let at = |wire| match wire {
            Wire::Input { party, place } => firsts[party] + place,
            Wire::Gate(gate) => inputs + gate,
        };
        let gates = self.gates.iter().map(|&gate| match gate {
            Gate::Xor(a, b) => LaidOut::Xor(at(a), at(b)),
            Gate::And(a, b) => LaidOut::And(at(a), at(b)),
            Gate::Not(a) => LaidOut::Not(at(a)),
        });
        let gates = gates.collect();
        let output_gates = outputs.into_iter().map(at).collect();
        // The conversion lets gates share registers, and the memory of a computation follows the registers.
        Circuit::from(Gates {
            input_gates: self.inputs,
            gates,
            output_gates,
        })
    }

    /// A wire that carries the bit. Only an output that is known while building needs gates for it.
    fn carried(&mut self, bit: Bit) -> Wire {
        match bit {
            Bit::On(wire) => wire,
            Bit::Known(known) => {
                let party = self.inputs.iter().position(|&own| own > 0).unwrap_or_default();
                let input = Wire::Input { party, place: 0 };
                let zero = self.push(Gate::Xor(input, input));
                if known { self.push(Gate::Not(zero)) } else { zero }
            }
        }
    }

    fn gate(&mut self, gate: Gate) -> Bit {
        Bit::On(self.push(gate))
    }

    fn push(&mut self, gate: Gate) -> Wire {
        self.gates.push(gate);
        Wire::Gate(self.gates.len() - 1)
    }
}

/// The bits of two numbers side by side, up to the end of the longer.
fn pairs(a: &[Bit], b: &[Bit]) -> impl Iterator<Item = (Bit, Bit)> {
    let bit = |number: &[Bit], at: usize| number.get(at).copied().unwrap_or(Bit::Known(false));
    (0..a.len().max(b.len())).map(move |at| (bit(a, at), bit(b, at)))
}

#[cfg(test)]
mod tests;
