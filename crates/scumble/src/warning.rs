//! [`Warning`]: what the user should know of a release.

use std::fmt;

use scumble_attack::SingledOut;
use scumble_bind::PlanWarning;
use scumble_policy::{all, counted, list, quoted};
use scumble_store::{ReleasePart, RowNumbers};
use serde::Serializer;

/// What the user should know of a release, or of a plan that can go ahead.
#[derive(Clone, Debug, PartialEq)]
pub enum Warning {
    /// Of the policy on its data.
    Plan(PlanWarning),
    /// Rows or persons that are alone on the columns published as they are.
    Alone {
        /// What is alone: `rows` or `persons`.
        what: &'static str,
        /// How many.
        alone: u64,
        /// Out of how many.
        of: u64,
        /// The columns with the most values among those published as they are.
        most_values: Vec<String>,
    },
    /// Parties that agreed to a release and did not say that they have written it.
    NotHeardOf(Vec<String>),
    /// Columns with cells that a spreadsheet would take for formulas.
    Formulas(Vec<ToldFormulas>),
}

/// For a result: warnings as people read them.
pub(crate) fn in_words<S: Serializer>(warnings: &[Warning], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(warnings.iter().map(ToString::to_string))
}

impl From<PlanWarning> for Warning {
    fn from(warning: PlanWarning) -> Self {
        Warning::Plan(warning)
    }
}

/// A column with cells that a spreadsheet would take for formulas, as a warning tells it.
#[derive(Clone, Debug, PartialEq)]
pub struct ToldFormulas {
    /// Its name, after that of its table where there are several: `courses.title`.
    pub column: String,
    /// The released file that it is in.
    pub file: String,
    /// How many such cells it has, its name in the header among them.
    pub cells: u64,
    /// The first rows that they are in, as a spreadsheet numbers those of the file: the header is row 1.
    pub rows: RowNumbers,
    /// Further rows that are not told.
    pub more: u64,
}

impl fmt::Display for ToldFormulas {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cells = counted(self.cells as usize, "cell");
        let rows = if self.cells == 1 { "row" } else { "rows" };
        write!(f, "{} ({cells}) in {rows} {}", quoted(&self.column), self.rows)?;
        if self.more > 0 {
            write!(f, " and {} more", self.more)?;
        }
        write!(f, " of {}", self.file)
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::Plan(warning) => warning.fmt(f),
            Warning::Alone {
                what,
                alone,
                of,
                most_values,
            } => {
                let columns = all(most_values.iter().map(String::as_str));
                write!(
                    f,
                    "alone on the columns published as they are: {alone} of {of} {what}; whoever knows these of a person \
                     finds them, whatever is masked; most values have: {columns}"
                )
            }
            Warning::NotHeardOf(parties) => {
                let parties = list(parties.iter().map(String::as_str));
                write!(
                    f,
                    "all agreed to this release, but nothing was heard since of {parties}, who may not have written it"
                )
            }
            Warning::Formulas(columns) => {
                let columns: Vec<String> = columns.iter().map(ToString::to_string).collect();
                write!(
                    f,
                    "a spreadsheet may run cells of the release as formulas, because they begin with =, +, -, @ or the \
                     like; `formulas = \"text\"` in [release] writes them as text: {}; row 1 is the header, and {} lists \
                     all rows",
                    columns.join(", "),
                    ReleasePart::Formulas.path().display()
                )
            }
        }
    }
}

impl Warning {
    /// What to know of parties that did not say that they have written their release, if there are any.
    #[cfg(feature = "mashup")]
    pub(crate) fn of_not_heard<'n>(parties: impl Iterator<Item = &'n str>) -> Option<Warning> {
        let parties: Vec<String> = parties.map(str::to_owned).collect();
        (!parties.is_empty()).then_some(Warning::NotHeardOf(parties))
    }

    /// What to know of a release in which something is alone on what is shown as it is.
    pub fn of_alone(what: &'static str, singled_out: Option<&SingledOut>) -> Option<Warning> {
        let counts = &singled_out?.as_they_are;
        (counts.uniques > 0).then(|| Warning::Alone {
            what,
            alone: counts.uniques,
            of: counts.rows,
            most_values: counts.most_values.clone(),
        })
    }

    /// The columns that were left out because they are not listed.
    pub(crate) fn left_out(warnings: &[Warning]) -> Vec<String> {
        let left_out = warnings.iter().find_map(|warning| match warning {
            Warning::Plan(PlanWarning::NotListed(columns)) => Some(columns.clone()),
            _ => None,
        });
        left_out.unwrap_or_default()
    }
}
