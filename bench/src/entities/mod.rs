//! The study of several tables: students, their courses and books, published as one database.
//!
//! Invariant: what is timed is the program as a user starts it, from the policy file to the synced folder, in turns with a
//! plain copy of the same files.
//!
//! # Source
//! Nergiz and Clifton 2008, section V: the students, here of any number. Their own experiments, at 1,000, are run again in
//! `bench/papers`.

mod copy;
mod program;
mod run;
mod school;
mod summary;

pub use copy::copy_files_once;
pub use run::run;
pub use school::{School, Way};
pub use summary::summary;
