//! [`PlanWarning`]: what the user should know of a policy that can go ahead on its data.

use std::fmt;

use scumble_policy::{Unlisted, all, counted, list, quoted};
use scumble_table::LookAlikes;

/// What the user should know of a plan that can go ahead.
#[derive(Clone, Debug, PartialEq)]
pub enum PlanWarning {
    /// Columns that are not published, because the policy does not list them.
    NotListed(Vec<String>),
    /// Columns that are published though the policy does not list them, because it says so of all.
    UnlistedShown(Vec<String>),
    /// A continuous column of which the ends will show.
    NoRange(String),
    /// A quasi column that no template names.
    InNoTemplate(String),
    /// A column with guarding nodes that is published.
    GuardingShown(String),
    /// A template that another one makes true.
    Implied {
        /// The template in words.
        template: String,
        /// The other one.
        by: String,
    },
    /// A column with values that differ and look alike to a reader.
    LookAlike {
        /// Its name.
        column: String,
        /// How many there are.
        found: LookAlikes,
        /// Whether its values are the leaves of a taxonomy.
        has_taxonomy: bool,
    },
    /// A template, in words, that earlier releases have no part in.
    ThisTableAlone(String),
    /// A template on the join of which the quasi-identifier lacks columns that decide what matches.
    JoinColumnOutside {
        /// The template in words.
        template: String,
        /// The columns.
        columns: Vec<String>,
    },
}

impl fmt::Display for PlanWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // However many there are: nobody can decide on what is not told.
            PlanWarning::NotListed(columns) => {
                let columns = all(columns.iter().map(String::as_str));
                write!(f, "not published, because [columns] does not list them: {columns}")
            }
            PlanWarning::UnlistedShown(columns) => {
                let columns = all(columns.iter().map(String::as_str));
                write!(
                    f,
                    "published as they are, because `unlisted` is \"publish\" and [columns] does not list them: {columns}"
                )
            }
            PlanWarning::NoRange(column) => write!(
                f,
                "column {} has no `range`, so its smallest and its largest value will show in the release",
                quoted(column)
            ),
            PlanWarning::InNoTemplate(column) => {
                write!(
                    f,
                    "quasi column {} is in no template, so it is published as it is",
                    quoted(column)
                )
            }
            PlanWarning::GuardingShown(column) => write!(
                f,
                "column {} tells what each person guards, and is published; make it an identifier to keep it back",
                quoted(column)
            ),
            PlanWarning::Implied { template, by } => {
                write!(f, "{template} adds nothing to {by}, which is at least as strict")
            }
            PlanWarning::LookAlike {
                column,
                found,
                has_taxonomy,
            } => {
                let column = quoted(column);
                let (what, word) = match (found.values, found.by_case) {
                    (values, 0) => (format!("{} that look like another", counted(values, "value")), "unite"),
                    (0, by_case) => (
                        format!(
                            "{} that differ from another in letter case alone",
                            counted(by_case, "value")
                        ),
                        "unite-case",
                    ),
                    (values, by_case) => (
                        format!(
                            "{} that look like another, and {by_case} that differ from one in letter case alone",
                            counted(values, "value")
                        ),
                        "unite-case",
                    ),
                };
                write!(f, "column {column} has {what}, and each counts as a value of its own; ")?;
                if *has_taxonomy {
                    write!(f, "give those that are one the same leaf")
                } else {
                    write!(
                        f,
                        "`alike = \"{word}\"` in its line makes them one, `alike = \"keep\"` says that they are not"
                    )
                }
            }
            PlanWarning::ThisTableAlone(template) => write!(
                f,
                "{template} is asked of this table alone, not of its join with earlier releases"
            ),
            PlanWarning::JoinColumnOutside { template, columns } => {
                let columns = list(columns.iter().map(String::as_str));
                write!(
                    f,
                    "{template} leaves out columns that decide which records match, so a finer table may meet it again: \
                     {columns}"
                )
            }
        }
    }
}

impl PlanWarning {
    /// What to know of columns that are not listed, if there are any.
    pub fn of_unlisted(unlisted: Unlisted, columns: Vec<String>) -> Option<PlanWarning> {
        let warning = match unlisted {
            Unlisted::LeaveOut => PlanWarning::NotListed,
            Unlisted::Publish => PlanWarning::UnlistedShown,
        };
        (!columns.is_empty()).then(|| warning(columns))
    }
}
