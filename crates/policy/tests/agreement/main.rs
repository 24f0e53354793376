//! Agreements of several parties: what they say, what is wrong with them, and how two are compared.

#[path = "../keys/mod.rs"]
mod keys;

mod canonical;
mod desk;
mod mutations;
mod private;
mod problems;
mod templates;
mod terms;
