//! [`Faults`] of a release: what is wrong with it beside the demands.
//!
//! | fault | as it is told |
//! |---|---|
//! | [`Wrong::NoParent`] | table `courses`, row 10: `students` has no row with the key in `sid` |
//! | [`Wrong::NoColumn`] | table `students` has no column `gpa` |
//!
//! Invariant: no fault holds a cell. Tables, columns and rows are named, rows from 1.

use std::fmt;

/// As many faults are listed; the others are counted.
const LISTED: usize = 20;

/// The faults of a release, the first of them and how many there are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Faults {
    listed: Vec<Fault>,
    count: u64,
}

impl Faults {
    /// The first faults.
    pub fn listed(&self) -> &[Fault] {
        &self.listed
    }

    /// How many there are in all.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// One more, which is made only if it is listed.
    pub(super) fn add(&mut self, fault: impl FnOnce() -> Fault) {
        if self.listed.len() < LISTED {
            self.listed.push(fault());
        }
        self.count += 1;
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, fault) in self.listed.iter().enumerate() {
            write!(f, "{}{fault}", if place == 0 { "" } else { "; " })?;
        }
        match self.count - self.listed.len() as u64 {
            0 => Ok(()),
            more => write!(f, "; and {more} more faults"),
        }
    }
}

/// Something that is wrong with a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// The table.
    pub table: String,
    /// Whether it is a look-up.
    pub is_lookup: bool,
    /// The row, from 1, if it is of one.
    pub row: Option<u64>,
    /// What is wrong.
    pub wrong: Wrong,
}

impl Fault {
    /// A fault of a row, counted from 0, of a table that is no look-up.
    pub(super) fn of_row(table: &str, row: usize, wrong: Wrong) -> Fault {
        Fault {
            table: table.to_owned(),
            is_lookup: false,
            row: Some(row as u64 + 1),
            wrong,
        }
    }

    /// The same fault, of a look-up.
    pub(super) fn of_lookup(self) -> Fault {
        Fault {
            is_lookup: true,
            ..self
        }
    }
}

/// What can be wrong.
#[derive(Clone, Debug, PartialEq)]
pub enum Wrong {
    /// A part of the key is missing.
    EmptyKey {
        /// The column.
        column: String,
    },
    /// The key is that of an earlier row.
    SameKey {
        /// Its columns, quoted.
        columns: String,
        /// The earlier row, from 1.
        first: u64,
    },
    /// The foreign key leads nowhere.
    NoParent {
        /// The table that it should lead to.
        parent: String,
        /// Its columns, quoted.
        columns: String,
    },
    /// A reference leads nowhere.
    NoLookup {
        /// The look-up that it should lead to.
        lookup: String,
        /// The column.
        column: String,
    },
    /// Nothing says of which row of the original it is, or there is no such row.
    NoOriginal,
    /// It is of the same row of the original as an earlier row.
    SameOriginal {
        /// The earlier row, from 1.
        first: u64,
    },
    /// In the original it belongs to another row.
    OtherParent {
        /// The table of the other row.
        parent: String,
    },
    /// A cell that should be as it was is not.
    Differs {
        /// The column.
        column: String,
    },
    /// A label cannot stand for the original value.
    NotCovering {
        /// The column.
        column: String,
    },
    /// A column is not there.
    NoColumn {
        /// The column.
        column: String,
    },
    /// A column should not be there.
    ColumnTooMany {
        /// The column.
        column: String,
    },
    /// All columns are there, but not in their places.
    OtherOrder,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.is_lookup { "look-up" } else { "table" };
        write!(f, "{kind} `{}`", self.table)?;
        match self.row {
            Some(row) => write!(f, ", row {row}: {}", self.wrong),
            None => write!(f, " {}", self.wrong),
        }
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wrong::EmptyKey { column } => write!(f, "the key column `{column}` is empty"),
            Wrong::SameKey { columns, first } => write!(f, "the key in {columns} is that of row {first}"),
            Wrong::NoParent { parent, columns } => write!(f, "`{parent}` has no row with the key in {columns}"),
            Wrong::NoLookup { lookup, column } => {
                write!(f, "the look-up `{lookup}` has no row with the key in `{column}`")
            }
            Wrong::NoOriginal => write!(f, "it is of no row of the original"),
            Wrong::SameOriginal { first } => write!(f, "it is of the same row of the original as row {first}"),
            Wrong::OtherParent { parent } => write!(f, "in the original it belongs to another row of `{parent}`"),
            Wrong::Differs { column } => write!(f, "column `{column}` differs from the original"),
            Wrong::NotCovering { column } => {
                write!(f, "what column `{column}` shows does not cover the original value")
            }
            Wrong::NoColumn { column } => write!(f, "has no column `{column}`"),
            Wrong::ColumnTooMany { column } => write!(f, "has a column `{column}` too many"),
            Wrong::OtherOrder => write!(f, "has its columns in another order"),
        }
    }
}

/// Compares the columns that a table should have with those that it has.
pub fn check_schema(table: &str, expected: &[&str], found: &[&str]) -> Faults {
    let mut others = found.to_vec();
    let mut wrong = Vec::new();
    for &column in expected {
        match others.iter().position(|&other| other == column) {
            Some(place) => drop(others.remove(place)),
            None => wrong.push(Wrong::NoColumn {
                column: column.to_owned(),
            }),
        }
    }
    wrong.extend(others.into_iter().map(|column| Wrong::ColumnTooMany {
        column: column.to_owned(),
    }));
    if wrong.is_empty() && expected != found {
        wrong.push(Wrong::OtherOrder);
    }
    let mut faults = Faults::default();
    for wrong in wrong {
        faults.add(|| Fault {
            table: table.to_owned(),
            is_lookup: false,
            row: None,
            wrong,
        });
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(expected: &[&str], found: &[&str]) -> Vec<String> {
        let faults = check_schema("students", expected, found);
        faults.listed().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn columns_are_compared_by_name_and_place() {
        assert!(told(&["sid", "gpa"], &["sid", "gpa"]).is_empty());
        assert_eq!(
            told(&["sid", "gpa"], &["sid", "name"]),
            [
                "table `students` has no column `gpa`",
                "table `students` has a column `name` too many"
            ]
        );
        assert_eq!(
            told(&["sid", "gpa"], &["gpa", "sid"]),
            ["table `students` has its columns in another order"]
        );
        assert_eq!(
            told(&["sid"], &["sid", "sid"]),
            ["table `students` has a column `sid` too many"]
        );
    }

    #[test]
    fn faults_beyond_the_first_are_counted() {
        let mut faults = Faults::default();
        for row in 0..25 {
            faults.add(|| Fault::of_row("courses", row, Wrong::NoOriginal));
        }
        assert_eq!((faults.listed().len(), faults.count()), (LISTED, 25));
        let told = faults.to_string();
        assert!(told.starts_with("table `courses`, row 1: it is of no row of the original; table `courses`, row 2"));
        assert!(told.ends_with("; and 5 more faults"), "{told}");
    }
}
