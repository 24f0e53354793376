//! [`Places`] of a list of values: which of them a label may stand for.
//!
//! Invariant: their ranges are ascending, apart, and at least one; none is empty.

use std::iter;
use std::ops::Range;

use scumble_table::{NodeId, Taxonomy};

/// Places of a list of values.
#[derive(Clone, Debug, PartialEq)]
pub struct Places {
    // Nearly all labels are one range, which is held without an allocation.
    first: Range<u32>,
    others: Vec<Range<u32>>,
    /// The narrowest node over all of them, in a tree; of a label that is a node, the node.
    pub(super) node: Option<NodeId>,
}

impl Places {
    /// Single places, ascending. `None` if there are none.
    pub(crate) fn new(places: impl IntoIterator<Item = u32>) -> Option<Self> {
        let mut apart: Vec<Range<u32>> = Vec::new();
        for place in places {
            match apart.last_mut() {
                Some(last) if last.end == place => last.end += 1,
                _ => apart.push(place..place + 1),
            }
        }
        Places::from_apart(apart)
    }

    /// The places of ranges that may overlap. `None` if there are none.
    pub(crate) fn union(mut ranges: Vec<Range<u32>>) -> Option<Self> {
        ranges.sort_unstable_by_key(|range| range.start);
        let mut ranges = ranges.into_iter();
        let mut apart = vec![ranges.next()?];
        for range in ranges {
            match apart.last_mut() {
                Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
                _ => apart.push(range),
            }
        }
        Places::from_apart(apart)
    }

    pub(super) fn single(place: u32) -> Self {
        Places {
            first: place..place + 1,
            others: Vec::new(),
            node: None,
        }
    }

    fn from_apart(ranges: Vec<Range<u32>>) -> Option<Self> {
        let mut ranges = ranges.into_iter();
        Some(Places {
            first: ranges.next()?,
            others: ranges.collect(),
            node: None,
        })
    }

    pub(super) fn under(taxonomy: &Taxonomy, node: NodeId) -> Self {
        let leaves = taxonomy.leaves_under(node);
        Places {
            first: leaves.start as u32..leaves.end as u32,
            others: Vec::new(),
            node: Some(node),
        }
    }

    /// Their ranges, ascending.
    pub(crate) fn ranges(&self) -> impl Iterator<Item = &Range<u32>> {
        iter::once(&self.first).chain(&self.others)
    }

    /// How many there are.
    pub(crate) fn len(&self) -> u32 {
        self.ranges().map(|range| range.len() as u32).sum()
    }

    /// The first place and the last.
    pub(crate) fn ends(&self) -> (u32, u32) {
        let last = self.others.last().unwrap_or(&self.first);
        (self.first.start, last.end - 1)
    }

    /// How many of them are also in `other`.
    pub(super) fn shared_with(&self, other: &Places) -> u32 {
        let overlap = |a: &Range<u32>, b: &Range<u32>| a.end.min(b.end).saturating_sub(a.start.max(b.start));
        let overlaps = self
            .ranges()
            .map(|a| other.ranges().map(|b| overlap(a, b)).sum::<u32>());
        overlaps.sum()
    }
}
