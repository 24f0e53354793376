//! A [`Comparison`] is a release beside the data it was made from: every column before and after.
//!
//! Before masking a column is a [`Tally`], how many rows have each value: what most measures ask does not depend on
//! which row is which, and a publisher has no second copy of the rows. After masking it is a column whose values are
//! labels. Association and queries need more, and take the original rows beside the comparison.

use std::borrow::Cow;
use std::ptr;

use std::sync::OnceLock;

use rayon::prelude::*;
use scumble_table::{Column, Dictionary, Written, with_codes};

use crate::extent::{Domain, Extent, Scale};
use crate::groups::Groups;

/// How many rows have each value of a column.
#[derive(Clone, Debug)]
pub struct Tally<'a> {
    /// The values.
    pub dictionary: &'a Dictionary,
    /// The rows of each code.
    pub rows: Vec<u64>,
}

impl<'a> Tally<'a> {
    /// Counts the rows of a column.
    pub fn of(column: &'a Column) -> Self {
        let mut rows = vec![0; column.dictionary().len()];
        with_codes!(column.codes(), |codes| codes
            .iter()
            .for_each(|&code| rows[code as usize] += 1));
        Tally {
            dictionary: column.dictionary(),
            rows,
        }
    }
}

/// What a column is to the measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It makes the groups.
    Quasi,
    /// It holds secrets.
    Sensitive,
    /// It is what a reader wants to predict.
    Class,
    /// It is published beside the others.
    Other,
}

/// One column, before and after.
#[derive(Clone, Debug)]
pub struct Compared<'a> {
    /// Its name in the header.
    pub name: &'a str,
    /// What it is to the measures.
    pub role: Role,
    /// What its values may be.
    pub domain: Domain<'a>,
    /// Its values before masking.
    pub before: Tally<'a>,
    /// The labels that its rows show, as its values.
    pub after: &'a Column,
    /// What they show of its values.
    pub written: Written,
}

/// A release beside the data it was made from.
#[derive(Debug)]
pub struct Comparison<'a> {
    columns: Vec<ReadColumn<'a>>,
    /// Made when they are asked for: not every measure needs them, and where most rows differ they are dear.
    groups: OnceLock<Groups>,
    rows_before: u64,
    rows_after: u64,
}

/// A column whose labels have been read.
#[derive(Debug)]
pub(crate) struct ReadColumn<'a> {
    pub compared: Compared<'a>,
    pub scale: Scale<'a>,
    /// What each label may stand for.
    pub extents: Vec<Extent>,
    /// What each value before masking stands for, which is itself.
    pub values: Vec<Extent>,
    /// The rows of each label.
    pub rows: Vec<u64>,
}

impl<'a> ReadColumn<'a> {
    fn new(compared: Compared<'a>) -> Self {
        let scale = Scale::new(compared.domain, compared.before.dictionary);
        ReadColumn {
            extents: scale.extents(compared.after.dictionary(), compared.written),
            values: scale.extents(compared.before.dictionary, Written::Exact),
            rows: Tally::of(compared.after).rows,
            scale,
            compared,
        }
    }

    /// What the values of the original column stand for, whose rows may have been read apart from the tally.
    pub fn values_of(&self, original: &Column) -> Cow<'_, [Extent]> {
        match ptr::eq(original.dictionary(), self.compared.before.dictionary) {
            true => Cow::Borrowed(&self.values),
            false => Cow::Owned(self.scale.extents(original.dictionary(), Written::Exact)),
        }
    }

    /// The labels, each with its rows.
    pub fn labels(&self) -> impl Iterator<Item = (&Extent, u64)> {
        self.extents.iter().zip(self.rows.iter().copied())
    }

    /// The values before masking, each with its rows.
    pub fn values(&self) -> impl Iterator<Item = (&Extent, u64)> {
        self.values.iter().zip(self.compared.before.rows.iter().copied())
    }

    /// The certainty penalty of all released cells together.
    pub fn penalty(&self) -> f64 {
        self.sum(|extent| self.scale.penalty(extent))
    }

    /// The sum over all released cells of what `cost` says of their labels.
    pub fn sum(&self, cost: impl Fn(&Extent) -> f64) -> f64 {
        self.labels().map(|(extent, rows)| cost(extent) * rows as f64).sum()
    }
}

impl<'a> Comparison<'a> {
    /// Reads the labels of all columns.
    ///
    /// # Panics
    /// If columns of the release differ in length: the caller has them from one table.
    pub fn new(rows_before: u64, rows_after: usize, columns: Vec<Compared<'a>>) -> Self {
        let of_one_length = columns.iter().all(|column| column.after.codes().len() == rows_after);
        assert!(of_one_length, "columns of one release have one length");
        Comparison {
            columns: columns.into_par_iter().map(ReadColumn::new).collect(),
            groups: OnceLock::new(),
            rows_before,
            rows_after: rows_after as u64,
        }
    }

    /// Rows of the data.
    pub fn rows_before(&self) -> u64 {
        self.rows_before
    }

    /// Rows of the release.
    pub fn rows_after(&self) -> u64 {
        self.rows_after
    }

    /// Rows of the data that the release lacks.
    pub fn rows_left_out(&self) -> u64 {
        self.rows_before.saturating_sub(self.rows_after)
    }

    /// The rows of the release that agree on all quasi columns.
    pub fn groups(&self) -> &Groups {
        self.groups.get_or_init(|| {
            let quasi = self.with_role(Role::Quasi);
            let quasi: Vec<_> = quasi.iter().map(|column| column.compared.after.codes()).collect();
            Groups::new(self.rows_after as usize, &quasi)
        })
    }

    /// The names of the columns, in order.
    pub fn names(&self) -> impl Iterator<Item = &'a str> {
        self.columns.iter().map(|column| column.compared.name)
    }

    pub(crate) fn columns(&self) -> &[ReadColumn<'a>] {
        &self.columns
    }

    pub(crate) fn with_role(&self, role: Role) -> Vec<&ReadColumn<'a>> {
        let fitting = self.columns.iter().filter(|column| column.compared.role == role);
        fitting.collect()
    }
}
