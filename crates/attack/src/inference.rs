//! [`Inference`]: how confidently a secret is guessed.
//!
//! The guess for a person is the value that most of the matching rows hold (the first in value order, if several do), and
//! its confidence is the share of these rows. Rows that all agree give the secret away even if there are many of them,
//! which no count of rows shows.

use scumble_table::{Codes, Column, ColumnId, Table, collapse, with_codes};
use serde::Serialize;

use crate::link::{Links, labels_of};
use crate::{Known, Secret};

/// How confidently one sensitive column is guessed, over the people whom at least one row matches.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Inference {
    /// The sensitive column.
    pub column: String,
    /// The confidence of one who knows nothing: the share of the most frequent value in the release.
    pub baseline: f64,
    /// The highest confidence of a guess; 0 if nobody is matched.
    pub highest: f64,
    /// The average confidence; 0 if nobody is matched.
    pub mean: f64,
    /// What "confident" means: a confidence above this.
    pub threshold: f64,
    /// People whose secret is guessed with more confidence than that.
    pub above_threshold: u64,
    /// People whose secret is guessed with confidence 0.9 or more.
    pub nine_tenths: u64,
    /// People whose matching rows all agree.
    pub certain: u64,
    /// The share of people whose secret is guessed right; `None` if the truth is not known.
    pub right: Option<f64>,
    /// The share of the same people for whom the most frequent value of the release is right.
    pub baseline_right: Option<f64>,
}

/// The best guess for one kind of person; no rows, no guess.
#[derive(Clone, Copy, Default)]
struct Guess {
    value: u32,
    /// Matching rows that hold the value.
    rows: u64,
    /// All matching rows.
    of: u64,
}

impl Guess {
    fn confidence(&self) -> f64 {
        self.rows as f64 / self.of as f64
    }
}

/// Guesses one secret of everybody.
pub(crate) fn inference(links: &Links, released: &Table, known: &Known, secret: &Secret) -> Inference {
    let column = released.column(secret.released);
    let tallies = Tallies::new(links, column);
    let guesses = Guesses {
        links,
        of_kind: links.measure(|found| tallies.guess(found)),
    };
    let baseline = most_frequent(column);
    let truth = secret.known.map(|id| truth_in_labels(known.table, id, column, secret));
    let right = |guess_of: &dyn Fn(&Guess) -> u32| guesses.right(truth.as_ref()?, guess_of);
    Inference {
        column: column.name.clone(),
        baseline: baseline.confidence(),
        highest: guesses.highest(),
        mean: guesses.mean(),
        threshold: known.threshold,
        above_threshold: guesses.people_with(|guess| guess.confidence() > known.threshold),
        // In whole numbers, so that 9 of 10 rows count whatever the rounding.
        nine_tenths: guesses.people_with(|guess| 10 * guess.rows >= 9 * guess.of),
        certain: guesses.people_with(|guess| guess.rows == guess.of),
        right: right(&|guess| guess.value),
        baseline_right: right(&|_| baseline.value),
    }
}

/// The guesses for all kinds of people.
struct Guesses<'l> {
    links: &'l Links<'l>,
    of_kind: Vec<Guess>,
}

