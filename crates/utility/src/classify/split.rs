//! A [`Split`] says which rows are learnt from and which are guessed.
//!
//! Invariant: no case is learnt from and guessed in the same round, and rows without a class take no part.

use fastrand::Rng;
use scumble_table::{Column, ColumnId, Table};

use super::cases::rows_with_class;
use super::error::{ClassificationError, ComparedTable};

/// How rows are split into a training part and a test part. Every choice by chance is seeded: the same table and seed
/// give the same parts.
#[derive(Clone, Debug, PartialEq)]
pub enum Split {
    /// The rows that have this value in this column are the test part. The column is published as it is, and is no
    /// feature.
    Column {
        /// Its name.
        name: String,
        /// The value of the test part.
        test: String,
    },
    /// The first rows, this many, are the training part. The release must have its rows in the order of the data.
    Rows(usize),
    /// Cross-validation: as many rounds as folds, each with another fold as test part. Every fold has its share of
    /// every class.
    Folds {
        /// How many folds, at least 2.
        folds: usize,
        /// Seeds the dealing and the sample.
        seed: u64,
        /// Take a sample if there are more rows.
        rows_at_most: Option<usize>,
    },
    /// A part by chance is the test part, with its share of every class.
    HoldOut {
        /// Which share is tested, between 0 and 1.
        share: f64,
        /// Seeds the choice and the sample.
        seed: u64,
        /// Take a sample if there are more rows.
        rows_at_most: Option<usize>,
    },
}

/// The rows of a table that take part, and the rounds that they take part in.
pub(super) struct Chosen {
    /// Rows of the table; a case is known by its place here.
    pub rows: Vec<u32>,
    pub rounds: Vec<Round>,
}

/// The cases to learn from and the cases to guess.
#[derive(Debug, PartialEq)]
pub(super) struct Round {
    pub training: Vec<u32>,
    pub test: Vec<u32>,
}

impl Round {
    /// The training part is that of which `is_test` is false.
    fn new(cases: usize, is_test: impl Fn(usize) -> bool) -> Self {
        let (test, training) = (0..cases as u32).partition(|&case| is_test(case as usize));
        Round { training, test }
    }
}

impl Split {
    /// Splits a table; `place` says which one it is, for errors.
    pub(super) fn choose(
        &self,
        table: &Table,
        class: ColumnId,
        place: ComparedTable,
    ) -> Result<Chosen, ClassificationError> {
        let class = table.column(class);
        let known = rows_with_class(class);
        let chosen = match self {
            Split::Column { name, test } => {
                let column = table.find(name).ok_or_else(|| ClassificationError::NoColumn {
                    place,
                    column: name.clone(),
                })?;
                by_value(known, table.column(column), test)
            }
            Split::Rows(training) => {
                let round = Round::new(known.len(), |case| known[case] as usize >= *training);
                Chosen {
                    rows: known,
                    rounds: vec![round],
                }
            }
            &Split::Folds {
                folds,
                seed,
                rows_at_most,
            } => {
                if folds < 2 {
                    return Err(ClassificationError::TooFewFolds);
                }
                let mut rng = Rng::with_seed(seed);
                let rows = sampled(known, rows_at_most, &mut rng);
                let fold_of = dealt(&rows, class, &mut rng, |place| place % folds);
                let rounds = (0..folds).map(|fold| Round::new(rows.len(), |case| fold_of[case] == fold));
                Chosen {
                    rounds: rounds.collect(),
                    rows,
                }
            }
            &Split::HoldOut {
                share,
                seed,
                rows_at_most,
            } => {
                if !(share > 0.0 && share < 1.0) {
                    return Err(ClassificationError::ShareOutOfRange);
                }
                let mut rng = Rng::with_seed(seed);
                let rows = sampled(known, rows_at_most, &mut rng);
                // The rows whose place times the share passes a whole number, spread evenly over all classes.
                let is_test = |place: usize| ((place + 1) as f64 * share).floor() > (place as f64 * share).floor();
                let tested = dealt(&rows, class, &mut rng, is_test);
                Chosen {
                    rounds: vec![Round::new(rows.len(), |case| tested[case])],
                    rows,
                }
            }
        };
        match chosen
            .rounds
            .iter()
            .all(|round| !round.training.is_empty() && !round.test.is_empty())
        {
            true => Ok(chosen),
            false => Err(ClassificationError::EmptyPart { place }),
        }
    }
}

fn by_value(rows: Vec<u32>, column: &Column, test: &str) -> Chosen {
    let is_test = |case: usize| {
        let code = column.codes().at(rows[case] as usize);
        column.dictionary().value(code) == Some(test)
    };
    let round = Round::new(rows.len(), is_test);
    Chosen {
        rows,
        rounds: vec![round],
    }
}

