//! Whole mashups in one process: any number of parties, any order of delivery, any mishap on the way.
//!
//! A [`World`](world::World) is what one machine would be given; [`drive::run`] gives each party its share of it and hands
//! their messages on. Five claims are held against this:
//!
//! | claim | where |
//! |---|---|
//! | the parties find what one machine finds | `equal.rs`, and `paper.rs` for the example of the paper |
//! | nobody receives more than the release shows | `leaks/` |
//! | a mishap ends the run, and never in another release | `faults.rs` |
//! | what does not fit is a fault that names its sender | `faults.rs` |
//! | who lies learns nothing more, and is found out | `liar/` |

mod drive;
mod equal;
mod faults;
mod judges;
mod leaks;
mod liar;
mod paper;
mod party;
mod world;
