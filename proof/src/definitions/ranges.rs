//! Range diversity: of all pairs of rows of a group, how many lie in the sensitive range of the first, weighed by how close
//! the two are.
//!
//! | domain | close are | by |
//! |---|---|---|
//! | numbers | 1 − their distance, as a share of the range | the declared range, else the smallest to the largest shown |
//! | leaves | 1 − (leaves under the closest common node − 1) / (all leaves − 1) | the taxonomy |
//! | words | as two of all can be: 1 − 1 / (different words − 1) | the words that are shown |
//!
//! Missing values are like no other: close to each other, and to nothing else.

use super::groups::Groups;
use super::sight::Sight;
use crate::policy::{Column, Kind, Ranges};
use crate::table::{Cell, number};

pub(super) fn levels(sight: &Sight, groups: &Groups, about: &str) -> Option<Vec<f64>> {
    let (place, column) = (sight.find(about)?, sight.column(about)?);
    let domain = Domain::new(column, &sight.all_cells(place))?;
    let level = |rows: &Vec<usize>| {
        let cells = sight.cells(place, rows);
        let pairs = cells.iter().flat_map(|a| cells.iter().map(move |b| (a, b)));
        let given: f64 = pairs.map(|(a, b)| domain.weight(a, b)).sum();
        given / (cells.len() * cells.len()) as f64
    };
    Some(groups.values().map(level).collect())
}

struct Domain<'a> {
    kind: &'a Kind,
    ranges: &'a Ranges,
    /// The ends of all numbers, and how many different words there are.
    ends: (f64, f64),
    words: usize,
}

impl<'a> Domain<'a> {
    fn new(column: &'a Column, shown: &[Cell]) -> Option<Self> {
        let numbers = || shown.iter().flatten().filter_map(|text| number(text));
        let declared = match &column.kind {
            Kind::Numbers(Some((from, to))) => number(from).zip(number(to)),
            Kind::Numbers(None) | Kind::Plain | Kind::Tree(_) => None,
        };
        let found = || {
            (
                numbers().fold(f64::INFINITY, f64::min),
                numbers().fold(f64::NEG_INFINITY, f64::max),
            )
        };
        let mut words: Vec<&String> = shown.iter().flatten().collect();
        words.sort();
        words.dedup();
        Some(Domain {
            kind: &column.kind,
            ranges: column.ranges.as_ref()?,
            ends: declared.unwrap_or_else(found),
            words: words.len(),
        })
    }

    /// How close the second is to the first, 0 if it is not in the range of the first.
    fn weight(&self, first: &Cell, second: &Cell) -> f64 {
        let (Some(a), Some(b)) = (first, second) else {
            return if first == second { 1.0 } else { 0.0 };
        };
        if !self.in_range(a, b) {
            return 0.0;
        }
        match self.kind {
            Kind::Numbers(_) => self.close_numbers(a, b),
            Kind::Tree(tree) => match (tree.find(a), tree.find(b)) {
                (Some(a), Some(b)) => 1.0 - others(tree.leaves_under(tree.common(a, b)).len(), tree.leaves().len()),
                _ => f64::NAN,
            },
            Kind::Plain if a == b => 1.0,
            Kind::Plain => 1.0 - others(2, self.words),
        }
    }

    fn close_numbers(&self, a: &str, b: &str) -> f64 {
        let (Some(a), Some(b)) = (number(a), number(b)) else {
            return f64::NAN;
        };
        let (from, to) = self.ends;
        // By quarters where the difference of two numbers may be too large for one; the smallest have no quarter.
        let unit = if (to - from).is_finite() { 1.0 } else { 4.0 };
        if a == b {
            1.0
        } else {
            1.0 - (a / unit - b / unit).abs() / (to / unit - from / unit)
        }
    }

    fn in_range(&self, a: &str, b: &str) -> bool {
        match (self.ranges, self.kind) {
            (Ranges::Width(width), _) => {
                let class = |text: &str| number(text).map(|number| (number / f64::from(*width)).floor());
                class(a) == class(b)
            }
            (Ranges::Intervals(intervals), _) => {
                let holds = |&&(from, to): &&(i32, i32), text: &str| {
                    number(text).is_some_and(|number| f64::from(from) <= number && number <= f64::from(to))
                };
                let first = intervals.iter().find(|interval| holds(interval, a));
                first.map_or(number(a) == number(b), |first| holds(&first, b))
            }
            (Ranges::Level(level), Kind::Tree(tree)) => match (tree.find(a), tree.find(b)) {
                (Some(a), Some(b)) => {
                    let path = tree.path(a);
                    tree.is_above(path[(*level).min(path.len() - 1)], b)
                }
                _ => false,
            },
            // Without a tree the first step up is everything.
            (Ranges::Level(_), Kind::Plain | Kind::Numbers(_)) => true,
        }
    }
}

/// (s − 1) / (|D| − 1).
fn others(values: usize, all: usize) -> f64 {
    (values - 1) as f64 / (all - 1).max(1) as f64
}
