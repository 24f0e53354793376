//! Any bytes as an agreement.
#![no_main]

#[path = "../bodies/agreement.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|data: &[u8]| body::run(data));
