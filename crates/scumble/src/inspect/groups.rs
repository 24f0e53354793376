//! [`Groups`]: how rows fall into groups that agree on some columns, and the [`Partition`] that finds them column by
//! column.

use scumble_table::Column;
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
    pub(super) fn of_sizes(rows: usize, sizes: impl IntoIterator<Item = u32>) -> Self {
        Groups::beside(0, rows, sizes)
    }

    /// As many groups of one row as are `alone`, and groups of these sizes.
    fn beside(alone: usize, rows: usize, sizes: impl IntoIterator<Item = u32>) -> Self {
        let (mut count, mut unique_rows) = (alone, alone);
        let mut smallest = if alone > 0 { 1 } else { rows };
        for size in sizes {
            count += 1;
            unique_rows += usize::from(size == 1);
            smallest = smallest.min(size as usize);
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
/// | rows by `zip` | split by `age` | alone | in company |
/// |---|---|---|---|
/// | a b c, d | a b, c, d | c, d | a b |
///
/// # Source
/// The stripped partitions of Huhtala, Kärkkäinen, Porkka and Toivonen: *TANE*, The Computer Journal 42(2), 1999.
///
/// # Cost
/// One pass over the rows in company, group by group. No table of all combinations is made, so memory follows the rows.
pub(super) struct Partition {
    rows: usize,
    alone: usize,
    /// The rows in company, those of one group next to each other.
    in_company: Vec<u32>,
    /// Where each group ends.
    ends: Vec<usize>,
}

impl Partition {
    /// The whole table as one group.
    pub(super) fn whole(rows: usize) -> Self {
        Partition {
            rows,
            alone: 0,
            in_company: (0..rows as u32).collect(),
            ends: vec![rows],
        }
    }

    /// Splits every group by the values of a column.
    pub(super) fn split(&self, column: &Column) -> (Partition, Groups) {
        let mut tally = Tally::new(column);
        let mut sizes = Vec::new();
        let mut in_company = Vec::new();
        let mut ends = Vec::new();
        for group in self.groups() {
            tally.count(group);
            sizes.extend(tally.sizes());
            tally.place_company(group, &mut in_company, &mut ends);
            tally.clear();
        }
        let groups = Groups::beside(self.alone, self.rows, sizes);
        let partition = Partition {
            rows: self.rows,
            alone: groups.unique_rows,
            in_company,
            ends,
        };
        (partition, groups)
    }

    /// The groups that [`Partition::split`] would make, without making them.
    pub(super) fn groups_split_by(&self, column: &Column) -> Groups {
        let mut tally = Tally::new(column);
        let mut sizes = Vec::new();
        for group in self.groups() {
            tally.count(group);
            sizes.extend(tally.sizes());
            tally.clear();
        }
        Groups::beside(self.alone, self.rows, sizes)
    }

    fn groups(&self) -> impl Iterator<Item = &[u32]> {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.in_company[start..end])
    }
}

/// How many rows of one group have each value of a column. Only the values that were met are cleared, so a group costs
/// its rows and not the values of the column.
struct Tally<'c> {
    column: &'c Column,
    /// For each code, the rows that have it.
    sizes: Vec<u32>,
    /// For each code, where its next row goes.
    next: Vec<usize>,
    /// The codes with rows, in the order in which they were met.
    met: Vec<u32>,
}

impl<'c> Tally<'c> {
    fn new(column: &'c Column) -> Self {
        let codes = column.dictionary().len();
        Tally {
            column,
            sizes: vec![0; codes],
            next: vec![0; codes],
            met: Vec::new(),
        }
    }

    fn code(&self, row: u32) -> usize {
        self.column.codes().at(row as usize) as usize
    }

    fn count(&mut self, group: &[u32]) {
        for &row in group {
            let code = self.code(row);
            if self.sizes[code] == 0 {
                self.met.push(code as u32);
            }
            self.sizes[code] += 1;
        }
    }

    fn sizes(&self) -> impl Iterator<Item = u32> {
        self.met.iter().map(|&code| self.sizes[code as usize])
    }

    /// Adds the parts of the group that was counted, except those of one row.
    fn place_company(&mut self, group: &[u32], in_company: &mut Vec<u32>, ends: &mut Vec<usize>) {
        let mut end = in_company.len();
        for &code in &self.met {
            let size = self.sizes[code as usize] as usize;
            if size > 1 {
                self.next[code as usize] = end;
                end += size;
                ends.push(end);
            }
        }
        in_company.resize(end, 0);
        for &row in group {
            let code = self.code(row);
            if self.sizes[code] > 1 {
                in_company[self.next[code]] = row;
                self.next[code] += 1;
            }
        }
    }

    fn clear(&mut self) {
        for code in self.met.drain(..) {
            self.sizes[code as usize] = 0;
        }
    }
}
