//! Where the data is, and how to read it.

use std::path::{Path, PathBuf};

use crate::spanned::Spanned;

/// Where the data is and how to read it.
#[derive(Clone, Debug, PartialEq)]
pub struct Data {
    /// Where it is.
    pub at: Place,
    /// Which rows of a database; `None` for those of a file, and for several tables, which each say where their own are.
    pub rows: Option<DatabaseRows>,
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

/// Where data is.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// In a file with one table.
    File(Spanned<PathBuf>),
    /// In a folder with a file for each table.
    Folder(Spanned<PathBuf>),
    /// In a SQLite file.
    Sqlite(Spanned<PathBuf>),
    /// In a PostgreSQL database, by its address.
    Postgres(Spanned<String>),
}

/// Which rows of a database.
#[derive(Clone, Debug, PartialEq)]
pub enum DatabaseRows {
    /// Those of a table.
    Table(Spanned<String>),
    /// Those that a query gives.
    Query(Spanned<String>),
}

/// Where the rows of one of several tables are.
#[derive(Clone, Debug, PartialEq)]
pub enum RowsAt {
    /// In a file.
    File(Spanned<PathBuf>),
    /// In the file of this name, whatever it ends with.
    Named(Spanned<PathBuf>),
    /// In the database of the policy.
    Database(DatabaseRows),
}

impl Data {
    /// A file that is read as usual.
    pub fn of_file(file: impl Into<PathBuf>) -> Data {
        Data::at(Place::File(file.into().into()))
    }

    /// A place that is read as usual.
    pub fn at(at: Place) -> Data {
        Data {
            at,
            rows: None,
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

    /// The same rows, as they are in another file. One that is called as the SQLite file was that they are in is such a file,
    /// too, and has them in the same table.
    pub fn moved_to(&mut self, file: impl Into<PathBuf>) {
        let file = file.into();
        match &mut self.at {
            Place::Sqlite(database) if database.get_ref().extension() == file.extension() => *database.get_mut() = file,
            at => {
                *at = Place::File(file.into());
                self.rows = None;
            }
        }
    }

    /// The file with the one table, if it is in one.
    pub fn file(&self) -> Option<&Path> {
        match &self.at {
            Place::File(file) => Some(file.get_ref()),
            Place::Folder(_) | Place::Sqlite(_) | Place::Postgres(_) => None,
        }
    }

    /// What messages call it. The address of a database may hold a password, so it is not told.
    pub fn name(&self) -> String {
        match (&self.at, &self.rows) {
            (Place::File(path) | Place::Folder(path), _) => path.get_ref().display().to_string(),
            (Place::Sqlite(_) | Place::Postgres(_), Some(DatabaseRows::Table(table))) => {
                format!("table {}", table.get_ref())
            }
            (Place::Sqlite(_) | Place::Postgres(_), Some(DatabaseRows::Query(_))) => "the query".to_owned(),
            (Place::Sqlite(_) | Place::Postgres(_), None) => "the database".to_owned(),
        }
    }
}

impl Place {
    /// Whether it is a database, which tables and queries can be asked of.
    pub fn is_database(&self) -> bool {
        match self {
            Place::File(_) | Place::Folder(_) => false,
            Place::Sqlite(_) | Place::Postgres(_) => true,
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

impl Missing {
    /// Both, with the words that the policy uses.
    pub(crate) const WORDS: [(&'static str, Missing); 2] = [("value", Missing::Value), ("drop", Missing::Drop)];
}
