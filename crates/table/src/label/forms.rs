//! [`Forms`]: what the cells of a column can be, and so how they are to be read.
//!
//! They follow from what is declared of the column, its domain and how it was masked, and never from what a cell looks like.
//! In a column of words that is published as it is, `1-5` is a word:
//!
//! | written | words | numbers | nodes of a taxonomy |
//! |---|---|---|---|
//! | exact | the value | the number | the leaf |
//! | suppressed | the value, `*` | the number, `*` | the leaf, `*` |
//! | generalized | the value, `*` | the number, `[1, 5)`, `*` | a node, `*` |
//! | in sets | the value, `{a\|b}`, `*` | those, `{1\|2}` | those, `{a\|b}` |
//! | centres | anything | anything | anything |
//! | any | all of these, and the forms of other tools | all | all |
//!
//! Invariant: whoever reads a label says which forms it may have. Where nobody declared them, only [`Written::Any`] is true
//! to what is known, and whoever promises something must not rely on it without being told.

use std::sync::Arc;

use crate::Taxonomy;

/// What the cells of a column can be. `T` is its taxonomy, shared or borrowed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forms<T> {
    /// What its values are.
    pub domain: Domain<T>,
    /// What is shown of them.
    pub written: Written,
}

/// What the values of a column are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Domain<T> {
    /// Words: two are one if they are the same text.
    Words,
    /// Numbers: `37` and `37.0` are one.
    Numbers,
    /// The leaves of a taxonomy.
    Nodes(T),
}

/// What a column shows of its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// Each as it is. A cell stands for itself alone, whatever it looks like.
    Exact,
    /// Each as it is, or `*`.
    Suppressed,
    /// A node or an interval, or `*`.
    Generalized,
    /// As generalized, or as a set `{a|b}`.
    Sets,
    /// A value in the midst of those of a group: anybody may be behind it.
    Centres,
    /// Nobody says: all forms of ours and of other tools.
    Any,
}

/// Forms with a taxonomy that somebody else holds.
pub type FormsOf<'t> = Forms<&'t Taxonomy>;

/// Forms that hold their taxonomy.
pub type SharedForms = Forms<Arc<Taxonomy>>;

impl<T> Forms<T> {
    /// Values of a domain, as they are.
    pub fn exact(domain: Domain<T>) -> Self {
        Forms {
            domain,
            written: Written::Exact,
        }
    }

    /// Whatever the cells look like, in a column of which no more is known than its taxonomy.
    pub fn any(taxonomy: Option<T>) -> Self {
        Forms {
            domain: taxonomy.map_or(Domain::Words, Domain::Nodes),
            written: Written::Any,
        }
    }

    /// The taxonomy.
    pub fn taxonomy(&self) -> Option<&T> {
        match &self.domain {
            Domain::Nodes(taxonomy) => Some(taxonomy),
            Domain::Words | Domain::Numbers => None,
        }
    }

    /// Whether two texts of one number are one value. Other tools write numbers in their own way.
    pub fn are_numbers(&self) -> bool {
        matches!(self.domain, Domain::Numbers) || self.written == Written::Any
    }
}

impl<T> Domain<T> {
    /// How a word of a policy names values: one of them, a node, or an interval.
    pub fn in_words(self) -> Forms<T> {
        Forms {
            domain: self,
            written: Written::Generalized,
        }
    }
}

impl Forms<Arc<Taxonomy>> {
    /// The same, with the taxonomy borrowed.
    pub fn as_ref(&self) -> FormsOf<'_> {
        Forms {
            domain: match &self.domain {
                Domain::Words => Domain::Words,
                Domain::Numbers => Domain::Numbers,
                Domain::Nodes(taxonomy) => Domain::Nodes(&**taxonomy),
            },
            written: self.written,
        }
    }
}
