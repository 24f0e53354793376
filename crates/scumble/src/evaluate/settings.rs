//! What to measure, beside what is always measured.

use std::path::{Path, PathBuf};

use scumble_utility::Generated;
use scumble_utility::classify::{Learner, Split};

use crate::error::Error;
use crate::errors::TextError;
use scumble_policy::Cells;

/// What to measure.
#[derive(Clone, Debug)]
pub struct Evaluate {
    /// The counts to compare.
    pub queries: Queries,
    /// How rows are split for classifiers.
    pub split: Split,
    /// The classifiers.
    pub learners: Vec<Learner>,
    /// How many people the rows are a sample of.
    pub population: Option<u64>,
    /// Whether to look for special uniques.
    pub suda: Suda,
    /// What the cells of columns of the release are, if its certificate does not say or is wrong.
    pub cells: Vec<(String, Cells)>,
}

/// The counts to compare.
#[derive(Clone, Debug)]
pub enum Queries {
    /// Those of a text, in the words of `docs/measures.md`.
    Listed {
        /// What messages call it.
        file: PathBuf,
        /// The text.
        text: String,
    },
    /// Drawn.
    Drawn {
        /// How.
        settings: Generated,
        /// Whether fewer dimensions will do, if there are fewer quasi columns.
        as_wide_as_fits: bool,
    },
    /// None.
    None,
}

impl Queries {
    /// Those of a file.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn read(file: &Path) -> Result<Queries, Error> {
        let text = std::fs::read_to_string(file).map_err(TextError::opening(file))?;
        Ok(Queries::Listed {
            file: file.to_owned(),
            text,
        })
    }
}

/// Whether to look for special uniques in the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suda {
    /// If it takes but a moment.
    IfShort,
    /// However long it takes.
    Always,
}

/// How many rows classifiers see at most, unless they are told how rows are split: enough for a stable error, and learnt
/// in a moment.
pub(crate) const ROWS_CLASSIFIED: usize = 30_000;

impl Default for Evaluate {
    /// A thousand drawn queries; C4.5, with a third of the rows held out.
    fn default() -> Self {
        Evaluate {
            queries: Queries::Drawn {
                settings: Generated::default(),
                as_wide_as_fits: true,
            },
            split: Split::HoldOut {
                share: 1.0 / 3.0,
                seed: 1,
                rows_at_most: Some(ROWS_CLASSIFIED),
            },
            learners: vec![Learner::C45],
            population: None,
            suda: Suda::IfShort,
            cells: Vec::new(),
        }
    }
}
