//! Writing a release, and putting it in place.

mod aside;
mod batches;
mod csv;
mod parquet;
mod tables;
