//! Any bytes as labels and queries.
#![no_main]

#[path = "../bodies/workload.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|data: &[u8]| body::run(data));
