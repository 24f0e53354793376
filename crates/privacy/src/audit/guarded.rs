//! Guarding nodes: each person names a node of the tree of sensitive values, under which nobody shall place them.

use std::ops::Range;

use scumble_table::{ReleasedColumn, Taxonomy};

use super::kinds::{Count, size};
use super::numbering::Numbering;

/// What the value of a row, its sensitive value together with its guarding node, says of the tree.
pub(super) struct Guarded {
    /// The leaf; `None` for the missing value, which no guarded node covers.
    leaf_of_value: Vec<Option<usize>>,
    /// The leaves under the guarding node; `None` if it guards nothing.
    guard_of_value: Vec<Option<Range<usize>>>,
}

/// A released column and the labels of its rows.
pub(super) type Labelled<'a> = (&'a ReleasedColumn, Numbering);

impl Guarded {
    /// Numbers rows by sensitive value and guarding node together.
    pub(super) fn new(about: Labelled, guarding: Labelled, taxonomy: &Taxonomy) -> (Numbering, Guarded) {
        let leaf = |label: Option<&str>| label.and_then(|label| taxonomy.leaf(label));
        let guarded = |label: Option<&str>| {
            let node = label.and_then(|label| taxonomy.find(label));
            let node = node.filter(|&node| node != taxonomy.root());
            node.map(|node| taxonomy.leaves_under(node))
        };
        let leaves: Vec<_> = about.0.labels().iter().map(leaf).collect();
        let guards: Vec<_> = guarding.0.labels().iter().map(guarded).collect();

        let values = about.1.clone().and(&guarding.1);
        let mut own = Guarded {
            leaf_of_value: vec![None; values.count()],
            guard_of_value: vec![None; values.count()],
        };
        let labels = about.1.of_row().iter().zip(guarding.1.of_row());
        for (&value, (&leaf, &guard)) in values.of_row().iter().zip(labels) {
            own.leaf_of_value[value as usize] = leaves[leaf as usize];
            own.guard_of_value[value as usize].clone_from(&guards[guard as usize]);
        }
        (values, own)
    }

    /// The largest share of the group's rows under a node that one of its people guards; 0 if nobody does.
    pub(super) fn largest_share(&self, group: &[Count]) -> f64 {
        let mut rows_at: Vec<(usize, u64)> = group.iter().filter_map(|count| self.rows_at_leaf(count)).collect();
        rows_at.sort_unstable();
        let (leaves, rows): (Vec<usize>, Vec<u64>) = rows_at.into_iter().unzip();
        let before: Vec<u64> = std::iter::once(0).chain(running_sums(&rows)).collect();
        let rows_before = |leaf: usize| before[leaves.partition_point(|&other| other < leaf)];
        let rows_under = |node: &Range<usize>| rows_before(node.end) - rows_before(node.start);

        let guards = group
            .iter()
            .filter_map(|count| self.guard_of_value[count.value as usize].as_ref());
        let largest = guards.map(rows_under).max().unwrap_or(0);
        largest as f64 / size(group) as f64
    }

    fn rows_at_leaf(&self, count: &Count) -> Option<(usize, u64)> {
        self.leaf_of_value[count.value as usize].map(|leaf| (leaf, count.rows))
    }
}

fn running_sums(numbers: &[u64]) -> impl Iterator<Item = u64> {
    numbers.iter().scan(0, |sum, number| {
        *sum += number;
        Some(*sum)
    })
}
