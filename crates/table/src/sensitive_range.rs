//! [`SensitiveRanges`]: which stretch of its domain each value of a sensitive column must not be narrowed down to.
//!
//! A policy gives a [`SensitiveRange`] in few words. What it means depends on what the values may be, and where the
//! policy does not say that, on the values that there are:
//!
//! | domain | `sensitive_ranges` | value | its range |
//! |---|---|---|---|
//! | numbers | `10` | 22 | [20, 30) |
//! | numbers | `["[0, 4]", "[80, 99]"]` | 90; 22 | [80, 99]; itself |
//! | leaves of a taxonomy | `1` | Flu | what is under its parent |
//! | any | `{ HIV = "Viral" }` | HIV; Ulcer | what is under Viral; itself |
//!
//! Invariant: every value lies in its own range. A missing value lies nowhere, and is like no other.
//!
//! # Source
//! Loukides, definition 5.1.1.

mod line;
mod range;

pub use line::{Located, Reach, SensitiveLine};
pub use range::{SensitiveDomain, SensitiveRange, SensitiveRangeError};

/// The sensitive ranges of a column: what the policy says, and what its values may be. Both fit each other.
#[derive(Clone, Debug, PartialEq)]
pub struct SensitiveRanges {
    domain: SensitiveDomain,
    range: SensitiveRange,
}

impl SensitiveRanges {
    /// Ranges of a domain.
    ///
    /// # Errors
    /// Ranges that do not fit it. Of a column that is neither numbers nor leaves, only [`check`](Self::check) can tell
    /// whether the words of a table are values.
    pub fn new(domain: SensitiveDomain, range: SensitiveRange) -> Result<Self, SensitiveRangeError> {
        let is_continuous = matches!(domain, SensitiveDomain::Numbers(_));
        match range {
            SensitiveRange::Width(_) | SensitiveRange::Intervals(_) if !is_continuous => {
                return Err(SensitiveRangeError::NotContinuous);
            }
            SensitiveRange::Level(_) if is_continuous => return Err(SensitiveRangeError::Continuous),
            SensitiveRange::Width(width) if !(width > 0.0 && width.is_finite()) => {
                return Err(SensitiveRangeError::Width);
            }
            _ => {}
        }
        let ranges = SensitiveRanges { domain, range };
        if ranges.domain != SensitiveDomain::Values {
            ranges.check_table([])?;
        }
        Ok(ranges)
    }

    /// What the values may be.
    pub fn domain(&self) -> &SensitiveDomain {
        &self.domain
    }

    /// What the policy says.
    pub fn range(&self) -> &SensitiveRange {
        &self.range
    }

