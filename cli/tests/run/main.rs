//! The program, run as a user runs it.

mod adult;
mod anatomy;
mod attack;
mod database;
mod desk;
#[cfg(unix)]
mod disturbed;
mod evaluate;
mod examples;
mod frontier;
mod ledger;
mod local;
#[cfg(unix)]
mod mashup;
#[cfg(target_os = "linux")]
mod memory;
mod numbers;
mod publish;
mod releases;
mod secrets;
mod shared_data;
mod templates;
mod wrong_input;
