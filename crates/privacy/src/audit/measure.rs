//! A [`Measure`] turns the histogram of a group into its level.

use super::earth::Earth;
use super::guarded::Guarded;
use super::kinds::{Count, size};
use super::ranges::Ranges;
use super::rows::{PERSON, RELEASED};
use super::whole::Whole;
use crate::{Decimal, Diversity};

/// What is measured of a group. Histograms are in value order and not empty.
pub(super) enum Measure {
    /// How many rows it has.
    Rows,
    /// How many different values it has.
    Different,
    /// How many people look like it, if it has a released row.
    People,
    /// The share of its most frequent value.
    LargestShare,
    /// The largest share of any of these sets of values: for each set, whether each value is in it.
    LargestShareOf(Vec<Vec<bool>>),
    /// How many equally frequent values would be as hard to guess.
    Entropy,
    /// The largest l for which it is recursive (c, l)-diverse.
    Recursive {
        /// The factor of the less frequent values.
        c: Decimal,
    },
    /// How far its values are from those of the whole release.
    Distance(Earth),
    /// The largest |ln(p/q)| of a value.
    Disclosure(Whole),
    /// The largest (p − q)/q of a value.
    Gain(Whole),
    /// The same, infinite if a gain is above −ln q.
    EnhancedGain(Whole),
    /// The largest share under a node that someone guards.
    Guarded(Guarded),
    /// How surely its rows give away the sensitive ranges of their values.
    RangeDiversity(Ranges),
}

/// How well the values of a group are represented.
pub(crate) fn diversity(measure: Diversity, group: &[Count]) -> f64 {
    Measure::of_diversity(measure).level(group)
}

impl Measure {
    /// How well sensitive values are represented.
    pub(super) fn of_diversity(diversity: Diversity) -> Measure {
        match diversity {
            Diversity::Distinct { .. } => Measure::Different,
            Diversity::Entropy { .. } => Measure::Entropy,
            Diversity::Recursive { c, .. } => Measure::Recursive { c: Decimal::of(c) },
        }
    }

    /// The level of one group.
    pub(super) fn level(&self, group: &[Count]) -> f64 {
        match self {
            Measure::Rows => size(group) as f64,
            Measure::Different => group.len() as f64,
            Measure::People => people(group),
            Measure::LargestShare => largest(group) as f64 / size(group) as f64,
            Measure::LargestShareOf(sets) => largest_set(sets, group) as f64 / size(group) as f64,
            Measure::Entropy => entropy(group).exp2(),
            Measure::Recursive { c } => recursive(*c, group) as f64,
            Measure::Distance(earth) => earth.distance(group),
            Measure::Disclosure(whole) => whole.disclosure(group),
            Measure::Gain(whole) => whole.gain(group),
            Measure::EnhancedGain(whole) => whole.enhanced_gain(group),
            Measure::Guarded(guarded) => guarded.largest_share(group),
            Measure::RangeDiversity(ranges) => ranges.range_diversity(group),
        }
    }
}

/// Where nothing is released, nobody is found: any number of people will do.
fn people(group: &[Count]) -> f64 {
    match group {
        [released, person] if (released.value, person.value) == (RELEASED, PERSON) => person.rows as f64,
        [released] if released.value == RELEASED => 0.0,
        _ => f64::INFINITY,
    }
}

fn largest(group: &[Count]) -> u64 {
    group.iter().map(|count| count.rows).max().unwrap_or(0)
}

fn largest_set(sets: &[Vec<bool>], group: &[Count]) -> u64 {
    let rows = |set: &Vec<bool>| {
        let members = group.iter().filter(|count| set[count.value as usize]);
        members.map(|count| count.rows).sum()
    };
    sets.iter().map(rows).max().unwrap_or(0)
}

/// In bits (Fung, definition 2.1.1).
fn entropy(group: &[Count]) -> f64 {
    let size = size(group) as f64;
    let of_value = |count: &Count| {
        let share = count.rows as f64 / size;
        -share * share.log2()
    };
    group.iter().map(of_value).sum()
}

/// The largest l with f₁ < c·(f_l + … + f_m), frequencies in falling order; 0 if there is none (Fung, definition 2.1.2).
fn recursive(c: Decimal, group: &[Count]) -> usize {
    let mut frequencies: Vec<u64> = group.iter().map(|count| count.rows).collect();
    frequencies.sort_unstable_by(|a, b| b.cmp(a));
    let mut tail = 0;
    for l in (1..=frequencies.len()).rev() {
        tail += frequencies[l - 1];
        if c.exceeds(frequencies[0], tail) {
            return l;
        }
    }
    0
}
