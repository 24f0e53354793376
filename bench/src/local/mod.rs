//! The study of local recoding: methods that gather rows, beside Mondrian, which is the fastest of them.
//!
//! Invariant: what is timed is the search alone, from the table in memory to the group of each row. Reading and showing
//! are the same for all of them, and are outside the clock.
//!
//! # Source
//! Loukides 2008, section 6.6: the census, five columns known, k = 5, UPC with U = 0.7 and P = 0.5.

mod run;
mod summary;
mod task;

pub use run::run;
pub use summary::summary;
pub use task::gather_once;
