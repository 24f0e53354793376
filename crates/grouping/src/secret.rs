//! A [`RangeSecret`] is a sensitive column of whose ranges a group must not tell too much.
//!
//! Range diversity is the sum of what all pairs of rows contribute, by the square of how many rows there are. A row more
//! adds its contributions with each row that is there, either way, and 1 with itself.
//!
//! # Source
//! Loukides, definition 5.1.4.

use scumble_level::Contributions;
use scumble_table::Codes;

use crate::cost::is_within;

/// A sensitive column, and the largest range diversity that a group may have in it.
#[derive(Clone, Copy, Debug)]
pub struct RangeSecret<'t> {
    /// The value of each row.
    pub codes: &'t Codes,
    /// What pairs of values contribute.
    pub contributions: &'t Contributions,
    /// `P`: the largest range diversity, from 0 to 1.
    pub at_most: f64,
}

/// A secret with what pairs of its values contribute, at hand where there are not too many.
pub(crate) struct Pairs<'t> {
    secret: RangeSecret<'t>,
    values: usize,
    both_ways: Vec<f64>,
}

/// Values up to this many have a table of pairs: two megabytes.
const VALUES_IN_TABLE: usize = 512;

impl<'t> Pairs<'t> {
    /// The pairs of a secret.
    pub fn new(secret: RangeSecret<'t>) -> Self {
        let values = secret.codes.iter().max().map_or(0, |last| last as usize + 1);
        let mut pairs = Pairs {
            secret,
            values,
            both_ways: Vec::new(),
        };
        if values <= VALUES_IN_TABLE {
            let all = (0..values * values).map(|place| ((place / values) as u32, (place % values) as u32));
            pairs.both_ways = all.map(|(u, x)| pairs.contribution(u, x)).collect();
        }
        pairs
    }

    /// The value of a row.
    pub fn value(&self, row: u32) -> u32 {
        self.secret.codes.at(row as usize)
    }

    /// What two rows of these values contribute, either way.
    pub fn both_ways(&self, u: u32, x: u32) -> f64 {
        self.with(u)
            .map_or_else(|| self.contribution(u, x), |known| known[x as usize])
    }

    /// The same of one value with each, if that is at hand.
    fn with(&self, u: u32) -> Option<&[f64]> {
        self.both_ways.get(u as usize * self.values..)?.get(..self.values)
    }

    fn contribution(&self, u: u32, x: u32) -> f64 {
        self.secret.contributions.of(u, x) + self.secret.contributions.of(x, u)
    }

    /// Whether a group may have this range diversity.
    pub fn allow(&self, range_diversity: f64) -> bool {
        is_within(range_diversity, self.secret.at_most)
    }
}

/// What the rows of a group contribute to a secret.
pub(crate) struct Tally {
    /// What all pairs of rows contribute.
    sum: f64,
    rows: usize,
    pulls: Pulls,
}

/// What one row more would contribute with all rows of a group.
enum Pulls {
    /// By its value, for each.
    Known(Vec<f64>),
    /// By how many rows have each value.
    Counts(Vec<(u32, u32)>),
}

/// Groups know their pull on each of up to so many values: half a kilobyte.
const VALUES_WITH_PULLS: usize = 64;

impl Tally {
    /// That of no rows.
    pub fn new(pairs: &Pairs) -> Self {
        Tally {
            sum: 0.0,
            rows: 0,
            pulls: match pairs.values {
                values if values <= VALUES_WITH_PULLS => Pulls::Known(vec![0.0; values]),
                _ => Pulls::Counts(Vec::new()),
            },
        }
    }

    /// Counts one row more.
    pub fn add(&mut self, pairs: &Pairs, row: u32) {
        let value = pairs.value(row);
        self.sum += self.pull(pairs, value) + 1.0;
        self.rows += 1;
        match &mut self.pulls {
            Pulls::Known(pulls) => {
                let with = pairs.with(value).unwrap_or_default();
                pulls.iter_mut().zip(with).for_each(|(pull, both)| *pull += both);
            }
            Pulls::Counts(counts) => match counts.iter_mut().find(|(counted, _)| *counted == value) {
                Some((_, count)) => *count += 1,
                None => counts.push((value, 1)),
            },
        }
    }

    /// The range diversity of the group.
    pub fn range_diversity(&self) -> f64 {
        range_diversity(self.sum, self.rows)
    }

    /// The range diversity with one row more.
    pub fn with(&self, pairs: &Pairs, row: u32) -> f64 {
        range_diversity(self.sum + self.pull(pairs, pairs.value(row)) + 1.0, self.rows + 1)
    }

    /// What a row of this value contributes with all others.
    fn pull(&self, pairs: &Pairs, value: u32) -> f64 {
        match &self.pulls {
            Pulls::Known(pulls) => pulls[value as usize],
            Pulls::Counts(counts) => counts
                .iter()
                .map(|&(other, count)| f64::from(count) * pairs.both_ways(value, other))
                .sum(),
        }
    }
}

/// The range diversity of so many rows, from what all pairs of them contribute.
pub(crate) fn range_diversity(sum: f64, rows: usize) -> f64 {
    sum / (rows as f64 * rows as f64)
}
