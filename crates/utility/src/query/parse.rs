//! Reading a workload from a file: one query in a line.
//!
//! ```text
//! # a comment
//! age in [20, 35) and job = Professional and disease in {Flu|HIV}
//! "hours per week" in [0, 40) and job = "Craft and repair"
//! ```
//!
//! A predicate is a column, `=` or `in` (which mean the same), and a label: a value, a node of the column's taxonomy,
//! an interval or a set. Of a continuous column it is an interval, because under the uniform assumption no single
//! number has any weight; if all numbers of the column are whole, it may be one of them. Double quotes go around a name or a label that has an `and` in it; a quote inside is written
//! twice.

use std::fmt;

use scumble_fault::{Blame, Fault};

use super::{Predicate, Query, Workload};
use crate::comparison::{Comparison, ReadColumn};
use crate::extent::Extent;

/// What is wrong with a workload. The words shown are those of the workload file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct WorkloadError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub problem: WorkloadProblem,
}

/// What is wrong with a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WorkloadProblem {
    /// A predicate that does not begin with a column.
    UnknownColumn(String),
    /// A quote or brace that is not closed.
    Open(char),
    /// Words after a predicate.
    After(String),
    /// A column without a label.
    NoLabel(String),
    /// A label that stands for nothing in its column.
    UnknownLabel {
        /// The column.
        column: String,
        /// The label.
        label: String,
    },
    /// A label of a continuous column that is no interval.
    NoInterval(String),
    /// A column that is asked about twice.
    Twice(String),
}

impl Blame for WorkloadError {
    fn fault(&self) -> Fault {
        Fault::Input
    }
}

impl fmt::Display for WorkloadProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WorkloadProblem::UnknownColumn(words) => write!(
                f,
                "`{words}` does not begin with a column of the release and `=` or `in`; quote a name that has `and` in it"
            ),
            WorkloadProblem::Open(mark) => write!(f, "`{mark}` is not closed"),
            WorkloadProblem::After(words) => write!(f, "`{words}` follows a predicate; join predicates by `and`"),
            WorkloadProblem::NoLabel(column) => write!(f, "nothing is asked of column `{column}`"),
            WorkloadProblem::UnknownLabel { column, label } => {
                write!(f, "`{label}` is no value, node, interval or set of column `{column}`")
            }
            WorkloadProblem::NoInterval(column) => {
                write!(
                    f,
                    "column `{column}` is continuous; ask for an interval such as `[20, 35)`"
                )
            }
            WorkloadProblem::Twice(column) => write!(f, "column `{column}` is asked about twice; join both into one"),
        }
    }
}

impl Workload {
    /// Reads a workload about the columns of a comparison. Empty lines and those that begin with `#` are skipped.
    ///
    /// # Errors
    /// The first line that is no query.
    pub fn parse(text: &str, comparison: &Comparison) -> Result<Workload, WorkloadError> {
        let lines = text.lines().zip(1..).map(|(line, number)| (line.trim(), number));
        let queries = lines.filter(|(line, _)| !line.is_empty() && !line.starts_with('#'));
        let queries = queries
            .map(|(line, number)| query(line, comparison).map_err(|problem| WorkloadError { line: number, problem }));
        Ok(Workload {
            queries: queries.collect::<Result<_, _>>()?,
        })
    }
}

fn query(line: &str, comparison: &Comparison) -> Result<Query, WorkloadProblem> {
    let mut predicates: Vec<Predicate> = Vec::new();
    let mut rest = line;
    loop {
        let (predicate, after) = predicate(rest, comparison.columns())?;
        if predicates.iter().any(|other| other.column == predicate.column) {
            let name = comparison.columns()[predicate.column].compared.name;
            return Err(WorkloadProblem::Twice(name.to_owned()));
        }
        predicates.push(predicate);
        match strip_word(after.trim_start(), "and") {
            Some(next) => rest = next,
            None if after.trim().is_empty() => break,
            None => return Err(WorkloadProblem::After(after.trim().to_owned())),
        }
    }
    predicates.sort_by_key(|predicate| predicate.column);
    Ok(Query { predicates })
}

/// The first predicate, and the text after it.
fn predicate<'t>(text: &'t str, columns: &[ReadColumn]) -> Result<(Predicate, &'t str), WorkloadProblem> {
    let (place, text) = column(text.trim_start(), columns)?;
    let read = &columns[place];
    let name = read.compared.name;
    let (label, rest) = label(text.trim_start())?;
    if label.is_empty() {
        return Err(WorkloadProblem::NoLabel(name.to_owned()));
    }
    let asked = read.scale.extent(&label);
    match &asked {
        Extent::Unknown | Extent::Missing => Err(WorkloadProblem::UnknownLabel {
            column: name.to_owned(),
            label,
        }),
        Extent::Numbers(_) if label.starts_with('{') => Err(WorkloadProblem::NoInterval(name.to_owned())),
        Extent::Numbers(interval) if interval.from == interval.to && !read.scale.is_whole() => {
            Err(WorkloadProblem::NoInterval(name.to_owned()))
        }
        _ => Ok((Predicate { column: place, asked }, rest)),
    }
}

/// The column that a predicate begins with, and the text after its operator. Of two names that fit, the longer is
/// meant.
fn column<'t>(text: &'t str, columns: &[ReadColumn]) -> Result<(usize, &'t str), WorkloadProblem> {
    let quoted = quoted(text)?;
    let after_name = |name: &str| match &quoted {
        Some((words, rest)) => (words == name).then_some(*rest),
        None => text.strip_prefix(name),
    };
    let fitting = columns.iter().enumerate().filter_map(|(place, read)| {
        let rest = after_name(read.compared.name)?.trim_start();
        let rest = rest.strip_prefix('=').or_else(|| strip_word(rest, "in"))?;
        Some((place, rest))
    });
    fitting
        .max_by_key(|&(place, _)| columns[place].compared.name.len())
        .ok_or_else(|| WorkloadProblem::UnknownColumn(text.to_owned()))
}

/// The label that a text begins with, and the text after it.
fn label(text: &str) -> Result<(String, &str), WorkloadProblem> {
    if let Some(found) = quoted(text)? {
        return Ok(found);
    }
    let end = match text.starts_with('{') {
        true => text.find('}').ok_or(WorkloadProblem::Open('{'))? + 1,
        false => text.find(" and ").unwrap_or(text.len()),
    };
    Ok((text[..end].trim().to_owned(), &text[end..]))
}

/// What a text says in quotes, and the text after them; `None` if it does not begin with one.
fn quoted(text: &str) -> Result<Option<(String, &str)>, WorkloadProblem> {
    let Some(mut rest) = text.strip_prefix('"') else {
        return Ok(None);
    };
    let mut words = String::new();
    loop {
        let (part, after) = rest.split_once('"').ok_or(WorkloadProblem::Open('"'))?;
        words.push_str(part);
        match after.strip_prefix('"') {
            Some(next) => rest = next,
            None => return Ok(Some((words, after))),
        }
        words.push('"');
    }
}

/// The text after a word that it begins with; a bracket may follow the word without a blank.
fn strip_word<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let rest = text.strip_prefix(word)?;
    rest.starts_with([' ', '\t', '[', '{', '"']).then_some(rest)
}
