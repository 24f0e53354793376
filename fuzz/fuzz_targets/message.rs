//! Any bytes as a message of a party.
#![no_main]

#[path = "../bodies/message.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|data: &[u8]| body::run(data));
