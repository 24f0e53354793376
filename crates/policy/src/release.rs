//! What to write.

use std::path::PathBuf;

use scumble_table::{ReleaseFormat, RowOrder};

use crate::words::word_of;

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
    pub const WORDS: [(&'static str, Formulas); 2] = [("report", Formulas::Report), ("text", Formulas::Text)];

    /// The word that the policy uses.
    pub fn word(self) -> &'static str {
        word_of(self, &Formulas::WORDS)
    }
}

impl Release {
    /// What is written if nothing else is asked for.
    pub fn to_folder(folder: impl Into<PathBuf>) -> Release {
        Release {
            folder: folder.into(),
            format: ReleaseFormat::Csv,
            order: RowOrder::Sorted,
            formulas: Formulas::Report,
            unlisted: Unlisted::LeaveOut,
        }
    }

    /// Whether formulas are written as text. Only text can be taken for one: other formats say what a cell is.
    pub fn formulas_as_text(&self) -> bool {
        self.can_hold_formulas() && self.formulas == Formulas::Text
    }

    /// Whether a spreadsheet may take cells of this format for formulas.
    pub fn can_hold_formulas(&self) -> bool {
        match self.format {
            ReleaseFormat::Csv => true,
            ReleaseFormat::Parquet => false,
        }
    }

    /// What the certificate says of formulas, if anything.
    pub fn formulas_certified(&self) -> Option<String> {
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

pub(crate) const UNLISTED: [(&str, Unlisted); 2] = [("leave-out", Unlisted::LeaveOut), ("publish", Unlisted::Publish)];

pub(crate) const FORMATS: [(&str, ReleaseFormat); 2] =
    [("csv", ReleaseFormat::Csv), ("parquet", ReleaseFormat::Parquet)];

pub(crate) const ORDERS: [(&str, RowOrder); 2] = [("sorted", RowOrder::Sorted), ("input", RowOrder::Input)];
