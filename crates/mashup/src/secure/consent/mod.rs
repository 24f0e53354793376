//! Consent: the holder of a sensitive column and the proposer of a refinement find out whether every part that the
//! refinement makes still meets a template.
//!
//! Both know the groups that the refinement would split, and their rows in one order, group by group, and the [`Rule`] that
//! the agreement makes of a template. The proposer alone knows the *child* that each row goes to, the holder alone the
//! secrets. Both learn one bit: all parts are as the rule says.
//!
//! | row | child (proposer) | has HIV (holder) |
//! |---|---|---|
//! | 0 | 0 | yes |
//! | 1 | 0 | no |
//! | 2 | 1 | yes |
//! | 3 | 1 | yes |
//!
//! With confidence at most 1/2 a part of two rows may hold one with HIV. Child 0 has one, child 1 has two, so the answer is
//! no. Neither party learns which child it was: the next best candidate is sought.
//!
//! Invariant: nobody learns which group, child or set decided, and no party puts in more than what it alone knows. How large
//! a part is and what it may have is counted in the circuit, so a proposer that lies can move rows between parts and nothing
//! else; where it makes one too small, the answer is no and tells nothing. One computation covers many groups; where there
//! are too many for one, each outcome is split into two random bits, one for each party, and a last computation joins them.
//!
//! # Source
//! PPMashup §7 lets the holder check a proposed refinement, and thereby see it. This check shows it nothing but the
//! answer.
//!
//! # Cost
//! With `c` children, a row costs `2(c - 1)` ANDs per secret set and `c - 1` for the size of its part, or `2v - 1` per child
//! but one where a column has `v` values; and at most `c - 2` to tell the children apart. What the last child has is what the others
//! leave, which costs nothing per row. An AND is about 2 kB of messages. Without sizes a set alone would cost `2(c - 1)`; but who must not
//! trust the proposer with them has to count, and how many of `n` bits are 1 takes no fewer than `n` ANDs less the ones of `n` in
//! binary (Boyar and Peralta 2008).

mod group;
mod question;
mod rule;

use std::ops::Range;

use polytune::channel::Channel;

use crate::secure::SecureError;
use group::Group;
use question::Question;

pub use rule::{Bound, Rule, Shares};

const PROPOSER: usize = 0;
const HOLDER: usize = 1;

/// A circuit that has so many ANDs takes no further group. Memory follows the size of a circuit: this many ANDs take a
/// party about 120 MB.
const ANDS_PER_CIRCUIT: usize = 100_000;

/// More children than this are refused.
const CHILDREN_AT_MOST: u32 = 1 << 16;

/// The number of a value that is not compared.
pub const OTHER: u32 = u32::MAX;

/// What both parties know of a refinement: the groups that it splits, and into how many children at most.
#[derive(Clone, Debug)]
pub struct Split {
    /// Where the rows of each group begin, and at last where they end.
    bounds: Vec<usize>,
    children: usize,
    ands_per_circuit: usize,
}

/// What both parties know of the secrets that are counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// How many secret sets there are.
    pub sets: usize,
    /// The columns of which every value is counted.
    pub columns: Vec<Values>,
}

/// The values of a column that are counted in a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Values {
    /// At most so many of them count each by itself.
    pub compared: usize,
    /// Whether there are others, so rare that a part which is large enough may have them all.
    pub others: bool,
}

/// What the holder alone knows of the rows.
#[derive(Clone, Copy, Debug)]
pub struct Secrets<'a> {
    /// One list per secret set, which tells of every row whether its value is in the set.
    pub sets: &'a [Vec<bool>],
    /// The values of columns of which every value is counted.
    pub columns: &'a [Numbered],
}

/// The values of one column.
#[derive(Clone, Debug)]
pub struct Numbered {
    /// How many there are.
    pub values: Values,
    /// The number of every row's value, from 0 in each group, or [`OTHER`].
    pub of_rows: Vec<u32>,
}

