//! What one column is: its role, what its values are, and how it is read and shown.

use std::path::PathBuf;

use scumble_grouping::Form;
use scumble_table::{Alike, Range, SensitiveRange};

use crate::spanned::Spanned;
use crate::words::word_of;

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

impl ColumnPolicy {
    /// A column of words without a taxonomy, of which nothing else is said.
    pub fn new(name: impl Into<String>, role: Role) -> ColumnPolicy {
        ColumnPolicy {
            name: name.into().into(),
            role,
            kind: ColumnKind::Categorical { taxonomy: None },
            form: None,
            sensitive_ranges: None,
            unique: false,
            alike: None,
        }
    }

    /// The file of its taxonomy.
    pub fn taxonomy(&self) -> Option<&Spanned<PathBuf>> {
        match &self.kind {
            ColumnKind::Categorical { taxonomy } => taxonomy.as_ref(),
            ColumnKind::Continuous { .. } => None,
        }
    }
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
    pub const WORDS: [(&'static str, Role); 5] = [
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

/// Which texts are one value.
pub(crate) const ALIKE: [(&str, Alike); 3] = [
    ("keep", Alike::Keep),
    ("unite", Alike::Unite),
    ("unite-case", Alike::UniteCase),
];

/// How a group of values is shown.
pub(crate) const FORMS: [(&str, Form); 3] = [
    ("ancestor", Form::Ancestor),
    ("interval", Form::Interval),
    ("set", Form::Set),
];
