//! A [`Dictionary`] is the different values of a column.
//!
//! Invariant: they are in the value order of the column, and the missing value, where there is one, has the last code.

use crate::{Texts, parse_number};

/// The distinct values of a column, in value order; the code of a value is its place here.
#[derive(Clone, Debug, PartialEq)]
pub struct Dictionary {
    texts: Texts,
    numbers: Option<Vec<f64>>,
    missing: bool,
}

impl Dictionary {
    /// A dictionary of values already in order, without the missing one, which gets the last code if `missing`.
    pub fn new(mut texts: Texts, missing: bool) -> Self {
        texts.shrink();
        let numbers = texts.iter().map(parse_number).collect();
        Dictionary {
            texts,
            numbers,
            missing,
        }
    }

    /// A dictionary of texts that have no order and are no numbers.
    pub(crate) fn unordered(texts: Texts, missing: bool) -> Self {
        Dictionary {
            texts,
            numbers: None,
            missing,
        }
    }

    /// Writes the same values otherwise, as `1.0` may be written `1`.
    pub(crate) fn rewrite(&mut self, texts: Texts) {
        self.texts = texts;
    }

    /// How many codes there are, the missing value's included.
    pub fn len(&self) -> usize {
        self.texts.len() + usize::from(self.missing)
    }

    /// Whether there is no value at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The values without the missing one, in order.
    pub fn texts(&self) -> &Texts {
        &self.texts
    }

    /// The values as numbers, if all are (the missing one aside).
    pub fn numbers(&self) -> Option<&[f64]> {
        self.numbers.as_deref()
    }

    /// Whether its values are numbers in ascending order, so that no two of them are one text.
    pub(crate) fn is_of_ascending_numbers(&self) -> bool {
        let ascend = |place: usize, numbers: &[f64]| {
            let (a, b) = (numbers[place], numbers[place + 1]);
            a < b || (a == b && self.texts.at(place) < self.texts.at(place + 1))
        };
        let numbers = self.numbers.as_deref();
        numbers.is_some_and(|numbers| (1..numbers.len()).all(|place| ascend(place - 1, numbers)))
    }

    /// The code of the missing value, if the column has one.
    pub fn missing(&self) -> Option<u32> {
        self.missing.then_some(self.texts.len() as u32)
    }

    /// The text of a code; `None` is the missing value.
    pub fn value(&self, code: u32) -> Option<&str> {
        let code = code as usize;
        (code < self.texts.len()).then(|| self.texts.at(code))
    }
}
