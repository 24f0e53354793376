//! The shipped examples and a synthetic census of any size.
//!
//! An [`Example`] is a small worked scenario: data, taxonomies, a policy and a page that explains them. [`census`] makes
//! as many invented people as are asked for, the same ones for the same seed.

mod census;
#[cfg(test)]
mod clinic;
mod examples;
mod random;

pub use census::{CENSUS_COLUMNS, census};
pub use examples::{Example, ExampleFile, examples};
