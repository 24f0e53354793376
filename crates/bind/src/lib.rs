//! A policy bound to its data: from names to columns, from sections to templates. Nothing here reads a file.
//!
//! [`bind()`] takes a policy, the header of its data and what is known of earlier releases, and gives a [`Plan`] of one table;
//! [`bind_tables`] takes what is known of several tables, and gives a [`TablesPlan`]. The [`PlannedColumns`] of a table are one
//! and the same; the two plans differ in what must hold: templates on the rows of a table, or demands on persons who have rows
//! in all of them, and in what else is bound: earlier releases here, keys there. What only rows can tell is checked by [`check_data`], [`check_unique`] and [`Plan::with_history`].

mod alike;
mod binding;
mod check;
mod columns;
mod describe;
mod earlier;
mod error;
mod join;
mod plan;
mod shown;
mod tables;
mod templates;
mod unique;
mod warning;

pub use alike::{Holds, look_alikes, unite};
pub use binding::bind;
pub use check::{check_data, check_header, check_known_data};
pub use columns::{PlannedColumn, PlannedColumns, Values};
pub use describe::{distance_word, factor, likeness_word, measure_word, nearest_bound};
pub use earlier::{Head, PlannedEarlier, PlannedEarlierColumn};
pub use error::BindError;
pub use join::looks_like_a_label;
pub use plan::{Plan, PlannedPopulation};
pub use tables::{PlannedLookup, PlannedTable, TableHead, TablesPlan, bind_tables};
pub use unique::{check_unique, is_nearly_unique};
pub use warning::PlanWarning;