/// The proposer's side: whether the holder's secrets allow a split. `children` tells where each row goes.
pub async fn ask(
    channel: &impl Channel,
    split: &Split,
    rule: &Rule,
    counted: &Counted,
    children: &[u16],
) -> Result<bool, SecureError> {
    split.check_children(children)?;
    counted.check()?;
    let inputs = |group: Group| group.proposer_inputs(children);
    let question = Question {
        channel,
        split,
        rule,
        counted,
        own: PROPOSER,
        inputs,
    };
    question.decide().await
}

/// The holder's side: whether its secrets allow a split.
pub async fn answer(
    channel: &impl Channel,
    split: &Split,
    rule: &Rule,
    secrets: Secrets<'_>,
) -> Result<bool, SecureError> {
    secrets.check(split)?;
    let counted = &secrets.counted();
    counted.check()?;
    let inputs = |group: Group| group.holder_inputs(secrets);
    let question = Question {
        channel,
        split,
        rule,
        counted,
        own: HOLDER,
        inputs,
    };
    question.decide().await
}

impl Split {
    /// Groups of these sizes, each split into at most so many children.
    pub fn new(group_sizes: &[u32], children: u32) -> Result<Self, SecureError> {
        if group_sizes.is_empty() || group_sizes.contains(&0) {
            return Err(SecureError::Split("must have groups, and each must have rows"));
        }
        if !(1..=CHILDREN_AT_MOST).contains(&children) {
            return Err(SecureError::Split("must have 1 to 2^16 children"));
        }
        let mut bounds = vec![0];
        let mut rows = 0;
        for &size in group_sizes {
            rows += size as usize;
            bounds.push(rows);
        }
        Ok(Self {
            bounds,
            children: children as usize,
            ands_per_circuit: ANDS_PER_CIRCUIT,
        })
    }

    /// The same split, checked by circuits that take no further group once they have so many ANDs. Both parties must
    /// set the same.
    pub fn with_ands_per_circuit(mut self, ands: usize) -> Self {
        self.ands_per_circuit = ands;
        self
    }

    /// How many children there are at most.
    #[cfg(test)]
    pub(crate) fn children(&self) -> usize {
        self.children
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

    fn group<'a>(&self, number: usize, rule: &'a Rule, counted: &'a Counted) -> Group<'a> {
        Group {
            rows: self.rows_of(number),
            children: self.children,
            rule,
            counted,
        }
    }

    fn check_children(&self, children: &[u16]) -> Result<(), SecureError> {
        if children.len() != self.rows() {
            return Err(SecureError::Inputs("must name one child for every row"));
        }
        if children.iter().any(|&child| usize::from(child) >= self.children) {
            return Err(SecureError::Inputs("must name children below their number"));
        }
        Ok(())
    }
}

impl Counted {
    /// Whether there is nothing that a rule could refuse. Where there are only others, a part may still be too small.
    pub fn is_empty(&self) -> bool {
        let has_none = |values: &Values| values.compared == 0 && !values.others;
        self.sets == 0 && self.columns.iter().all(has_none)
    }

    fn check(&self) -> Result<(), SecureError> {
        if self.is_empty() {
            return Err(SecureError::Split("must be about secrets"));
        }
        Ok(())
    }
}

impl Secrets<'_> {
    /// What the proposer must know of them.
    pub fn counted(self) -> Counted {
        Counted {
            sets: self.sets.len(),
            columns: self.columns.iter().map(|column| column.values).collect(),
        }
    }

    fn check(self, split: &Split) -> Result<(), SecureError> {
        let rows = split.rows();
        let lengths_fit = self.sets.iter().all(|set| set.len() == rows)
            && self.columns.iter().all(|column| column.of_rows.len() == rows);
        if !lengths_fit {
            return Err(SecureError::Inputs("must tell the secrets of every row"));
        }
        let fits = |column: &Numbered, group: usize| {
            let rows = split.rows_of(group);
            let below = column.values.compared.min(rows.len());
            let mut of_rows = column.of_rows[rows].iter();
            of_rows.all(|&value| (value as usize) < below || value == OTHER && column.values.others)
        };
        let values_fit = |column| (0..split.groups()).all(|group| fits(column, group));
        if !self.columns.iter().all(values_fit) {
            return Err(SecureError::Inputs(
                "must number the values of a group below their number",
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
