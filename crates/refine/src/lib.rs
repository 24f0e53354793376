//! Top-down refinement (TDR): the search for the most useful release that still meets the requirement.
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
//! These parts share the work, and each knows little of the others. What the level of one group is, and which templates share
//! a grouping, is the part of `scumble-level`:
//!
//! - `values`: the masked values of one column, and what refining each would show;
//! - `objective`: what a refinement is worth, from class counts per value alone, never from groups;
//! - `guard`: the groups of one grouping, and what its levels would be after a refinement;
//! - `join`: templates on the join with earlier releases, counted without making it;
//! - `bounded`: templates that must hold for every subset of so many columns;
//! - `budget`: the rows that may be left out, across templates;
//! - `together`: the search of one of several parties, who hold columns of the same rows;
//! - `stops`: what stands in the way of the next refinement of each column.
//!
//! # Source
//! Fung 2007, chapters 3 to 6; Wang, Fung and Yu 2005. The row budget, mixed requirements, bounded knowledge (the LKC
//! privacy of Mohammed, Fung, Hung and Lee 2009, here by covers) and the other templates in this search are ours.
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
mod classes;
mod guard;
mod join;
mod leave_out;
mod objective;
mod problem;
mod projection;
mod search;
mod setup;
mod state;
mod stops;
mod together;
mod trace;
mod values;

pub use join::{Dangling, DanglingIn, dangling};
pub use leave_out::rows_to_leave_out;
pub use objective::{Objective, Weigh};
pub use problem::{Operation, Problem, QuasiColumn};
pub use scumble_level::Population;
pub use search::{Outcome, Refined, refine};
pub use stops::{Block, Stop, Why};
pub use together::{Bid, Instruction, PartySearch};
pub use trace::{Step, Trace};
pub use values::Misfit;