/// At most this many rows, each as likely as any other, in their order.
fn sampled(rows: Vec<u32>, at_most: Option<usize>, rng: &mut Rng) -> Vec<u32> {
    match at_most.filter(|&most| most < rows.len()) {
        None => rows,
        Some(most) => {
            let mut sample = rng.choose_multiple(rows, most);
            sample.sort_unstable();
            sample
        }
    }
}

/// What each row is dealt: the rows are shuffled within their classes and laid out class by class, and `deal` says what
/// the one at a place gets.
fn dealt<T: Clone + Default>(rows: &[u32], class: &Column, rng: &mut Rng, deal: impl Fn(usize) -> T) -> Vec<T> {
    let mut order: Vec<usize> = (0..rows.len()).collect();
    rng.shuffle(&mut order);
    order.sort_by_key(|&case| class.codes().at(rows[case] as usize));
    let mut given = vec![T::default(); rows.len()];
    for (place, case) in order.into_iter().enumerate() {
        given[case] = deal(place);
    }
    given
}

#[cfg(test)]
mod tests {
    use scumble_table::ValueOrder;

    use super::*;

    /// Every third of 30 people is insured; of the last one it is not known.
    fn people() -> Table {
        let class = (0..31).map(|row| match row {
            30 => None,
            row if row % 3 == 0 => Some("yes"),
            _ => Some("no"),
        });
        let part = (0..31).map(|row| Some(if row < 20 { "training" } else { "test" }));
        let columns = vec![
            Column::from_cells("insured", ValueOrder::Natural, class),
            Column::from_cells("part", ValueOrder::Natural, part),
        ];
        Table::new(31, columns)
    }

    fn choose(split: Split) -> Result<Chosen, ClassificationError> {
        split.choose(&people(), ColumnId(0), ComparedTable::Data)
    }

    fn insured(cases: &[u32]) -> usize {
        cases.iter().filter(|&&case| case % 3 == 0).count()
    }

    #[test]
    fn a_column_and_a_number_of_rows_say_the_same() {
        let by_column = Split::Column {
            name: "part".to_owned(),
            test: "test".to_owned(),
        };
        let by_column = choose(by_column).unwrap();
        let by_rows = choose(Split::Rows(20)).unwrap();
        assert_eq!(by_column.rounds, by_rows.rounds);
        assert_eq!(by_rows.rounds[0].training, (0..20).collect::<Vec<_>>());
        assert_eq!(by_rows.rounds[0].test, (20..30).collect::<Vec<_>>());
    }

    #[test]
    fn every_row_is_tested_in_one_fold_and_every_fold_is_like_the_whole() {
        let folds = Split::Folds {
            folds: 5,
            seed: 7,
            rows_at_most: None,
        };
        let chosen = choose(folds).unwrap();
        let mut tested: Vec<u32> = chosen.rounds.iter().flat_map(|round| round.test.clone()).collect();
        tested.sort_unstable();
        assert_eq!(tested, (0..30).collect::<Vec<_>>());
        for round in &chosen.rounds {
            assert_eq!((round.test.len(), insured(&round.test)), (6, 2));
            assert_eq!(round.training.len(), 24);
        }
    }

    #[test]
    fn a_held_out_third_is_a_third_of_each_class() {
        let third = Split::HoldOut {
            share: 1.0 / 3.0,
            seed: 7,
            rows_at_most: None,
        };
        let chosen = choose(third).unwrap();
        let test = &chosen.rounds[0].test;
        assert!((9..=11).contains(&test.len()), "{}", test.len());
        assert!((3..=4).contains(&insured(test)), "{}", insured(test));
    }

    #[test]
    fn a_sample_is_as_large_as_asked_and_the_same_for_the_same_seed() {
        let sample = |seed| {
            let folds = Split::Folds {
                folds: 2,
                seed,
                rows_at_most: Some(12),
            };
            choose(folds).unwrap().rows
        };
        assert_eq!(sample(1).len(), 12);
        assert_eq!(sample(1), sample(1));
        assert_ne!(sample(1), sample(2));
    }

    #[test]
    fn a_split_without_a_training_or_test_part_is_an_error() {
        let unknown_value = Split::Column {
            name: "part".to_owned(),
            test: "validation".to_owned(),
        };
        let many_folds = Split::Folds {
            folds: 31,
            seed: 1,
            rows_at_most: None,
        };
        for split in [Split::Rows(0), Split::Rows(30), unknown_value, many_folds] {
            let wrong = choose(split.clone()).map(|_| ()).unwrap_err();
            assert!(
                matches!(wrong, ClassificationError::EmptyPart { .. }),
                "{split:?}: {wrong}"
            );
        }
    }
}
