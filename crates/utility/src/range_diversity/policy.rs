//! [`SensitiveRange`]: what a policy says of the range of each sensitive value, and where that range lies.

use hashbrown::HashMap;
use scumble_table::Interval;

use crate::extent::{Extent, Scale};

/// Which range each sensitive value must not be narrowed down to.
#[derive(Clone, Debug, PartialEq)]
pub enum SensitiveRange {
    /// Numbers by classes of one width `w`: `[i·w, (i+1)·w)`.
    Width(f64),
    /// Numbers by the first of these intervals that holds them; one that none holds, by itself.
    Intervals(Vec<Interval>),
    /// Values by their ancestor so many steps above the leaf, or the root. Without a tree the first step is the root.
    Level(u32),
    /// Pairs of a value and its range, a node or an interval; a value that is not listed, by itself.
    Table(Vec<(String, String)>),
}

/// Why sensitive ranges do not fit a column. The words shown are those of the policy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SensitiveRangeError {
    /// A column that is not compared.
    #[error("no column `{0}` is in both the data and the release")]
    NoColumn(String),
    /// Widths or intervals of words.
    #[error("ranges by width or interval need a continuous column; give a level, or a range for each value")]
    NotContinuous,
    /// Levels of numbers.
    #[error("ranges by level need a column of words; give a width or intervals")]
    Continuous,
    /// A width that parts nothing.
    #[error("the width of a range must be a number above 0")]
    Width,
    /// A value that the column cannot have.
    #[error("`{0}` is no single value of the column")]
    UnknownValue(String),
    /// A range that is nothing of the domain.
    #[error("`{0}` is no range of the column: name a node of its taxonomy or an interval")]
    UnknownRange(String),
    /// A range without its value.
    #[error("the range `{range}` does not hold its value `{value}`")]
    Outside {
        /// The value.
        value: String,
        /// The range.
        range: String,
    },
}

/// The sensitive range of a position.
pub(super) enum RangeOf<'s> {
    Width(f64),
    Intervals(&'s [Interval]),
    Level(&'s Scale<'s>, u32),
    Table(HashMap<u64, Interval>),
}

impl<'s> RangeOf<'s> {
    pub(super) fn new(scale: &'s Scale<'s>, ranges: &'s SensitiveRange) -> Result<Self, SensitiveRangeError> {
        match (ranges, scale.is_continuous()) {
            (SensitiveRange::Width(_) | SensitiveRange::Intervals(_), false) => Err(SensitiveRangeError::NotContinuous),
            (SensitiveRange::Level(_), true) => Err(SensitiveRangeError::Continuous),
            (SensitiveRange::Width(width), true) if *width > 0.0 && width.is_finite() => Ok(RangeOf::Width(*width)),
            (SensitiveRange::Width(_), true) => Err(SensitiveRangeError::Width),
            (SensitiveRange::Intervals(intervals), true) => Ok(RangeOf::Intervals(intervals)),
            (SensitiveRange::Level(level), false) => Ok(RangeOf::Level(scale, *level)),
            (SensitiveRange::Table(pairs), _) => {
                let read = |(value, range): &(String, String)| entry(scale, value, range);
                pairs.iter().map(read).collect::<Result<_, _>>().map(RangeOf::Table)
            }
        }
    }

    pub(super) fn at(&self, at: f64) -> Interval {
        match self {
            RangeOf::Width(width) => {
                let class = class(at, *width);
                Interval {
                    from: class * width,
                    to: (class + 1.0) * width,
                    closed: false,
                }
            }
            RangeOf::Intervals(intervals) => {
                let holding = intervals.iter().find(|interval| interval.contains(at));
                holding.copied().unwrap_or(point(at))
            }
            RangeOf::Level(scale, level) => ancestor(scale, at, *level),
            RangeOf::Table(ranges) => ranges.get(&at.to_bits()).copied().unwrap_or(point(at)),
        }
    }
}

/// The class of a number: `i` such that it lies in `[i·w, (i+1)·w)`, as these products are rounded.
fn class(at: f64, width: f64) -> f64 {
    let class = (at / width).floor();
    if class * width > at {
        class - 1.0
    } else if (class + 1.0) * width <= at {
        class + 1.0
    } else {
        class
    }
}

/// A value and its range, read from the words of a policy.
fn entry(scale: &Scale, value: &str, range: &str) -> Result<(u64, Interval), SensitiveRangeError> {
    let at = scale
        .extent(value)
        .single()
        .ok_or_else(|| SensitiveRangeError::UnknownValue(value.to_owned()))?;
    let interval = stretch(&scale.extent(range)).ok_or_else(|| SensitiveRangeError::UnknownRange(range.to_owned()))?;
    let holds = interval.contains(at);
    holds
        .then_some((at.to_bits(), interval))
        .ok_or_else(|| SensitiveRangeError::Outside {
            value: value.to_owned(),
            range: range.to_owned(),
        })
}

/// The leaves under the node so many steps above a leaf.
fn ancestor(scale: &Scale, leaf: f64, level: u32) -> Interval {
    let Scale::Values(values) = scale else {
        return point(leaf);
    };
    let whole = || Interval {
        from: 0.0,
        to: values.len() as f64,
        closed: false,
    };
    if level == 0 {
        return point(leaf);
    }
    values.path(leaf as u32).nth(level as usize).map_or_else(whole, |node| {
        let leaves = values.leaves_under(node);
        Interval {
            from: leaves.start.into(),
            to: leaves.end.into(),
            closed: false,
        }
    })
}

/// The range of a value that is its own.
pub(super) fn point(at: f64) -> Interval {
    Interval {
        from: at,
        to: at,
        closed: true,
    }
}

/// The stretch of the line that a label covers.
fn stretch(extent: &Extent) -> Option<Interval> {
    match extent {
        Extent::Numbers(interval) => Some(*interval),
        Extent::Places(places) => {
            let (first, last) = places.ends();
            let one_piece = places.len() == last - first + 1;
            one_piece.then_some(Interval {
                from: first.into(),
                to: last.into(),
                closed: true,
            })
        }
        Extent::Everything => Some(Interval {
            from: f64::NEG_INFINITY,
            to: f64::INFINITY,
            closed: true,
        }),
        Extent::Missing | Extent::Unknown => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0.7 / 0.1 is rounded below 7, and 3 · 0.1 above 0.3.
    #[test]
    fn every_number_lies_in_its_class() {
        for width in [0.1, 0.3, 0.7, 1.1, 3.0] {
            for number in -100..100 {
                for at in [
                    f64::from(number) * 0.1,
                    f64::from(number) * width,
                    f64::from(number) / 3.0,
                ] {
                    assert!(RangeOf::Width(width).at(at).contains(at), "{at} in classes of {width}");
                }
            }
        }
    }
}
