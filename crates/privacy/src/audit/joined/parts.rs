//! [`Parts`]: the rows of a release that match the same, show the same and count the same, as one with a weight.

use super::super::numbering::Numbering;

/// Rows that need not be told apart.
#[derive(Clone, Copy)]
pub(super) struct Part {
    /// The class of rows that match the same.
    pub(super) class: u32,
    /// The group on the quasi-identifier.
    pub(super) group: u32,
    /// What they count as.
    pub(super) y: u32,
    /// How much each match of them counts.
    pub(super) weight: u64,
}

/// The parts of a release, ordered by class, then by group, then by y.
pub(super) struct Parts {
    parts: Vec<Part>,
    /// Where the parts of each class begin, and the end of the last.
    starts: Vec<usize>,
    /// What no group reaches.
    pub(super) groups: usize,
    /// What no y reaches.
    pub(super) ys: usize,
}

impl Parts {
    /// Parts of kinds that have these numbers. They weigh as many rows as they have, or 1 if no rows are given.
    pub(super) fn new(class: &Numbering, group: &Numbering, y: &Numbering, rows: Option<&[u64]>) -> Self {
        let mut parts: Vec<Part> = (0..class.of_row().len())
            .map(|kind| Part {
                class: class.of_row()[kind],
                group: group.of_row()[kind],
                y: y.of_row()[kind],
                weight: rows.map_or(1, |rows| rows[kind]),
            })
            .collect();
        parts.sort_unstable_by_key(Part::key);
        parts.dedup_by(|next, part| {
            let same = next.key() == part.key();
            part.weight += if same && rows.is_some() { next.weight } else { 0 };
            same
        });
        let start = |class: usize| parts.partition_point(|part| (part.class as usize) < class);
        Parts {
            starts: (0..=class.count()).map(start).collect(),
            groups: group.count(),
            ys: y.count(),
            parts,
        }
    }

    /// All parts.
    pub(super) fn all(&self) -> &[Part] {
        &self.parts
    }

    /// The parts of one class.
    pub(super) fn of_class(&self, class: u32) -> &[Part] {
        let class = class as usize;
        &self.parts[self.starts[class]..self.starts[class + 1]]
    }

    /// How many classes there are.
    pub(super) fn classes(&self) -> usize {
        self.starts.len() - 1
    }
}

impl Part {
    fn key(&self) -> (u32, u32, u32) {
        (self.class, self.group, self.y)
    }

    /// Its y and weight.
    pub(super) fn counted(&self) -> (usize, u128) {
        (self.y as usize, self.weight.into())
    }
}
