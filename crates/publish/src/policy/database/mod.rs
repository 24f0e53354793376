//! A [`DatabasePolicy`] is what the owner of several tables asks for: one table of persons, tables that hang off it, and
//! look-ups that rows of them refer to.
//!
//! ```toml
//! [person]
//! file = "students.csv"
//! key = "sid"
//!
//! [[tables]]
//! name = "courses"
//! file = "courses.csv"
//! key = "scid"
//! foreign_key = "sid"          # holds the key of the table of persons, unless `parent` names another table
//! ```
//!
//! Invariant: it is checked in itself. Every name that it speaks of is that of a table or column that it lists, no column
//! is both key and quasi, what is required can be counted of persons. What a database or the data must tell (keys that
//! are not written here, whether columns are there) is checked when it is bound to them.

mod parse;
mod require;
mod tables;

use std::path::{Path, PathBuf};

use scumble_privacy::Diversity;
use scumble_store::{FileSource, ReleasePart};
use toml::Spanned;

use super::section::Section;
use super::{ColumnPolicy, Data, ListedColumns, Policy, PolicyText, Release, parse as table_policy, word_of};
use crate::error::{Error, Problems};

/// The sections that only a policy over several tables has.
pub(super) const DATABASE_SECTIONS: [&str; 3] = ["person", "tables", "lookups"];

/// A policy of either kind.
#[derive(Clone, Debug)]
pub enum AnyPolicy {
    /// Over one table.
    Table(Box<Policy>),
    /// Over several.
    Database(Box<DatabasePolicy>),
}

impl AnyPolicy {
    /// Reads and checks a policy file; its paths are relative to its folder.
    pub fn read(path: &Path) -> Result<AnyPolicy, Error> {
        let (text, folder) = PolicyText::read(path)?;
        AnyPolicy::of(&text, folder)
    }

    /// Checks the text of a policy, which messages call `name`; its paths are relative to `folder`.
    pub fn parse(text: &str, name: &str, folder: &Path) -> Result<AnyPolicy, Error> {
        AnyPolicy::of(&PolicyText::of_file(name, text), folder)
    }

    fn of(text: &PolicyText, folder: &Path) -> Result<AnyPolicy, Error> {
        let mut problems = Problems::new(text);
        let Some(document) = table_policy::read_document(text, &mut problems) else {
            return Err(Error::Policy(problems));
        };
        let section = Section::new("the policy", document.span(), document.get_ref());
        if DATABASE_SECTIONS.iter().any(|key| section.has(key)) {
            let policy = parse::parse(section, text, folder)?;
            return Ok(AnyPolicy::Database(Box::new(policy)));
        }
        let policy = table_policy::parse(text, folder)?;
        Ok(AnyPolicy::Table(Box::new(policy)))
    }
}

/// What the owner of several tables asks for.
#[derive(Clone, Debug)]
pub struct DatabasePolicy {
    /// Where the tables are.
    pub at: TablesAt,
    /// How cells are read.
    pub cells: Data,
    /// The tables, that of persons first, else in the order of the policy.
    pub tables: Vec<TablePolicy>,
    /// The tables that rows refer to, which are published as they are.
    pub lookups: Vec<LookupPolicy>,
    /// How many persons have to look the same.
    pub k: u64,
    /// What must not be inferred.
    pub secrets: Vec<SecretPolicy>,
    /// How to search.
    pub method: EntityMethod,
    /// What to write.
    pub release: Release,
    text: PolicyText,
}

impl DatabasePolicy {
    /// The policy as it was written.
    pub fn text(&self) -> &str {
        self.text.as_str()
    }

    pub(crate) fn source(&self) -> &PolicyText {
        &self.text
    }

    /// The file of a released table.
    pub(crate) fn file_name(&self, table: &str) -> String {
        let file = ReleasePart::Table(table, self.release.format);
        file.path().to_string_lossy().into_owned()
    }

    /// The file of a table, and what must be known to read it; of a table of a database only how cells are read.
    pub(crate) fn source_of(&self, from: &RowsFrom) -> FileSource {
        let mut source = self.cells.source();
        if let RowsFrom::File(file) = from {
            source.path = file.get_ref().clone();
        }
        source
    }
}

