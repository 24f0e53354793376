//! [`Rule`]: what a template asks of every part that a refinement makes.
//!
//! Invariant: a rule follows from the agreement alone. Both parties make the same one, and it is built into the circuit:
//! nobody puts in a bound, so nobody can put in another.

/// What every part must be like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// A part has no rows, or at least so many. Where one is smaller the answer is no, whatever the secrets are: a question
    /// about fewer rows tells nothing.
    pub least: u32,
    /// What its secrets must be like.
    pub bound: Bound,
}

/// What the secrets of a part must be like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Of each secret, at most this share of the rows has it.
    Share(Shares),
    /// There are at least so many different values, unless there are no rows.
    Distinct(u32),
}

/// How many rows of a part may have a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shares {
    /// Shares that are allowed, in rows with the secret and rows in all, each larger than all before it.
    best: Vec<(u32, u32)>,
}

impl Shares {
    /// What is allowed in parts of up to `largest` rows. `is_allowed` is asked of rows with the secret and rows in all; it
    /// allows every share that is smaller than one it allows.
    pub fn new(largest: u32, is_allowed: impl Fn(u32, u32) -> bool) -> Self {
        let mut best: Vec<(u32, u32)> = vec![(0, 1)];
        let mut most = 0;
        for rows in 1..=largest {
            // One row more allows one more row with the secret at most, since a share is at most 1.
            if most < rows && is_allowed(most + 1, rows) {
                most += 1;
            }
            let (with, of) = best[best.len() - 1];
            if u64::from(most) * u64::from(of) > u64::from(with) * u64::from(rows) {
                best.push((most, rows));
            }
        }
        Shares { best }
    }

    /// The largest share that is allowed in a part of at most so many rows. A part of that many rows is allowed if and only
    /// if its share is not larger: every smaller share is allowed, and of the larger ones with so few rows none is, or it
    /// would stand here.
    pub(super) fn largest(&self, rows: usize) -> (u64, u64) {
        let fits = self.best.partition_point(|&(_, of)| of as usize <= rows.max(1));
        let (with, of) = self.best[fits - 1];
        (u64::from(with), u64::from(of))
    }

    /// How many of so many rows may have a secret.
    pub fn most(&self, rows: usize) -> usize {
        let (with, of) = self.largest(rows);
        (rows as u64 * with / of) as usize
    }
}

impl Rule {
    /// As many rows of a group may have a secret without any part of it being refused for it: a part that is not refused for
    /// its size has at least [`least`](Rule::least) rows, and so may have at least as many with the secret as that many rows may.
    pub fn harmless(&self) -> usize {
        self.harmless_in(self.least)
    }

    /// The same where every part is known to have at least so many rows, whatever the answer.
    pub fn harmless_in(&self, rows: u32) -> usize {
        match &self.bound {
            Bound::Share(shares) => shares.most(rows as usize),
            Bound::Distinct(_) => 0,
        }
    }
}
