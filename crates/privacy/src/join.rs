//! Templates on the join of a release with earlier ones, and what the join is.
//!
//! Releases about the same people can be put beside each other. A *match* is one record of each release, such that all of
//! them may be about one person: on columns that two releases share, their labels may stand for one value
//! ([`Label::meets`](scumble_table::Label::meets)), and no pair of labels that cannot belong to one person occurs. The
//! join is all matches:
//!
//! | this: name | job | | earlier: job | disease | | matches |
//! |---|---|---|---|---|---|---|
//! | Bob | Clerk | | Clerk | HIV | | Bob, Clerk, Clerk, HIV |
//! | Bob | Driver | | Driver | Cancer | | Bob, Driver, Driver, Cancer |
//! | Alice | Banker | | Banker | Cancer | | twice 2: each Alice with each banker |
//! | Alice | Banker | | Banker | Cancer | | |
//!
//! Each release alone has two rows per name and per disease, but one match only is of {Bob, HIV}.
//!
//! A column that several releases share stands in a match once per release: the labels may differ, and so may the forms
//! that they have.

use scumble_table::{ColumnId, Domain, Forms, FormsOf, Label, Meaning, SUPPRESSED, SharedForms, Table};

use crate::secrets::SecretValues;

/// The number of the release that is being made; earlier ones follow from 1.
pub const THIS: usize = 0;

/// A column of one of the releases that are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// [`THIS`], or one more than the place in [`History::earlier`].
    pub release: usize,
    /// The column in the table of that release.
    pub column: ColumnId,
}

/// The earlier releases, and which records may be about one person.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// The releases.
    pub earlier: Vec<Earlier>,
    /// What records of two releases must keep to match.
    pub rules: Vec<Rule>,
    /// Columns of this release in which no value that is shown is behind `*` elsewhere.
    pub recoded: Vec<ColumnId>,
    /// What the cells of each column of this release can be; one of which nothing is said holds words as they are.
    pub forms: Vec<SharedForms>,
}

/// An earlier release, as it was published.
#[derive(Clone, Debug)]
pub struct Earlier {
    /// What the policy calls it.
    pub name: String,
    /// Its labels.
    pub table: Table,
    /// Columns in which no value that is shown is behind `*` elsewhere.
    pub recoded: Vec<ColumnId>,
    /// What the cells of each column can be; one of which nothing is said holds words as they are.
    pub forms: Vec<SharedForms>,
}

/// What records of two releases must keep to match.
#[derive(Clone, Debug)]
pub enum Rule {
    /// Their labels meet.
    Agree {
        /// A column of one.
        a: Place,
        /// The same column in the other, which is a later place.
        b: Place,
    },
    /// Not both conditions hold: nobody is like that.
    Never {
        /// A condition on one.
        a: Condition,
        /// A condition on the other, which is of another release.
        b: Condition,
    },
}

/// What is certain of a record: the label of a column is within another.
#[derive(Clone, Debug)]
pub struct Condition {
    /// The column.
    pub place: Place,
    /// The value, node or interval that what is shown must be within.
    pub within: String,
}

/// What must hold of every group of the join.
#[derive(Clone, Debug, PartialEq)]
pub struct Joined {
    /// The columns of earlier releases in the quasi-identifier, beside those of this one.
    pub of: Vec<Place>,
    /// What must hold.
    pub demand: JoinDemand,
}

impl Joined {
    /// The columns that it counts by or is about, beside those of `of`.
    pub(crate) fn counted(&self) -> Vec<Place> {
        match &self.demand {
            JoinDemand::Anonymity {
                per: Per::Columns(places),
                ..
            } => places.clone(),
            JoinDemand::Anonymity { .. } => Vec::new(),
            JoinDemand::Confidence { about, .. } => about.iter().map(|secrets| secrets.place).collect(),
        }
    }
}

/// What must hold of the matches that show the same on the quasi-identifier.
#[derive(Clone, Debug, PartialEq)]
pub enum JoinDemand {
    /// There are at least `k`.
    Anonymity {
        /// The bound.
        k: u64,
        /// Of what.
        per: Per,
    },
    /// At most this share of the matches has a secret.
    Confidence {
        /// The bound, in (0, 1].
        at_most: f64,
        /// The secrets.
        about: Vec<JoinSecrets>,
    },
}

/// Y: what is counted of matches.
#[derive(Clone, Debug, PartialEq)]
pub enum Per {
    /// The matches themselves.
    Join,
    /// Different records of one release.
    Records {
        /// Which.
        release: usize,
    },
    /// Different combinations of labels on these columns.
    Columns(Vec<Place>),
}

/// Labels of one column that must not be inferred.
#[derive(Clone, Debug, PartialEq)]
pub struct JoinSecrets {
    /// The column.
    pub place: Place,
    /// Which of its labels, as they stand in that release.
    pub values: SecretValues,
}

impl Rule {
    /// The two columns that it is about.
    pub fn places(&self) -> [Place; 2] {
        match self {
            Rule::Agree { a, b } => [*a, *b],
            Rule::Never { a, b } => [a.place, b.place],
        }
    }
}

impl History {
    /// The columns of a release that decide what its records match, ascending.
    pub fn join_columns(&self, release: usize) -> Vec<ColumnId> {
        let places = self.rules.iter().flat_map(Rule::places);
        let mut columns: Vec<ColumnId> = places
            .filter(|place| place.release == release)
            .map(|place| place.column)
            .collect();
        columns.sort_unstable();
        columns.dedup();
        columns
    }

    /// Whether no value that a column shows is behind `*` elsewhere in it.
    pub fn is_recoded(&self, place: Place) -> bool {
        let recoded = match place.release {
            THIS => &self.recoded,
            release => &self.earlier[release - 1].recoded,
        };
        recoded.contains(&place.column)
    }

    /// What the cells of a column can be.
    pub fn forms(&self, place: Place) -> FormsOf<'_> {
        let forms = match place.release {
            THIS => &self.forms,
            release => &self.earlier[release - 1].forms,
        };
        let declared = forms.get(place.column.0).map(SharedForms::as_ref);
        declared.unwrap_or(Forms::exact(Domain::Words))
    }

    /// Whether a label of a column is `*` and hides what is behind it, so that to know it is to know nothing.
    pub fn hides(&self, place: Place, label: Option<&str>) -> bool {
        let means = || matches!(Label::parse(label, self.forms(place)).meaning(), Meaning::Everything);
        label == Some(SUPPRESSED) && means()
    }

    /// Whether a label is certain to be within what a condition says.
    pub fn is_certain(&self, condition: &Condition, label: Option<&str>) -> bool {
        let forms = self.forms(condition.place);
        let within = Label::parse(Some(&condition.within), forms.domain.in_words());
        Label::parse(label, forms).is_within(&within)
    }

    /// How many releases are joined, this one included.
    pub fn releases(&self) -> usize {
        self.earlier.len() + 1
    }
}

impl Joined {
    /// Whether every column that decides what matches is in the quasi-identifier, given its columns of this release. Then
    /// all records of a release that show the same on it match the same.
    pub fn has_all_join_columns(&self, of_this: &[ColumnId], history: &History) -> bool {
        let places = history.rules.iter().flat_map(Rule::places);
        places.into_iter().all(|place| match place.release {
            THIS => of_this.contains(&place.column),
            _ => self.of.contains(&place),
        })
    }
}
