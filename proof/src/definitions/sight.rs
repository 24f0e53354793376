//! A [`Sight`] is what somebody sees who has a release.

use std::collections::BTreeMap;

use serde_json::Value;

use super::labels::Made;
use crate::policy::{Column, Policy};
use crate::table::{Cell, Table};

/// What somebody sees who has a release, and what the checker knows beside it.
pub struct Sight<'a> {
    /// What was asked.
    pub policy: &'a Policy,
    /// The columns that can be counted.
    pub header: Vec<String>,
    /// What each row shows.
    pub rows: Vec<Vec<Cell>>,
    /// The columns that are published as they are, by the certificate: a star that they show is a value.
    pub as_they_are: Vec<String>,
    /// The columns that are suppressed, by the certificate: each value is shown everywhere or nowhere.
    pub suppressed: Vec<String>,
    /// The masks of another release that this one was masked with, by column.
    pub borrowed: Option<BTreeMap<String, Value>>,
    /// The people of a k-map.
    pub population: Option<&'a Table>,
    /// Releases that are out already.
    pub earlier: &'a [Past],
    /// Of two tables: the column by which both are joined, which stands in the place of what is known.
    pub by_group: Option<String>,
}

impl Sight<'_> {
    /// The place of a column.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.header.iter().position(|column| column == name)
    }

    /// What the policy says of a column.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.policy.column(name)
    }

    /// The cells of one column in these rows.
    pub fn cells(&self, column: usize, rows: &[usize]) -> Vec<Cell> {
        rows.iter().map(|&row| self.rows[row][column].clone()).collect()
    }

    /// All cells of one column.
    pub fn all_cells(&self, column: usize) -> Vec<Cell> {
        self.rows.iter().map(|row| row[column].clone()).collect()
    }
}

/// A release that is out already.
#[derive(Clone, Debug)]
pub struct Past {
    /// What the policy calls it.
    pub name: String,
    /// The columns that are joined, if the policy says.
    pub join: Option<Vec<String>>,
    /// Its columns.
    pub header: Vec<String>,
    /// What its rows show.
    pub rows: Vec<Vec<Cell>>,
    /// How it was made.
    pub made: Made,
}