impl Guesses<'_> {
    /// The guesses that can be made, each with the number of people it is made for.
    fn made(&self) -> impl Iterator<Item = (u64, &Guess)> {
        let kinds = self.links.people().iter().copied().zip(&self.of_kind);
        kinds.filter(|(_, guess)| guess.of > 0)
    }

    fn people_with(&self, fits: impl Fn(&Guess) -> bool) -> u64 {
        let fitting = self.made().filter(|(_, guess)| fits(guess));
        fitting.map(|(people, _)| people).sum()
    }

    fn highest(&self) -> f64 {
        self.made().map(|(_, guess)| guess.confidence()).fold(0.0, f64::max)
    }

    fn mean(&self) -> f64 {
        let sum: f64 = self
            .made()
            .map(|(people, guess)| people as f64 * guess.confidence())
            .sum();
        sum / self.people_with(|_| true).max(1) as f64
    }

    /// The share of people whose secret is `guess_of` the guess made for them; `None` if nobody is matched.
    fn right(&self, truth: &Codes, guess_of: impl Fn(&Guess) -> u32) -> Option<f64> {
        let guesses = self
            .links
            .kind_of_person()
            .iter()
            .map(|&kind| &self.of_kind[kind as usize]);
        let made = || guesses.clone().zip(truth.iter()).filter(|(guess, _)| guess.of > 0);
        let hits = made().filter(|(guess, truth)| guess_of(guess) == *truth).count();
        let people = made().count();
        (people > 0).then(|| hits as f64 / people as f64)
    }
}

/// The value of most rows of the release.
fn most_frequent(column: &Column) -> Guess {
    let mut rows = vec![0; column.dictionary().len()];
    with_codes!(column.codes(), |codes| for &code in codes {
        rows[code as usize] += 1;
    });
    best(rows.into_iter().enumerate().map(|(value, rows)| (value as u32, rows)))
}

/// The value with the most rows, the first of equals; the values ascend.
fn best(rows_of_values: impl Iterator<Item = (u32, u64)>) -> Guess {
    rows_of_values.fold(Guess::default(), |best, (value, rows)| {
        let of = best.of + rows;
        if rows > best.rows {
            Guess { value, rows, of }
        } else {
            Guess { of, ..best }
        }
    })
}

/// What each person's secret would be shown as in the release, one code per person. A secret that the release does not
/// show is guessed by nobody.
fn truth_in_labels(known: &Table, id: ColumnId, released: &Column, secret: &Secret) -> Codes {
    let (values, labels) = (known.column(id).dictionary(), released.dictionary());
    let label = labels_of(values, labels, secret.forms, labels.len() as u32);
    with_codes!(known.column(id).codes(), |codes| {
        Codes::collect(labels.len() + 1, codes.iter().map(|&code| label[code as usize]))
    })
}

/// How often each released kind holds each secret value.
struct Tallies {
    /// Where the tally of a kind begins; one more than there are kinds.
    starts: Vec<usize>,
    /// Values with their rows, ascending within a kind.
    tallies: Vec<(u32, u64)>,
}

impl Tallies {
    fn new(links: &Links, secret: &Column) -> Self {
        let kind_of_row = links.kind_of_row();
        let kinds = Codes::U32(kind_of_row.to_vec());
        let pairs = collapse(kind_of_row.len(), &[&kinds, secret.codes()]);
        let mut tallies: Vec<(u32, u32, u64)> = pairs
            .rows
            .iter()
            .zip(&pairs.weights)
            .map(|(&row, &rows)| {
                let row = row as usize;
                (kind_of_row[row], secret.codes().at(row), u64::from(rows))
            })
            .collect();
        tallies.sort_unstable();
        let starts = (0..=links.rows().len()).map(|kind| tallies.partition_point(|&(of, ..)| (of as usize) < kind));
        Tallies {
            starts: starts.collect(),
            tallies: tallies.into_iter().map(|(_, value, rows)| (value, rows)).collect(),
        }
    }

    fn of(&self, kind: u32) -> &[(u32, u64)] {
        let kind = kind as usize;
        &self.tallies[self.starts[kind]..self.starts[kind + 1]]
    }

    /// The best guess from all rows of these kinds.
    fn guess(&self, kinds: &[u32]) -> Guess {
        if let [kind] = kinds {
            return best(self.of(*kind).iter().copied());
        }
        let mut all: Vec<(u32, u64)> = kinds.iter().flat_map(|&kind| self.of(kind)).copied().collect();
        all.sort_unstable();
        let values = all.chunk_by(|a, b| a.0 == b.0);
        best(values.map(|same| (same[0].0, same.iter().map(|(_, rows)| rows).sum())))
    }
}
