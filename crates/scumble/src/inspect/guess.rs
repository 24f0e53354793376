//! [`GuessedType`]: what the values of a column seem to be.

use scumble_table::parse_number;
use scumble_table::taxonomy::dates;
use serde::Serialize;

use super::name::{Clues, Name};

/// What the values of a column seem to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum GuessedType {
    /// Numbers that measure something.
    Continuous,
    /// Days such as 1984-03-05, or months such as 1984-03.
    Date,
    /// Words, or numbers that only name something, such as postcodes.
    Categorical,
}

impl GuessedType {
    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            GuessedType::Continuous => "continuous",
            GuessedType::Date => "date",
            GuessedType::Categorical => "categorical",
        }
    }
}

/// Up to so many different whole numbers may be codes for something.
pub(super) const FEW: usize = 20;

/// Digits of one length are a code from this length on; ages and years are shorter.
const CODE_LENGTH: usize = 5;

/// Numbers in columns named so are measured, be they few or of one length.
const AMOUNTS: Clues = Clues {
    words: &[
        "age", "amount", "balance", "bmi", "gain", "height", "hours", "loss", "pay", "price", "score", "wage", "wages",
        "weight", "year", "years",
    ],
    parts: &["salary", "income"],
};

/// Numbers in columns named so are codes.
const CODES: Clues = Clues {
    words: &["code", "fips", "icd", "plz", "zip"],
    parts: &["postcode", "postal", "zipcode"],
};

/// The type of a column with these values, all different and none of them missing.
pub(super) fn guess(name: &Name, values: &[&str]) -> GuessedType {
    // Without a level above them, dates are only checked.
    if dates(values.iter().copied(), &[]).is_ok() {
        return GuessedType::Date;
    }
    let numbers: Option<Vec<f64>> = values.iter().map(|value| parse_number(value)).collect();
    match numbers {
        Some(numbers) if !are_codes(name, values) && are_measured(name, &numbers) => GuessedType::Continuous,
        _ => GuessedType::Categorical,
    }
}

fn are_measured(name: &Name, numbers: &[f64]) -> bool {
    let named = name.fits(&AMOUNTS) && !numbers.is_empty();
    named || numbers.len() > FEW || numbers.iter().any(|number| number.fract() != 0.0)
}

/// Whether numbers only name something: `01069` is no amount.
fn are_codes(name: &Name, values: &[&str]) -> bool {
    let digits = |value: &&str| value.bytes().all(|b| b.is_ascii_digit());
    let padded = |value: &&str| value.len() > 1 && value.starts_with('0');
    let length = values.first().map_or(0, |value| value.len());
    let one_length = length >= CODE_LENGTH && values.iter().all(|value| value.len() == length);
    let looks_like_codes = values.iter().any(padded) || name.fits(&CODES) || one_length && !name.fits(&AMOUNTS);
    looks_like_codes && values.iter().all(digits)
}

/// Whether the values, given in ascending order, are whole numbers that count a table of `rows` rows one by one.
pub(super) fn numbers_the_rows(numbers: Option<&[f64]>, rows: usize) -> bool {
    let Some(numbers @ [first, .., last]) = numbers else {
        return false;
    };
    let step_by_one = numbers.len() == rows && last - first == (rows - 1) as f64;
    // A few ages can be neighbours by chance.
    step_by_one && rows > FEW && numbers.iter().all(|number| number.fract() == 0.0)
}

/// Whether the name of a column is a number or a date, as in a file without header.
pub(super) fn is_like_a_value(name: &str) -> bool {
    parse_number(name).is_some() || dates([name], &[]).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_guess(name: &str, values: impl IntoIterator<Item = impl ToString>, expected: GuessedType) {
        let values: Vec<String> = values.into_iter().map(|value| value.to_string()).collect();
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        assert_eq!(guess(&Name::new(name), &values), expected, "{name}");
    }

    #[test]
    fn numbers_are_continuous_if_they_are_many_or_broken_or_named_as_amounts() {
        use GuessedType::{Categorical, Continuous};
        assert_guess("x", 1..=20, Categorical);
        assert_guess("x", 1..=21, Continuous);
        assert_guess("x", [1.5, 2.0], Continuous);
        assert_guess("age", 30..=32, Continuous);
        assert_guess("x", ["1", "2", "many"], Categorical);
        assert_guess("age", [""; 0], Categorical);
    }

    #[test]
    fn digits_that_name_something_are_categorical() {
        use GuessedType::{Categorical, Continuous};
        assert_guess("area", (1..100).map(|n| format!("{n:03}")), Categorical);
        assert_guess("x", 10_000..10_100, Categorical);
        assert_guess("x", 1_000..1_100, Continuous);
        assert_guess("x", 9_990..10_100, Continuous);
        assert_guess("salary", 10_000..10_100, Continuous);
        assert_guess("zip", 9_990..10_100, Categorical);
        assert_guess("x", (1..100).map(|n| format!("0.{n}")), Continuous);
    }

    #[test]
    fn days_and_months_are_dates() {
        assert_guess("x", ["1984-03-05", "2000-02-29"], GuessedType::Date);
        assert_guess("x", ["1984-03", "2000-02"], GuessedType::Date);
        assert_guess("x", ["1984-03-05", "2001-02-29"], GuessedType::Categorical);
    }

    #[test]
    fn row_numbers_have_no_gap() {
        let numbers: Vec<f64> = (7..107).map(f64::from).collect();
        assert!(numbers_the_rows(Some(&numbers), 100));
        assert!(!numbers_the_rows(Some(&numbers), 101));
        assert!(!numbers_the_rows(Some(&numbers[..10]), 10));
        assert!(!numbers_the_rows(None, 100));
    }
}
