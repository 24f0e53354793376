//! Earlier releases as a plan knows them: by their headers, and by what is read of their rows.

use scumble_policy::{Cells, OnDangling};
use scumble_table::{ColumnId, SharedForms};

/// What is known of an earlier release before its rows are read.
#[derive(Clone, Debug)]
pub struct Head {
    /// The names of its columns.
    pub header: Vec<String>,
    /// Its quasi columns, as far as they are known.
    pub quasi: Vec<String>,
    /// Those that are recoded by suppression.
    pub recoded: Vec<String>,
    /// What the cells of its columns are, where that is declared.
    pub cells: Vec<(String, Cells)>,
}

impl Head {
    /// What the cells of a column are, if that is declared.
    pub fn cells_of(&self, column: &str) -> Option<Cells> {
        let mut declared = self.cells.iter();
        declared.find(|(name, _)| name == column).map(|(_, cells)| *cells)
    }
}

/// An earlier release that is joined.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedEarlier {
    /// What the policy calls it.
    pub name: String,
    /// Its columns that are read, in file order, so that the place of one is its [`ColumnId`].
    pub columns: Vec<PlannedEarlierColumn>,
    /// The names of the columns that this table publishes, too, read or not.
    pub copies: Vec<String>,
    /// Its quasi columns, which an adversary knows if the policy does not say what is known.
    pub quasi: Vec<ColumnId>,
    /// Columns in which no value that is shown is behind `*` elsewhere.
    pub recoded: Vec<ColumnId>,
    /// What to do about a record without a match.
    pub on_dangling: OnDangling,
}

/// A column of an earlier release that is read.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedEarlierColumn {
    /// Its name in the header.
    pub name: String,
    /// What its cells can be.
    pub forms: SharedForms,
    /// Whether that was declared for this release, by the policy or a certificate.
    pub is_declared: bool,
}

impl PlannedEarlier {
    /// The column with this name, if it is read.
    pub fn find(&self, name: &str) -> Option<ColumnId> {
        self.columns.iter().position(|column| column.name == name).map(ColumnId)
    }

    pub(crate) fn find_all(&self, names: &[String]) -> Vec<ColumnId> {
        names.iter().filter_map(|name| self.find(name)).collect()
    }
}
