//! The study of builds: the same release by two or more programs, in turns, so that a change shows what it costs.
//!
//! A program is any build of scumble: that of yesterday beside that of today. What counts is its own time on the processor, which
//! a busy computer changes little; the first is what the others are compared with.
//!
//! Invariant: each release is started by a process that starts nothing else, so that the time and the peak memory of the
//! children of that process are those of one release.

mod child;
mod run;
mod summary;

pub use child::run_once;
pub use run::run;
pub use summary::summary;
