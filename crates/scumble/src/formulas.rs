//! A [`FormulaReport`]: which rows of the files of a release have cells that a spreadsheet would take for formulas.
//!
//! The writer tells them, in the order in which it wrote, so the numbers are those of the files. A message tells the first of
//! each column; `private/formulas.json` has all of them. Neither has a cell.

use scumble_store::{Aside, FormulaCells, ReleasePart, RowNumbers};
use serde::Serialize;

use crate::error::Error;
use crate::files::{name_of, write_json};
use crate::warning::{ToldFormulas, Warning};
use scumble_policy::Release;

/// As many numbers and ranges of rows as a message lists for a column.
const MOST_TOLD: usize = 10;

/// `private/formulas.json`.
#[derive(Default, Serialize)]
pub(crate) struct FormulaReport {
    columns: Vec<FormulaColumn>,
}

/// A column with formulas.
#[derive(Serialize)]
struct FormulaColumn {
    file: String,
    #[serde(skip)]
    table: Option<String>,
    column: String,
    cells: u64,
    rows: RowNumbers,
}

impl FormulaReport {
    /// Adds what the writer of a file found in it.
    pub fn add(&mut self, part: ReleasePart, found: Vec<FormulaCells>) {
        let table = match part {
            ReleasePart::Table(name, _) => Some(name),
            ReleasePart::Certificate
            | ReleasePart::Released(_)
            | ReleasePart::Secrets(_)
            | ReleasePart::Rows(_)
            | ReleasePart::Trace
            | ReleasePart::Page
            | ReleasePart::PlainPage
            | ReleasePart::Evaluation
            | ReleasePart::Attack
            | ReleasePart::Transcript
            | ReleasePart::Formulas => None,
        };
        let file = name_of(&part.path());
        self.columns.extend(found.into_iter().map(|found| FormulaColumn {
            file: file.clone(),
            table: table.map(str::to_owned),
            column: found.column,
            cells: found.rows.count(),
            rows: found.rows,
        }));
    }

    /// Writes all of it, if there is anything to tell.
    pub fn write(&self, aside: &Aside) -> Result<(), Error> {
        match &self.columns[..] {
            [] => Ok(()),
            _ => write_json(aside, ReleasePart::Formulas, self),
        }
    }

    /// What the user should know: nothing where the format says of every cell that it is text.
    pub fn warning(&self, settings: &Release) -> Option<Warning> {
        let told: Vec<ToldFormulas> = self.columns.iter().map(FormulaColumn::told).collect();
        (settings.can_hold_formulas() && !told.is_empty()).then_some(Warning::Formulas(told))
    }
}

impl FormulaColumn {
    fn told(&self) -> ToldFormulas {
        let (rows, more) = self.rows.first(MOST_TOLD);
        ToldFormulas {
            column: match &self.table {
                Some(table) => format!("{table}.{}", self.column),
                None => self.column.clone(),
            },
            file: self.file.clone(),
            cells: self.cells,
            rows,
            more,
        }
    }
}
