//! Dates, times of day and moments as text: ISO 8601, with as many digits of a second as are needed, three at a time.
//!
//! Invariant: what is outside of the years that chrono knows, some 262,000 before and after the year 0, has no text, here and
//! in its zone. The calendar is the Gregorian one, also before there was one.

use std::io::Write;
use std::ops::RangeInclusive;

use arrow_array::timezone::Tz;
use arrow_array::{ArrowPrimitiveType, Date32Array, PrimitiveArray, StringArray};
use chrono::{DateTime, NaiveTime, Offset, TimeZone, Timelike, Utc};

use super::writer::write_values;

const SECONDS_IN_A_DAY: i64 = 86_400;

/// Days since 1970 as `2026-11-18`.
pub(super) fn dates(array: &Date32Array) -> Option<StringArray> {
    let known = known_seconds();
    write_values(array, 10, |out, day| {
        let day = i64::from(day);
        known.contains(&(day * SECONDS_IN_A_DAY)).then(|| put_date(out, day))
    })
}

/// Times of day as `09:30:00.250`, where `time` says which time a value is, if any.
pub(super) fn clocks<T: ArrowPrimitiveType>(
    array: &PrimitiveArray<T>,
    time: impl Fn(T::Native) -> Option<NaiveTime>,
) -> Option<StringArray> {
    write_values(array, 16, |out, value| {
        let time = time(value)?;
        put_clock(out, time.num_seconds_from_midnight(), time.nanosecond());
        Some(())
    })
}

/// Moments since 1970, in units of which a second has so many, as `2026-11-18T09:30:00.250`; with the hour and the offset of
/// their zone if the column has one: `2026-11-18T10:30:00.250+01:00`, or `Z` for none.
pub(super) fn moments<T: ArrowPrimitiveType<Native = i64>, const IN_A_SECOND: i64>(
    array: &PrimitiveArray<T>,
    zone: Option<&str>,
) -> Option<StringArray> {
    let split = |value: i64| {
        let fraction = value.rem_euclid(IN_A_SECOND) * (1_000_000_000 / IN_A_SECOND);
        (value.div_euclid(IN_A_SECOND), fraction as u32)
    };
    let known = known_seconds();
    let Some(zone) = zone else {
        return write_values(array, 24, |out, value| {
            let (second, nanos) = split(value);
            known.contains(&second).then(|| put_moment(out, second, nanos))
        });
    };
    // Every build knows offsets; the names of zones only one in which Arrow has their table.
    let zone: Tz = zone.parse().ok()?;
    write_values(array, 32, |out, value| {
        let (second, nanos) = split(value);
        let utc = DateTime::from_timestamp(second, nanos)?.naive_utc();
        let offset = zone.offset_from_utc_datetime(&utc).fix().local_minus_utc();
        let local = second + i64::from(offset);
        known.contains(&local).then(|| {
            put_moment(out, local, nanos);
            put_offset(out, offset);
        })
    })
}

/// The seconds since 1970 that have a date.
fn known_seconds() -> RangeInclusive<i64> {
    DateTime::<Utc>::MIN_UTC.timestamp()..=DateTime::<Utc>::MAX_UTC.timestamp()
}

#[inline]
fn put_moment(out: &mut Vec<u8>, second: i64, nanos: u32) {
    put_date(out, second.div_euclid(SECONDS_IN_A_DAY));
    out.push(b'T');
    put_clock(out, second.rem_euclid(SECONDS_IN_A_DAY) as u32, nanos);
}

#[inline]
fn put_date(out: &mut Vec<u8>, day: i64) {
    let (year, month, day) = date_of(day);
    if (0..=9_999).contains(&year) {
        let [y1, y2] = two_digits(year as u32 / 100);
        let [y3, y4] = two_digits(year as u32 % 100);
        let [m1, m2] = two_digits(month);
        let [d1, d2] = two_digits(day);
        out.extend_from_slice(&[y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2]);
    } else {
        // ISO 8601 wants a sign where a year has more than four digits.
        write!(out, "{year:+05}-{month:02}-{day:02}").expect("memory takes all that is written");
    }
}

/// The year, the month and the day of a day since 1970.
///
/// Years are taken to begin in March: a leap day is then the last of its year, and months before the last are 153 days in five.
/// 400 years are 146,097 days, whichever they are. After H. Hinnant, "chrono-Compatible Low-Level Date Algorithms".
#[inline]
fn date_of(day: i64) -> (i64, u32, u32) {
    /// From the 1st of March of the year 0 to 1970.
    const BEFORE_1970: i64 = 719_468;
    const IN_400_YEARS: i64 = 146_097;
    let day = day + BEFORE_1970;
    let of_era = day.rem_euclid(IN_400_YEARS) as u32;
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let day_of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day_of_month = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = (month_from_march + 2) % 12 + 1;
    let year = day.div_euclid(IN_400_YEARS) * 400 + i64::from(year_of_era) + i64::from(month <= 2);
    (year, month, day_of_month)
}

#[inline]
fn put_clock(out: &mut Vec<u8>, second_of_day: u32, nanos: u32) {
    let [h1, h2] = two_digits(second_of_day / 3_600);
    let [m1, m2] = two_digits(second_of_day / 60 % 60);
    let [s1, s2] = two_digits(second_of_day % 60);
    out.extend_from_slice(&[h1, h2, b':', m1, m2, b':', s1, s2]);
    if nanos != 0 {
        let digits = nine_digits(nanos);
        let shown = if nanos.is_multiple_of(1_000_000) {
            &digits[..3]
        } else if nanos.is_multiple_of(1_000) {
            &digits[..6]
        } else {
            &digits[..]
        };
        out.push(b'.');
        out.extend_from_slice(shown);
    }
}

/// How many seconds local time is ahead, to the minute.
#[inline]
fn put_offset(out: &mut Vec<u8>, seconds: i32) {
    if seconds == 0 {
        out.push(b'Z');
        return;
    }
    let minutes = (seconds.unsigned_abs() + 30) / 60;
    let [h1, h2] = two_digits(minutes / 60);
    let [m1, m2] = two_digits(minutes % 60);
    let sign = if seconds < 0 { b'-' } else { b'+' };
    out.extend_from_slice(&[sign, h1, h2, b':', m1, m2]);
}

/// The digits of a number below a hundred.
#[inline]
fn two_digits(number: u32) -> [u8; 2] {
    [b'0' + (number / 10) as u8, b'0' + (number % 10) as u8]
}

/// The digits of a fraction of a second in nanoseconds.
#[inline]
pub(super) fn nine_digits(nanos: u32) -> [u8; 9] {
    let mut digits = [b'0'; 9];
    let mut rest = nanos;
    for digit in digits.iter_mut().rev() {
        *digit += (rest % 10) as u8;
        rest /= 10;
    }
    digits
}
