//! Several tables, published, audited and attacked as a user would.

mod columns;
mod evaluate;
mod planted;
mod public;
mod sources;
mod templates;
mod university;
mod wrong_input;
