//! Top-down refinement (TDR): the search for the most useful release that is still safe.
//!
//! The search starts with every quasi column at its most masked and refines one masked value at a time, always the
//! one with the best score among those that keep every template of the requirement:
//!
//! ```text
//! state = most masked
//! while let Some(w) = best valid, beneficial candidate
//!     refine w: split the groups that show it, update counts, new candidates, append to the trace
//! ```
//!
//! | job | class | | most masked | after refining `Any` | refining `White` too |
//! |---|---|---|---|---|---|
//! | Mover | n | | Any | Blue | Blue |
//! | Janitor | n | | Any | Blue | Blue |
//! | Lawyer | y | | Any | White | Lawyer: alone |
//! | Clerk | y | | Any | White | Clerk: alone |
//!
//! With 2-anonymity on {job} the first refinement is made: both groups have two rows, and it tells the classes apart.
//! The last one is not: it would leave one row alone, and the rows of `White` are of one class anyway.
//!
//! Four parts share the work, and each knows little of the others:
//!
//! - `values`: the masked values of one column, and what refining each would show;
//! - `objective`: what a refinement is worth, from class counts per value alone, never from groups;
//! - `guard`: the groups of one template, and what its level would be after a refinement;
//! - `budget`: the rows that may be left out, across templates.
//!
//! # Source
//! Fung 2007, chapters 3 and 4; the row budget is ours.
//!
//! # Cost
//! A row is touched only when a value of its own is refined, and then only if its group is not the largest child:
//! the counts of that one are its parent's less its siblings'.
//!
//! # What is lost
//! The result is locally maximal: no single further refinement is both valid and beneficial. It is not the best of
//! all releases, which is NP-hard to find.

mod bounded;
mod budget;
mod checks;
mod classes;
mod guard;
mod leave_out;
mod measure;
mod objective;
mod projection;
mod search;
mod stops;
mod trace;
mod values;

pub use leave_out::rows_to_leave_out;
pub use objective::Objective;
pub use search::{Operation, Outcome, Population, Problem, QuasiColumn, Refined, refine};
pub use stops::{Block, Stop, Why};
pub use trace::{Step, Trace};
