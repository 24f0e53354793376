//! [`Shape`]: what a value looks like.
//!
//! Shapes are told by the whole value. An e-mail address in a sentence is not looked for.

use std::net::IpAddr;

use scumble_table::taxonomy::dates;
use scumble_table::{Interval, parse_number};

/// What values of a kind look like.
pub(super) struct Shape {
    pub(super) fits: fn(&str) -> bool,
    /// What to say of a column with such values.
    pub(super) because: &'static str,
    /// Whether hardly anything else looks so.
    pub(super) leaves_little_doubt: bool,
}

impl Shape {
    pub(super) const fn new(fits: fn(&str) -> bool, because: &'static str) -> Self {
        Shape {
            fits,
            because,
            leaves_little_doubt: false,
        }
    }

    pub(super) const fn leaving_little_doubt(self) -> Self {
        Shape {
            leaves_little_doubt: true,
            ..self
        }
    }
}

/// What a released value says in clear: itself, or the members of a set; nothing if it is suppressed or an interval.
pub(super) fn in_clear(label: &str) -> impl Iterator<Item = &str> {
    let set = label.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    let members = set.unwrap_or(label).split(move |c| set.is_some() && c == '|');
    members.filter(|value| !is_suppressed(value) && !is_interval(value))
}

fn is_suppressed(value: &str) -> bool {
    value.chars().all(|c| c == '*')
}

/// An interval, also as other tools write it: `[20, 40)`, `20-39`.
fn is_interval(value: &str) -> bool {
    let plain = || {
        let (from, to) = value.split_once('-')?;
        let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        // The longer part first is a number of two parts, such as a postcode.
        (is_digits(from) && is_digits(to) && from.len() <= to.len()).then_some(parse_number(from)? < parse_number(to)?)
    };
    Interval::parse(value).is_some() || plain().unwrap_or(false)
}

pub(super) fn is_e_mail(value: &str) -> bool {
    let Some((user, host)) = value.split_once('@') else {
        return false;
    };
    let is_dotted = host
        .split_once('.')
        .is_some_and(|(name, rest)| !name.is_empty() && !rest.is_empty());
    !user.is_empty() && is_dotted && !value.contains(char::is_whitespace) && !host.contains('@')
}

pub(super) fn is_url(value: &str) -> bool {
    let value = value.to_ascii_lowercase();
    let begins = ["http://", "https://", "ftp://", "www."];
    begins.iter().any(|begin| value.starts_with(begin)) && !value.contains(char::is_whitespace)
}

pub(super) fn is_ip_address(value: &str) -> bool {
    value.parse::<IpAddr>().is_ok()
}

/// Ten to fifteen digits that something parts or `+` begins. Digits alone may number anything.
pub(super) fn is_phone_number(value: &str) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let (begin, rest) = value.split_at(value.starts_with('+').into());
    let is_parted = rest.contains([' ', '(', '-', '/']);
    let may_be = rest.bytes().all(|b| b.is_ascii_digit() || b" ()-/".contains(&b));
    (10..=15).contains(&digits) && may_be && (is_parted || !begin.is_empty())
}

/// A word of at least three characters, most of them digits, as in `P0042` or `10-2231`.
pub(super) fn is_record_number(value: &str) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let may_be = |b: u8| b.is_ascii_alphanumeric() || b"-_/.".contains(&b);
    value.len() >= 3 && 2 * digits > value.len() && value.bytes().all(may_be) && !is_date(value)
}

/// `123-45-6789`, with numbers that are given out: none begins with 000, 666 or 9, and no part is zeros.
pub(super) fn is_social_security_number(value: &str) -> bool {
    let parts: Vec<&str> = value.split('-').collect();
    let [area, group, serial] = parts[..] else { return false };
    let is_part = |part: &str, digits: usize| {
        part.len() == digits && part.bytes().all(|b| b.is_ascii_digit()) && part.bytes().any(|b| b != b'0')
    };
    is_part(area, 3) && is_part(group, 2) && is_part(serial, 4) && area != "666" && !area.starts_with('9')
}

/// `02139` or `02139-4307`.
pub(super) fn is_five_digits(value: &str) -> bool {
    let (first, rest) = value.split_once('-').unwrap_or((value, "0000"));
    let is_digits = |part: &str, digits: usize| part.len() == digits && part.bytes().all(|b| b.is_ascii_digit());
    is_digits(first, 5) && is_digits(rest, 4)
}

/// More than the three characters of a postcode that may stay, masked ones (`021**`) aside.
pub(super) fn is_long_postcode(value: &str) -> bool {
    let characters = value.chars().filter(|c| c.is_alphanumeric()).count();
    characters > 3 && value.contains(|c: char| c.is_ascii_digit())
}

