//! Classification error: how often a classifier that learnt from the release errs on the release.
//!
//! The data is split into a training part and a test part, and so is the release. The same learner is trained four
//! times, with more and fewer features:
//!
//! | error | of the thesis | learns from and is tested on |
//! |---|---|---|
//! | `base` | BE | the data |
//! | `released` | AE, or SE where the templates are about secrets | the release |
//! | `without_quasi` | UE | the data without its quasi columns, which is what the most masked release tells |
//! | `without_sensitive` | RE | the data without its sensitive columns |
//!
//! In the release, intervals, taxonomy nodes and `*` are categories. `released - base` is what masking costs, and
//! `without_quasi - released` or `without_sensitive - released` what it saves against leaving the columns out.
//!
//! # Source
//! Fung 2007, sections 4.4.1 and 5.4.1.
//!
//! # What is lost
//! The error of one learner on one task. It may fall by masking, because a learner can fit noise that the mask hides.

mod bayes;
mod c45;
mod cases;
mod error;
mod rank;
mod split;

use rayon::prelude::*;
use scumble_progress::{Interrupted, Work};
use scumble_table::{ColumnId, Table};
use serde::Serialize;

use bayes::NaiveBayes;
use c45::Tree;
use cases::most_likely;
use split::{Chosen, Round};

pub use cases::{Cases, FeatureKind};
pub use error::{ClassificationError, ComparedTable};
pub use rank::rank;
pub use split::Split;

/// What learns to tell the class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Learner {
    /// A decision tree: gain ratio, at least 2 cases in two branches, pruned at confidence 0.25.
    C45,
    /// Categories with a Laplace correction, normal numbers.
    NaiveBayes,
}

enum Model {
    Tree(Tree),
    NaiveBayes(NaiveBayes),
}

impl Learner {
    fn learn(self, cases: &Cases, rows: &[u32], work: Work) -> Model {
        match self {
            Learner::C45 => Model::Tree(Tree::learn(cases, rows, work)),
            Learner::NaiveBayes => Model::NaiveBayes(NaiveBayes::learn(cases, rows)),
        }
    }
}

impl Model {
    fn guess(&self, cases: &Cases, case: u32) -> u32 {
        match self {
            Model::Tree(tree) => tree.guess(cases, case),
            Model::NaiveBayes(bayes) => bayes.guess(cases, case),
        }
    }
}

/// What a column that the class may be told from is in the policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PredictorRole {
    /// Masked.
    Quasi,
    /// What the templates are about.
    Sensitive,
    /// Published as it is.
    Other,
}

/// A column that the class may be told from. Identifiers are none.
#[derive(Clone, Debug)]
pub struct Predictor {
    /// Its name, in the data and in the release.
    pub name: String,
    /// Its role.
    pub role: PredictorRole,
    /// Whether it holds numbers in the data.
    pub kind: FeatureKind,
}

/// What is compared with what.
#[derive(Clone, Debug)]
pub struct Comparison<'c> {
    /// The original table.
    pub data: &'c Table,
    /// The released table as a reader has it: labels are values.
    pub release: &'c Table,
    /// The name of the class column.
    pub class: &'c str,
    /// The published columns but the class and the one that splits.
    pub predictors: &'c [Predictor],
    /// How rows are split.
    pub split: &'c Split,
    /// What learns.
    pub learner: Learner,
}

/// How often a learner errs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ErrorRate {
    /// Wrong guesses.
    pub wrong: usize,
    /// Guesses.
    pub tested: usize,
    /// Wrong guesses by all guesses.
    pub rate: f64,
}

impl ErrorRate {
    fn new(wrong: usize, tested: usize) -> Self {
        ErrorRate {
            wrong,
            tested,
            rate: wrong as f64 / tested as f64,
        }
    }
}

/// The errors of a release and what to hold them against; see [`classification`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Errors {
    /// What learnt.
    pub learner: Learner,
    /// How many rows of the data took part; fewer than it has if a class is missing or a sample was taken.
    pub rows: usize,
    /// How many rows of the release took part.
    pub rows_released: usize,
    /// On the data (BE).
    pub base: ErrorRate,
    /// On the release (AE; SE where the templates are about secrets).
    pub released: ErrorRate,
    /// On the data without its quasi columns (UE).
    pub without_quasi: ErrorRate,
    /// On the data without its sensitive columns (RE), if there are any.
    pub without_sensitive: Option<ErrorRate>,
    /// Of always guessing the most frequent class of the training part.
    pub majority: ErrorRate,
}

