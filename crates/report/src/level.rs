//! A [`Level`] as files and messages write it.

use scumble_privacy::{Sense, Template};
use serde::{Deserialize, Serialize};

/// A level or a bound of a template. In JSON a whole number, a number, or `null` for one without end.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Level {
    /// Of a template that counts.
    Count(u64),
    /// Of one that measures a share, a distance or the like.
    Measure(f64),
    /// Of one that measures what has no end, or of a count without any group.
    Infinite,
}

impl Level {
    /// The level of a template. Where nothing is measured, at most 0 can be inferred. What is no number keeps no bound, so
    /// it is written as the worst level that there is.
    pub fn of(template: &Template, level: f64) -> Level {
        let number = match template.sense() {
            _ if !level.is_nan() => level.max(0.0),
            Sense::AtLeast => 0.0,
            Sense::AtMost => f64::INFINITY,
        };
        match number {
            f64::INFINITY => Level::Infinite,
            // Matches of several releases may be more than that.
            count if template.counts() && count < u64::MAX as f64 => Level::Count(count as u64),
            measure => Level::Measure(measure),
        }
    }

    /// As a number.
    pub fn number(self) -> f64 {
        match self {
            Level::Count(count) => count as f64,
            Level::Measure(measure) => measure,
            Level::Infinite => f64::INFINITY,
        }
    }

    /// In words, with four significant digits, rounded to the worse side: what is written, as a bound, can be met.
    pub fn written(self, sense: Sense) -> String {
        match self {
            Level::Count(count) => count.to_string(),
            Level::Measure(measure) => rounded(measure, sense).to_string(),
            Level::Infinite => "infinite".to_owned(),
        }
    }
}

/// Four significant digits, as near as possible on the side that is worse.
fn rounded(measure: f64, sense: Sense) -> f64 {
    let nearest: f64 = format!("{measure:.3e}").parse().unwrap_or(measure);
    // What is off by rounding errors alone is no other figure: 0.1 + 0.2 is written 0.3.
    let error = 1e-12 * measure.abs();
    let is_worse = match sense {
        Sense::AtLeast => nearest <= measure + error,
        Sense::AtMost => nearest >= measure - error,
    };
    if is_worse {
        return nearest;
    }
    let digit = 10f64.powi(measure.abs().log10().floor() as i32 - 3);
    let next = match sense {
        Sense::AtLeast => nearest - digit,
        Sense::AtMost => nearest + digit,
    };
    format!("{next:.3e}").parse().unwrap_or(next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_can_be_met() {
        let at_most = |level| Level::Measure(level).written(Sense::AtMost);
        let at_least = |level| Level::Measure(level).written(Sense::AtLeast);
        assert_eq!(
            (at_most(1.0 / 3.0), at_least(1.0 / 3.0)),
            ("0.3334".into(), "0.3333".into())
        );
        assert_eq!(
            (at_most(2.0 / 3.0), at_least(2.0 / 3.0)),
            ("0.6667".into(), "0.6666".into())
        );
        assert_eq!((at_most(0.5), at_least(2.5)), ("0.5".into(), "2.5".into()));
        assert_eq!((at_most(0.0), at_most(0.999_99)), ("0".into(), "1".into()));
        assert_eq!((at_most(12_345.6), at_least(9_999.9)), ("12350".into(), "9999".into()));
        assert_eq!(at_most(0.1 + 0.2), "0.3");
        assert_eq!(Level::Infinite.written(Sense::AtMost), "infinite");
    }

    /// Four releases of 100,000 records may have more matches than 64 bits hold.
    #[test]
    fn a_count_beyond_64_bits_is_not_cut_off() {
        let template = Template {
            of: scumble_privacy::QuasiIdentifier::all(Vec::new()),
            demand: scumble_privacy::Demand::Anonymity { k: 2, per: Vec::new() },
        };
        let level = Level::of(&template, 1e20);
        assert_eq!(
            (level.number(), level.written(Sense::AtLeast)),
            (1e20, "100000000000000000000".to_owned())
        );
        assert_eq!(Level::of(&template, 1e10), Level::Count(10_000_000_000));
    }

    #[test]
    fn what_is_no_number_is_written_as_the_worst_level() {
        let template = |demand| Template {
            of: scumble_privacy::QuasiIdentifier::all(Vec::new()),
            demand,
        };
        let at_least = template(scumble_privacy::Demand::Anonymity { k: 2, per: Vec::new() });
        let at_most = template(scumble_privacy::Demand::Confidence {
            at_most: 0.5,
            about: Vec::new(),
        });
        assert_eq!(Level::of(&at_least, f64::NAN), Level::Count(0));
        assert_eq!(Level::of(&at_most, f64::NAN), Level::Infinite);
    }

    #[test]
    fn counts_are_whole_numbers_in_json_and_no_end_is_null() {
        let levels = [
            Level::Count(4),
            Level::Measure(1.0),
            Level::Measure(0.25),
            Level::Infinite,
        ];
        let json = serde_json::to_string(&levels).unwrap();
        assert_eq!(json, "[4,1.0,0.25,null]");
        assert_eq!(serde_json::from_str::<[Level; 4]>(&json).unwrap(), levels);
    }
}
