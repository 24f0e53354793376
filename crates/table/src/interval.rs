//! [`Interval`]: a stretch of numbers, published as `[a, b)` or `[a, b]`.

use std::fmt;

use crate::parse_number;

/// `[from, to)`, or `[from, to]` when `closed`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The smallest number inside.
    pub from: f64,
    /// The upper bound.
    pub to: f64,
    /// Whether the upper bound is inside.
    pub closed: bool,
}

impl Interval {
    /// Whether the number lies inside.
    pub fn contains(&self, number: f64) -> bool {
        self.from <= number && (number < self.to || (self.closed && number == self.to))
    }

    /// Its share of a range, from 0 to 1; 0 where the range is a single number.
    pub fn penalty(&self, range: &Range) -> f64 {
        range.share(self.from, self.to)
    }

    /// The number in its middle.
    pub fn middle(&self) -> f64 {
        // Half of each: the sum of both may be more than a number can hold.
        self.from / 2.0 + self.to / 2.0
    }

    /// Reads the published form.
    pub fn parse(text: &str) -> Option<Interval> {
        let inner = text.strip_prefix('[')?;
        let (inner, closed) = match inner.strip_suffix(']') {
            Some(inner) => (inner, true),
            None => (inner.strip_suffix(')')?, false),
        };
        let (from, to) = inner.split_once(',')?;
        let (from, to) = (parse_number(from.trim())?, parse_number(to.trim())?);
        (from < to || (closed && from == to)).then_some(Interval { from, to, closed })
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}, {}{}", self.from, self.to, if self.closed { ']' } else { ')' })
    }
}

/// The range that the intervals of a continuous column tile, both ends inside.
///
/// Invariant: both ends are finite. The length need not be, so nothing outside of here asks for it: what is measured is
/// always a [share](Range::share) of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    from: f64,
    to: f64,
}

/// A range whose ends are not in order.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("a range needs two finite numbers, the smaller end first")]
pub struct RangeError;

impl Range {
    /// A range from the smaller end to the larger.
    pub fn new(from: f64, to: f64) -> Result<Self, RangeError> {
        if from <= to && from.is_finite() && to.is_finite() {
            Ok(Range { from, to })
        } else {
            Err(RangeError)
        }
    }

    /// What the stretch between two numbers, the smaller first, is of the range: from 0 to 1, and 0 where the range is a
    /// single number.
    pub fn share(&self, from: f64, to: f64) -> f64 {
        let length = self.length();
        if length == 0.0 {
            return 0.0;
        }
        let unit = self.unit();
        ((to * unit - from * unit) / length).clamp(0.0, 1.0)
    }

    /// How far a number is from the smaller end, in a measure in which the range is [so long](Range::length).
    pub fn offset(&self, number: f64) -> f64 {
        number * self.unit() - self.from * self.unit()
    }

    /// How long the range is. From -1e308 to 1.5e308 it is farther than a number can hold, so what is measured there is
    /// measured in a smaller unit: sums over all rows of a table are finite, too.
    pub fn length(&self) -> f64 {
        self.offset(self.to)
    }

    /// A power of two, so that no digit is lost; 1 for all but astronomic ranges, whose numbers are as they are.
    fn unit(&self) -> f64 {
        let is_long = self.to / 2.0 - self.from / 2.0 > f64::MAX.sqrt();
        if is_long { 0.5f64.powi(128) } else { 1.0 }
    }

    /// The whole range as one interval.
    pub fn whole(&self) -> Interval {
        Interval {
            from: self.from,
            to: self.to,
            closed: true,
        }
    }

    /// The intervals between ascending inner bounds.
    pub fn tile(&self, bounds: &[f64]) -> Vec<Interval> {
        let starts = std::iter::once(self.from).chain(bounds.iter().copied());
        let ends = bounds
            .iter()
            .copied()
            .map(|b| (b, false))
            .chain(std::iter::once((self.to, true)));
        starts
            .zip(ends)
            .map(|(from, (to, closed))| Interval { from, to, closed })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_form_reads_back() {
        for text in ["[1, 37)", "[37, 99]", "[-2.5, 1000000)", "[5, 5]"] {
            assert_eq!(Interval::parse(text).unwrap().to_string(), text);
        }
        for text in ["", "*", "[1 37)", "(1, 37)", "[37, 1)", "[5, 5)", "[a, b]"] {
            assert_eq!(Interval::parse(text), None, "{text:?}");
        }
    }

    /// Where the ends are as far apart as numbers can be, as near, or as large beside what is between them.
    #[test]
    fn a_share_is_a_share_at_the_edge_of_what_numbers_can_hold() {
        let range = |from, to| Range::new(from, to).unwrap();
        assert_eq!(range(-1e308, 1.5e308).share(-1e308, 1.5e308), 1.0);
        assert_eq!(range(-f64::MAX, f64::MAX).share(0.0, f64::MAX), 0.5);
        assert!((range(-f64::MAX, f64::MAX).length() * 2f64.powi(40)).is_finite());
        assert_eq!(range(0.0, 5e-324).share(0.0, 5e-324), 1.0);
        assert_eq!(range(1e16, 1e16 + 4.0).share(1e16, 1e16 + 2.0), 0.5);
        assert_eq!((range(3.0, 7.5).offset(5.0), range(3.0, 7.5).length()), (2.0, 4.5));
        assert_eq!(range(-0.0, 0.0).share(-0.0, 0.0), 0.0);
        assert_eq!(range(0.0, 1.0).share(-f64::MAX, f64::MAX), 1.0);
        let whole = Interval {
            from: f64::MAX,
            to: f64::MAX,
            closed: true,
        };
        assert_eq!(whole.middle(), f64::MAX);
    }

    #[test]
    fn a_range_has_two_finite_ends_in_order() {
        let ends = [
            (1.0, 0.0),
            (f64::NAN, 1.0),
            (0.0, f64::NAN),
            (0.0, f64::INFINITY),
            (f64::NEG_INFINITY, 0.0),
        ];
        for (from, to) in ends {
            assert_eq!(Range::new(from, to), Err(RangeError), "{from} to {to}");
        }
    }

    #[test]
    fn tiles_meet_without_overlap() {
        let tiles = Range::new(1.0, 99.0).unwrap().tile(&[37.0, 42.0]);
        let shown: Vec<String> = tiles.iter().map(Interval::to_string).collect();
        assert_eq!(shown, ["[1, 37)", "[37, 42)", "[42, 99]"]);
        for number in [1.0, 36.9, 37.0, 99.0] {
            assert_eq!(tiles.iter().filter(|t| t.contains(number)).count(), 1);
        }
    }
}
