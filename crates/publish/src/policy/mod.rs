//! A [`Policy`] is what the owner of the data asks for: what each column is, what must hold, what the data is for.
//!
//! Invariant: a `Policy` is checked in itself. Every column of this table that it speaks of is listed, `of` names quasi
//! columns only and `about` others, every bound is in its range, there is a quasi column and something to require, and
//! the objective has the class column it needs. What only the data and earlier releases can tell (is the column there,
//! is the value) is checked by [`Policy::plan`], [`Policy::check_data`] and [`Plan::history`](crate::Plan::history).

mod anatomy;
mod columns;
mod database;
mod earlier;
mod facts;
mod listed;
mod method;
mod parse;
mod quick;
mod ranges;
mod require;
mod section;
mod taxonomies;
mod text;
mod words;

use std::path::{Path, PathBuf};

use scumble_grouping::Form;
use scumble_store::{ReleaseFormat, RowOrder};
use scumble_table::{Alike, Range, SensitiveRange};
use toml::Spanned;

pub use database::{
    AnyPolicy, DatabasePolicy, EntityApproach, EntityMethod, LookupPolicy, RowsFrom, SecretDemand, SecretPolicy,
    TablePolicy, TablesAt,
};
pub use earlier::{Cells, CellsOf, EarlierPolicy, Inconsistent, InconsistentCondition, OnDangling};
pub use listed::ListedColumns;
pub use method::{Approach, Gathering, Method};
pub use quick::Quick;
pub use require::{About, AboutValues, Counting, DistanceKind, Kind, Of, OfEarlier, Require};
pub use taxonomies::Taxonomies;

pub(crate) use anatomy::GROUP;
pub(crate) use columns::Columns;
pub(crate) use earlier::{JOIN_WORD, THIS_WORD, is_release_name, of_release};
pub(crate) use facts::{Setting, relative, text, texts};
pub(crate) use method::{form_of, form_word};
pub(crate) use parse::{Asked, read_cells, read_data, read_document};
pub(crate) use ranges::do_not_fit;
pub(crate) use section::{Item, Section};
pub(crate) use taxonomies::read_taxonomy;
pub(crate) use text::PolicyText;
pub(crate) use words::{LONGEST_SHOWN, all, counted, did_you_mean, list, quoted, shown, suggestion};

use crate::Error;

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
    text: PolicyText,
}

impl Policy {
    /// Reads and checks a policy file; its paths are relative to its folder.
    pub fn read(path: &Path) -> Result<Policy, Error> {
        let (text, folder) = PolicyText::read(path)?;
        parse::parse(&text, folder)
    }

    /// Checks the text of a policy, which messages call `name`; its paths are relative to `folder`.
    pub fn parse(text: &str, name: &str, folder: &Path) -> Result<Policy, Error> {
        parse::parse(&PolicyText::of_file(name, text), folder)
    }

    /// The policy that the flags of a command line ask for; its paths are relative to the current folder.
    pub fn quick(quick: &Quick) -> Result<Policy, Error> {
        parse::parse(&quick.text()?, Path::new(""))
    }

    /// The policy as it was written; for a quick one, the file that says the same.
    pub fn text(&self) -> &str {
        self.text.as_str()
    }

    /// The column with this name.
    pub fn column(&self, name: &str) -> Option<&ColumnPolicy> {
        self.columns.find(name)
    }

    /// Whether a column of the data is published; one that is not listed, only if the policy says so of all of them.
    pub(crate) fn publishes(&self, name: &str) -> bool {
        match self.column(name) {
            Some(column) => column.role != Role::Identifier,
            None => self.release.unlisted == Unlisted::Publish,
        }
    }

    /// The same policy, as it reads a file that may hold more than it publishes: nothing there is passed over.
    pub(crate) fn with_all_columns(&self) -> Policy {
        let mut policy = self.clone();
        policy.release.unlisted = Unlisted::Publish;
        policy
    }

    /// The same policy, after further releases.
    pub(crate) fn after(&self, earlier: &[EarlierPolicy]) -> Policy {
        let mut policy = self.clone();
        policy.earlier.extend_from_slice(earlier);
        policy
    }

    pub(crate) fn source(&self) -> &PolicyText {
        &self.text
    }
}

/// Where the data is and how to read it.
#[derive(Clone, Debug, PartialEq)]
pub struct Data {
    /// The file.
    pub file: Spanned<PathBuf>,
    /// What becomes of missing values.
    pub missing: Missing,
    /// The texts that mean "missing", beside the empty one.
    pub missing_marks: Vec<String>,
    /// The column names, if the file has no header.
    pub names: Option<Vec<String>>,
    /// What stands between cells, if not what the format says.
    pub separator: Option<u8>,
    /// What a line begins with that is not data.
    pub comment: Option<u8>,
    /// Whether spaces around a cell are no part of it.
    pub trim: bool,
    /// The sheet of a workbook, if not the first.
    pub sheet: Option<String>,
    /// Whom the table is about, in a ledger of several populations.
    pub population: Option<String>,
}

