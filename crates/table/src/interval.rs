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

    /// Its share of a range; 0 where the range is a single number.
    pub fn penalty(&self, range: &Range) -> f64 {
        if range.to > range.from {
            (self.to - self.from) / (range.to - range.from)
        } else {
            0.0
        }
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
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    from: f64,
    to: f64,
}

/// A range whose ends are not in order.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("a range needs its smaller end first")]
pub struct RangeError;

impl Range {
    /// A range from the smaller end to the larger.
    pub fn new(from: f64, to: f64) -> Result<Self, RangeError> {
        if from <= to {
            Ok(Range { from, to })
        } else {
            Err(RangeError)
        }
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
