//! Section V of Nergiz and Clifton 2008: MiRaCle and MiRaCleX beside a method for one table on a bitmap of the database.
//!
//! `university` has the tables, `way` the methods and what is measured, `section_v` the experiments. Releases are made and
//! measured in memory.
//!
//! The figures of the paper are curves, of which only the words can be read. What they say of a curve is here a claim about
//! a ratio or a difference of two of our figures, at its worst setting.

mod section_v;
mod university;
mod way;

pub use section_v::{by_k, by_threshold};
