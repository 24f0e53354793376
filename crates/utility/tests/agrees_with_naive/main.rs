//! Every measure agrees with nested loops that follow its definition word by word, on random tables.

mod association;
mod change;
mod loss;
mod query;
mod range_diversity;
mod tables;
