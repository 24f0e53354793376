//! Earlier releases in a policy: what is read, what matches, what is asked of the join, and what is wrong.

#[path = "../../../policy/tests/keys/mod.rs"]
mod keys;

mod desk;
mod joining;
mod reading;
mod sections;
mod wrong;