/// Where the tables are.
#[derive(Clone, Debug, PartialEq)]
pub enum TablesAt {
    /// Each in a file of its own.
    Files,
    /// In a SQLite file.
    Sqlite(Spanned<PathBuf>),
    /// In a PostgreSQL database.
    Postgres(Spanned<String>),
}

/// Where the rows of one table are.
#[derive(Clone, Debug, PartialEq)]
pub enum RowsFrom {
    /// In a file.
    File(Spanned<PathBuf>),
    /// In a table of the database.
    Table(Spanned<String>),
    /// In what a query of the database gives.
    Query(Spanned<String>),
}

/// One table about persons.
#[derive(Clone, Debug, PartialEq)]
pub struct TablePolicy {
    /// What the policy and the released file call it: letters, digits, `_` and `-`.
    pub name: Spanned<String>,
    /// Where its rows are.
    pub from: RowsFrom,
    /// The columns of its key; none if nothing hangs off it, or if the database is to tell.
    pub key: Vec<Spanned<String>>,
    /// The table that it hangs off; for that of persons none, for others the table of persons or what the database tells.
    pub parent: Option<Spanned<String>>,
    /// The columns that hold the key of that table; none if the database is to tell.
    pub foreign_key: Vec<Spanned<String>>,
    /// The columns that hold the key of a look-up, and its name.
    pub refers: Vec<(Spanned<String>, Spanned<String>)>,
    /// What is said of its columns.
    pub columns: ListedColumns,
}

impl TablePolicy {
    /// What is said of a column.
    pub(crate) fn column(&self, name: &str) -> Option<&ColumnPolicy> {
        self.columns.find(name)
    }
}

/// A table that rows refer to, and that is published as it is.
#[derive(Clone, Debug, PartialEq)]
pub struct LookupPolicy {
    /// What the policy and the released file call it.
    pub name: Spanned<String>,
    /// Where its rows are.
    pub from: RowsFrom,
    /// The column of its key; `None` if the database is to tell.
    pub key: Option<Spanned<String>>,
    /// The columns that hold the key of another look-up, and its name.
    pub refers: Vec<(Spanned<String>, Spanned<String>)>,
    /// The columns that are listed, and so published as they are.
    pub columns: Vec<Spanned<String>>,
}

/// Something that must not be inferred of persons.
#[derive(Clone, Debug, PartialEq)]
pub struct SecretPolicy {
    /// The table, by its place.
    pub table: usize,
    /// The sensitive column.
    pub column: String,
    /// What must hold of it.
    pub demand: SecretDemand,
}

/// What must hold of a sensitive column.
#[derive(Clone, Debug, PartialEq)]
pub enum SecretDemand {
    /// No value is inferred with more confidence.
    Confidence {
        /// The bound, in (0, 1].
        at_most: f64,
        /// The values; an inner node of the taxonomy is all leaves under it. `None` for each that there is.
        values: Option<Vec<Spanned<String>>>,
    },
    /// Values are well represented.
    Diversity(Diversity),
}

/// How persons are gathered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EntityMethod {
    /// By which method.
    pub approach: EntityApproach,
    /// The distance beyond which a person opens a new cluster; found from a sample if not given.
    pub threshold: Option<f64>,
    /// How many clusters may be open at once; found from a sample if not given.
    pub climit: Option<usize>,
    /// Fixes what is random.
    pub seed: u64,
}

/// A method that gathers persons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntityApproach {
    /// Rows are paired by what they and all below them lose.
    Miracle,
    /// Rows are paired by what they lose themselves.
    MiracleX,
    /// Similar persons first, optimal pairs, then exchanges between clusters.
    Entities,
    /// A flat table of bits, for comparison.
    Bitmap,
}

impl EntityApproach {
    /// All of them, with the words that the policy uses.
    pub(crate) const WORDS: [(&'static str, EntityApproach); 4] = [
        ("miracle", EntityApproach::Miracle),
        ("miraclex", EntityApproach::MiracleX),
        ("entities", EntityApproach::Entities),
        ("bitmap", EntityApproach::Bitmap),
    ];

    /// The word that the policy uses.
    pub fn word(self) -> &'static str {
        word_of(self, &EntityApproach::WORDS)
    }
}
