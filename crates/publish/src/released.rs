//! Released tables as texts: how a file is read back, and which cells a spreadsheet would take for formulas.

use std::path::Path;

use scumble_store::{CERTIFICATE, Format, Source, is_formula};
use scumble_table::{Released, ReleasedColumn, with_codes};
use serde::Deserialize;

use crate::plan::Warning;
use crate::policy::{Formulas, Release};

/// A released file, read as it was written: as the certificate beside it says, or else as the policy does.
pub(crate) fn source_of_release(path: &Path, release: Option<&Release>) -> Source {
    #[derive(Deserialize)]
    struct Certified {
        #[serde(default)]
        formulas: Option<String>,
    }
    let certificate = std::fs::read(path.with_file_name(CERTIFICATE)).ok();
    let certified = certificate.and_then(|text| serde_json::from_slice::<Certified>(&text).ok());
    let as_text = match (certified, release) {
        (Some(Certified { formulas }), _) => formulas.is_some_and(|word| word == Formulas::Text.word()),
        (None, Some(release)) => release.formulas == Formulas::Text,
        (None, None) => false,
    };
    Source {
        formulas_as_text: as_text && Format::of(path).is_ok_and(Format::is_separated),
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
