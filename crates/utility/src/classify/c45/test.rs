//! A [`Test`] is what a node of the tree asks of a case: its category, or whether its number is at most a threshold.
//!
//! Invariant: a case whose value is known has one outcome. A case whose value is missing has every outcome, in parts
//! as large as the shares of the known ones.

use super::weighted::{SMALL, Weighted};
use crate::classify::Cases;

/// What a node asks.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// Which category; one outcome for each.
    Category { feature: usize, categories: usize },
    /// Whether the rank of the number is at most this one; outcome 0 if so.
    AtMost { feature: usize, rank: u32 },
}

impl Test {
    /// The feature that it asks for.
    pub fn feature(&self) -> usize {
        match *self {
            Test::Category { feature, .. } | Test::AtMost { feature, .. } => feature,
        }
    }

    /// How many outcomes it has.
    pub fn outcomes(&self) -> usize {
        match *self {
            Test::Category { categories, .. } => categories,
            Test::AtMost { .. } => 2,
        }
    }

    /// The outcome of a case; `None` if the value is missing.
    #[inline]
    pub fn outcome(&self, cases: &Cases, case: u32) -> Option<usize> {
        let code = cases.features[self.feature()].code(case)?;
        Some(match *self {
            Test::Category { .. } => code as usize,
            Test::AtMost { rank, .. } => usize::from(code > rank),
        })
    }

    /// Which share of the cases with a known value has each outcome; equal shares if none is known.
    pub fn shares(&self, cases: &Cases, rows: &[Weighted]) -> Vec<f64> {
        let mut shares = vec![0.0; self.outcomes()];
        for row in rows {
            if let Some(outcome) = self.outcome(cases, row.case) {
                shares[outcome] += row.weight;
            }
        }
        let known: f64 = shares.iter().sum();
        if known < SMALL {
            let equal = 1.0 / shares.len() as f64;
            shares.fill(equal);
        } else {
            shares.iter_mut().for_each(|share| *share /= known);
        }
        shares
    }

    /// Deals the cases to the outcomes.
    pub fn deal(&self, cases: &Cases, rows: &[Weighted], shares: &[f64]) -> Vec<Vec<Weighted>> {
        let mut dealt = vec![Vec::new(); shares.len()];
        for &row in rows {
            match self.outcome(cases, row.case) {
                Some(outcome) => dealt[outcome].push(row),
                None => {
                    for (part, &share) in dealt.iter_mut().zip(shares).filter(|(_, share)| **share > SMALL) {
                        let weight = row.weight * share;
                        part.push(Weighted { weight, ..row });
                    }
                }
            }
        }
        dealt
    }
}
