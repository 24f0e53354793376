//! Consent: the holder of a sensitive column and the proposer of a refinement find out whether every part that the
//! refinement makes still meets a template.
//!
//! Both know the groups that the refinement would split, and their rows in one order, group by group. The proposer
//! alone knows the *child* that each row goes to, and from the size of each part the *threshold* that the template sets
//! for it. The holder alone knows the secrets. Both learn one bit: all parts are within their thresholds.
//!
//! | row | child (proposer) | has HIV (holder) |
//! |---|---|---|
//! | 0 | 0 | yes |
//! | 1 | 0 | no |
//! | 2 | 1 | yes |
//! | 3 | 1 | yes |
//!
//! With confidence at most 1/2 a part of two rows may hold one with HIV: the thresholds are 1 and 1. Child 0 has one,
//! child 1 has two, so the answer is no. Neither party learns which child it was: the next best candidate is sought.
//!
//! Invariant: nobody learns which group, child or set decided. One computation covers many groups; where there are
//! too many for one, each outcome is split into two random bits, one for each party, and a last computation joins them.
//!
//! # Source
//! PPMashup §7 lets the holder check a proposed refinement, and thereby see it. This check shows it nothing but the
//! answer.
//!
//! # Cost
//! With `c` children, a row costs `2(c - 1)` ANDs per secret set, or somewhat less per sensitive value; what the last
//! child has is what the others leave, which costs nothing per row. An AND is about 2 kB of messages.

mod group;
mod question;

use std::ops::Range;

use polytune::channel::Channel;

use crate::secure::SecureError;
use group::Group;
use question::Question;

const PROPOSER: usize = 0;
const HOLDER: usize = 1;

/// A circuit that has so many ANDs takes no further group. Memory follows the size of a circuit: this many ANDs take a
/// party about 120 MB.
const ANDS_PER_CIRCUIT: usize = 100_000;

/// More children than these bits can number are refused.
const CHILD_BITS_AT_MOST: u32 = 16;

/// What both parties know of a refinement: the groups that it splits, and into how many children at most.
#[derive(Clone, Debug)]
pub struct Split {
    /// Where the rows of each group begin, and at last where they end.
    bounds: Vec<usize>,
    children: usize,
    ands_per_circuit: usize,
}

/// What a template measures in every part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Of each secret set, a part has at most as many rows as its threshold.
    SharesAtMost {
        /// How many secret sets there are.
        sets: usize,
    },
    /// A part has at least as many different sensitive values as its threshold.
    DistinctAtLeast {
        /// How many sensitive values there are.
        values: usize,
    },
}

/// What the holder alone knows of the rows.
#[derive(Clone, Copy, Debug)]
pub enum Secrets<'a> {
    /// For [`Measure::SharesAtMost`]: one list per secret set, which tells of every row whether its value is in the set.
    Sets(&'a [Vec<bool>]),
    /// For [`Measure::DistinctAtLeast`].
    Values {
        /// How many sensitive values there are.
        values: usize,
        /// The number of every row's value, below `values`.
        of_rows: &'a [u32],
    },
}

/// The proposer's side: whether the holder's secrets allow a split.
///
/// `children` tells where each row goes. `thresholds` has one number per group and child, group by group; of a part
/// without rows it is 0.
pub async fn ask(
    channel: &impl Channel,
    split: &Split,
    measure: Measure,
    children: &[u16],
    thresholds: &[u32],
) -> Result<bool, SecureError> {
    split.check_proposal(children, thresholds)?;
    measure.check()?;
    let inputs = |group: Group| group.proposer_inputs(children, thresholds);
    let question = Question {
        channel,
        split,
        measure,
        own: PROPOSER,
        inputs,
    };
    question.decide().await
}

/// The holder's side: whether its secrets allow a split.
pub async fn answer(channel: &impl Channel, split: &Split, secrets: Secrets<'_>) -> Result<bool, SecureError> {
    secrets.check(split.rows())?;
    let measure = secrets.measure();
    measure.check()?;
    let inputs = |group: Group| group.holder_inputs(secrets);
    let question = Question {
        channel,
        split,
        measure,
        own: HOLDER,
        inputs,
    };
    question.decide().await
}

impl Split {
    /// Groups of these sizes, each split into at most `2^child_bits` children.
    pub fn new(group_sizes: &[u32], child_bits: u32) -> Result<Self, SecureError> {
        if group_sizes.is_empty() || group_sizes.contains(&0) {
            return Err(SecureError::Split("must have groups, and each must have rows"));
        }
        if child_bits > CHILD_BITS_AT_MOST {
            return Err(SecureError::Split("must have at most 2^16 children"));
        }
        let mut bounds = vec![0];
        let mut rows = 0;
        for &size in group_sizes {
            rows += size as usize;
            bounds.push(rows);
        }
        Ok(Self {
            bounds,
            children: 1 << child_bits,
            ands_per_circuit: ANDS_PER_CIRCUIT,
        })
    }

    /// The same split, checked by circuits that take no further group once they have so many ANDs. Both parties must
    /// set the same.
    pub fn with_ands_per_circuit(mut self, ands: usize) -> Self {
        self.ands_per_circuit = ands;
        self
    }

    fn rows(&self) -> usize {
        self.bounds[self.groups()]
    }

    /// How many groups it splits.
    pub(crate) fn groups(&self) -> usize {
        self.bounds.len() - 1
    }

    /// The rows of a group.
    pub(crate) fn rows_of(&self, group: usize) -> Range<usize> {
        self.bounds[group]..self.bounds[group + 1]
    }

    fn group(&self, number: usize, measure: Measure) -> Group {
        Group {
            number,
            rows: self.rows_of(number),
            children: self.children,
            measure,
        }
    }

    fn check_proposal(&self, children: &[u16], thresholds: &[u32]) -> Result<(), SecureError> {
        if children.len() != self.rows() {
            return Err(SecureError::Inputs("must name one child for every row"));
        }
        if children.iter().any(|&child| usize::from(child) >= self.children) {
            return Err(SecureError::Inputs("must name children below their number"));
        }
        if thresholds.len() != self.groups() * self.children {
            return Err(SecureError::Inputs("must have one threshold for every group and child"));
        }
        Ok(())
    }
}

impl Measure {
    fn check(self) -> Result<(), SecureError> {
        match self {
            Self::SharesAtMost { sets: 0 } => Err(SecureError::Split("must be measured on a secret set")),
            Self::DistinctAtLeast { values: 0 } => Err(SecureError::Split("must be measured on sensitive values")),
            _ => Ok(()),
        }
    }
}

impl Secrets<'_> {
    fn measure(self) -> Measure {
        match self {
            Self::Sets(sets) => Measure::SharesAtMost { sets: sets.len() },
            Self::Values { values, .. } => Measure::DistinctAtLeast { values },
        }
    }

    fn check(self, rows: usize) -> Result<(), SecureError> {
        let (lengths_fit, values_fit) = match self {
            Self::Sets(sets) => (sets.iter().all(|set| set.len() == rows), true),
            Self::Values { values, of_rows } => (
                of_rows.len() == rows,
                of_rows.iter().all(|&value| (value as usize) < values),
            ),
        };
        if !lengths_fit {
            return Err(SecureError::Inputs("must tell the secrets of every row"));
        }
        if !values_fit {
            return Err(SecureError::Inputs(
                "must number the sensitive values below their number",
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
