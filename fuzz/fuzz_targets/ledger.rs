//! Any bytes as the entries of a ledger.
#![no_main]

#[path = "../bodies/ledger.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|data: &[u8]| body::run(data));
