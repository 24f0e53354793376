//! A policy bound to its data: from names to columns, from sections to templates. Nothing here reads a file.
//!
//! [`bind()`] takes a policy, the header of its data and what is known of earlier releases, and gives a [`Plan`]. What only
//! rows can tell is checked by [`check_data`], [`check_unique`] and [`Plan::with_history`].

mod alike;
mod binding;
mod check;
mod describe;
mod earlier;
mod error;
mod join;
mod plan;
mod shown;
mod templates;
mod unique;
mod warning;

pub use alike::{Holds, look_alike, look_alikes, unite};
pub use binding::bind;
pub use check::{check_data, check_header, check_known_data, lacks_order, no_order};
pub use describe::{distance_word, factor, likeness_word, measure_word, nearest_bound};
pub use earlier::{Head, PlannedEarlier, PlannedEarlierColumn};
pub use error::BindError;
pub use join::looks_like_a_label;
pub use plan::{Plan, PlannedColumn, PlannedPopulation, Values};
pub use templates::values_under;
pub use unique::{NEARLY_UNIQUE, check_unique, is_nearly_unique, remedy};
pub use warning::PlanWarning;
