//! The [`Policy`] over one table.

use toml::Spanned;

use crate::column::{ColumnPolicy, Role};
use crate::data::Data;
use crate::earlier::{EarlierPolicy, Inconsistent};
use crate::listed::ListedColumns;
use crate::method::Method;
use crate::release::{Release, Unlisted};
use crate::require::{About, AboutValues, Kind, Require};
use crate::text::PolicyText;

/// What the owner of the data asks for.
#[derive(Clone, Debug)]
pub struct Policy {
    /// Where the data is and how to read it.
    pub data: Data,
    /// The columns in the order of the policy, which decides between refinements of equal score.
    pub columns: ListedColumns,
    /// What must hold; each section at the place of its kind (`anonymity`).
    pub require: Vec<Spanned<Require>>,
    /// How to search.
    pub method: Method,
    /// What to write.
    pub release: Release,
    /// The releases that are out already; a ledger may add to them before the policy is bound to its data.
    pub earlier: Vec<EarlierPolicy>,
    /// What nobody can be in two releases.
    pub inconsistent: Vec<Inconsistent>,
    pub(crate) text: PolicyText,
}

impl Policy {
    /// The policy as it was written; for a quick one, the file that says the same.
    pub fn text(&self) -> &str {
        self.text.as_str()
    }

    /// The column with this name.
    pub fn column(&self, name: &str) -> Option<&ColumnPolicy> {
        self.columns.find(name)
    }

    /// Whether a column of the data is published; one that is not listed, only if the policy says so of all of them.
    pub fn publishes(&self, name: &str) -> bool {
        match self.column(name) {
            Some(column) => column.role != Role::Identifier,
            None => self.release.unlisted == Unlisted::Publish,
        }
    }

    /// The same policy, as it reads a file that may hold more than it publishes: nothing there is passed over.
    pub fn with_all_columns(&self) -> Policy {
        let mut policy = self.clone();
        policy.release.unlisted = Unlisted::Publish;
        policy
    }

    /// The same policy, after further releases.
    pub fn after(&self, earlier: &[EarlierPolicy]) -> Policy {
        let mut policy = self.clone();
        policy.earlier.extend_from_slice(earlier);
        policy
    }

    /// Its text, so that a problem can point at a line.
    pub fn source(&self) -> &PolicyText {
        &self.text
    }

    /// Whether a template counts the different values of a column.
    pub fn is_counted(&self, name: &str) -> bool {
        let mut counted = self.kinds().flat_map(Kind::counted);
        counted.any(|column| column.get_ref() == name)
    }

    /// Whether a column holds the nodes that people guard.
    pub fn is_guarding(&self, name: &str) -> bool {
        self.kinds().any(|kind| kind.guarding() == Some(name))
    }

    fn kinds(&self) -> impl Iterator<Item = &Kind> {
        self.require.iter().map(|require| &require.get_ref().kind)
    }

    /// All secrets that are listed one by one, with their columns.
    pub fn listed(&self) -> impl Iterator<Item = (&str, &Spanned<String>)> + Clone {
        let abouts = self.require.iter().flat_map(|require| require.get_ref().kind.secrets());
        abouts.flat_map(|About { column, values }| {
            let listed = match values {
                AboutValues::Every => &[][..],
                AboutValues::Listed(listed) => listed,
            };
            listed.iter().map(move |(value, _)| (column.get_ref().as_str(), value))
        })
    }
}
