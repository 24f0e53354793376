//! [`Kinds`]: rows that agree on all that a template looks at, as one row with a weight.
//!
//! | group | disease | | group | disease | weight |
//! |---|---|---|---|---|---|
//! | 0 | Flu | | 0 | Flu | 2 |
//! | 0 | HIV | → | 1 | Flu | 1 |
//! | 1 | Flu | | 0 | HIV | 1 |
//! | 0 | Flu | | | | |
//!
//! Invariant: kinds are in the order of their counted value. Dealing them out to groups in this order leaves every
//! histogram in value order, so histograms need no sorting, for however many subsets of columns they are made.

use super::numbering::Numbering;

/// Distinct rows with weights.
pub(super) struct Kinds {
    kinds: Vec<Kind>,
}

struct Kind {
    /// The first row of this kind.
    row: u32,
    value: u32,
    rows: u64,
}

/// How many rows of a group have a value.
#[derive(Clone, Copy, Default)]
pub(crate) struct Count {
    /// The number of the group.
    pub(crate) group: u32,
    /// The number of the value.
    pub(crate) value: u32,
    /// The rows of the group that have it, at least one.
    pub(crate) rows: u64,
}

impl Kinds {
    /// The kinds of rows told apart by `groups` or `values`.
    pub(super) fn new(groups: &Numbering, values: &Numbering) -> Self {
        let mut kinds: Vec<Kind> = Vec::new();
        let both = groups.clone().and(values);
        let mut place_of = vec![u32::MAX; both.count()];
        for (row, (&number, &value)) in both.of_row().iter().zip(values.of_row()).enumerate() {
            let place = &mut place_of[number as usize];
            if *place == u32::MAX {
                *place = kinds.len() as u32;
                let row = row as u32;
                kinds.push(Kind { row, value, rows: 0 });
            }
            kinds[*place as usize].rows += 1;
        }
        kinds.sort_by_key(|kind| kind.value);
        Kinds { kinds }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.kinds.len()
    }

    /// How many rows are of each.
    pub(super) fn rows(&self) -> impl Iterator<Item = u64> {
        self.kinds.iter().map(|kind| kind.rows)
    }

    /// The numbers that rows have, as numbers of kinds. The rows of a kind must all have one number.
    pub(super) fn numbered_by(&self, rows: &Numbering) -> Numbering {
        let number = |kind: &Kind| rows.of_row()[kind.row as usize];
        Numbering::new(self.kinds.iter().map(number).collect(), rows.count())
    }

    /// The histogram of each group of kinds, in value order.
    pub(super) fn histograms(&self, groups: &Numbering) -> Histograms {
        let mut next_place: Vec<u64> = groups.sizes();
        let mut before = 0;
        for place in &mut next_place {
            before += std::mem::replace(place, before);
        }
        let mut counts = vec![Count::default(); self.kinds.len()];
        for (kind, &group) in self.kinds.iter().zip(groups.of_row()) {
            let place = &mut next_place[group as usize];
            counts[*place as usize] = Count {
                group,
                value: kind.value,
                rows: kind.rows,
            };
            *place += 1;
        }
        counts.dedup_by(|next, count| {
            let same = (next.group, next.value) == (count.group, count.value);
            count.rows += if same { next.rows } else { 0 };
            same
        });
        Histograms { counts }
    }
}

/// The counts of all groups, group by group.
pub(super) struct Histograms {
    counts: Vec<Count>,
}

impl Histograms {
    /// One histogram per group that has rows.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[Count]> {
        self.counts.chunk_by(|a, b| a.group == b.group)
    }
}

/// The rows of a group.
pub(super) fn size(group: &[Count]) -> u64 {
    group.iter().map(|count| count.rows).sum()
}
