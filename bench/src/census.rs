//! The [`Census`] that is enlarged: Adult where it is at hand, else the synthetic one that we ship.
//!
//! Invariant: rows are complete and as wide as the header; the last column is the class, the one before it is sensitive if
//! there is a sensitive one, and all others are quasi columns.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use scumble_sample::{CENSUS_COLUMNS, census};
use scumble_store::{FileSource, Unwatched};
use scumble_table::Reading;
use scumble_table::{Column, parse_number};

use crate::{Result, Settings, workspace};

/// As many rows as Adult has complete ones.
const SYNTHETIC_ROWS: usize = 45_222;

/// A table about people, not yet enlarged.
pub struct Census {
    /// What it is, in a word or two.
    pub name: &'static str,
    /// The names of the columns, the class last and before it the sensitive one.
    pub header: Vec<String>,
    /// Whether there is a sensitive column.
    has_sensitive: bool,
    /// The cells, row by row.
    pub rows: Vec<Vec<String>>,
    /// The folder of its taxonomies, one file per column that has one.
    taxonomies: PathBuf,
}

impl Census {
    /// Adult if it is where the settings say or usually is, else the synthetic census. `scratch` is a folder to work in.
    pub fn load(settings: &Settings, scratch: &Path) -> Result<Census> {
        let data = data_folder(settings);
        // A folder that was asked for must hold Adult; only the usual one may lack it.
        if settings.data_dir.is_some() || data.join("adult").is_dir() {
            Census::adult(&data, scratch)
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
        let source = FileSource {
            // Adult has no header, and the synthetic census has its columns.
            names: Some(CENSUS_COLUMNS.map(str::to_owned).to_vec()),
            comment: Some(b'|'),
            marks: vec!["?".to_owned()],
            ..FileSource::new(path)
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
            has_sensitive: false,
            rows,
            taxonomies,
        })
    }

    /// These columns of the American Community Survey, and the class of income in the place of the class: it is never
    /// drawn anew.
    pub fn acs(data: &Path, columns: &[&str]) -> Result<Census> {
        let (header, rows) = read_rows(&FileSource::new(data.join("census/acs2018_person.csv.gz")))?;
        let whole = Census {
            name: "American Community Survey",
            header,
            has_sensitive: false,
            rows,
            taxonomies: data.join("taxonomies/acs2018-own"),
        };
        whole.only(columns)
    }

    /// The one that we ship, as large as Adult.
    pub fn synthetic(seed: u64, scratch: &Path) -> Result<Census> {
        let path = scratch.join("census.csv");
        census(SYNTHETIC_ROWS, seed, &mut File::create_new(&path)?)?;
        let (header, rows) = read_rows(&FileSource::new(path))?;
        let taxonomies = workspace().join("examples/census").canonicalize()?;
        Ok(Census {
            name: "synthetic census",
            header,
            has_sensitive: false,
            rows,
            taxonomies,
        })
    }

    /// The names of the quasi columns.
    pub fn quasi(&self) -> &[String] {
        let others = 1 + usize::from(self.has_sensitive);
        &self.header[..self.header.len().saturating_sub(others)]
    }

    /// The name of the sensitive column.
    pub fn sensitive(&self) -> Option<&str> {
        self.header
            .get(self.quasi().len())
            .map(String::as_str)
            .filter(|_| self.has_sensitive)
    }

    /// The census with this column sensitive, and without the columns of numbers (Fung 2007, section 5.4).
    pub fn about(&self, sensitive: &str) -> Result<Census> {
        let own = self.header.iter().position(|name| name == sensitive);
        let own = own.ok_or_else(|| format!("the census has no column {sensitive}"))?;
        let is_word = |values: &Vec<&str>| values.iter().any(|value| parse_number(value).is_none());
        let words: Vec<bool> = self.domains().iter().map(is_word).collect();
        let class = self.header.len() - 1;
        let quasi = (0..class).filter(|&column| words[column] && column != own);
        let kept: Vec<usize> = quasi.chain([own, class]).collect();
        let pick = |row: &Vec<String>| kept.iter().map(|&column| row[column].clone()).collect();
        Ok(Census {
            name: self.name,
            header: pick(&self.header),
            has_sensitive: true,
            rows: self.rows.iter().map(pick).collect(),
            taxonomies: self.taxonomies.clone(),
        })
    }

    /// The census with these columns and the class alone.
    pub fn only(&self, columns: &[&str]) -> Result<Census> {
        let place = |name: &str| {
            let place = self.header.iter().position(|own| own == name);
            place.ok_or_else(|| format!("the census has no column {name}"))
        };
        let class = Ok(self.header.len() - 1);
        let kept = columns.iter().map(|name| place(name)).chain([class]);
        let kept = kept.collect::<std::result::Result<Vec<usize>, String>>()?;
        let pick = |row: &Vec<String>| kept.iter().map(|&column| row[column].clone()).collect();
        Ok(Census {
            name: self.name,
            header: pick(&self.header),
            has_sensitive: false,
            rows: self.rows.iter().map(pick).collect(),
            taxonomies: self.taxonomies.clone(),
        })
    }

    /// The less frequent half of the values of a column, the least frequent first.
    pub fn rare_values(&self, column: &str) -> Vec<&str> {
        let place = self.header.iter().position(|name| name == column);
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for cell in self.rows.iter().filter_map(|row| row.get(place?)) {
            *counts.entry(cell).or_default() += 1;
        }
        let mut values: Vec<(usize, &str)> = counts.into_iter().map(|(value, count)| (count, value)).collect();
        values.sort_unstable();
        let half = values.len() / 2;
        values.into_iter().take(half).map(|(_, value)| value).collect()
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

/// The folder of public tables: the one that was asked for, or the usual one.
pub fn data_folder(settings: &Settings) -> PathBuf {
    let usual = || workspace().join("../shared/data");
    settings.data_dir.clone().unwrap_or_else(usual)
}

/// The header and the cells of the complete rows, all as text.
fn read_rows(source: &FileSource) -> Result<(Vec<String>, Vec<Vec<String>>)> {
    let opened = source.open(&Unwatched)?;
    let as_text = vec![Reading::Text; opened.header().len()];
    let loaded = opened.read(&as_text, true, &Unwatched)?;
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
            has_sensitive: false,
            rows,
            taxonomies: PathBuf::new(),
        }
    }
}
