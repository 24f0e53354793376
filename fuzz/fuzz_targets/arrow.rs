//! Any bytes as an Arrow file.
#![no_main]

#[path = "../bodies/arrow.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|data: &[u8]| body::run(data));