/// Measures the classification error of a release, and the errors to hold it against.
pub fn classification(comparison: &Comparison, work: Work) -> Result<Errors, ClassificationError> {
    let data = Side::new(comparison, ComparedTable::Data)?;
    let release = Side::new(comparison, ComparedTable::Release)?;
    if matches!(comparison.split, Split::Rows(_)) && !same_classes(&data, &release) {
        return Err(ClassificationError::OtherOrder);
    }
    let on_data = data.split(comparison.split)?;
    let on_release = release.split(comparison.split)?;
    let learner = comparison.learner;
    let without = |role| {
        let kept = |predictor: &Predictor| predictor.role != role;
        test(&data.cases(comparison, &on_data, kept), &on_data.rounds, learner, work)
    };
    let all = data.cases(comparison, &on_data, |_| true);
    let masked = release.cases(comparison, &on_release, |_| true);
    let is_sensitive = |predictor: &Predictor| predictor.role == PredictorRole::Sensitive;
    let has_sensitive = comparison.predictors.iter().any(is_sensitive);
    Ok(Errors {
        learner,
        rows: on_data.rows.len(),
        rows_released: on_release.rows.len(),
        base: test(&all, &on_data.rounds, learner, work)?,
        released: test(&masked, &on_release.rounds, learner, work)?,
        without_quasi: without(PredictorRole::Quasi)?,
        without_sensitive: has_sensitive.then(|| without(PredictorRole::Sensitive)).transpose()?,
        majority: majority(&all, &on_data.rounds),
    })
}

/// The error on one table alone, learnt and tested as on a release.
pub fn table_error(
    table: &Table,
    class: &str,
    predictors: &[Predictor],
    split: &Split,
    learner: Learner,
    work: Work,
) -> Result<ErrorRate, ClassificationError> {
    let alone = Comparison {
        data: table,
        release: table,
        class,
        predictors,
        split,
        learner,
    };
    let side = Side::new(&alone, ComparedTable::Release)?;
    let chosen = side.split(split)?;
    let cases = side.cases(&alone, &chosen, |_| true);
    Ok(test(&cases, &chosen.rounds, learner, work)?)
}

/// One of the two tables, with its columns found.
struct Side<'c> {
    table: &'c Table,
    place: ComparedTable,
    class: ColumnId,
    /// One for each predictor.
    features: Vec<ColumnId>,
}

impl<'c> Side<'c> {
    fn new(comparison: &Comparison<'c>, place: ComparedTable) -> Result<Self, ClassificationError> {
        let table = match place {
            ComparedTable::Data => comparison.data,
            ComparedTable::Release => comparison.release,
        };
        let find = |name: &str| {
            table.find(name).ok_or_else(|| ClassificationError::NoColumn {
                place,
                column: name.to_owned(),
            })
        };
        let features = comparison.predictors.iter().map(|predictor| find(&predictor.name));
        Ok(Side {
            table,
            place,
            class: find(comparison.class)?,
            features: features.collect::<Result<_, _>>()?,
        })
    }

    /// The class of each row, `None` if it is missing.
    fn class_cells(&self) -> impl Iterator<Item = Option<&'c str>> {
        let class = self.table.column(self.class);
        (0..self.table.rows()).map(|row| class.dictionary().value(class.codes().at(row)))
    }

    fn split(&self, split: &Split) -> Result<Chosen, ClassificationError> {
        split.choose(self.table, self.class, self.place)
    }

    /// The cases with the features that are kept.
    fn cases(&self, comparison: &Comparison, chosen: &Chosen, kept: impl Fn(&Predictor) -> bool) -> Cases {
        let predictors = comparison.predictors.iter().zip(&self.features);
        let features: Vec<_> = predictors
            .filter(|(predictor, _)| kept(predictor))
            .map(|(predictor, &id)| (id, predictor.kind))
            .collect();
        Cases::of_rows(self.table, self.class, &features, &chosen.rows)
    }
}

/// Whether the class reads the same row by row.
fn same_classes(data: &Side, release: &Side) -> bool {
    data.class_cells().eq(release.class_cells())
}

/// Learns and guesses in every round.
fn test(cases: &Cases, rounds: &[Round], learner: Learner, work: Work) -> Result<ErrorRate, Interrupted> {
    let wrong = rounds.par_iter().map(|round| {
        let model = learner.learn(cases, &round.training, work);
        let is_wrong = |case: &&u32| !work.should_stop() && model.guess(cases, **case) != cases.class(**case);
        round.test.par_iter().filter(is_wrong).count()
    });
    let error = ErrorRate::new(wrong.sum(), rounds.iter().map(|round| round.test.len()).sum());
    work.go_on()?;
    Ok(error)
}

fn majority(cases: &Cases, rounds: &[Round]) -> ErrorRate {
    let wrong = rounds.iter().map(|round| {
        let mut counts = vec![0.0; cases.class_count()];
        round
            .training
            .iter()
            .for_each(|&case| counts[cases.class(case) as usize] += 1.0);
        let most_frequent = most_likely(&counts);
        let is_other = |case: &&u32| cases.class(**case) != most_frequent;
        round.test.iter().filter(is_other).count()
    });
    ErrorRate::new(wrong.sum(), rounds.iter().map(|round| round.test.len()).sum())
}
