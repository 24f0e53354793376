//! A column that someone else holds: what each row shows is told, the values never are.

use std::collections::BTreeMap;

use super::refinement::{Refinement, ValueId};

/// The masked values of such a column. They have numbers, in the order in which they were told of, and no names.
#[derive(Debug)]
pub(crate) struct Foreign {
    /// For each row, the value that it shows now.
    pub of_row: Vec<ValueId>,
    /// How many rows show each value that is shown now.
    rows: BTreeMap<u32, usize>,
    told: u32,
}

/// Rows of a foreign column that do not fit what is known of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("what is told of a column does not fit what was told before")]
pub struct Misfit;

impl Foreign {
    /// All rows show the same.
    pub fn new(rows: usize) -> Self {
        Foreign {
            of_row: vec![ValueId(0); rows],
            rows: BTreeMap::from([(0, rows)]),
            told: 1,
        }
    }

    /// How many rows show a value; `None` if it is not shown (any more).
    pub fn rows(&self, value: u32) -> Option<usize> {
        self.rows.get(&value).copied()
    }

    /// Splits the rows that show a value, which go to these of its `children`, in the order of rows.
    pub fn refine(&mut self, value: u32, children: u32, child_of: &[u32]) -> Result<Refinement, Misfit> {
        // Parts have rows, but for what is left of `*`.
        let is_split = (1..=child_of.len().max(2)).contains(&(children as usize));
        let fits = is_split && self.rows(value) == Some(child_of.len());
        let fits = fits && child_of.iter().all(|&child| child < children);
        let end = self.told.checked_add(children).filter(|_| fits).ok_or(Misfit)?;
        let first = std::mem::replace(&mut self.told, end);
        let mut sizes = vec![0; children as usize];
        let showing = self.of_row.iter_mut().filter(|shown| shown.0 == value);
        for (shown, &child) in showing.zip(child_of) {
            *shown = ValueId(first + child);
            sizes[child as usize] += 1;
        }
        self.rows.remove(&value);
        self.rows.extend((first..end).zip(sizes));
        Ok(Refinement {
            value: ValueId(value),
            codes: 0..0,
            child_of: Vec::new(),
            into: (first..end).map(ValueId).collect(),
            disclosed: None,
        })
    }
}
