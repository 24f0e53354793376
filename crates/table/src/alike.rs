//! Texts that differ and look alike: [`Alike`] says how far they are one value.
//!
//! | texts | because | united |
//! |---|---|---|
//! | `1`, `1.0`, `01`, `+1`, `1e0` | they are one number | `1` |
//! | `é` composed, `é` of two characters | Unicode has two ways to write it | composed |
//! | `New York`, `New  York`, with a no-break space | blanks look like blanks | `New York` |
//! | `HIV`, `HIV` with a zero-width space | it has no width | `HIV` |
//! | `HIV`, `hiv` | letter case, if that is asked for | `hiv` |
//!
//! Invariant: what a text is united to follows from the text alone, and uniting it again changes nothing. So two files are
//! united alike, whatever other values they have and in whichever order.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use rayon::prelude::*;
use unicode_normalization::{UnicodeNormalization, is_nfc};

use crate::Texts;

const HASH: FixedState = FixedState::with_seed(0);

/// Which texts are one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alike {
    /// Equal ones, and no others.
    Keep,
    /// Those that differ in how a number is written, in how characters are composed, in blanks, or in signs without width.
    Unite,
    /// Those, and those that differ in letter case.
    UniteCase,
}

/// How many values of a column look like another of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LookAlikes {
    /// Those that [`Alike::Unite`] would make one with another.
    pub values: usize,
    /// Those that only [`Alike::UniteCase`] would.
    pub by_case: usize,
}

impl Alike {
    /// The value that a text is.
    pub fn value(self, text: &str) -> String {
        match self {
            Alike::Keep => text.to_owned(),
            Alike::Unite => plain(text).into_owned(),
            // Lower case may compose otherwise.
            Alike::UniteCase => plain(&plain(text).to_lowercase()).into_owned(),
        }
    }

    /// What a label of a release is, of which each member of a set is a value.
    pub fn label(self, text: &str) -> String {
        let members = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
        match members {
            Some(members) if self != Alike::Keep => {
                let members: Vec<String> = members.split('|').map(|member| self.value(member)).collect();
                format!("{{{}}}", members.join("|"))
            }
            _ => self.value(text),
        }
    }
}

impl LookAlikes {
    /// Counts them among different texts.
    pub fn among(texts: &Texts) -> LookAlikes {
        // Most columns have none, and millions of values: their hashes take less memory than they do.
        let hash = |number: usize| HASH.hash_one(Alike::UniteCase.value(texts.at(number)));
        let mut hashes: Vec<u64> = (0..texts.len()).into_par_iter().map(hash).collect();
        hashes.par_sort_unstable();
        if hashes.windows(2).all(|pair| pair[0] != pair[1]) {
            return LookAlikes::default();
        }
        let of = |alike: Alike| {
            let mut texts_of: BTreeMap<String, usize> = BTreeMap::new();
            let values = texts.iter().map(|text| alike.value(text));
            values.for_each(|value| *texts_of.entry(value).or_default() += 1);
            texts_of.into_values().filter(|&texts| texts > 1).sum::<usize>()
        };
        let values = of(Alike::Unite);
        LookAlikes {
            values,
            by_case: of(Alike::UniteCase).saturating_sub(values),
        }
    }

    /// Whether there are none.
    pub fn is_none(&self) -> bool {
        *self == LookAlikes::default()
    }
}

/// The text without what a reader does not see.
fn plain(text: &str) -> Cow<'_, str> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ') && is_tidy(text);
    let seen: Cow<str> = if is_plain { text.into() } else { visible(text).into() };
    match number(&seen) {
        Some(number) => number.into(),
        None => seen,
    }
}

/// Whether no blank is around it, or beside another.
fn is_tidy(text: &str) -> bool {
    !text.starts_with(' ') && !text.ends_with(' ') && !text.contains("  ")
}

/// Characters composed, without signs that have no width, and with one space for blanks. What is nothing but blanks is one
/// no-break space: it must not become a missing value.
fn visible(text: &str) -> String {
    let has_width = |sign: &char| !is_without_width(*sign);
    let signs: String = text.chars().filter(has_width).collect();
    let parts = signs.split(|sign: char| sign.is_whitespace() || sign.is_control());
    let words: Vec<&str> = parts.filter(|word| !word.is_empty()).collect();
    let tidy = words.join(" ");
    if tidy.is_empty() {
        "\u{a0}".to_owned()
    } else if is_nfc(&tidy) {
        tidy
    } else {
        tidy.nfc().collect()
    }
}

