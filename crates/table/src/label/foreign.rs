//! The forms in which other tools release values, ARX and pandas among them.
//!
//! | form | stands for |
//! |---|---|
//! | `[20, 30[`, `]20, 30]`, `(20, 30]` | an interval; the side of a bracket that looks away, or a round one, is open |
//! | `[20-30]`, `20-30` | an interval with both ends |
//! | `<20`, `<=20`, `>90`, `>=90`, `90+` | all numbers on one side |
//! | `{a, b}` | a set |
//! | `130**` | every value of five characters that begins with `130` |
//!
//! They are tried after all of our own forms and after the taxonomy, and only in a column of which nobody says that it has
//! other forms: a word that looks like one of them (a year of study `2-3`, a phone number) would seem to stand for others.

use super::meaning::{Meaning, non_empty};
use crate::{Interval, parse_number};

/// Reads a foreign form.
pub(super) fn parse(text: &str) -> Option<Meaning<'_>> {
    let interval = || one_sided(text).or_else(|| dashed(text)).or_else(|| bracketed(text));
    interval()
        .map(Meaning::Interval)
        .or_else(|| set(text))
        .or_else(|| masked(text))
}

fn one_sided(text: &str) -> Option<Interval> {
    let at_most = |to, closed| Interval {
        from: f64::NEG_INFINITY,
        to,
        closed,
    };
    let at_least = |from| Interval {
        from,
        to: f64::INFINITY,
        closed: false,
    };
    let after = |sign| text.strip_prefix(sign).and_then(|rest: &str| parse_number(rest.trim()));
    let before_plus = || text.strip_suffix('+').and_then(parse_number);
    after("<=")
        .map(|to| at_most(to, true))
        .or_else(|| after("<").map(|to| at_most(to, false)))
        .or_else(|| after(">=").or_else(before_plus).map(at_least))
        // The smallest number above an open end makes it a closed one.
        .or_else(|| after(">").map(|from| at_least(from.next_up())))
}

/// `20-30`. A dash may also be a sign, so every dash is tried: `-20--10` parts at its second.
fn dashed(text: &str) -> Option<Interval> {
    let ends = |(at, _)| Some((parse_number(text[..at].trim())?, parse_number(text[at + 1..].trim())?));
    let (from, to) = text.match_indices('-').find_map(ends)?;
    (from <= to).then_some(Interval { from, to, closed: true })
}

fn bracketed(text: &str) -> Option<Interval> {
    let inner = text.strip_prefix(['[', ']', '('])?;
    let open_below = !text.starts_with('[');
    let closed = inner.ends_with(']');
    let inner = inner.strip_suffix([']', '[', ')'])?;
    let ends = |(from, to): (&str, &str)| Some((parse_number(from.trim())?, parse_number(to.trim())?));
    let (from, to) = match inner.split_once(',') {
        Some(parts) => ends(parts)?,
        None => dashed(inner).map(|Interval { from, to, .. }| (from, to))?,
    };
    let from = if open_below { from.next_up() } else { from };
    (from < to || (closed && from == to)).then_some(Interval { from, to, closed })
}

fn set(text: &str) -> Option<Meaning<'_>> {
    let members = text.strip_prefix('{')?.strip_suffix('}')?;
    let members = members.split(',').map(|member| non_empty(member.trim()));
    Some(Meaning::Set(members.collect()))
}

fn masked(text: &str) -> Option<Meaning<'_>> {
    let prefix = text.trim_end_matches('*');
    let length = text.chars().count();
    (prefix.len() < text.len()).then_some(Meaning::Masked { prefix, length })
}

#[cfg(test)]
mod tests {
    use crate::{Forms, Label};

    #[test]
    fn foreign_labels_cover_what_their_tools_mean() {
        for (label, inside, outside) in [
            ("[20, 30[", ["20", "29.9"], ["30", "19"]),
            ("]20, 30]", ["20.1", "30"], ["20", "31"]),
            ("]20, 30[", ["21", "29"], ["20", "30"]),
            ("(20, 30]", ["20.1", "30"], ["20", "31"]),
            ("[20-30]", ["20", "30"], ["19", "31"]),
            ("20-30", ["20", "30"], ["19", "31"]),
            ("20 - 30", ["20", "30"], ["19", "31"]),
            ("-20--10", ["-20", "-10"], ["-21", "-9"]),
            ("1e-3-5", ["0.001", "5"], ["0", "6"]),
            ("<20", ["19", "-1e9"], ["20", "21"]),
            ("<= 20", ["20", "-1e9"], ["20.1", "21"]),
            (">90", ["90.1", "1e9"], ["90", "89"]),
            (">=90", ["90", "1e9"], ["89.9", "0"]),
            ("90+", ["90", "1e9"], ["89.9", "0"]),
            ("{a, b}", ["a", "b"], ["a, b", "c"]),
            ("{1,2}", ["1", "2.0"], ["3", "1,2"]),
            ("1305*", ["13053", "13059"], ["1305", "130530"]),
            ("130**", ["13053", "13068"], ["13153", "130"]),
            ("é*", ["éa", "é*"], ["é", "ea"]),
            ("**", ["ab", "é1"], ["a", "abc"]),
        ] {
            let label_read = Label::parse(Some(label), Forms::any(None));
            assert!(label_read.covers(Some(label)), "{label} covers itself");
            assert!(!label_read.covers(None), "{label} covers no missing value");
            for value in inside {
                assert!(label_read.covers(Some(value)), "{label} covers {value}");
            }
            for value in outside {
                assert!(!label_read.covers(Some(value)), "{label} does not cover {value}");
            }
        }
    }

    #[test]
    fn words_that_are_no_form_stand_for_themselves() {
        for word in [
            "2024-01", "30-20", "a-b", "+", "90++", "<", "<x", "]30, 20]", "[20;30]", "(5, 5]", "-", "*a",
        ] {
            assert_eq!(
                *Label::parse(Some(word), Forms::any(None)).meaning(),
                crate::Meaning::Itself,
                "{word}"
            );
        }
    }
}
