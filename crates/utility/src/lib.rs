//! What a release is still good for, measured against the data that it was made from.
//!
//! A [`Comparison`] is every column before and after masking. Everything is measured on it: what the cells lost
//! ([`information_loss`]), what happened to each column ([`column_changes`]), how large the groups are
//! ([`group_sizes`]), how well they keep the ranges of secrets ([`range_diversity`]). With the original rows beside it:
//! what columns still tell of each other ([`associations`]), and how far off counts are ([`query_error`]). And how often
//! classifiers err that learn from the release: [`classify`].
//!
//! The release may be of any tool. Its labels are read as [`scumble_table::Label`]s, and an [`Extent`] is what one of
//! them may stand for in its column. No result holds a cell of either table: only figures and column names. What each
//! figure means, and when it misleads, is in `docs/measures.md`.

mod association;
mod change;
pub mod classify;
mod comparison;
mod diversity;
mod extent;
mod groups;
mod loss;
mod query;
mod range_diversity;
mod summary;

pub use association::{Association, AssociationKind, Associations, MOST_CELLS, associations};
pub use change::{ColumnChange, column_changes};
pub use comparison::{Compared, Comparison, Role, Tally};
pub use diversity::{q_diversity, s_diversity};
pub use extent::{Domain, Extent, Places, Scale, Values};
pub use groups::{GroupSizes, Groups, SizeBin, group_sizes};
pub use loss::{Cost, InformationLoss, information_loss};
pub use query::{GenerateError, Generated, Query, QueryError, Workload, WorkloadError, WorkloadProblem, query_error};
pub use range_diversity::{RangeDiversity, range_diversity};
