//! The party protocol of a mashup: several who hold columns about the same people find one release, and nobody learns more
//! of another's columns than that release shows.
//!
//! A [`Machine`] runs one party's side of it; it takes messages in, gives messages out, and does no I/O. The side of a
//! party is a chain of states, each a type that only the one before can make:
//!
//! | state | what all know then | how |
//! |---|---|---|
//! | [`Session`] | they have the same agreement | digests; the text only to someone whose digest differs |
//! | [`Aligned`] | the common records and their order | digests, or hashes of ids under a secret of this session |
//! | [`Ready`] | the class | compared by digest, sent to those who lack it |
//! | [`Fixed`] | which records show the same on every masked column | secure maximum, instructions, secure consent |
//! | [`Told`] | what masked columns show | labels, each as the agreement has it |
//! | [`Sound`] | that all were told the same, and that it meets what each sees to | recounting, digests |
//! | [`Whole`] | the release | columns published as they are, by group |
//! | the end | that all have the same release | digests |
//!
//! What others tell is held against the agreement ([`Terms`]) and recounted before anything of our own is told because of
//! it: whoever lies is found out before it reads what the truth would not have told it.
//!
//! [`Duties`] says who sees to which template; the result is that of one search on the joined table.
//!
//! # Source
//! Fung 2007, chapter 7; Mohammed, Fung, Wang and Hung 2009. Parties follow the protocol but are curious (semi-honest).

mod cells;
mod channel;
mod computed;
mod contribute;
mod duties;
mod event;
mod fault;
mod held;
mod judge;
mod limits;
mod machine;
mod mail;
mod message;
mod pack;
mod recount;
mod search;
pub mod secure;
mod session;
#[cfg(test)]
mod sim;
mod terms;

pub use cells::{Coded, MaskedColumn};
pub use contribute::{Contribution, Sound, Told, Whole};
pub use duties::{Duties, Foreseen};
pub use event::{Event, Followed};
pub use fault::Fault;
pub use machine::{End, Machine, Turn};
pub use mail::{Mail, Outgoing};
pub use message::{Ask, Cells, Digest, Masked, Message, PROTOCOL, Plain, Refine, Scope, Shown, Written};
pub use pack::Packed;
pub use search::Fixed;
pub use session::{Aligned, Ready, Session};
pub use terms::Terms;
