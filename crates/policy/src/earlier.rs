//! `[[earlier]]` and `[[inconsistent]]`: releases that are out already, and what nobody can be in two releases.
//!
//! Invariant: the name of a release has no dot, so `clinic2024.zip` names one column of one release. Whether there is
//! such a release is known when the policy is bound to its data: a ledger may add some to those that are written here.

use std::ops::Range;
use std::path::PathBuf;

use scumble_table::Written;

use crate::problems::Problems;
use crate::spanned::Spanned;

/// What a policy calls the release that is being made.
pub const THIS_WORD: &str = "this";

/// What a policy calls the matches of all releases.
pub const JOIN_WORD: &str = "join";

/// A release that is out already.
#[derive(Clone, Debug, PartialEq)]
pub struct EarlierPolicy {
    /// What the policy calls it: letters, digits, `_` and `-`.
    pub name: Spanned<String>,
    /// The released table.
    pub file: Spanned<PathBuf>,
    /// The columns that are matched; `None` for every column that another release has, too.
    pub join: Option<Vec<Spanned<String>>>,
    /// What to do about a record that matches none of its records.
    pub on_dangling: OnDangling,
    /// The trees of its columns that this table lacks.
    pub taxonomies: Vec<(Spanned<String>, Spanned<PathBuf>)>,
    /// Its quasi columns, if they are known; a certificate beside the file may tell.
    pub quasi: Option<Vec<String>>,
    /// Those of them that are recoded by suppression: no value that such a column shows is behind `*` elsewhere.
    pub recoded: Vec<String>,
    /// What the cells of its columns are, as far as it is known; a certificate beside the file may tell of others.
    pub cells: Vec<(Spanned<String>, Cells)>,
    /// Whether blanks around its cells are no part of them, if that is known; a certificate beside the file may tell.
    pub trim: Option<bool>,
    /// Whether a ledger names it, so that the policy has no line for it.
    pub from_ledger: bool,
}

/// What to do about a record without a match, which shows that releases do not cover each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnDangling {
    /// Publish nothing.
    Error,
    /// Publish, and say so.
    Report,
}

/// What the cells of a column of an earlier release are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cells {
    /// What its values are.
    pub of: CellsOf,
    /// What is shown of them.
    pub written: Written,
}

/// What the values of a column of an earlier release are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellsOf {
    /// As this policy says of the column.
    AsHere,
    /// Numbers, whatever this policy says.
    Numbers,
    /// Leaves of a taxonomy, which this policy must name.
    Nodes,
}

/// What a policy may say that the cells of a column are.
pub(crate) const CELLS: [(&str, Cells); 3] = [
    (
        "values",
        Cells {
            of: CellsOf::AsHere,
            written: Written::Exact,
        },
    ),
    (
        "labels",
        Cells {
            of: CellsOf::AsHere,
            written: Written::Any,
        },
    ),
    (
        "numbers",
        Cells {
            of: CellsOf::Numbers,
            written: Written::Any,
        },
    ),
];

impl Cells {
    /// What `values`, `labels` or `numbers` says.
    pub fn of_word(word: &str) -> Option<Cells> {
        let mut words = CELLS.into_iter();
        words.find(|(known, _)| *known == word).map(|(_, cells)| cells)
    }
}

pub(crate) const ON_DANGLING: [(&str, OnDangling); 2] = [("error", OnDangling::Error), ("report", OnDangling::Report)];

/// Two conditions that no person meets at once.
#[derive(Clone, Debug, PartialEq)]
pub struct Inconsistent {
    /// The conditions, each on another release.
    pub conditions: [InconsistentCondition; 2],
}

/// A label, or what is under it, in a column of one release.
#[derive(Clone, Debug, PartialEq)]
pub struct InconsistentCondition {
    /// `this`, or the name of an earlier release.
    pub release: Spanned<String>,
    /// The column.
    pub column: Spanned<String>,
    /// A value, a node or an interval.
    pub within: Spanned<String>,
}

impl EarlierPolicy {
    /// Reports something about the release: at a place of the policy, if that is what names it.
    pub fn report(
        &self,
        place: Range<usize>,
        message: impl Into<String>,
        help: Option<String>,
        problems: &mut Problems,
    ) {
        match self.from_ledger {
            true => problems.overall(message, help),
            false => problems.at(place, message, help),
        }
    }
}

/// The release and the column that a name such as `clinic2024.zip` stands for, if it can.
pub fn of_release(name: &str) -> Option<(&str, &str)> {
    name.split_once('.')
        .filter(|(release, column)| is_release_name(release) && !column.is_empty())
}

/// Whether a release can be called so, the words aside that mean something else.
pub fn is_release_name(name: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    !name.is_empty() && name.bytes().all(fits)
}