pub(super) fn is_ninety_or_more(value: &str) -> bool {
    parse_number(value).is_some_and(|age| age >= 90.0)
}

/// A day or a month: `1984-03-05`, `1984-03`, `5.3.1984`, `03/05/1984`, also with a time behind it.
pub(super) fn is_date(value: &str) -> bool {
    let day = value.split(['T', ' ']).next().unwrap_or_default();
    let is_iso = |text: &str| dates([text], &[]).is_ok();
    is_iso(day) || is_iso(&day.replace('/', "-")) || is_day_before_year(day)
}

/// Two numbers for day and month, in whatever order, and the year.
fn is_day_before_year(day: &str) -> bool {
    let of = |separator| {
        let parts: Option<Vec<u32>> = day.split(separator).map(|part: &str| part.parse().ok()).collect();
        let parts = parts?;
        let [a, b, year] = parts[..] else { return None };
        let is_day_and_month = |day: u32, month: u32| (1..=31).contains(&day) && (1..=12).contains(&month);
        Some((is_day_and_month(a, b) || is_day_and_month(b, a)) && (1000..=9999).contains(&year))
    };
    ['.', '/', '-'].into_iter().any(|separator| of(separator) == Some(true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_shape(fits: fn(&str) -> bool, yes: &[&str], no: &[&str]) {
        for value in yes {
            assert!(fits(value), "{value}");
        }
        for value in no {
            assert!(!fits(value), "{value}");
        }
    }

    #[test]
    fn values_in_clear() {
        let clear = |label| in_clear(label).collect::<Vec<_>>();
        assert_eq!(clear("Ulm"), ["Ulm"]);
        assert_eq!(clear("a|b"), ["a|b"]);
        assert_eq!(clear("{Ulm|*|Bonn}"), ["Ulm", "Bonn"]);
        assert_eq!(clear("02139-4307"), ["02139-4307"]);
        for masked in [
            "*",
            "*****",
            "",
            "{}",
            "[20, 40)",
            "[90, 120]",
            "20-39",
            "100000-200000",
        ] {
            assert_eq!(clear(masked), [""; 0], "{masked}");
        }
    }

    #[test]
    fn dates_say_more_than_the_year() {
        let yes = [
            "1984-03-05",
            "1984-03",
            "1984/03/05",
            "5.3.1984",
            "03/25/1984",
            "25-03-1984",
            "1984-03-05T10:00",
        ];
        let no = [
            "1984",
            "1980s",
            "2001-02-30",
            "13.13.1984",
            "1.2",
            "",
            "1984-1990",
            "3/4",
            "99.99.9999",
        ];
        assert_shape(is_date, &yes, &no);
    }

    #[test]
    fn addresses_and_numbers() {
        assert_shape(
            is_e_mail,
            &["a@b.org"],
            &["a@b", "@b.org", "a b@c.org", "a@b@c.org", "b.org", "a@.org"],
        );
        assert_shape(
            is_url,
            &["https://a.org/x", "WWW.a.org"],
            &["a.org", "http", "see www.a.org"],
        );
        assert_shape(
            is_ip_address,
            &["10.0.0.1", "2001:db8::1"],
            &["10.0.0", "10.0.0.256", "1"],
        );
        let no_phone = [
            "0731123456",
            "1984-03-05",
            "123-45-6789",
            "10.0.0.1",
            "Room 123 456 7890",
            "3.141592653589",
        ];
        assert_shape(
            is_phone_number,
            &["+4973112345678", "(617) 555-0199", "0731 1234567"],
            &no_phone,
        );
        let no_record = ["93", "P1", "ward 12", "Lawyer", "1984-03-05"];
        assert_shape(is_record_number, &["P0042", "10-2231", "20417"], &no_record);
        let no_ssn = [
            "000-45-6789",
            "666-45-6789",
            "912-45-6789",
            "123-00-6789",
            "123456789",
            "12-345-6789",
        ];
        assert_shape(is_social_security_number, &["123-45-6789"], &no_ssn);
    }

    #[test]
    fn postcodes_and_ages() {
        assert_shape(
            is_five_digits,
            &["02139", "02139-4307"],
            &["0213", "021394", "02139-43", "0213x"],
        );
        assert_shape(
            is_long_postcode,
            &["02139", "SW1A 1AA", "8001"],
            &["021", "021**", "SW1", "unknown"],
        );
        assert_shape(
            is_ninety_or_more,
            &["90", "101.5"],
            &["89", "89.9", ">=90", "90+", "old"],
        );
    }
}
