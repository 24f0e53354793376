//! [`SafeHarbor`]: which of the 18 kinds of identifiers of the HIPAA Privacy Rule a release seems to hold.
//!
//! | zip | age | visit | contact | | kind | seen in | because |
//! |---|---|---|---|---|---|---|---|
//! | 02139 | 93 | 2019 | ann@example.org | | B geography | zip | its name, and its values |
//! | 02138 | [20, 40) | 2020 | * | | C dates, ages over 89 | age | its name, and one value of 90 or more |
//! | | | | | | F e-mail addresses | contact | its values |
//!
//! A column without any value in clear (`*`, intervals) is not suspected, whatever its name, and a year is no date.
//!
//! This is a check of appearances and no legal advice. It knows English names and common forms; it does not read free text,
//! and a name among words looks like a word. It does not know which three digits of a postcode stand for at most 20,000
//! people, nor which years of birth belong to people over 89. And even if nothing is seen, 45 CFR 164.514(b)(2)(ii) remains:
//! who releases must not know that somebody could be identified.
//!
//! # Source
//! 45 CFR 164.514(b)(2)(i)(A) to (R).

mod kinds;
mod shape;

use rayon::prelude::*;
use scumble_progress::{Interrupted, Work};
use scumble_table::{Column, Table};
use serde::Serialize;

use crate::inspect::{GuessedType, Name, inspect_alone};
use kinds::{KINDS, Kind, OTHER, Sign, Suffices};
use shape::in_clear;

/// Which kinds of identifiers a release seems to hold. It has names of columns and counts, and no value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SafeHarbor {
    /// The 18 kinds, (A) to (R).
    pub kinds: Vec<CheckedKind>,
}

/// One kind of identifiers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CheckedKind {
    /// Its letter in the rule.
    pub letter: char,
    /// What it is.
    pub kind: &'static str,
    /// Whether any column seems to hold it.
    pub seen: Seen,
    /// The columns that do.
    pub columns: Vec<SuspectColumn>,
}

/// How sure it is that identifiers of a kind are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seen {
    /// Nothing looks like it.
    NotSeen,
    /// The name of a column or some of its values look like it.
    SeemsPresent,
    /// Name and values agree, or most values leave little doubt.
    Present,
}

/// A column that seems to hold identifiers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SuspectColumn {
    /// Its name.
    pub column: String,
    /// How sure it is.
    pub seen: Seen,
    /// Why it is suspected.
    pub because: Vec<&'static str>,
    /// Its different values in clear.
    pub values: u64,
    /// Those that look like identifiers of this kind; `None` if only the name was looked at.
    pub look_like_it: Option<u64>,
}

/// Looks for the 18 kinds of identifiers in a release as it was read, which may be of any tool.
pub fn safe_harbor(released: &Table) -> SafeHarbor {
    safe_harbor_while(released, Work::unwatched()).expect("nobody asks work to stop that nobody watches")
}

/// [`safe_harbor`], as long as it may go on.
pub(crate) fn safe_harbor_while(released: &Table, work: Work) -> Result<SafeHarbor, Interrupted> {
    let columns = released.columns().par_iter().map(|column| {
        work.go_on()?;
        Ok(ShownColumn::new(column))
    });
    let columns = columns.collect::<Result<Vec<ShownColumn>, Interrupted>>()?;
    let kinds = KINDS.par_iter().map(|kind| {
        work.go_on()?;
        Ok(kind.check(&columns))
    });
    let mut kinds = kinds.collect::<Result<Vec<CheckedKind>, Interrupted>>()?;
    let rest = columns.iter().filter(|column| {
        let mut suspects = kinds.iter().flat_map(|kind| &kind.columns);
        !suspects.any(|suspect| suspect.column == column.column)
    });
    let others = rest.filter_map(ShownColumn::other_identifier).collect();
    kinds.push(CheckedKind::new(OTHER.0, OTHER.1, others));
    Ok(SafeHarbor { kinds })
}

/// A column and what it shows in clear.
struct ShownColumn<'c> {
    column: &'c str,
    name: Name,
    values: Vec<&'c str>,
    guessed: GuessedType,
    /// Why it would be an identifier, if it would.
    names_people: Option<&'static str>,
}

impl<'c> ShownColumn<'c> {
    fn new(column: &'c Column) -> Self {
        let (guessed, names_people) = inspect_alone(column);
        ShownColumn {
            column: &column.name,
            name: Name::new(&column.name),
            values: column.dictionary().texts().iter().flat_map(in_clear).collect(),
            guessed,
            names_people,
        }
    }

    /// The column if it names people in a way that no other kind is about.
    fn other_identifier(&self) -> Option<SuspectColumn> {
        let reason = self.names_people.filter(|_| !self.values.is_empty())?;
        Some(self.suspect(Seen::SeemsPresent, vec![reason], None))
    }

    fn suspect(&self, seen: Seen, because: Vec<&'static str>, look_like_it: Option<usize>) -> SuspectColumn {
        SuspectColumn {
            column: self.column.to_owned(),
            seen,
            because,
            values: self.values.len() as u64,
            look_like_it: look_like_it.map(|values| values as u64),
        }
    }
}

impl CheckedKind {
    fn new(letter: char, kind: &'static str, columns: Vec<SuspectColumn>) -> Self {
        let seen = columns.iter().map(|column| column.seen).max();
        CheckedKind {
            letter,
            kind,
            seen: seen.unwrap_or(Seen::NotSeen),
            columns,
        }
    }
}

impl Kind {
    fn check(&self, columns: &[ShownColumn]) -> CheckedKind {
        // Of several signs that a column gives, the surest counts.
        let surest = |column: &ShownColumn| {
            let suspects = self.signs.iter().filter_map(|sign| sign.look_at(column));
            suspects.max_by_key(|suspect| suspect.seen)
        };
        CheckedKind::new(self.letter, self.kind, columns.iter().filter_map(surest).collect())
    }
}

impl Sign {
    fn look_at(&self, column: &ShownColumn) -> Option<SuspectColumn> {
        const BY_NAME: &str = "by its name";
        let names_people = !self.if_many || column.names_people.is_some();
        let named = column.name.fits(&self.name) && !column.name.fits(&self.unless) && names_people;
        let all = column.values.len();
        let Some(shape) = &self.shape else {
            return (named && all > 0).then(|| column.suspect(Seen::SeemsPresent, vec![BY_NAME], None));
        };
        let like_it = column.values.iter().filter(|value| (shape.fits)(value)).count();
        // Numbers that measure something may have any form.
        let by_values = like_it > 0 && column.guessed != GuessedType::Continuous;
        let most = 2 * like_it >= all;
        let (seen, because) = match (named, self.suffices) {
            (true, _) if like_it > 0 => (Seen::Present, vec![BY_NAME, shape.because]),
            (true, Suffices::Either) if all > 0 => (Seen::SeemsPresent, vec![BY_NAME]),
            (false, Suffices::Either | Suffices::Values) if by_values => {
                let seen = if shape.leaves_little_doubt && most {
                    Seen::Present
                } else {
                    Seen::SeemsPresent
                };
                (seen, vec![shape.because])
            }
            _ => return None,
        };
        Some(column.suspect(seen, because, Some(like_it)))
    }
}
