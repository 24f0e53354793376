//! Any bytes as a Parquet file.
#![no_main]

#[path = "../bodies/parquet.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|data: &[u8]| body::run(data));
