//! A [`Release`] as its files show it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::csv;
use crate::policy::{Kind, Policy, Role};
use crate::table::{Cell, number};

/// A released table and its certificate.
pub struct Release {
    /// The columns of `released.csv`.
    pub header: Vec<String>,
    /// Its rows; an empty cell is missing.
    pub rows: Vec<Vec<Cell>>,
    /// The columns and rows of `released-secrets.csv`, if there is one.
    pub secrets: Option<(Vec<String>, Vec<Vec<Cell>>)>,
    /// `certificate.json`.
    pub certificate: Value,
    /// The texts of all files that may leave the house: the table, the certificate, the second table.
    pub files: Vec<String>,
}

impl Release {
    /// Reads the folder of a release.
    ///
    /// # Errors
    /// A file that is not there, or not what it should be.
    pub fn read(folder: &Path) -> Result<Release, String> {
        let text = |name: &str| fs::read_to_string(folder.join(name)).map_err(|error| format!("{name}: {error}"));
        let secrets = folder
            .join("released-secrets.csv")
            .exists()
            .then(|| text("released-secrets.csv"));
        Release::parse(
            &text("released.csv")?,
            secrets.transpose()?.as_deref(),
            &text("certificate.json")?,
        )
    }

    /// A release from the texts of its files.
    ///
    /// # Errors
    /// A text that is not what it should be.
    pub fn parse(released: &str, secrets: Option<&str>, certificate: &str) -> Result<Release, String> {
        let (header, rows) = table(released)?;
        let texts = [released, certificate].into_iter().chain(secrets);
        Ok(Release {
            header,
            rows,
            secrets: secrets.map(table).transpose()?,
            certificate: serde_json::from_str(certificate).map_err(|error| error.to_string())?,
            files: texts.map(str::to_owned).collect(),
        })
    }

    /// The place of a column.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.header.iter().position(|column| column == name)
    }

    /// A count of `rows` in the certificate.
    pub fn count(&self, of: &str) -> usize {
        self.certificate["rows"][of].as_u64().unwrap_or(0) as usize
    }

    /// The masks of the certificate, by column.
    pub fn masks(&self) -> BTreeMap<String, Value> {
        let columns = self.certificate["columns"].as_array().into_iter().flatten();
        let named = columns.filter_map(|column| Some((column["name"].as_str()?.to_owned(), column["mask"].clone())));
        named.collect()
    }
}

/// The header and the rows of a text.
fn table(text: &str) -> Result<(Vec<String>, Vec<Vec<Cell>>), String> {
    let mut records = csv::read(text)?.into_iter();
    let header = records.next().ok_or("no header")?;
    let rows: Vec<Vec<Cell>> = records.map(|record| record.into_iter().map(cell).collect()).collect();
    match rows.iter().position(|row| row.len() != header.len()) {
        Some(row) => Err(format!("row {} has another number of cells than the header", row + 1)),
        None => Ok((header, rows)),
    }
}

fn cell(text: String) -> Cell {
    (!text.is_empty()).then_some(text)
}

/// A cell with one text for each value: numbers of a column that is published as it is may be written in several ways.
pub fn canonical(policy: &Policy, name: &str, cell: Cell) -> Cell {
    let column = policy.column(name);
    let is_number = column.is_some_and(|column| column.role != Role::Quasi && matches!(column.kind, Kind::Numbers(_)));
    match cell.as_deref().filter(|_| is_number).and_then(number) {
        Some(number) => Some(format!("{number:?}")),
        None => cell,
    }
}
