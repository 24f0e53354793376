//! Local recoding: rows are gathered into groups, and each group is shown as one.
//!
//! | age | job | | group | released age | job |
//! |---|---|---|---|---|---|
//! | 31 | Engineer | | 1 | [31, 34] | Professional |
//! | 34 | Lawyer | | 1 | [31, 34] | Professional |
//! | 34 | Janitor | | 2 | [34, 60] | Janitor |
//! | 60 | Janitor | | 2 | [34, 60] | Janitor |
//!
//! Two rows with the same value may show different ones: that is what makes it local, and what makes it lose less than
//! a mask of a whole column. A [`Space`] says what a group loses, a [`Method`] makes groups, and [`gather`] sees to it
//! that they keep every condition before anyone sees them.

mod problem;
mod space;

pub use problem::{Failure, Grouping, Method, Problem};
pub use space::{Hull, Scale, Space};
