//! Writing a release, and putting it in place.

mod aside;
mod csv;
mod parquet;
mod tables;
