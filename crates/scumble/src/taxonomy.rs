//! Taxonomies by themselves: checking a file, and building one from a column.

use std::path::Path;

use scumble_store::{FileSource, Watch};
use scumble_table::Reading;
use scumble_table::taxonomy::{BuildError, DateLevel, Ranges, dates, equal_frequency, equal_width, prefixes};
use scumble_table::{Column, ColumnId, Taxonomy};
use serde::Serialize;

use crate::error::Error;
use crate::errors::TextError;
use crate::texts::read_taxonomy;
use scumble_policy::Problems;
use scumble_policy::{PolicyText, did_you_mean, quoted};

/// A taxonomy that was found to be in order.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TaxonomySummary {
    /// Values at the leaves.
    pub leaves: usize,
    /// All nodes, leaves included.
    pub nodes: usize,
    /// Nodes on the longest path from the root to a leaf.
    pub levels: usize,
    /// The label of the root.
    pub root: String,
}

/// A taxonomy that was built above the values of a column.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BuiltTaxonomy {
    /// Values at the leaves.
    pub leaves: usize,
    /// All nodes, leaves included.
    pub nodes: usize,
    /// Its file: one line per leaf, with all labels up to the root.
    pub taxonomy: String,
}

/// How to build a taxonomy above the values of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Builder {
    /// The first so many characters, for postcodes.
    Prefixes(Vec<usize>),
    /// Months, quarters, years, decades of ISO dates.
    Dates(Vec<DateLevel>),
    /// Ranges of equal width.
    EqualWidth(Ranges),
    /// Ranges with about equally many rows.
    EqualFrequency(Ranges),
}

/// Checks a taxonomy file and, if data is given, that the column has no value which the taxonomy lacks.
pub fn check_taxonomy(
    path: &Path,
    data: Option<(&FileSource, &str)>,
    watch: &dyn Watch,
) -> Result<TaxonomySummary, Error> {
    let taxonomy = read_taxonomy(path)?;
    if let Some((source, column)) = data {
        read_column(source, column, Reading::Leaves(&taxonomy), watch)?;
    }
    Ok(TaxonomySummary {
        leaves: taxonomy.leaves().len(),
        nodes: taxonomy.nodes().len(),
        levels: levels(&taxonomy),
        root: taxonomy.label(taxonomy.root()).to_owned(),
    })
}

/// Builds a taxonomy above the values of a column.
pub fn build_taxonomy(
    source: &FileSource,
    column: &str,
    builder: &Builder,
    watch: &dyn Watch,
) -> Result<BuiltTaxonomy, Error> {
    let data = read_column(source, column, Reading::Text, watch)?;
    let values = || data.dictionary().texts().iter();
    let built = match builder {
        Builder::Prefixes(lengths) => prefixes(values(), lengths),
        Builder::Dates(levels) => dates(values(), levels),
        Builder::EqualWidth(ranges) => equal_width(values(), *ranges),
        Builder::EqualFrequency(ranges) => equal_frequency(values().zip(rows_of_values(&data)), *ranges),
    };
    let built = built.map_err(|reason: BuildError| TextError::Build {
        column: column.to_owned(),
        reason,
    })?;
    Ok(BuiltTaxonomy {
        leaves: built.leaves().len(),
        nodes: built.nodes().len(),
        taxonomy: built.to_levels(),
    })
}

/// Reads one column of a file.
fn read_column(source: &FileSource, column: &str, reading: Reading<'_>, watch: &dyn Watch) -> Result<Column, Error> {
    let opened = source.open(watch)?;
    let header = opened.header();
    if !header.iter().any(|name| name == column) {
        let mut problems = Problems::new(&PolicyText::of_command_line(""));
        let help = did_you_mean(column, header.iter().map(String::as_str));
        let message = format!("there is no column {}", quoted(column));
        problems.in_file(source.path.display().to_string(), None, message, help);
        return Err(problems.into());
    }
    let keep = |name: &String| if name == column { reading } else { Reading::Skip };
    let readings: Vec<Reading> = header.iter().map(keep).collect();
    let table = opened.read(&readings, false, watch)?.table;
    Ok(table.column(ColumnId(0)).clone())
}

fn rows_of_values(column: &Column) -> Vec<u64> {
    let mut rows = vec![0; column.dictionary().len()];
    column.codes().iter().for_each(|code| rows[code as usize] += 1);
    rows
}

fn levels(taxonomy: &Taxonomy) -> usize {
    let depth = |leaf: &str| {
        let start = taxonomy.find(leaf);
        std::iter::successors(start, |&node| taxonomy.parent(node)).count()
    };
    taxonomy.leaves().map(depth).max().unwrap_or(0)
}
