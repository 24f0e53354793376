//! Any bytes as a taxonomy.
#![no_main]

#[path = "../bodies/taxonomy.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|data: &[u8]| body::run(data));
