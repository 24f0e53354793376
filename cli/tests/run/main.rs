//! The program, run as a user runs it.

mod adult;
mod anatomy;
mod attack;
mod columns;
#[cfg(unix)]
mod crowd;
mod database;
mod desk;
#[cfg(unix)]
mod disturbed;
mod evaluate;
mod examples;
#[cfg(unix)]
mod folder;
mod formulas;
mod frontier;
mod labels;
mod ledger;
mod local;
#[cfg(unix)]
mod mashup;
#[cfg(target_os = "linux")]
mod memory;
mod numbers;
mod one_table;
mod publish;
mod releases;
mod secrets;
mod shared_data;
mod spelling;
mod templates;
mod wide;
mod wrong_input;
