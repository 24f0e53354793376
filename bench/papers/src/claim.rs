//! A [`Claim`] of a paper and our number beside it.

use std::fmt;

/// Differences below this much say nothing: of percentage points, a few rows of the test part decide them.
const TELLING: f64 = 0.3;

/// What a paper says of its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// It stays at or below this.
    AtMost,
    /// It stays at or above this.
    AtLeast,
    /// It is this. Such a number tells whether we measure the same thing; it is not ours to improve.
    Is,
}

/// A number of a paper and ours, both in the unit of the sheet.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// What is measured, and over which range.
    pub what: String,
    /// What the paper says of it.
    pub bound: Bound,
    /// The number of the paper.
    pub paper: f64,
    /// Our number.
    pub ours: f64,
}

/// How our number compares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    /// Better by this much.
    Beats(f64),
    /// As the paper says.
    Holds,
    /// Worse by this much.
    Misses(f64),
    /// Neither better nor worse, but higher by this much (lower if negative).
    Differs(f64),
}

impl Claim {
    /// What is measured, what the paper says of it, and our number.
    pub fn new(what: &str, bound: Bound, paper: f64, ours: f64) -> Self {
        let what = what.to_owned();
        Claim {
            what,
            bound,
            paper,
            ours,
        }
    }

    /// Compares the numbers.
    pub fn verdict(&self) -> Verdict {
        let higher_by = self.ours - self.paper;
        match self.bound {
            Bound::Is if higher_by.abs() <= TELLING => Verdict::Holds,
            Bound::Is => Verdict::Differs(higher_by),
            Bound::AtMost => judged(-higher_by),
            Bound::AtLeast => judged(higher_by),
        }
    }
}

/// A margin is a margin, however narrowly it is missed.
fn judged(better_by: f64) -> Verdict {
    if better_by >= TELLING {
        Verdict::Beats(better_by)
    } else if better_by >= 0.0 {
        Verdict::Holds
    } else {
        Verdict::Misses(-better_by)
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Bound::AtMost => "at most ",
            Bound::AtLeast => "at least ",
            Bound::Is => "",
        })
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Verdict::Beats(points) => write!(f, "beats it by {points:.2}"),
            Verdict::Holds => write!(f, "holds"),
            Verdict::Misses(points) => write!(f, "misses it by {points:.2}"),
            Verdict::Differs(points) => write!(f, "differs by {points:+.2}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(bound: Bound, paper: f64, ours: f64) -> Verdict {
        Claim::new("", bound, paper, ours).verdict()
    }

    #[test]
    fn a_margin_is_missed_however_narrowly() {
        assert_eq!(verdict(Bound::AtMost, 2.0, 2.0), Verdict::Holds);
        assert!(matches!(verdict(Bound::AtMost, 2.0, 2.01), Verdict::Misses(_)));
        assert_eq!(verdict(Bound::AtMost, 2.0, 1.5), Verdict::Beats(0.5));
        assert!(matches!(verdict(Bound::AtLeast, 10.0, 9.99), Verdict::Misses(_)));
        assert_eq!(verdict(Bound::AtLeast, 10.0, 11.0), Verdict::Beats(1.0));
    }

    #[test]
    fn a_number_that_is_not_ours_is_neither_better_nor_worse() {
        assert_eq!(verdict(Bound::Is, 14.5, 14.75), Verdict::Holds);
        assert_eq!(verdict(Bound::Is, 14.5, 15.0), Verdict::Differs(0.5));
        assert_eq!(verdict(Bound::Is, 14.5, 14.0), Verdict::Differs(-0.5));
    }

    #[test]
    fn verdicts_are_words() {
        assert_eq!(Verdict::Beats(0.7).to_string(), "beats it by 0.70");
        assert_eq!(Verdict::Misses(0.25).to_string(), "misses it by 0.25");
        assert_eq!(Verdict::Differs(-0.5).to_string(), "differs by -0.50");
    }
}
