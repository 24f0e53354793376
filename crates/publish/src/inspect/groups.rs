//! [`Groups`]: how rows fall into groups that agree on some columns, and the [`Partition`] that finds them column by
//! column.

use scumble_table::{Codes, Collapsed, Column, collapse};
use serde::Serialize;

/// The groups of rows that agree on some columns. A missing value is a value of its own, as in a release.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Groups {
    /// How many there are.
    pub count: usize,
    /// How many rows the smallest has.
    pub smallest: usize,
    /// How many rows they have on average.
    pub average: f64,
    /// How many rows are alone in their group.
    pub unique_rows: usize,
    /// The share of such rows.
    pub unique_share: f64,
}

impl Groups {
    /// Groups of these sizes, which make up a table of `rows` rows.
    pub(super) fn of_weights(rows: usize, weights: impl IntoIterator<Item = u32>) -> Self {
        Groups::beside(0, rows, weights)
    }

    /// As many groups of one row as are `alone`, and groups of these sizes.
    fn beside(alone: usize, rows: usize, weights: impl IntoIterator<Item = u32>) -> Self {
        let (mut count, mut unique_rows) = (alone, alone);
        let mut smallest = if alone > 0 { 1 } else { rows };
        for weight in weights {
            count += 1;
            unique_rows += usize::from(weight == 1);
            smallest = smallest.min(weight as usize);
        }
        Groups {
            count,
            smallest,
            average: rows as f64 / count.max(1) as f64,
            unique_rows,
            unique_share: unique_rows as f64 / rows.max(1) as f64,
        }
    }
}

/// The groups of some columns, ready to be split by one more.
///
/// A row alone in its group is only counted: no column can split its group, so the cost of one more column follows the
/// rows that still have company.
///
/// | rows on `zip` | split by `age` | alone | in company |
/// |---|---|---|---|
/// | a b c, d | a b, c, d | c, d | a b |
pub(super) struct Partition {
    rows: usize,
    alone: usize,
    in_company: Vec<u32>,
    /// The group of each row in company.
    group_of: Codes,
}

impl Partition {
    /// The whole table as one group.
    pub(super) fn whole(rows: usize) -> Self {
        Partition {
            rows,
            alone: 0,
            in_company: (0..rows as u32).collect(),
            group_of: Codes::collect(1, (0..rows).map(|_| 0)),
        }
    }

    /// Splits every group by the values of a column.
    pub(super) fn split(&self, column: &Column) -> (Partition, Groups) {
        let kinds = self.kinds(column);
        let groups = self.groups(&kinds);
        let company = |&(_, &kind): &(&u32, &u32)| kinds.weights[kind as usize] > 1;
        let kept = self.in_company.iter().zip(&kinds.kind_of).filter(company);
        let (in_company, group_of): (Vec<u32>, Vec<u32>) = kept.unzip();
        let partition = Partition {
            rows: self.rows,
            alone: groups.unique_rows,
            in_company,
            group_of: Codes::collect(kinds.rows.len(), group_of),
        };
        (partition, groups)
    }

    /// The groups that [`Partition::split`] would make, without making them.
    pub(super) fn groups_split_by(&self, column: &Column) -> Groups {
        self.groups(&self.kinds(column))
    }

    fn kinds(&self, column: &Column) -> Collapsed {
        let codes = self.in_company.iter().map(|&row| column.codes().at(row as usize));
        let codes = Codes::collect(column.dictionary().len(), codes);
        collapse(self.in_company.len(), &[&self.group_of, &codes])
    }

    fn groups(&self, kinds: &Collapsed) -> Groups {
        Groups::beside(self.alone, self.rows, kinds.weights.iter().copied())
    }
}
