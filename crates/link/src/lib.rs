//! Links between the parties of a mashup: TCP with mutual TLS 1.3, carrying whole messages.
//!
//! [`Links::connect`] meets every other party of a list. Then [`Links::send`] and [`Links::receive`] carry messages,
//! which are bytes that nothing here looks into. Each message arrives whole, once, and in the order in which its sender
//! sent it; or the run ends, at every party, with a [`LinkError`] that says which peer failed and how.
//!
//! The callers are plain threads. One thread in the background owns all sockets:
//!
//! ```text
//! send ──► outbox (one per peer, bounded in bytes) ──► frames ──► TLS ──► peer
//! receive ◄── inbox (bounded in bytes per peer) ◄── frames ◄── TLS ◄── peer
//! ```
//!
//! An [`Identity`] is who this party is and whom it believes: its certificate, its key, and the authority that signs
//! the certificates of all parties. [`make_keys`] makes such files for a trial.
//!
//! # Cost
//!
//! Small frames leave at once. On the loopback of a computer with two cores, a small message and its answer take about
//! a tenth of a millisecond, and messages of 100 MB go through at 300 to 400 MB a second. Most of that time goes into
//! fresh memory and into the kernel; encryption takes less than a tenth of it.

mod certificate;
mod error;
mod frame;
mod greeting;
mod identity;
mod keys;
mod limits;
mod link;
mod links;
mod meeting;
mod parties;
mod patience;
mod state;

pub use certificate::CertificateFault;
pub use error::{Absence, Fault, LinkError, Missing, SentAway};
pub use identity::Identity;
pub use keys::make_keys;
pub use limits::Limits;
pub use links::Links;
pub use parties::Peer;
pub use state::Traffic;
