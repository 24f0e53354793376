//! Building a taxonomy from the values of a column.
//!
//! Every builder says for each value which nodes are above it; values that name the same node share it. Leaves come
//! in the natural order of values, and a value given twice is one leaf.
//!
//! The values come from data, so errors count them and give the position of the first in the list, never the value. The
//! labels do show something: the smallest and largest number are bounds of ranges, and so are the numbers at which ranges
//! of equal frequency meet. Who must not publish them writes the ranges by hand.

use hashbrown::HashSet;
use scumble_fault::{Blame, Fault};

use super::Taxonomy;
use super::assemble::Mentions;
use crate::{Interval, Range, SUPPRESSED, Texts, parse_number};

/// Why no taxonomy can be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// Nothing to build from.
    #[error("there is no value to build a taxonomy from")]
    NoValues,
    /// Values that the builder cannot place.
    #[error("values that are not {wanted}: {count}, the first at position {first}; mend them or leave them out")]
    Unfit {
        /// What a value should be.
        wanted: &'static str,
        /// How many are not.
        count: usize,
        /// The position of the first, counted from 1.
        first: usize,
    },
    /// Values that read like a node above other values, so a release could not tell the two apart.
    #[error("values that read like a node above others: {count}, the first at position {first}; leave them out")]
    Clash {
        /// How many do.
        count: usize,
        /// The position of the first, counted from 1.
        first: usize,
    },
    /// A number of ranges outside the limits.
    #[error("the number of ranges is {0}; it must be from 1 to {max}", max = Ranges::MOST)]
    RangeCount(usize),
    /// Ranges that would never merge.
    #[error("{0} neighbours cannot merge into a wider range; merge at least 2")]
    Fanout(usize),
}

impl Blame for BuildError {
    fn fault(&self) -> Fault {
        match self {
            BuildError::NoValues
            | BuildError::Unfit { .. }
            | BuildError::Clash { .. }
            | BuildError::RangeCount(_)
            | BuildError::Fanout(_) => Fault::Input,
        }
    }
}

/// A tree of codes in which a longer beginning is more detail: postcodes, classifications of diseases or trades.
///
/// With lengths 4 and 3, `94107` is under `9410*`, that under `941**`, that under `*`. A value shorter than a length
/// skips it, and every label is as long as the longest value: next to `94107`, `941` is under `941**` too. A length
/// of 0, or as long as the longest value, adds nothing.
///
/// # Errors
/// If there is no value, one is empty or `*`, or one reads like a node above others (`941**`).
pub fn prefixes<'v>(values: impl IntoIterator<Item = &'v str>, lengths: &[usize]) -> Result<Taxonomy, BuildError> {
    let values: Vec<&str> = values.into_iter().collect();
    check(&values, "text other than `*`", |value| {
        !["", SUPPRESSED].contains(&value)
    })?;
    let longest = values.iter().map(|value| value.chars().count()).max().unwrap_or(0);
    let mut lengths: Vec<usize> = lengths.iter().copied().filter(|n| (1..longest).contains(n)).collect();
    lengths.sort_unstable_by(|a, b| b.cmp(a));
    grow(&values, |value| {
        let characters = value.chars().count();
        let fitting = lengths.iter().filter(|&&length| length <= characters);
        let masked = fitting.map(|&length| {
            let kept: String = value.chars().take(length).collect();
            kept + &SUPPRESSED.repeat(longest - length)
        });
        masked.chain([SUPPRESSED.to_owned()]).collect()
    })
}

/// A level of a tree of dates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DateLevel {
    /// `1984-03`.
    Month,
    /// `1984-Q1`.
    Quarter,
    /// `1984`.
    Year,
    /// `1980s`.
    Decade,
}

