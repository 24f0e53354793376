//! The worst level that a part of a group can have, if of each value there are so many people at least and at most.
//!
//! | value | at least | at most | share of HIV at worst |
//! |---|---|---|---|
//! | HIV | 1 | 3 | 3 of 5: all that can be, and of others no more than must |
//! | Flu | 2 | 2 | |
//!
//! A share is worst where its own value has the most people and every other the least. So is recursive diversity, whose
//! tail only grows with values other than the most frequent, and the number of different values, of which those count
//! that somebody must have. Entropy is at least that of a uniform distribution in which every value has the largest
//! share, and that is what is taken where numbers are not certain.

use super::super::kinds::Count;
use super::super::measure::Measure;
use super::staying::Span;
use crate::Sense;

/// The worst level of a part; `None` if nobody can be in it.
pub(super) fn worst_level(measure: &Measure, sense: Sense, part: &[Span]) -> Option<f64> {
    if part.is_empty() {
        return None;
    }
    if part.iter().all(|span| span.least == span.most) {
        return Some(measure.level(&least(part)));
    }
    Some(match measure {
        Measure::Rows => people(part).max(1) as f64,
        Measure::Different => least(part).len().max(1) as f64,
        Measure::LargestShare => largest_share(part),
        Measure::LargestShareOf(sets) => {
            let shares = sets.iter().map(|set| share(part, |span| set[span.value as usize]));
            shares.fold(0.0, f64::max)
        }
        Measure::Entropy => 1.0 / largest_share(part),
        Measure::Recursive { .. } => at_corners(measure, sense, part),
        Measure::People
        | Measure::Distance(_)
        | Measure::Disclosure(_)
        | Measure::Gain(_)
        | Measure::EnhancedGain(_)
        | Measure::Guarded(_)
        | Measure::RangeDiversity(_) => unreachable!("versions are not compared by it"),
    })
}

/// The people who must be there.
fn least(part: &[Span]) -> Vec<Count> {
    let count = |span: &Span| Count {
        group: 0,
        value: span.value,
        rows: span.least,
    };
    part.iter().map(count).filter(|count| count.rows > 0).collect()
}

fn people(part: &[Span]) -> u64 {
    part.iter().map(|span| span.least).sum()
}

/// The largest share that some values can have together.
fn share(part: &[Span], is_in: impl Fn(&Span) -> bool) -> f64 {
    let most: u64 = part.iter().filter(|span| is_in(span)).map(|span| span.most).sum();
    let others: u64 = part.iter().filter(|span| !is_in(span)).map(|span| span.least).sum();
    if most == 0 {
        return 0.0;
    }
    most as f64 / (most + others) as f64
}

fn largest_share(part: &[Span]) -> f64 {
    let all = people(part);
    let share = |span: &Span| span.most as f64 / (all - span.least + span.most) as f64;
    part.iter().map(share).fold(0.0, f64::max)
}

/// The worst level if one value has the most people and every other the least.
fn at_corners(measure: &Measure, sense: Sense, part: &[Span]) -> f64 {
    let corner = |span: &Span| {
        let raised = |other: &Span| Count {
            group: 0,
            value: other.value,
            rows: if other.value == span.value {
                other.most
            } else {
                other.least
            },
        };
        let counts: Vec<Count> = part.iter().map(raised).filter(|count| count.rows > 0).collect();
        measure.level(&counts)
    };
    part.iter().map(corner).fold(sense.best(), |a, b| sense.worse(a, b))
}
