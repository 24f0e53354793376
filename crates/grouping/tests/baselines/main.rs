//! The baselines agree with slow, obvious versions of themselves on random tables, and keep what they promise.

mod anatomy;
#[path = "../dice/mod.rs"]
mod dice;
mod k_member;
mod microaggregation;
mod mondrian;
mod task;
mod threads;
