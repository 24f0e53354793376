//! The [`KeptDomain`] of a column: what the kept rows have of a domain that the policy does not declare.
//!
//! | ages of the data | kept | [20, 30] loses of the data's domain | of the kept domain |
//! |---|---|---|---|
//! | 20, 30, 40, 4711 | 20, 30, 40 | 10 / 4691 | 10 / 20 |
//!
//! What a release says of its loss, beside the intervals that it shows, tells the length of the domain. So that domain must
//! not reach to a removed row, and losses are counted anew, not stretched: rounding would tell the factor.
//!
//! Invariant: there is one only where it is smaller than the domain of the data.

use scumble_grouping::{Scale, Shape};
use scumble_table::{Column, Range, SUPPRESSED};

/// The domain of the kept rows, where it is smaller than that of the data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum KeptDomain {
    /// The range of the numbers.
    Numbers(Range),
    /// How many different values there are.
    Values(usize),
}

impl KeptDomain {
    /// That of a column of which some rows are kept; `None` if it is that of the data.
    pub(crate) fn of(column: &Column, scale: Scale, kept: &[u32]) -> Option<KeptDomain> {
        if kept.len() == column.codes().len() {
            return None;
        }
        let dictionary = column.dictionary();
        let mut is_kept = vec![false; dictionary.len()];
        kept.iter()
            .for_each(|&row| is_kept[column.codes().at(row as usize) as usize] = true);
        let mut codes = (0..dictionary.texts().len()).filter(|&code| is_kept[code]);
        match scale {
            Scale::Numbers { range: None } => {
                let numbers = dictionary.numbers()?;
                let first = codes.next()?;
                let last = codes.next_back().unwrap_or(first);
                let is_whole = first == 0 && last + 1 == numbers.len();
                let range = Range::new(numbers[first], numbers[last]).ok();
                range.filter(|_| !is_whole).map(KeptDomain::Numbers)
            }
            Scale::Values { domain: None } => {
                let values = codes.count();
                (values < dictionary.texts().len()).then_some(KeptDomain::Values(values))
            }
            Scale::Numbers { range: Some(_) }
            | Scale::Values { domain: Some(_) }
            | Scale::Tree(_)
            | Scale::Leaves(_) => None,
        }
    }

    /// A shape whose losses are those on this domain, as far as a shape can say it.
    pub(crate) fn shape<'t>(&self, shape: Shape<'t>) -> Shape<'t> {
        match *self {
            KeptDomain::Numbers(range) => Shape {
                range: Some(range),
                ..shape
            },
            KeptDomain::Values(_) => shape,
        }
    }

    /// What a cell with this label loses: as a share of the domain, and of the other values in it. `values` are how many
    /// different ones it stands for, `share` what it loses by the shape.
    pub(crate) fn losses(&self, label: Option<&str>, values: usize, share: f64) -> (f64, f64) {
        match *self {
            _ if values <= 1 => (0.0, 0.0),
            _ if label == Some(SUPPRESSED) => (1.0, 1.0),
            KeptDomain::Numbers(_) => (share, share),
            KeptDomain::Values(all) => (
                values as f64 / all as f64,
                (values - 1) as f64 / (all.max(2) - 1) as f64,
            ),
        }
    }
}
