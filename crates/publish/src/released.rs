//! Released tables as texts: how a file is read back, and which cells a spreadsheet would take for formulas.

use std::path::Path;

use scumble_report::CertifiedReading;
use scumble_store::{CERTIFICATE, Format, Source, is_formula};
use scumble_table::{Released, ReleasedColumn, with_codes};
use serde::Deserialize;

use crate::plan::Warning;
use crate::policy::{DatabasePolicy, Formulas, Policy, Release};

/// What a policy says of how its release is read.
#[derive(Clone, Copy)]
pub(crate) struct Said {
    /// Whether blanks around a cell are no part of its value.
    trim: bool,
    /// Whether formulas are written as text.
    formulas: Formulas,
}

impl Said {
    /// By a policy of one table.
    pub fn by(policy: &Policy) -> Said {
        Said {
            trim: policy.data.trim,
            formulas: policy.release.formulas,
        }
    }

    /// By a policy of several.
    pub fn by_database(policy: &DatabasePolicy) -> Said {
        Said {
            trim: policy.cells.trim,
            formulas: policy.release.formulas,
        }
    }
}

/// What a certificate of one or of several tables says of it.
#[derive(Deserialize)]
struct Certified {
    #[serde(default)]
    reading: Option<CertifiedReading>,
    #[serde(default)]
    formulas: Option<String>,
}

/// A released file, read as it was written.
///
/// Which blanks belong to a value is what the policy means by its values, so the policy goes before the certificate beside
/// the file. How formulas are spelt is what that file did, so there the certificate goes first.
pub(crate) fn source_of_release(path: &Path, said: Option<Said>) -> Source {
    let certificate = std::fs::read(path.with_file_name(CERTIFICATE)).ok();
    let certified = certificate.and_then(|text| serde_json::from_slice::<Certified>(&text).ok());
    let formulas_as_text = match &certified {
        Some(Certified { formulas, .. }) => formulas.as_deref() == Some(Formulas::Text.word()),
        None => said.is_some_and(|said| said.formulas == Formulas::Text),
    };
    let certified_trim = || certified.as_ref().and_then(|certified| certified.reading);
    Source {
        trim: match said {
            Some(said) => said.trim,
            None => certified_trim().is_none_or(|reading| reading.trim),
        },
        formulas_as_text: formulas_as_text && Format::of(path).is_ok_and(Format::is_separated),
        ..Source::new(path)
    }
}

/// What there is to say of formulas in a release: nothing if it can hold none, or if they are written as text.
pub(crate) fn formulas_told<'r>(
    settings: &Release,
    tables: impl IntoIterator<Item = (Option<&'r str>, &'r Released)>,
) -> Option<Warning> {
    if !settings.can_hold_formulas() || settings.formulas_as_text() {
        return None;
    }
    let mut found = Vec::new();
    for (table, release) in tables {
        let published = release.columns().iter().filter(|column| column.published);
        for (column, cells) in published.map(|column| (column, formulas(column))) {
            let name = table.map_or_else(|| column.name.clone(), |table| format!("{table}.{}", column.name));
            found.extend((cells > 0).then_some((name, cells)));
        }
    }
    (!found.is_empty()).then_some(Warning::Formulas(found))
}

/// How many cells of a column are formulas, its name in the header included.
fn formulas(column: &ReleasedColumn) -> u64 {
    let labels = column.labels();
    let is_formula_label: Vec<bool> = labels.iter().map(|label| label.is_some_and(is_formula)).collect();
    let rows = if is_formula_label.contains(&true) {
        with_codes!(column.codes(), |codes| codes
            .iter()
            .filter(|&&code| is_formula_label[column.label_of_code()[code as usize] as usize])
            .count())
    } else {
        0
    };
    rows as u64 + u64::from(is_formula(&column.name))
}
