//! [`ListedColumns`]: the columns of a table that a policy lists, in its order, found by name.
//!
//! Invariant: a name leads to the first column that has it. A table may have a hundred thousand columns, and each is looked up
//! several times, so no look-up goes through the list.

use std::collections::HashMap;
use std::ops::Deref;

use crate::column::ColumnPolicy;

/// Columns in the order of the policy, which decides between refinements of equal score. It can be read as a slice of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListedColumns {
    list: Vec<ColumnPolicy>,
    places: HashMap<String, usize>,
}

impl ListedColumns {
    /// The column with this name.
    pub fn find(&self, name: &str) -> Option<&ColumnPolicy> {
        self.places.get(name).map(|&place| &self.list[place])
    }

    /// Adds a column after all others.
    pub(super) fn push(&mut self, column: ColumnPolicy) {
        let name = column.name.get_ref().clone();
        self.places.entry(name).or_insert(self.list.len());
        self.list.push(column);
    }
}

impl<C: IntoIterator<Item = ColumnPolicy>> From<C> for ListedColumns {
    fn from(columns: C) -> Self {
        columns.into_iter().collect()
    }
}

impl Deref for ListedColumns {
    type Target = [ColumnPolicy];

    fn deref(&self) -> &[ColumnPolicy] {
        &self.list
    }
}

impl FromIterator<ColumnPolicy> for ListedColumns {
    fn from_iter<I: IntoIterator<Item = ColumnPolicy>>(columns: I) -> Self {
        let mut listed = ListedColumns::default();
        columns.into_iter().for_each(|column| listed.push(column));
        listed
    }
}

impl<'c> IntoIterator for &'c ListedColumns {
    type Item = &'c ColumnPolicy;
    type IntoIter = std::slice::Iter<'c, ColumnPolicy>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}
