//! Parties that talk over sockets of this computer.

mod keys;
mod meeting;
mod messages;
mod raw;
mod rules;
mod town;
