//! What parties find out together without showing each other what they know.
//!
//! Three questions of a mashup need this: whether all have the same records, if they agreed to ([`Same`]), who has the
//! best candidate ([`Maximum`]), and whether a refinement keeps a template about a sensitive column that another party
//! holds ([`ask`] and [`answer`]). Each is a boolean circuit that
//! the parties evaluate by authenticated garbling, and all that anybody learns is the output of the circuit.
//!
//! We claim this against parties that follow the protocol and are curious. Authenticated garbling also notices most of
//! what a party could do that does not follow it, but nobody has proved that of the library we use.
//!
//! No message is read or written here: the caller brings a [`Channel`](polytune::channel::Channel).
//!
//! # Source
//! Wang, Ranellucci and Katz 2017, "Global-scale secure multiparty computation", by the crate `polytune`.

mod circuit;
mod compute;
mod consent;
mod error;
mod maximum;
#[cfg(test)]
mod network;
mod same;

pub use consent::{Bound, Counted, Numbered, OTHER, Rule, Secrets, Shares, Split, Values, answer, ask};
pub use error::SecureError;
pub use maximum::{BID_BITS, Maximum};
pub use same::Same;
