//! The [`Census`] that is enlarged: Adult where it is at hand, else the synthetic one that we ship.
//!
//! Invariant: rows are complete and as wide as the header, and the last column is the class; all others are quasi
//! columns.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use scumble_store::{Loaded, ReadError, Reading, Source, Unwatched, read};

use crate::{Result, Settings, workspace};

/// The columns of Adult, which has no header; the class comes last.
const ADULT: [&str; 15] = [
    "age",
    "workclass",
    "final-weight",
    "education",
    "education-num",
    "marital-status",
    "occupation",
    "relationship",
    "race",
    "sex",
    "capital-gain",
    "capital-loss",
    "hours-per-week",
    "native-country",
    "class",
];

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
            Census::adult(data.unwrap_or(&usual))
        } else {
            Census::synthetic(settings.seed, scratch)
        }
    }

    /// Training and test set together, complete rows only.
    fn adult(data: &Path) -> Result<Census> {
        let mut rows = Vec::new();
        for file in ["adult.data", "adult.test"] {
            let source = Source {
                names: Some(ADULT.map(str::to_owned).to_vec()),
                separator: Some(b','),
                comment: Some(b'|'),
                marks: vec!["?".to_owned()],
                ..Source::new(data.join("adult").join(file))
            };
            rows.extend(cells(&read_as_text(&as_csv(source)?)?));
        }
        // The test set writes `<=50K.` where the training set writes `<=50K`.
        for class in rows.iter_mut().filter_map(|row| row.last_mut()) {
            class.truncate(class.trim_end_matches('.').len());
        }
        let taxonomies = data.join("taxonomies/adult-own").canonicalize()?;
        Ok(Census { name: "Adult", header: ADULT.map(str::to_owned).to_vec(), rows, taxonomies })
    }

    fn synthetic(seed: u64, scratch: &Path) -> Result<Census> {
        let path = scratch.join("census.csv");
        let mut file = File::create_new(&path)?;
        scumble_sample::census(SYNTHETIC_ROWS, seed, &mut file)?;
        file.flush()?;
        let loaded = read_as_text(&Source::new(&path))?;
        let taxonomies = workspace().join("examples/census");
        Ok(Census { name: "synthetic census", rows: cells(&loaded), header: loaded.header, taxonomies })
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
