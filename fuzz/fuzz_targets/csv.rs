//! Any bytes as a table.
#![no_main]

#[path = "../bodies/csv.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|data: &[u8]| body::run(data));
