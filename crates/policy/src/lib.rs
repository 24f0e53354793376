//! A [`Policy`] is what the owner of the data asks for: what each column is, what must hold, what the data is for.
//!
//! Invariant: a `Policy` is checked in itself. Every column of this table that it speaks of is listed, `of` names quasi
//! columns only and `about` others, every bound is in its range, there is a quasi column and something to require, and
//! the objective has the class column it needs. What only the data and earlier releases can tell (is the column there,
//! is the value) is checked when the policy is bound to them, which is not done here.

mod agreement;
mod anatomy;
mod checked;
mod column;
mod data;
mod demands;
mod earlier;
mod facts;
mod keys;
mod listed;
mod method;
mod parse;
mod persons;
mod policy;
mod problems;
mod quick;
mod ranges;
mod release;
mod require;
mod section;
mod spanned;
mod taxonomies;
mod text;
mod to_toml;
mod words;
mod written;

pub use agreement::{Agreement, Deadline, Party, Private, differences};
pub use anatomy::GROUP;
pub use column::{ColumnKind, ColumnPolicy, Role};
pub use data::{Data, DatabaseRows, Missing, Place, RowsAt};
pub use demands::{SecretDemand, SecretPolicy};
pub use earlier::{
    Cells, CellsOf, EarlierPolicy, Inconsistent, InconsistentCondition, JOIN_WORD, OnDangling, THIS_WORD,
    is_release_name, of_release,
};
pub use listed::ListedColumns;
pub use method::{Approach, Gathering, GatheringPersons, Method, Opening, form_of, form_word};
pub use persons::{LookupPolicy, Persons, TablePolicy};
pub use policy::Policy;
pub use problems::{Problem, Problems};
pub use quick::Quick;
pub use ranges::do_not_fit;
pub use release::{Formulas, Release, Unlisted};
pub use require::{About, AboutValues, Counting, DistanceKind, Kind, Of, OfEarlier, Require};
pub use spanned::Spanned;
pub use taxonomies::{Taxonomies, TaxonomyText, TextOf};
pub use text::PolicyText;
pub use words::{LONGEST_SHOWN, all, counted, did_you_mean, list, quoted, shown, suggestion};
pub use written::{relative, text, texts};
