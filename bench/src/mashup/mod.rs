//! The study of a mashup: two parties who publish together, beside one who has the joined table.
//!
//! Invariant: what is measured is right. Every release of every party has the bytes that `publish` makes of the joined
//! table, or the run fails.
//!
//! # Source
//! Fung 2007, section 7.4: Adult, 9 columns at the Immigration Department and 5 at the Taxation Department, all 14 in one
//! template. Asking for consent is not measured there.

mod experiment;
mod files;
mod party;
mod run;
mod summary;
mod tally;

pub use party::take_part_once;
pub use run::run;
pub use summary::summary;
