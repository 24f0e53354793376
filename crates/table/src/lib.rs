//! Tables about people, held as codes.
//!
//! A [`Table`] is a list of [`Column`]s. A column is a [`Dictionary`] (its distinct values, in value order) and one
//! code per row, as narrow as the dictionary allows. A [`Taxonomy`] is a tree over the values of a column; a
//! [`Mask`] is the form in which a column is published, and a [`Released`] table is what a set of masks makes of a
//! table. [`SensitiveRanges`] say what must not be learnt of a secret beside itself,
//! and a [`TableSchema`] what a database says of a table. Nothing here reads or writes files.

mod alike;
mod codes;
mod collapse;
mod column;
mod dictionary;
mod encode;
mod interval;
mod justified;
mod label;
mod labels;
mod mask;
mod number;
mod reading;
mod released;
mod schema;
mod sensitive_range;
mod table;
pub mod taxonomy;
mod texts;
mod value_order;
mod written_as;

pub use alike::{Alike, LookAlikes};
pub use codes::Codes;
pub use collapse::{Collapsed, collapse, collapse_if_worth};
pub use column::Column;
pub use dictionary::Dictionary;
pub use encode::Encoder;
pub use interval::{Interval, Range, RangeError};
pub use justified::{Origin, Published};
pub use label::{
    Domain, Forms, FormsOf, Label, LabelIndex, Meaning, SharedForms, Shown, Written, cover, cover_all, meeting,
};
pub use labels::{Labels, SUPPRESSED};
pub use mask::{Cut, Discretized, Mask, MaskError};
pub use number::parse_number;
pub use reading::Reading;
pub use released::{Released, ReleasedColumn, as_read};
pub use schema::{Reference, TableSchema};
pub use sensitive_range::{
    Located, Reach, SensitiveDomain, SensitiveLine, SensitiveRange, SensitiveRangeError, SensitiveRanges,
};
pub use table::{ColumnId, Table};
pub use taxonomy::{NodeId, Taxonomy};
pub use texts::Texts;
pub use value_order::ValueOrder;
pub use written_as::{ReleaseFormat, RowOrder};
