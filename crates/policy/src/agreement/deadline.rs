//! A [`Deadline`]: how long a run with others may take, as people write it.

use std::str::FromStr;
use std::time::Duration;

/// How long a run may take from when all parties have met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deadline {
    /// So long.
    After(Duration),
    /// As long as it takes.
    Never,
}

impl Deadline {
    /// What is accepted.
    pub const FORM: &str = "a number with s, m or h for seconds, minutes or hours, such as 30m, or never";

    /// The time, if there is an end.
    pub fn limit(self) -> Option<Duration> {
        match self {
            Deadline::After(limit) => Some(limit),
            Deadline::Never => None,
        }
    }
}

impl FromStr for Deadline {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "never" {
            return Ok(Deadline::Never);
        }
        let units = [('s', 1), ('m', 60), ('h', 60 * 60)];
        let mut spelled = units.iter().filter_map(|&(unit, seconds)| {
            let number: u64 = text.strip_suffix(unit)?.parse().ok()?;
            number.checked_mul(seconds).filter(|&seconds| seconds > 0)
        });
        let seconds = spelled.next().ok_or_else(|| format!("write {}", Deadline::FORM))?;
        Ok(Deadline::After(Duration::from_secs(seconds)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_has_a_number_and_a_unit_or_is_never() {
        for (text, seconds) in [("90s", 90), ("30m", 1800), ("24h", 86400)] {
            assert_eq!(text.parse(), Ok(Deadline::After(Duration::from_secs(seconds))));
        }
        assert_eq!("never".parse(), Ok(Deadline::Never));
        for wrong in [
            "",
            "30",
            "m",
            "0s",
            "-1s",
            "1.5h",
            "1d",
            "99999999999999999999h",
            "18446744073709551615h",
        ] {
            assert!(wrong.parse::<Deadline>().is_err(), "{wrong}");
        }
    }
}