impl Data {
    /// A file that is read as usual.
    pub fn of_file(file: impl Into<PathBuf>) -> Data {
        Data {
            file: Spanned::new(0..0, file.into()),
            missing: Missing::Value,
            missing_marks: Vec::new(),
            names: None,
            separator: None,
            comment: None,
            trim: true,
            sheet: None,
            population: None,
        }
    }
}

/// What becomes of missing values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// Missing is a value of its own.
    Value,
    /// A row with a missing value is left out.
    Drop,
}

/// What one column is.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnPolicy {
    /// Its name in the header.
    pub name: Spanned<String>,
    /// Its part in the release.
    pub role: Role,
    /// What its values are.
    pub kind: ColumnKind,
    /// How a group of its values is shown, where rows are gathered into groups; `None` for what its kind suggests.
    pub form: Option<Spanned<Form>>,
    /// Which ranges of its values must not be learnt, if it is sensitive.
    pub sensitive_ranges: Option<Spanned<SensitiveRange>>,
    /// Whether it is published as other though nearly every row may have a value of its own.
    pub unique: bool,
    /// Which texts are one value, if the policy says it.
    pub alike: Option<Alike>,
}

/// The part of a column in the release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Names a person; never published.
    Identifier,
    /// Might be known from elsewhere; published masked.
    Quasi,
    /// What must not be inferred; published as it is.
    Sensitive,
    /// What the data is to predict; published as it is.
    Class,
    /// None of these; published as it is.
    Other,
}

impl Role {
    /// All roles, with the words that the policy uses.
    const WORDS: [(&'static str, Role); 5] = [
        ("identifier", Role::Identifier),
        ("quasi", Role::Quasi),
        ("sensitive", Role::Sensitive),
        ("class", Role::Class),
        ("other", Role::Other),
    ];

    /// The word that the policy uses.
    pub fn word(self) -> &'static str {
        word_of(self, &Role::WORDS)
    }
}

/// What the values of a column are.
#[derive(Clone, Debug, PartialEq)]
pub enum ColumnKind {
    /// Words.
    Categorical {
        /// The file of the tree above them.
        taxonomy: Option<Spanned<PathBuf>>,
    },
    /// Numbers.
    Continuous {
        /// The range to publish as a whole; without it, the smallest and the largest value.
        range: Option<Range>,
    },
}

/// What to write.
#[derive(Clone, Debug, PartialEq)]
pub struct Release {
    /// The folder.
    pub folder: PathBuf,
    /// The format of the released table.
    pub format: ReleaseFormat,
    /// The order of its rows.
    pub order: RowOrder,
    /// What becomes of cells that a spreadsheet would take for formulas.
    pub formulas: Formulas,
    /// What becomes of columns that the policy does not list.
    pub unlisted: Unlisted,
}

/// What becomes of cells that a spreadsheet would take for formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Formulas {
    /// They are written as they are, and told of.
    Report,
    /// They are written as text.
    Text,
}

impl Formulas {
    /// Both, with the words that the policy uses.
    pub(crate) const WORDS: [(&'static str, Formulas); 2] = [("report", Formulas::Report), ("text", Formulas::Text)];

    /// The word that the policy uses.
    pub(crate) fn word(self) -> &'static str {
        word_of(self, &Formulas::WORDS)
    }
}

impl Release {
    /// Whether formulas are written as text. Only text can be taken for one: other formats say what a cell is.
    pub(crate) fn formulas_as_text(&self) -> bool {
        self.can_hold_formulas() && self.formulas == Formulas::Text
    }

    /// Whether a spreadsheet may take cells of this format for formulas.
    pub(crate) fn can_hold_formulas(&self) -> bool {
        match self.format {
            ReleaseFormat::Csv => true,
            ReleaseFormat::Parquet => false,
        }
    }

    /// What the certificate says of formulas, if anything.
    pub(crate) fn formulas_certified(&self) -> Option<String> {
        self.formulas_as_text().then(|| Formulas::Text.word().to_owned())
    }
}

/// What becomes of columns that the policy does not list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unlisted {
    /// They are not read, and not published.
    LeaveOut,
    /// They are published as they are, as those with the role other.
    Publish,
}

/// The word of a value in its list of words.
fn word_of<T: Copy + PartialEq>(value: T, words: &[(&'static str, T)]) -> &'static str {
    words
        .iter()
        .find(|&&(_, other)| other == value)
        .map_or("", |&(word, _)| word)
}