    /// Checks what only the values of a column can tell: that it has those of a table.
    ///
    /// # Errors
    /// The first word of the table that is no value, or no range.
    pub fn check<'v>(&'v self, values: impl IntoIterator<Item = &'v str>) -> Result<(), SensitiveRangeError> {
        match self.domain {
            SensitiveDomain::Values => self.check_table(values),
            SensitiveDomain::Numbers(_) | SensitiveDomain::Leaves(_) => Ok(()),
        }
    }

    /// The line that the values of a column lie on, given those that there are, in order.
    ///
    /// Words of a table that none of them is have no part in it, because nobody has such a value.
    pub fn among<'v>(&'v self, values: impl IntoIterator<Item = &'v str>) -> SensitiveLine<'v> {
        SensitiveLine::new(&self.range, Reach::new(&self.domain, values))
    }

    fn check_table<'v>(&'v self, values: impl IntoIterator<Item = &'v str>) -> Result<(), SensitiveRangeError> {
        let SensitiveRange::Table(pairs) = &self.range else {
            return Ok(());
        };
        let reach = Reach::new(&self.domain, values);
        pairs
            .iter()
            .try_for_each(|(value, range)| reach.entry(value, range).map(|_| ()))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::*;
    use crate::{Interval, Range, Taxonomy};

    fn diseases() -> SensitiveDomain {
        let node = |label: &str, parent| (label.to_owned(), parent);
        let tree = Taxonomy::from_parents(&[
            node("ANY", None),
            node("Viral", Some(0)),
            node("HIV", Some(1)),
            node("Flu", Some(1)),
            node("Ulcer", Some(0)),
        ]);
        SensitiveDomain::Leaves(Arc::new(tree.unwrap()))
    }

    fn table(pairs: &[(&str, &str)]) -> SensitiveRange {
        let pairs = pairs.iter().map(|&(value, range)| (value.to_owned(), range.to_owned()));
        SensitiveRange::Table(pairs.collect())
    }

    /// Which of the values lie in the range of one of them.
    fn in_range_of<'v>(ranges: &'v SensitiveRanges, value: &str, values: &[&'v str]) -> Vec<&'v str> {
        let line = ranges.among(values.iter().copied());
        let range = line.locate(value).unwrap().range;
        let lies_in = |other: &&str| line.locate(other).is_some_and(|located| range.contains(located.at));
        values.iter().copied().filter(lies_in).collect()
    }

    #[test]
    fn numbers_lie_in_classes_and_intervals() {
        let incomes = ["0", "4", "9", "10", "22", "90"];
        let of = |range| SensitiveRanges::new(SensitiveDomain::Numbers(None), range).unwrap();
        let by_width = of(SensitiveRange::Width(10.0));
        assert_eq!(in_range_of(&by_width, "4", &incomes), ["0", "4", "9"]);
        let interval = Interval::parse("[0, 4]").unwrap();
        let by_interval = of(SensitiveRange::Intervals(vec![interval]));
        assert_eq!(in_range_of(&by_interval, "0", &incomes), ["0", "4"]);
        assert_eq!(in_range_of(&by_interval, "9", &incomes), ["9"]);
        let by_table = of(table(&[("22", "[10, 30]"), ("90", "*"), ("500", "[0, 1000]")]));
        assert_eq!(in_range_of(&by_table, "22", &incomes), ["10", "22"]);
        assert_eq!(in_range_of(&by_table, "90", &incomes), incomes);
        assert_eq!(in_range_of(&by_table, "10", &incomes), ["10"]);
    }

    #[test]
    fn leaves_lie_under_their_ancestors() {
        let values = ["HIV", "Flu", "Ulcer"];
        let of = |range| SensitiveRanges::new(diseases(), range).unwrap();
        assert_eq!(
            in_range_of(&of(SensitiveRange::Level(1)), "Flu", &values),
            ["HIV", "Flu"]
        );
        assert_eq!(in_range_of(&of(SensitiveRange::Level(1)), "Ulcer", &values), values);
        assert_eq!(in_range_of(&of(SensitiveRange::Level(9)), "Flu", &values), values);
        let guarded = of(table(&[("HIV", "Viral"), ("Ulcer", "{Flu|Ulcer}")]));
        assert_eq!(in_range_of(&guarded, "HIV", &values), ["HIV", "Flu"]);
        assert_eq!(in_range_of(&guarded, "Flu", &values), ["Flu"]);
        assert_eq!(in_range_of(&guarded, "Ulcer", &values), ["Flu", "Ulcer"]);
    }

    /// Without a tree one step up is everything, and the words of a table are checked against the values.
    #[test]
    fn plain_values_know_only_each_other() {
        let values = ["a", "b", "c"];
        let of = |range| SensitiveRanges::new(SensitiveDomain::Values, range).unwrap();
        assert_eq!(in_range_of(&of(SensitiveRange::Level(1)), "b", &values), values);
        let listed = of(table(&[("a", "{a|b}")]));
        assert_eq!(in_range_of(&listed, "a", &values), ["a", "b"]);
        assert_eq!(listed.check(values), Ok(()));
        assert_eq!(listed.check(["b"]), Err(SensitiveRangeError::UnknownValue("a".into())));
        // In the order of the values c lies between.
        let unknown = SensitiveRangeError::UnknownRange("{a|b}".into());
        assert_eq!(listed.check(["a", "c", "b"]), Err(unknown));
        assert_eq!(in_range_of(&listed, "b", &["b"]), ["b"]);
    }

    /// In a column of words, a word that looks like an interval or a set is a word.
    #[test]
    fn a_range_of_words_is_not_read_by_its_looks() {
        let of = |range| SensitiveRanges::new(SensitiveDomain::Values, range).unwrap();
        for (word, like) in [
            ("1-5", "3"),
            ("[1, 5]", "3"),
            ("a*", "ab"),
            ("{a|b}", "a"),
            ("1.0", "1"),
            ("*", "z"),
        ] {
            let listed = of(table(&[(word, word)]));
            assert_eq!(in_range_of(&listed, word, &[word, like]), [word]);
        }
        let all = of(table(&[("a", "*")]));
        assert_eq!(in_range_of(&all, "a", &["a", "b"]), ["a", "b"]);
    }

    #[test]
    fn what_is_no_single_value_lies_nowhere() {
        let numbers = SensitiveRanges::new(SensitiveDomain::Numbers(None), SensitiveRange::Width(5.0)).unwrap();
        let line = numbers.among(["1", "7"]);
        assert!(line.locate("7.0").is_some());
        assert!(
            ["8", "[1, 7]", "*", "old"]
                .iter()
                .all(|text| line.locate(text).is_none())
        );
        let tree = SensitiveRanges::new(diseases(), SensitiveRange::Level(1)).unwrap();
        assert!(tree.among([]).locate("Viral").is_none());
    }

    #[test]
    fn ranges_that_do_not_fit_are_refused() {
        let numbers = || SensitiveDomain::Numbers(Range::new(0.0, 99.0).ok());
        let refused = |domain, range| SensitiveRanges::new(domain, range).unwrap_err();
        let width = SensitiveRange::Width;
        assert_eq!(refused(diseases(), width(5.0)), SensitiveRangeError::NotContinuous);
        assert_eq!(
            refused(SensitiveDomain::Values, SensitiveRange::Intervals(vec![])),
            SensitiveRangeError::NotContinuous
        );
        assert_eq!(
            refused(numbers(), SensitiveRange::Level(1)),
            SensitiveRangeError::Continuous
        );
        assert_eq!(refused(numbers(), width(0.0)), SensitiveRangeError::Width);
        assert_eq!(refused(numbers(), width(f64::NAN)), SensitiveRangeError::Width);
        let nobody = SensitiveRangeError::UnknownValue("100".into());
        assert_eq!(refused(numbers(), table(&[("100", "*")])), nobody);
        let nothing = SensitiveRangeError::UnknownRange("Virla".into());
        assert_eq!(refused(diseases(), table(&[("HIV", "Virla")])), nothing);
        assert_eq!(
            refused(diseases(), table(&[("Ulcer", "Viral")])).to_string(),
            "the range `Viral` does not hold its value `Ulcer`"
        );
    }

    proptest! {
        /// Also where quotients and products are rounded: 0.7 / 0.1 is below 7, and 3 · 0.1 above 0.3.
        #[test]
        fn every_number_lies_in_its_class(number in -1000i32..1000, tenths in 1u32..50, exponent in -20i32..20) {
            let width = f64::from(tenths) * 0.1;
            let scale = 10f64.powi(exponent);
            for at in [f64::from(number) * 0.1, f64::from(number) * width, f64::from(number) * scale] {
                let ranges = SensitiveRanges::new(SensitiveDomain::Numbers(None), SensitiveRange::Width(width)).unwrap();
                let text = at.to_string();
                let located = ranges.among([&text[..]]).locate(&text).unwrap();
                prop_assert!(located.range.contains(at), "{} in classes of {}", at, width);
            }
        }
    }
}
