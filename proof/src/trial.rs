//! A [`Trial`]: a case of one table, or of several.

use std::path::Path;

use crate::case::Case;
use crate::check;
use crate::families::{self, Families};
use crate::findings::Findings;
use crate::run::Program;

/// What a seed stands for.
#[derive(Clone, Debug)]
pub enum Trial {
    /// One table, with its past and its future.
    Table(Box<Case>),
    /// Several tables.
    Families(Box<Families>),
}

impl Trial {
    /// Runs it in an empty folder, and says what is wrong.
    pub fn examine(&self, program: &Program, folder: &Path) -> Findings {
        match self {
            Trial::Table(case) => check::examine(case, program, folder),
            Trial::Families(families) => families::examine(families, program, folder),
        }
    }

    /// The smaller trials that may show the same.
    pub fn smaller(&self) -> Vec<Trial> {
        match self {
            Trial::Table(case) => case
                .smaller()
                .into_iter()
                .map(|case| Trial::Table(Box::new(case)))
                .collect(),
            Trial::Families(families) => {
                let smaller = families.smaller().into_iter();
                smaller.map(|families| Trial::Families(Box::new(families))).collect()
            }
        }
    }
}
