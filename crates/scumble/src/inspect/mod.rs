//! An [`Inspection`] is what a table shows about itself before there is a policy: what its columns seem to be, and how
//! well they tell people apart.
//!
//! Invariant: no cell of the data is in an inspection. It holds counts, shares, column names, and marks for missing
//! values out of a fixed list.
//!
//! | name | age | city | | column | type | distinct | rows alone | suggested role |
//! |---|---|---|---|---|---|---|---|---|
//! | Ann | 31 | Ulm | | name | categorical | 4 | 4 of 4 | identifier |
//! | Bob | 31 | Ulm | | age | continuous | 3 | 2 of 4 | quasi |
//! | Cid | 52 | ? | | city | categorical | 2 | 0 of 4 | quasi, and `?` looks like missing |
//! | Dan | 47 | ? | | | | | | |

mod display;
mod first_policy;
mod groups;
mod guess;
mod name;
mod role;
mod sets;

use crate::sources::read_text;
use std::path::Path;

use scumble_progress::{Running, Stage, Watch};
use scumble_store::FileSource;
use scumble_table::{Column, ColumnId, Table, with_codes};
use serde::{Serialize, Serializer};

pub use groups::Groups;
pub use guess::GuessedType;
pub use sets::{ColumnSet, ColumnSets};

use crate::error::Error;
pub(crate) use name::{Clues, Name};
use role::Facts;
use scumble_policy::Role;

/// What a table shows about itself.
#[derive(Clone, Debug, Serialize)]
pub struct Inspection {
    /// The file, and how it was read.
    #[serde(rename = "file", serialize_with = "path_of")]
    pub source: FileSource,
    /// How many rows it has.
    pub rows: usize,
    /// How many columns have a number or a date for a name; if there are any, the file may have no header.
    pub names_like_values: usize,
    /// Its columns, in file order.
    pub columns: Vec<InspectedColumn>,
    /// How well pairs and triples of quasi columns tell people apart.
    pub sets: ColumnSets,
}

/// What one column seems to be. Values are compared as text.
#[derive(Clone, Debug, Serialize)]
pub struct InspectedColumn {
    /// Its name in the header.
    pub name: String,
    /// What its values seem to be.
    #[serde(rename = "type")]
    pub guessed: GuessedType,
    /// How many different values it has, the missing one aside.
    pub distinct: usize,
    /// How many rows lack a value.
    pub missing: usize,
    /// Values that look like marks for a missing one; until they are declared, they count as values.
    pub suspected_missing: Vec<SuspectedMark>,
    /// The rows that agree on it.
    pub groups: Groups,
    /// The role to begin with.
    #[serde(serialize_with = "word_of")]
    pub role: Role,
    /// Why this role.
    pub reason: &'static str,
}

/// A value that looks like a mark for a missing one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SuspectedMark {
    /// The mark.
    pub mark: &'static str,
    /// How many rows have it.
    pub rows: usize,
}

/// The only cells that an inspection may show: they say nothing of a person.
const MISSING_MARKS: [&str; 12] = [
    "?", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "null", "NULL", "Null", "-", ".",
];

/// Reads a table and tells what it shows about itself.
///
/// # Errors
/// If the file cannot be read as a table, or `watch` asks to stop.
pub fn inspect(source: &FileSource, watch: &dyn Watch) -> Result<Inspection, Error> {
    let table = read_text(source, watch)?;
    let _counting = Running::begin(watch, Stage::Counting, None);
    let columns = inspect_columns(&table);
    let quasi = columns
        .iter()
        .enumerate()
        .filter(|(_, column)| column.role == Role::Quasi);
    let quasi = quasi.map(|(place, column)| (ColumnId(place), column.groups)).collect();
    Ok(Inspection {
        source: source.clone(),
        rows: table.rows(),
        names_like_values: columns
            .iter()
            .filter(|column| guess::is_like_a_value(&column.name))
            .count(),
        sets: sets::column_sets(&table, quasi, watch)?,
        columns,
    })
}

fn inspect_columns(table: &Table) -> Vec<InspectedColumn> {
    let (mut columns, facts): (Vec<InspectedColumn>, Vec<Facts>) = table.columns().iter().map(inspect_column).unzip();
    for (column, suggestion) in columns.iter_mut().zip(role::suggest(&facts)) {
        column.role = suggestion.role;
        column.reason = suggestion.reason;
    }
    columns
}

/// What the values of a column seem to be and, whatever the other columns are, why it would be an identifier.
pub(crate) fn inspect_alone(column: &Column) -> (GuessedType, Option<&'static str>) {
    let (inspected, facts) = inspect_column(column);
    (inspected.guessed, facts.names_people())
}

/// A column without its role, which depends on the others, and what speaks for one.
fn inspect_column(column: &Column) -> (InspectedColumn, Facts) {
    let dictionary = column.dictionary();
    let weights = rows_per_code(column);
    let suspected_missing = suspected_marks(column, &weights);
    let is_mark = |text: &&str| suspected_missing.iter().any(|suspected| suspected.mark == *text);
    let values: Vec<&str> = dictionary.texts().iter().filter(|text| !is_mark(text)).collect();
    let name = Name::new(&column.name);
    let guessed = guess::guess(&name, &values);
    let rows = column.codes().len();
    let groups = Groups::of_sizes(rows, weights.iter().copied());
    let facts = Facts {
        guessed,
        rows,
        distinct: values.len(),
        groups,
        numbers_the_rows: guess::numbers_the_rows(dictionary.numbers(), rows),
        name,
    };
    let inspected = InspectedColumn {
        name: column.name.clone(),
        guessed,
        distinct: dictionary.texts().len(),
        missing: dictionary.missing().map_or(0, |code| weights[code as usize] as usize),
        suspected_missing,
        groups,
        role: Role::Quasi,
        reason: "",
    };
    (inspected, facts)
}

/// How many rows have each code.
fn rows_per_code(column: &Column) -> Vec<u32> {
    let mut rows = vec![0; column.dictionary().len()];
    with_codes!(column.codes(), |codes| codes
        .iter()
        .for_each(|&code| rows[code as usize] += 1));
    rows
}

fn suspected_marks(column: &Column, weights: &[u32]) -> Vec<SuspectedMark> {
    let values = column.dictionary().texts().iter().zip(weights);
    let suspected = values.filter_map(|(text, &rows)| {
        let mark = MISSING_MARKS.into_iter().find(|mark| *mark == text)?;
        Some(SuspectedMark {
            mark,
            rows: rows as usize,
        })
    });
    suspected.collect()
}

fn path_of<S: Serializer>(source: &FileSource, serializer: S) -> Result<S::Ok, S::Error> {
    shown_path(&source.path).serialize(serializer)
}

/// A path as text, whatever its bytes.
fn shown_path(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn word_of<S: Serializer>(role: &Role, serializer: S) -> Result<S::Ok, S::Error> {
    role.word().serialize(serializer)
}
