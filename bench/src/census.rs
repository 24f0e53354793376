//! The [`Census`] that is enlarged: Adult where it is at hand, else the synthetic one that we ship.
//!
//! Invariant: rows are complete and as wide as the header, and the last column is the class; all others are quasi
//! columns.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use scumble_sample::{CENSUS_COLUMNS, census};
use scumble_store::{ReadError, Reading, Source, Unwatched, read};
use scumble_table::Column;

use crate::{Result, Settings, workspace};

/// As many rows as Adult has complete ones.
const SYNTHETIC_ROWS: usize = 45_222;

/// A table about people, not yet enlarged.
pub struct Census {
    /// What it is, in a word or two.
    pub name: &'static str,
    /// The names of the columns, the class last.
    pub header: Vec<String>,
    /// The cells, row by row.
    pub rows: Vec<Vec<String>>,
    /// The folder of its taxonomies, one file per column that has one.
    taxonomies: PathBuf,
}

impl Census {
    /// Adult if it is where the settings say or usually is, else the synthetic census. `scratch` is a folder to work in.
    pub fn load(settings: &Settings, scratch: &Path) -> Result<Census> {
        let usual = workspace().join("../shared/data");
        let data = settings.data_dir.as_deref();
        // A folder that was asked for must hold Adult; only the usual one may lack it.
        if data.is_some() || usual.join("adult").is_dir() {
            Census::adult(data.unwrap_or(&usual), scratch)
        } else {
            Census::synthetic(settings.seed, scratch)
        }
    }

    /// Training and test set together, complete rows only.
    fn adult(data: &Path, scratch: &Path) -> Result<Census> {
        let path = scratch.join("adult.csv");
        let mut both = File::create_new(&path)?;
        for file in ["adult.data", "adult.test"] {
            let part = data.join("adult").join(file);
            let mut part = File::open(&part).map_err(|error| format!("{}: {error}", part.display()))?;
            io::copy(&mut part, &mut both)?;
        }
        let source = Source {
            // Adult has no header, and the synthetic census has its columns.
            names: Some(CENSUS_COLUMNS.map(str::to_owned).to_vec()),
            comment: Some(b'|'),
            marks: vec!["?".to_owned()],
            ..Source::new(path)
        };
        let (header, mut rows) = read_rows(&source)?;
        // The test set writes `<=50K.` where the training set writes `<=50K`.
        for class in rows.iter_mut().filter_map(|row| row.last_mut()) {
            class.truncate(class.trim_end_matches('.').len());
        }
        let taxonomies = data.join("taxonomies/adult-own").canonicalize()?;
        Ok(Census {
            name: "Adult",
            header,
            rows,
            taxonomies,
        })
    }

    /// The one that we ship, as large as Adult.
    pub fn synthetic(seed: u64, scratch: &Path) -> Result<Census> {
        let path = scratch.join("census.csv");
        census(SYNTHETIC_ROWS, seed, &mut File::create_new(&path)?)?;
        let (header, rows) = read_rows(&Source::new(path))?;
        let taxonomies = workspace().join("examples/census").canonicalize()?;
        Ok(Census {
            name: "synthetic census",
            header,
            rows,
            taxonomies,
        })
    }

    /// The names of the quasi columns: all but the class.
    pub fn quasi(&self) -> &[String] {
        self.header.split_last().map_or(&[], |(_, quasi)| quasi)
    }

    /// The name of the class column.
    pub fn class(&self) -> &str {
        self.header.last().map_or("", String::as_str)
    }

    /// The taxonomy of a column, if it has one.
    pub fn taxonomy(&self, column: &str) -> Option<PathBuf> {
        let path = self.taxonomies.join(column).with_extension("csv");
        path.is_file().then_some(path)
    }

    /// For each column, the distinct values that it holds, sorted.
    pub fn domains(&self) -> Vec<Vec<&str>> {
        let domain = |column: usize| {
            let mut values: Vec<&str> = self.rows.iter().map(|row| &row[column][..]).collect();
            values.sort_unstable();
            values.dedup();
            values
        };
        (0..self.header.len()).map(domain).collect()
    }
}

/// The header and the cells of the complete rows, all as text.
fn read_rows(source: &Source) -> Result<(Vec<String>, Vec<Vec<String>>)> {
    let as_text = |header: &[String]| -> std::result::Result<_, ReadError> { Ok(vec![Reading::Text; header.len()]) };
    let loaded = read(source, true, as_text, &Unwatched)?;
    let table = &loaded.table;
    let cell = |column: &Column, row| {
        column
            .dictionary()
            .value(column.codes().at(row))
            .unwrap_or("")
            .to_owned()
    };
    let cells = |row| table.columns().iter().map(|column| cell(column, row)).collect();
    Ok((loaded.header, (0..table.rows()).map(cells).collect()))
}

#[cfg(test)]
impl Census {
    /// A small table without taxonomies.
    pub fn of_cells(header: Vec<String>, rows: Vec<Vec<String>>) -> Census {
        Census {
            name: "test",
            header,
            rows,
            taxonomies: PathBuf::new(),
        }
    }
}
