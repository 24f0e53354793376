//! [`Rungs`] are how the values of one axis fall into ever larger parts, from each value alone to all of them.
//!
//! | axis | exact | | | all |
//! |---|---|---|---|---|
//! | tree | leaves | nodes one step below the root … | | root |
//! | numbers | each | 32 bins, 16, 8 … | 2 | all |
//! | values | each | | | all |
//!
//! Invariant: every part of a level is a stretch of codes, and lies within one part of the next level.

use std::ops::Range;

use scumble_table::{Column, Taxonomy};

use crate::axis::{Axis, Scale};

/// The levels of one axis, from the finest to the coarsest.
#[derive(Debug)]
pub(crate) struct Rungs {
    pub levels: Vec<Level>,
}

/// One way to part the codes of an axis.
#[derive(Debug, PartialEq)]
pub(crate) struct Level {
    /// The part of each code.
    pub part_of: Vec<u32>,
    /// The loss of showing a code as its part.
    pub losses: Vec<f64>,
}

/// Numbers are parted into at most so many bins of equal width, then into half as many, and so on.
const BINS: u32 = 32;

impl Rungs {
    pub fn new(column: &Column, scale: Scale, axis: &Axis) -> Rungs {
        let codes = column.dictionary().len() as u32;
        let values = column.dictionary().texts().len() as u32;
        let exact = (0..codes).map(|code| code..code + 1).collect();
        let mut partitions: Vec<Vec<Range<u32>>> = vec![exact];
        partitions.extend(match scale {
            Scale::Tree(taxonomy) | Scale::Leaves(taxonomy) => by_depth(column, taxonomy),
            Scale::Numbers { .. } => by_width(column),
            Scale::Values { .. } => Vec::new(),
        });
        // Only the coarsest level does not tell whether a value is missing.
        if values < codes {
            partitions[1..].iter_mut().for_each(|parts| parts.push(values..codes));
        }
        partitions.push(std::iter::once(0..codes).collect());
        partitions.dedup();
        let levels = partitions.iter().map(|parts| Level::new(parts, axis));
        Rungs {
            levels: levels.collect(),
        }
    }
}

impl Level {
    fn new(parts: &[Range<u32>], axis: &Axis) -> Level {
        let numbered = || parts.iter().filter(|part| !part.is_empty()).zip(0u32..);
        let each = |part: &Range<u32>| part.len();
        Level {
            part_of: numbered()
                .flat_map(|(part, number)| std::iter::repeat_n(number, each(part)))
                .collect(),
            losses: numbered()
                .flat_map(|(part, _)| std::iter::repeat_n(axis.loss_of_part(part.clone()), each(part)))
                .collect(),
        }
    }
}

/// The cuts of a tree by depth, the deepest first and without the root. A path that ends early ends at its leaf.
fn by_depth(column: &Column, taxonomy: &Taxonomy) -> Vec<Vec<Range<u32>>> {
    let spans = column.spans(taxonomy);
    let depth = |node| std::iter::successors(Some(node), |&node| taxonomy.parent(node)).count() - 1;
    let depths: Vec<usize> = taxonomy.nodes().map(depth).collect();
    let height = depths.iter().copied().max().unwrap_or(0);
    let cut = |at: usize| {
        let on_cut = taxonomy.nodes().filter(|&node| {
            let own = depths[node.0 as usize];
            own == at || (own < at && taxonomy.children(node).is_empty())
        });
        let parts = on_cut.map(|node| spans[node.0 as usize].clone());
        parts.filter(|part| !part.is_empty()).collect::<Vec<_>>()
    };
    (1..height).rev().map(cut).collect()
}

/// Bins of equal width, ever fewer.
fn by_width(column: &Column) -> Vec<Vec<Range<u32>>> {
    let numbers = column.dictionary().numbers().unwrap_or_default();
    let Some((&from, &to)) = numbers.first().zip(numbers.last()).filter(|(from, to)| from < to) else {
        return Vec::new();
    };
    let range = scumble_table::Range::new(from, to).ok();
    let bins = std::iter::successors(Some(BINS), |bins| Some(bins / 2)).take_while(|&bins| bins > 1);
    bins.map(|bins| {
        let place = |number: f64| range.map_or(0.0, |range| range.share(from, number));
        let bin = |number: f64| ((place(number) * f64::from(bins)) as u32).min(bins - 1);
        let mut start = 0;
        numbers
            .chunk_by(|&a, &b| bin(a) == bin(b))
            .map(|same| {
                let part = start..start + same.len() as u32;
                start = part.end;
                part
            })
            .collect()
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use scumble_table::taxonomy::{Format, parse};
    use scumble_table::{ColumnId, Table, ValueOrder};

    use super::*;
    use crate::Space;

    fn parts(cells: &[Option<&str>], order: ValueOrder, scale: Scale) -> Vec<Vec<u32>> {
        let column = Column::from_cells("c", order, cells.iter().copied());
        let table = Table::new(cells.len(), vec![column]);
        let space = Space::new(&table, &[(ColumnId(0), scale)]);
        let levels = space.rungs(0).levels.iter();
        levels.map(|level| level.part_of.clone()).collect()
    }

    /// The path of `f` is shorter, so `f` is its own part until the root; the missing value is told until then.
    #[test]
    fn a_tree_is_cut_by_depth_from_the_root() {
        let tree = parse("a;A;*\nb;A;*\nf;f;*\nd;B;*\n", Format::Levels).unwrap();
        let cells = [Some("a"), Some("b"), Some("f"), Some("d"), None];
        let found = parts(&cells, ValueOrder::Taxonomy(&tree), Scale::Tree(&tree));
        assert_eq!(found, [vec![0, 1, 2, 3, 4], vec![0, 0, 1, 2, 3], vec![0, 0, 0, 0, 0]]);
    }

    #[test]
    fn numbers_fall_into_bins_and_equal_levels_are_one() {
        let cells = [Some("0"), Some("1"), Some("30"), Some("100")];
        let found = parts(&cells, ValueOrder::Number, Scale::Numbers { range: None });
        assert_eq!(
            found,
            [vec![0, 1, 2, 3], vec![0, 0, 1, 2], vec![0, 0, 0, 1], vec![0, 0, 0, 0]]
        );
    }

    proptest! {
        /// A part of a level lies within one part of the next, which loses no less.
        #[test]
        fn levels_of_numbers_are_nested(ages in vec(prop::option::weighted(0.9, 0u32..2000), 1..60)) {
            let texts: Vec<Option<String>> = ages.iter().map(|age| age.map(|age| age.to_string())).collect();
            let column = Column::from_cells("age", ValueOrder::Number, texts.iter().map(Option::as_deref));
            let codes = column.dictionary().len();
            let table = Table::new(ages.len(), vec![column]);
            let space = Space::new(&table, &[(ColumnId(0), Scale::Numbers { range: None })]);
            let levels = &space.rungs(0).levels;
            for pair in levels.windows(2) {
                let [finer, coarser] = pair else { unreachable!("windows have two levels") };
                for at in 1..codes {
                    let same = |level: &Level| level.part_of[at - 1] == level.part_of[at];
                    prop_assert!(!same(finer) || same(coarser));
                }
                prop_assert!(finer.losses.iter().zip(&coarser.losses).all(|(finer, coarser)| finer <= coarser));
            }
        }
    }
}
