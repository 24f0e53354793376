//! An [`Objective`] is what a group costs, and what it would cost with one row more.

use std::cmp::Ordering;

use scumble_level::Contributions;
use scumble_table::{Codes, ColumnId, Table};

use crate::{Hull, Space};

/// What groups cost, from 0 to 1.
pub(super) trait Objective: Sync {
    /// What is kept of a group.
    type Cluster: Send + Sync;

    /// Whether a group never costs less with a row more.
    const NEVER_FALLS: bool;

    /// An order of rows in which those are equal that cost the same in every group.
    fn compare(&self, a: u32, b: u32) -> Ordering;

    /// A group of one row.
    fn start(&self, row: u32) -> Self::Cluster;

    /// Takes a row into a group.
    fn add(&self, cluster: &mut Self::Cluster, row: u32);

    /// What a group costs.
    fn cost(&self, cluster: &Self::Cluster) -> f64;

    /// What a group would cost with a row more.
    fn cost_with(&self, cluster: &Self::Cluster, row: u32) -> f64;
}

/// What is lost on the axes of a space.
pub(super) struct Loss<'t>(pub(super) &'t Space);

impl Objective for Loss<'_> {
    type Cluster = Hull;

    const NEVER_FALLS: bool = true;

    fn compare(&self, a: u32, b: u32) -> Ordering {
        self.0.cells(a).cmp(self.0.cells(b))
    }

    fn start(&self, row: u32) -> Hull {
        self.0.point(row)
    }

    fn add(&self, hull: &mut Hull, row: u32) {
        self.0.add(hull, row);
    }

    fn cost(&self, hull: &Hull) -> f64 {
        self.0.loss(hull)
    }

    fn cost_with(&self, hull: &Hull, row: u32) -> f64 {
        self.0.loss_with(hull, row)
    }
}

/// How narrow the sensitive values of a group are (Loukides, definition 3.1.3): 1 less what is lost on them.
pub(super) struct SDiversity<'t>(pub(super) &'t Space);

impl Objective for SDiversity<'_> {
    type Cluster = Hull;

    const NEVER_FALLS: bool = false;

    fn compare(&self, a: u32, b: u32) -> Ordering {
        Loss(self.0).compare(a, b)
    }

    fn start(&self, row: u32) -> Hull {
        self.0.point(row)
    }

    fn add(&self, hull: &mut Hull, row: u32) {
        self.0.add(hull, row);
    }

    fn cost(&self, hull: &Hull) -> f64 {
        1.0 - self.0.loss(hull)
    }

    fn cost_with(&self, hull: &Hull, row: u32) -> f64 {
        1.0 - self.0.loss_with(hull, row)
    }
}

/// How near the sensitive values of a group are within their ranges (Loukides, definition 5.1.4), averaged over
/// columns.
pub(super) struct RangeDiversity<'t> {
    columns: Vec<Pairs<'t>>,
}

/// What the rows of a group contribute to each other, column by column.
pub(super) struct Ranges {
    rows: usize,
    columns: Vec<Contributed>,
}

#[derive(Clone, Default)]
struct Contributed {
    /// How many rows have each value; only values that occur.
    counts: Vec<(u32, u32)>,
    /// `Σ f(u) f(x) c(u, x)`.
    sum: f64,
}

impl<'t> RangeDiversity<'t> {
    pub(super) fn new(table: &'t Table, columns: &'t [(ColumnId, Contributions)]) -> Self {
        let pairs = columns.iter().map(|(id, contributions)| {
            let column = table.column(*id);
            Pairs::new(contributions, column.codes(), column.dictionary().len() as u32)
        });
        RangeDiversity {
            columns: pairs.collect(),
        }
    }

    /// The average of what the columns give away in a group of so many rows.
    fn average(&self, rows: usize, sums: impl Iterator<Item = f64>) -> f64 {
        sums.sum::<f64>() / (rows * rows) as f64 / self.columns.len() as f64
    }
}

impl Objective for RangeDiversity<'_> {
    type Cluster = Ranges;

    const NEVER_FALLS: bool = false;

    fn compare(&self, a: u32, b: u32) -> Ordering {
        let values = |row: u32| self.columns.iter().map(move |pairs| pairs.value(row));
        values(a).cmp(values(b))
    }

    fn start(&self, row: u32) -> Ranges {
        let mut ranges = Ranges {
            rows: 0,
            columns: vec![Contributed::default(); self.columns.len()],
        };
        self.add(&mut ranges, row);
        ranges
    }

    fn add(&self, ranges: &mut Ranges, row: u32) {
        ranges.rows += 1;
        for (pairs, own) in self.columns.iter().zip(&mut ranges.columns) {
            let value = pairs.value(row);
            own.sum = pairs.sum_with(own, value);
            match own.counts.iter_mut().find(|(other, _)| *other == value) {
                Some((_, count)) => *count += 1,
                None => own.counts.push((value, 1)),
            }
        }
    }

    fn cost(&self, ranges: &Ranges) -> f64 {
        self.average(ranges.rows, ranges.columns.iter().map(|own| own.sum))
    }

    fn cost_with(&self, ranges: &Ranges, row: u32) -> f64 {
        let columns = self.columns.iter().zip(&ranges.columns);
        let sums = columns.map(|(pairs, own)| pairs.sum_with(own, pairs.value(row)));
        self.average(ranges.rows + 1, sums)
    }
}

/// What any two values of one column contribute to each other, and which value each row has.
struct Pairs<'t> {
    contributions: &'t Contributions,
    codes: &'t Codes,
    /// `c(u, x) + c(x, u)` by both codes, if there are few of them.
    table: Option<Vec<f64>>,
    values: u32,
}

/// Up to this many values have a table of pairs.
const VALUES_IN_TABLE: u32 = 512;

impl<'t> Pairs<'t> {
    fn new(contributions: &'t Contributions, codes: &'t Codes, values: u32) -> Self {
        let mut pairs = Pairs {
            contributions,
            codes,
            table: None,
            values,
        };
        if values <= VALUES_IN_TABLE {
            let all = (0..values).flat_map(|u| (0..values).map(move |x| (u, x)));
            pairs.table = Some(all.map(|(u, x)| pairs.both(u, x)).collect());
        }
        pairs
    }

    fn value(&self, row: u32) -> u32 {
        self.codes.at(row as usize)
    }

    fn both(&self, u: u32, x: u32) -> f64 {
        match &self.table {
            Some(table) => table[(u * self.values + x) as usize],
            None => self.contributions.of(u, x) + self.contributions.of(x, u),
        }
    }

    /// The sum over all pairs of rows, with one more of this value.
    fn sum_with(&self, own: &Contributed, value: u32) -> f64 {
        let with_others = own
            .counts
            .iter()
            .map(|&(other, count)| f64::from(count) * self.both(value, other));
        own.sum + with_others.sum::<f64>() + self.both(value, value) / 2.0
    }
}