/// A tree of days (`1984-03-05`) or months (`1984-03`) under the given levels, in whatever order these are listed, and
/// the root `Any date`.
///
/// # Errors
/// If there is no value, one is no date of the calendar, or a month is both a value and above days.
pub fn dates<'v>(values: impl IntoIterator<Item = &'v str>, levels: &[DateLevel]) -> Result<Taxonomy, BuildError> {
    let values: Vec<&str> = values.into_iter().collect();
    check(&values, "dates such as 1984-03-05 or 1984-03", |value| {
        month_of(value).is_some()
    })?;
    let mut levels = levels.to_vec();
    levels.sort_unstable();
    grow(&values, |value| {
        let (year, month) = month_of(value).expect("every value was just checked");
        let labels = levels.iter().map(|level| match level {
            DateLevel::Month => format!("{year:04}-{month:02}"),
            DateLevel::Quarter => format!("{year:04}-Q{}", month.div_ceil(3)),
            DateLevel::Year => format!("{year:04}"),
            DateLevel::Decade => format!("{:03}0s", year / 10),
        });
        labels.chain(["Any date".to_owned()]).collect()
    })
}

/// The year and month of a day or month that the calendar has.
fn month_of(text: &str) -> Option<(u32, u32)> {
    let mut parts = text.split('-');
    let year = digits(parts.next()?, 4)?;
    let month = digits(parts.next()?, 2).filter(|month| (1..=12).contains(month))?;
    if let Some(day) = parts.next() {
        digits(day, 2).filter(|day| (1..=days_in(year, month)).contains(day))?;
    }
    parts.next().is_none().then_some((year, month))
}

/// A number of exactly so many digits.
fn digits(text: &str, count: usize) -> Option<u32> {
    let plain = text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok())?
}

fn days_in(year: u32, month: u32) -> u32 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// How many ranges a tree of numbers has right above its values, and how many neighbours each level above merges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranges {
    finest: usize,
    fanout: usize,
}

impl Ranges {
    /// The largest number of ranges; a longer list helps nobody, and a typing error should not fill the memory.
    pub const MOST: usize = 1 << 16;

    /// So many ranges above the values, merged two by two.
    ///
    /// # Errors
    /// If there are none, or more than [`Ranges::MOST`].
    pub fn new(finest: usize) -> Result<Self, BuildError> {
        if (1..=Ranges::MOST).contains(&finest) {
            Ok(Ranges { finest, fanout: 2 })
        } else {
            Err(BuildError::RangeCount(finest))
        }
    }

    /// Merges so many neighbours at a time instead.
    ///
    /// # Errors
    /// If it is less than 2.
    pub fn with_fanout(self, fanout: usize) -> Result<Self, BuildError> {
        if fanout >= 2 {
            Ok(Ranges { fanout, ..self })
        } else {
            Err(BuildError::Fanout(fanout))
        }
    }
}

/// A tree of numbers under ranges of equal width, from the smallest to the largest value.
///
/// Four ranges over 0 to 100 merged two by two: 30 is under `[25, 50)`, that under `[0, 50)`, that under `[0, 100]`.
/// Ranges without a value are left out; ranges too narrow to be told apart are one.
///
/// # Errors
/// If there is no value or one is not a number.
pub fn equal_width<'v>(values: impl IntoIterator<Item = &'v str>, ranges: Ranges) -> Result<Taxonomy, BuildError> {
    let values: Vec<&str> = values.into_iter().collect();
    let numbers = numbers(&values)?;
    let (from, to) = (numbers[0].0, numbers[numbers.len() - 1].0);
    let count = ranges.finest as f64;
    let bound = |i: usize| {
        // Multiplying before dividing keeps round bounds round: 78 * 3 / 10 is 23.4, 7.8 * 3 is not.
        let bound = from + (to - from) * i as f64 / count;
        let share = i as f64 / count;
        // From -1e308 to 1e308 it is farther than a number can hold.
        if bound.is_finite() {
            bound
        } else {
            from * (1.0 - share) + to * share
        }
    };
    let bounds = (1..ranges.finest).map(bound);
    merge(&values, &numbers, bounds, ranges)
}

