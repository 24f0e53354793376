//! Lengths of time as text: durations as ISO 8601 has them, `PT90.5S`; intervals in words, `1 mons 2 days 3 hours`.
//!
//! Both are those of Arrow, with its `mons` and its `<invalid>`: the same column means the same in every tool.

use std::io::Write;

use arrow_array::types::{IntervalDayTimeType, IntervalMonthDayNanoType, IntervalYearMonthType};
use arrow_array::{ArrowPrimitiveType, PrimitiveArray, StringArray};

use super::times::nine_digits;
use super::writer::write_values;

/// Durations in units of which a second has so many.
pub(super) fn durations<T: ArrowPrimitiveType<Native = i64>, const IN_A_SECOND: u64>(
    array: &PrimitiveArray<T>,
) -> Option<StringArray> {
    // What has no milliseconds in 64 bits is said to be invalid.
    let longest = i64::MAX.unsigned_abs() / 1_000_u64.div_ceil(IN_A_SECOND);
    write_values(array, 16, |out, value| {
        let size = value.unsigned_abs();
        if IN_A_SECOND <= 1_000 && size > longest {
            out.extend_from_slice(b"<invalid>");
            return Some(());
        }
        let nanos = size % IN_A_SECOND * (1_000_000_000 / IN_A_SECOND);
        put_duration(out, value < 0, size / IN_A_SECOND, nanos as u32);
        Some(())
    })
}

#[inline]
fn put_duration(out: &mut Vec<u8>, negative: bool, seconds: u64, nanos: u32) {
    if negative {
        out.push(b'-');
    }
    if seconds == 0 && nanos == 0 {
        out.extend_from_slice(b"P0D");
        return;
    }
    out.extend_from_slice(b"PT");
    out.extend_from_slice(itoa::Buffer::new().format(seconds).as_bytes());
    if nanos != 0 {
        out.push(b'.');
        out.extend_from_slice(&nine_digits(nanos));
        let zeros = out.iter().rev().take_while(|&&digit| digit == b'0').count();
        out.truncate(out.len() - zeros);
    }
    out.push(b'S');
}

/// Months as years and months, of which the months are never negative.
pub(super) fn years_and_months(array: &PrimitiveArray<IntervalYearMonthType>) -> Option<StringArray> {
    write_values(array, 16, |out, months| {
        write!(out, "{} years {} mons", months.div_euclid(12), months.rem_euclid(12)).ok()
    })
}

/// Days and milliseconds.
pub(super) fn days_and_milliseconds(array: &PrimitiveArray<IntervalDayTimeType>) -> Option<StringArray> {
    write_values(array, 24, |out, value| {
        let mut words = Words { out, some: false };
        words.put(value.days, "days")?;
        words.put_time::<1_000>(value.milliseconds.into())?;
        words.end()
    })
}

/// Months, days and nanoseconds.
pub(super) fn months_days_and_nanoseconds(array: &PrimitiveArray<IntervalMonthDayNanoType>) -> Option<StringArray> {
    write_values(array, 32, |out, value| {
        let mut words = Words { out, some: false };
        words.put(value.months, "mons")?;
        words.put(value.days, "days")?;
        words.put_time::<1_000_000_000>(value.nanoseconds)?;
        words.end()
    })
}

/// The parts of an interval that are not zero, each with its own sign.
struct Words<'o> {
    out: &'o mut Vec<u8>,
    some: bool,
}

impl Words<'_> {
    fn put(&mut self, number: impl Into<i64>, unit: &str) -> Option<()> {
        let number = number.into();
        if number == 0 {
            return Some(());
        }
        let blank = self.blank();
        write!(self.out, "{blank}{number} {unit}").ok()
    }

    /// Hours, minutes and seconds, of units of which a second has so many.
    fn put_time<const IN_A_SECOND: i64>(&mut self, time: i64) -> Option<()> {
        let seconds = time / IN_A_SECOND;
        self.put(seconds / 3_600, "hours")?;
        self.put(seconds / 60 % 60, "mins")?;
        let (seconds, fraction) = (seconds % 60, time % IN_A_SECOND);
        if seconds == 0 && fraction == 0 {
            return Some(());
        }
        let blank = self.blank();
        let sign = if time < 0 { "-" } else { "" };
        let (seconds, fraction) = (seconds.abs(), fraction.abs());
        let width = IN_A_SECOND.ilog10() as usize;
        write!(self.out, "{blank}{sign}{seconds}.{fraction:0width$} secs").ok()
    }

    /// What stands before a part.
    fn blank(&mut self) -> &'static str {
        if std::mem::replace(&mut self.some, true) {
            " "
        } else {
            ""
        }
    }

    fn end(self) -> Option<()> {
        if !self.some {
            self.out.extend_from_slice(b"0 secs");
        }
        Some(())
    }
}
