//! Local recoding: rows are gathered into groups, and each group is shown as one.
//!
//! | age | job | | group | released age | job |
//! |---|---|---|---|---|---|
//! | 31 | Engineer | | 1 | [31, 34] | Professional |
//! | 34 | Lawyer | | 1 | [31, 34] | Professional |
//! | 34 | Janitor | | 2 | [34, 60] | Janitor |
//! | 60 | Janitor | | 2 | [34, 60] | Janitor |
//!
//! Two rows with the same value may show different ones: that is what makes it local, and what makes it lose less than
//! a mask of a whole column. A [`Space`] says what a group loses, a [`Method`] makes groups, and [`gather`] sees to it
//! that they keep every condition before anyone sees them.

mod alike;
mod anatomy;
mod axis;
mod cluster;
mod cost;
mod k_member;
mod lattice;
mod local;
mod microaggregation;
mod mondrian;
mod partition;
mod problem;
mod recode;
mod rungs;
mod sample;
mod secret;
mod settle;
mod space;
mod toc;
mod upc;

pub use alike::{Look, settle_alike};
pub use anatomy::Anatomy;
pub use axis::Scale;
pub use k_member::{KMember, MemberObjective, Protection};
pub use lattice::{FullDomain, FullDomainFound, FullDomainObjective, Ladder, full_domain};
pub use local::Local;
pub use microaggregation::Microaggregation;
pub use mondrian::Mondrian;
pub use problem::{Failure, Grouping, Method, Problem};
pub use recode::{Form, Recoded, Shape, recode};
pub use secret::RangeSecret;
pub use settle::gather;
pub use space::{Hull, Space};
pub use toc::{Nearest, Toc};
pub use upc::Upc;
