//! Several parties publish one table: processes that talk over real sockets, on this computer.

mod columns;
pub mod company;
mod disagreement;
mod equal;
mod explained;
mod killed;
mod liars;
mod sample;
mod strangers;
mod wire;
mod wrong_input;
