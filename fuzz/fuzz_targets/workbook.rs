//! Any bytes as a workbook.
#![no_main]

#[path = "../bodies/workbook.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|data: &[u8]| body::run(data));
