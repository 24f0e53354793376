//! An [`Extent`] is what a label may stand for inside the [`Domain`] of its column.
//!
//! Every measure of loss asks the same question of a label: how much of the domain can be behind it? A [`Scale`] is a
//! domain made ready to answer.
//!
//! | domain | label | extent | certainty penalty | loss | level |
//! |---|---|---|---|---|---|
//! | numbers 0 to 100 | `[20, 40)` | 20 to 40 | 20/100 | 20/100 | |
//! | numbers 0 to 100 | `37` | one number | 0 | 0 | |
//! | numbers 0 to 100 | `90+` | 90 to 100 | 10/100 | 10/100 | |
//! | ANY over Professional (Engineer, Lawyer) and Janitor | `Professional` | 2 of 3 leaves | 2/3 | 1/2 | 1/2 |
//! | the values a, b, c, d | `{a\|b}` | 2 of 4 values | 2/4 | 1/3 | 1 |
//! | any | `*` | everything | 1 | 1 | 1 |
//! | any | an empty cell | a missing value | 0 | 0 | 0 |
//! | any | `Astronaut`, a word of no domain | unknown | 1 | 1 | 1 |
//!
//! Invariant: the numbers of an extent lie inside the range; a single number that the data has may lie outside.

mod places;
mod read;
mod scale;

use scumble_table::{Interval, Range, Taxonomy};

pub use places::Places;
pub use scale::{Scale, Values};

/// What the values of a column may be.
#[derive(Clone, Copy, Debug)]
pub enum Domain<'a> {
    /// The numbers of a range.
    Continuous(Range),
    /// The leaves of a taxonomy.
    Tree(&'a Taxonomy),
    /// The distinct values that the column has before masking.
    Flat,
}

/// What a label may stand for.
#[derive(Clone, Debug, PartialEq)]
pub enum Extent {
    /// A missing value, shown as missing.
    Missing,
    /// Numbers; a single one if both ends are equal.
    Numbers(Interval),
    /// Leaves of the taxonomy, or distinct values of the column.
    Places(Places),
    /// Whatever there is.
    Everything,
    /// Nothing that the domain knows. It is measured as [`Extent::Everything`], because it tells as little.
    Unknown,
}

impl Extent {
    /// Where the one value lies that it can be: its number, or its place. `None` if it may be several, or missing.
    pub(crate) fn single(&self) -> Option<f64> {
        match self {
            Extent::Numbers(number) if number.from == number.to => Some(number.from),
            Extent::Places(places) if places.len() == 1 => Some(places.ends().0.into()),
            _ => None,
        }
    }
}