/// A tree of numbers under ranges that hold about equally many rows; each value comes with its number of rows.
///
/// A range ends at the first value at which its share is reached, so a value is never split and a frequent one can
/// make fewer ranges than asked for.
///
/// # Errors
/// If there is no value or one is not a number.
pub fn equal_frequency<'v>(
    values: impl IntoIterator<Item = (&'v str, u64)>,
    ranges: Ranges,
) -> Result<Taxonomy, BuildError> {
    let (values, rows): (Vec<&str>, Vec<u64>) = values.into_iter().unzip();
    let numbers = numbers(&values)?;
    let total: u128 = rows.iter().map(|&rows| u128::from(rows)).sum();
    let mut bounds = Vec::new();
    let (mut below, mut share) = (0u128, 1);
    for equal in numbers.chunk_by(|a, b| a.0 == b.0) {
        while share < ranges.finest && below * ranges.finest as u128 >= total * share as u128 {
            bounds.push(equal[0].0);
            share += 1;
        }
        below += equal.iter().map(|&(_, value)| u128::from(rows[value])).sum::<u128>();
    }
    merge(&values, &numbers, bounds, ranges)
}

/// The values as numbers with their places in the list, ascending.
fn numbers(values: &[&str]) -> Result<Vec<(f64, usize)>, BuildError> {
    check(values, "numbers", |value| parse_number(value).is_some())?;
    let parsed = values.iter().filter_map(|value| parse_number(value));
    let mut numbers: Vec<(f64, usize)> = parsed.zip(0..).collect();
    numbers.sort_by(|a, b| a.0.total_cmp(&b.0));
    Ok(numbers)
}

/// Puts values under the ranges between inner bounds, and these under ever wider ones.
fn merge(
    values: &[&str],
    numbers: &[(f64, usize)],
    bounds: impl IntoIterator<Item = f64>,
    ranges: Ranges,
) -> Result<Taxonomy, BuildError> {
    let (from, to) = (numbers[0].0, numbers[numbers.len() - 1].0);
    let mut inner: Vec<f64> = bounds
        .into_iter()
        .filter(|&bound| from < bound && bound <= to)
        .collect();
    inner.dedup();
    let whole = Range::new(from, to).expect("numbers are sorted");
    let tiles = whole.tile(&inner);
    grow(values, |value| {
        let number = parse_number(value).expect("every value was just checked");
        let mut at = inner.partition_point(|&bound| bound <= number);
        let mut width = 1;
        let mut labels = vec![tiles[at].to_string()];
        while width < tiles.len() {
            width = width.saturating_mul(ranges.fanout);
            at -= at % width;
            let last = tiles[at.saturating_add(width).min(tiles.len()) - 1];
            let wider = Interval {
                from: tiles[at].from,
                ..last
            };
            labels.push(wider.to_string());
        }
        labels
    })
}

/// That there are values and each is what the builder wants.
fn check(values: &[&str], wanted: &'static str, fits: impl Fn(&str) -> bool) -> Result<(), BuildError> {
    if values.is_empty() {
        return Err(BuildError::NoValues);
    }
    match positions(values, |value| !fits(value)) {
        Some((count, first)) => Err(BuildError::Unfit { wanted, count, first }),
        None => Ok(()),
    }
}

/// How many values are so, and the position of the first.
fn positions(values: &[&str], so: impl Fn(&str) -> bool) -> Option<(usize, usize)> {
    let first = values.iter().position(|value| so(value))?;
    let count = values[first..].iter().filter(|value| so(value)).count();
    Some((count, first + 1))
}

/// The tree in which every value has the labels `above` it, next first and the root last. A label next to itself is
/// one node, and each label must always have the same labels above it.
fn grow(values: &[&str], above: impl Fn(&str) -> Vec<String>) -> Result<Taxonomy, BuildError> {
    let paths: Vec<Vec<String>> = values
        .iter()
        .map(|&value| {
            let mut path = vec![value.to_owned()];
            path.extend(above(value));
            path.dedup();
            path
        })
        .collect();
    let inner: HashSet<&str> = paths.iter().flat_map(|path| &path[1..]).map(String::as_str).collect();
    if let Some((count, first)) = positions(values, |value| inner.contains(value)) {
        return Err(BuildError::Clash { count, first });
    }
    let texts: Texts = values.iter().copied().collect();
    let mut order = texts.in_natural_order();
    order.dedup_by_key(|at| values[*at]);
    let mut mentions = Mentions::default();
    for at in order {
        let root_first = paths[at].iter().rev().map(String::as_str);
        root_first.fold(None, |parent, label| Some(mentions.add(label.into(), parent, None)));
    }
    Ok(mentions
        .assemble()
        .expect("each label has one parent and no value is a label"))
}
