//! Any bytes as a policy.
#![no_main]

#[path = "../bodies/policy.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|data: &[u8]| body::run(data));
