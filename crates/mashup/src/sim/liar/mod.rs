//! A party that keeps the form of the protocol and lies in its content: what it learns, and who is blamed.

mod questions;
mod records;
