//! A [`SensitiveLine`] is the domain of a sensitive column laid out, so that a range is a stretch of it.
//!
//! Numbers lie where they are, leaves and other values at their places, which are 0, 1, 2 and so on.

use hashbrown::HashMap;

use super::range::{SensitiveDomain, SensitiveRange, SensitiveRangeError};
use crate::{Domain, Forms, Interval, Label, Meaning, Taxonomy, Written, parse_number};

/// Where the values of a column lie, and which stretch of the line is the range of each.
#[derive(Debug)]
pub struct SensitiveLine<'v> {
    range: &'v SensitiveRange,
    reach: Reach<'v>,
    /// Of a table, the range of each position that it lists, by its bits.
    listed: HashMap<u64, Interval>,
}

/// How far a line reaches.
#[derive(Debug)]
pub enum Reach<'v> {
    /// Numbers of this interval; `None` if nothing says from where to where.
    Numbers(Option<Interval>),
    /// The leaves of a taxonomy.
    Leaves(&'v Taxonomy),
    /// These values, each at its place.
    Values(HashMap<&'v str, usize>),
}

/// A value on the line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Located {
    /// Where it lies.
    pub at: f64,
    /// Its sensitive range.
    pub range: Interval,
}

impl<'v> SensitiveLine<'v> {
    pub(super) fn new(range: &'v SensitiveRange, reach: Reach<'v>) -> Self {
        let pairs = match range {
            SensitiveRange::Table(pairs) => &pairs[..],
            _ => &[],
        };
        let entries = pairs.iter().filter_map(|(value, range)| reach.entry(value, range).ok());
        let listed = entries.map(|Located { at, range }| (at.to_bits(), range)).collect();
        SensitiveLine { range, reach, listed }
    }

    /// How far it reaches.
    pub fn reach(&self) -> &Reach<'v> {
        &self.reach
    }

    /// Where a value lies; `None` for what is no single value of the domain.
    pub fn locate(&self, value: &str) -> Option<Located> {
        let at = self.reach.position(value)?;
        let range = match self.range {
            SensitiveRange::Width(width) => class(at, *width),
            SensitiveRange::Intervals(intervals) => {
                let holding = intervals.iter().find(|interval| interval.contains(at));
                holding.copied().unwrap_or(point(at))
            }
            SensitiveRange::Level(0) => point(at),
            SensitiveRange::Level(steps) => self.reach.above(value, *steps as usize),
            SensitiveRange::Table(_) => self.listed.get(&at.to_bits()).copied().unwrap_or(point(at)),
        };
        Some(Located { at, range })
    }
}

impl<'v> Reach<'v> {
    pub(super) fn new(domain: &'v SensitiveDomain, values: impl IntoIterator<Item = &'v str>) -> Self {
        match domain {
            SensitiveDomain::Numbers(Some(range)) => Reach::Numbers(Some(range.whole())),
            SensitiveDomain::Numbers(None) => {
                let numbers = values.into_iter().filter_map(parse_number).map(point);
                Reach::Numbers(numbers.reduce(|a, b| Interval {
                    from: a.from.min(b.from),
                    to: a.to.max(b.to),
                    closed: true,
                }))
            }
            SensitiveDomain::Leaves(taxonomy) => Reach::Leaves(taxonomy),
            SensitiveDomain::Values => Reach::Values(values.into_iter().zip(0..).collect()),
        }
    }

    fn position(&self, value: &str) -> Option<f64> {
        match self {
            Reach::Numbers(whole) => {
                parse_number(value).filter(|&number| whole.is_none_or(|whole| whole.contains(number)))
            }
            Reach::Leaves(taxonomy) => taxonomy.leaf(value).map(|place| place as f64),
            Reach::Values(places) => places.get(value).map(|&place| place as f64),
        }
    }

    /// A value and its range, in the words of a policy.
    pub(super) fn entry(&self, value: &str, range: &str) -> Result<Located, SensitiveRangeError> {
        let at = self.position(value);
        let at = at.ok_or_else(|| SensitiveRangeError::UnknownValue(value.to_owned()))?;
        let stretch = self.stretch(range);
        let stretch = stretch.ok_or_else(|| SensitiveRangeError::UnknownRange(range.to_owned()))?;
        let located = stretch.contains(at).then_some(Located { at, range: stretch });
        located.ok_or_else(|| SensitiveRangeError::Outside {
            value: value.to_owned(),
            range: range.to_owned(),
        })
    }

    /// The stretch that a word of a policy covers, if that is one piece. A value of the column is itself, whatever it looks
    /// like.
    fn stretch(&self, label: &str) -> Option<Interval> {
        match self {
            Reach::Numbers(_) => match (
                parse_number(label),
                Label::parse(Some(label), Forms::any(None)).meaning(),
            ) {
                (Some(number), _) => Some(point(number)),
                (None, Meaning::Interval(interval)) => Some(*interval),
                (None, Meaning::Everything) => Some(Interval {
                    from: f64::NEG_INFINITY,
                    to: f64::INFINITY,
                    closed: true,
                }),
                _ => None,
            },
            Reach::Leaves(taxonomy) => {
                let label = Label::parse(Some(label), Forms::any(Some(taxonomy)));
                let leaves = taxonomy.leaves().enumerate();
                one_piece(
                    leaves
                        .filter(|(_, leaf)| label.covers(Some(leaf)))
                        .map(|(place, _)| place),
                )
            }
            Reach::Values(places) => {
                if let Some(&place) = places.get(label) {
                    return one_piece(std::iter::once(place));
                }
                let words = Forms {
                    domain: Domain::Words,
                    written: Written::Sets,
                };
                let label = Label::parse(Some(label), words);
                let covered = places.keys().filter(|value| label.covers(Some(value)));
                one_piece(covered.map(|value| places[value]))
            }
        }
    }

    /// What is under the node so many steps above a value, at least one.
    fn above(&self, value: &str, steps: usize) -> Interval {
        match self {
            Reach::Leaves(taxonomy) => {
                let up = std::iter::successors(taxonomy.find(value), |&node| taxonomy.parent(node));
                let node = up.take(steps + 1).last().unwrap_or(taxonomy.root());
                places(taxonomy.leaves_under(node))
            }
            Reach::Values(all) => places(0..all.len()),
            Reach::Numbers(_) => unreachable!("the ranges of numbers have no levels"),
        }
    }
}

/// The class of a number: the `[i·w, (i+1)·w)` that it lies in, as these products are rounded.
fn class(at: f64, width: f64) -> Interval {
    let class = (at / width).floor();
    let class = if class * width > at {
        class - 1.0
    } else if (class + 1.0) * width <= at {
        class + 1.0
    } else {
        class
    };
    let interval = Interval {
        from: class * width,
        to: (class + 1.0) * width,
        closed: false,
    };
    // Of numbers that are far larger than the width, no two neighbours are in one class.
    if interval.contains(at) { interval } else { point(at) }
}

/// The range of a value that is its own.
fn point(at: f64) -> Interval {
    Interval {
        from: at,
        to: at,
        closed: true,
    }
}

fn places(places: std::ops::Range<usize>) -> Interval {
    Interval {
        from: places.start as f64,
        to: places.end as f64,
        closed: false,
    }
}

/// The stretch of all these places, if there are any and none between them is left out.
fn one_piece(all: impl Iterator<Item = usize>) -> Option<Interval> {
    let (count, first, last) = all.fold((0, usize::MAX, 0), |(count, first, last), place| {
        (count + 1, first.min(place), last.max(place))
    });
    (count > 0 && count == last - first + 1).then(|| places(first..last + 1))
}