/// Signs that join, part, direct or vary others, and show nothing themselves.
fn is_without_width(sign: char) -> bool {
    matches!(sign,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}'
        | '\u{e0100}'..='\u{e01ef}')
}

/// The longest way to write a number out; beyond that an exponent is kept.
const DIGITS: i64 = 40;

/// The plainest way to write a decimal number, exactly: no digit is lost, however many there are.
fn number(text: &str) -> Option<String> {
    let (sign, unsigned) = match text.as_bytes().first()? {
        b'-' => ("-", &text[1..]),
        b'+' => ("", &text[1..]),
        _ => ("", text),
    };
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (unsigned, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = [whole, fraction].concat();
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let significant = digits.trim_start_matches('0');
    let short = significant.trim_end_matches('0');
    if short.is_empty() {
        return Some("0".to_owned());
    }
    // The number is 0.short times ten to this power.
    let point = i64::from(exponent) + whole.len() as i64 - (digits.len() - significant.len()) as i64;
    let length = short.len() as i64;
    let written = if !(-DIGITS..=DIGITS).contains(&point) {
        format!("{short}e{}", point - length)
    } else if point <= 0 {
        format!("0.{}{short}", "0".repeat(-point as usize))
    } else if point >= length {
        format!("{short}{}", "0".repeat((point - length) as usize))
    } else {
        let (whole, fraction) = short.split_at(point as usize);
        format!("{whole}.{fraction}")
    };
    Some(format!("{sign}{written}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn united(text: &str) -> String {
        Alike::Unite.value(text)
    }

    #[test]
    fn numbers_are_one_however_they_are_written() {
        for text in ["1", "1.0", "01", "+1", "1e0", "10e-1", "0.1E1", "001.000", "1."] {
            assert_eq!(united(text), "1", "{text}");
        }
        assert_eq!(united("-0"), "0");
        assert_eq!(united("0.0500"), "0.05");
        assert_eq!(united("1200"), "1200");
        assert_eq!(united("1.5e3"), "1500");
        // Beyond what floating point can tell apart.
        assert_ne!(united("12345678901234567890"), united("12345678901234567891"));
        assert_eq!(united("1e300"), united("10e299"));
        for word in ["", "e5", "1e", "1.2.3", "1-5", "0x10", "--1", "+", "."] {
            assert_eq!(number(word), None, "{word}");
        }
    }

    #[test]
    fn what_a_reader_does_not_see_makes_no_difference() {
        assert_eq!(united("caf\u{e9}"), united("cafe\u{301}"));
        assert_eq!(united("New York"), "New York");
        for text in [
            " New York",
            "New  York",
            "New\u{a0}York",
            "New\u{200b} York\u{feff}",
            "New\r\nYork\u{2003}",
        ] {
            assert_eq!(united(text), "New York", "{text:?}");
        }
        assert_eq!(united("\u{a0}1.0"), "1");
        assert_eq!(united(" \u{3000}"), "\u{a0}");
        assert_ne!(united("HIV"), united("hiv"));
        assert_eq!(Alike::UniteCase.value("HIV"), Alike::UniteCase.value("hiv"));
        assert_eq!(Alike::Keep.value(" 1.0"), " 1.0");
        assert_eq!(Alike::Unite.label("{01|1.5|x  y}"), "{1|1.5|x y}");
    }

    #[test]
    fn uniting_twice_is_uniting_once() {
        let texts = [
            "\u{130}stanbul",
            "e\u{301}\u{200d}",
            "0e9999999",
            "1e-60",
            "{01|2}",
            "A\u{30a}",
            "\u{1e9e}",
            "\u{a0}",
        ];
        for alike in [Alike::Keep, Alike::Unite, Alike::UniteCase] {
            for text in texts {
                let once = alike.value(text);
                assert_eq!(alike.value(&once), once, "{text:?}");
                let once = alike.label(text);
                assert_eq!(alike.label(&once), once, "{text:?}");
            }
        }
    }

    #[test]
    fn look_alikes_are_counted_by_why() {
        let texts = ["1", "1.0", "01", "2", "HIV", "hiv", "flu"];
        let counted = LookAlikes::among(&Texts::from_iter(texts));
        assert_eq!(counted, LookAlikes { values: 3, by_case: 2 });
        assert!(LookAlikes::among(&Texts::from_iter(["a", "b", "-1", "1"])).is_none());
    }
}
