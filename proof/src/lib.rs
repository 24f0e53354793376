//! Random cases, run by the program and checked by somebody who knows only `docs/guarantees.md`.
//!
//! | part | its idea |
//! |---|---|
//! | [`dice`], [`draw`] | a case from a seed |
//! | [`table`], [`tree`], [`policy`], [`case`], [`families`], [`trial`] | what is drawn, and how its files are written |
//! | [`run`], [`release`] | the program, run as a user does, and what it wrote, as text |
//! | [`definitions`] | the checker: each promise from its definition |
//! | [`check`], [`findings`] | what is checked of each run, and what is wrong |
//! | [`cases`], [`shrink`] | many cases; one that fails, made small |
//!
//! Invariant: no code of the program is used here.

pub mod case;
pub mod cases;
pub mod check;
pub mod csv;
pub mod definitions;
pub mod dice;
pub mod draw;
pub mod families;
pub mod findings;
pub mod policy;
pub mod release;
pub mod run;
pub mod shrink;
pub mod table;
pub mod tree;
pub mod trial;
