//! The shipped examples, and synthetic tables of any size: a census, and students with their courses and books.
//!
//! An [`Example`] is a small worked scenario: data, taxonomies, a policy and a page that explains them. [`census`] makes
//! as many invented people as are asked for, the same ones for the same seed; [`students`] makes three tables of them.

mod census;
#[cfg(test)]
mod clinic;
mod examples;
mod random;
mod students;

pub use census::{CENSUS_COLUMNS, census};
pub use examples::{Example, ExampleFile, examples};
pub use students::{book_tree, course_tree, students};
