//! The [`Secrets`] of the holder, and what is [`Counted`] of them.

use super::split::Split;
use crate::secure::SecureError;

/// The number of a value that is not compared.
pub const OTHER: u32 = u32::MAX;

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

impl Counted {
    /// Whether there is nothing that a rule could refuse. Where there are only others, a part may still be too small.
    pub fn is_empty(&self) -> bool {
        let has_none = |values: &Values| values.compared == 0 && !values.others;
        self.sets == 0 && self.columns.iter().all(has_none)
    }

    pub(super) fn check(&self) -> Result<(), SecureError> {
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

    pub(super) fn check(self, split: &Split) -> Result<(), SecureError> {
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
