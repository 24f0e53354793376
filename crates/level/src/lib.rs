//! What a search asks of a group: the level of each template in it.
//!
//! Every search, whether it refines masks or gathers rows, forms groups and must know whether they keep the
//! requirement. A [`Measure`] is one template on one group, from how many of its rows are of each category; a [`Spec`]
//! is a grouping that templates share, with what rows are told apart by in it; [`Conditions`] are all templates asked of
//! one group of rows. [`Contributions`] are what range diversity is made of, pair by pair.
//!
//! The audit knows nothing of this crate: it counts for itself.

mod checks;
mod conditions;
mod contributions;
mod measure;
mod population;

pub use checks::{Check, Spec, specs};
pub use conditions::{Conditions, RangeCheck};
pub use contributions::{Apart, Contributions};
pub use measure::{Cell, Measure, PERSON, Tree, subtract, total};
pub use population::Population;
