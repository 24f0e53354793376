//! A [`Scale`] is a domain made ready to measure what labels stand for.

use std::borrow::Cow;
use std::iter;
use std::ops;

use hashbrown::HashMap;
use scumble_table::{Dictionary, Interval, NodeId, Range, Taxonomy};

use super::{Domain, Extent};

/// A domain made ready to say what labels stand for.
#[derive(Debug)]
pub enum Scale<'a> {
    /// The range of a continuous column, and the values that the column has.
    Numbers {
        /// The whole range.
        range: Range,
        /// The values before masking.
        values: &'a Dictionary,
        /// Whether all of these are whole numbers. Then so is whatever is behind a label: `[31, 34]` is one of four numbers.
        whole: bool,
    },
    /// A list of values.
    Values(Values<'a>),
}

/// The values of a column that are a list, and the tree over them, if there is one.
#[derive(Debug)]
pub struct Values<'a> {
    pub(super) dictionary: Cow<'a, Dictionary>,
    /// Where each value is; a tree knows that by itself.
    pub(super) place_of: HashMap<&'a str, u32>,
    pub(super) tree: Option<Tree<'a>>,
}

/// A taxonomy with what the measures ask of its nodes.
#[derive(Debug)]
pub(super) struct Tree<'a> {
    pub(super) taxonomy: &'a Taxonomy,
    /// For each node, the steps down to its deepest leaf.
    heights: Vec<u32>,
    /// For each node, the steps down to it from the root.
    depths: Vec<u32>,
}

impl<'a> Tree<'a> {
    fn new(taxonomy: &'a Taxonomy) -> Self {
        let nodes = taxonomy.nodes().len();
        let (mut heights, mut depths) = (vec![0; nodes], vec![0; nodes]);
        // Pre-order puts every parent before its children.
        for node in taxonomy.nodes() {
            if let Some(NodeId(parent)) = taxonomy.parent(node) {
                depths[node.0 as usize] = depths[parent as usize] + 1;
            }
        }
        for node in (0..nodes as u32).rev().map(NodeId) {
            if let Some(NodeId(parent)) = taxonomy.parent(node) {
                let height: u32 = heights[node.0 as usize] + 1;
                heights[parent as usize] = height.max(heights[parent as usize]);
            }
        }
        Tree {
            taxonomy,
            heights,
            depths,
        }
    }
}

impl<'a> Scale<'a> {
    /// The scale of a column whose values before masking are `values`.
    pub fn new(domain: Domain<'a>, values: &'a Dictionary) -> Self {
        match domain {
            Domain::Continuous(range) => Scale::Numbers {
                range,
                values,
                whole: are_whole(values),
            },
            Domain::Tree(taxonomy) => Scale::Values(Values {
                dictionary: Cow::Owned(Dictionary::new(taxonomy.leaves().collect(), false)),
                place_of: HashMap::new(),
                tree: Some(Tree::new(taxonomy)),
            }),
            Domain::Flat => Scale::Values(Values {
                dictionary: Cow::Borrowed(values),
                place_of: values.texts().iter().zip(0..).collect(),
                tree: None,
            }),
        }
    }

    /// Whether this is the scale of a continuous column.
    pub fn is_continuous(&self) -> bool {
        matches!(self, Scale::Numbers { .. })
    }

    /// Whether a single number has a share of what a label may stand for, so that it can be asked for.
    pub(crate) fn is_whole(&self) -> bool {
        matches!(self, Scale::Numbers { whole: true, .. })
    }

    /// The normalised certainty penalty (NCP) of a cell: the share of the domain that it may stand for, 0 if that is a
    /// single value.
    pub fn penalty(&self, extent: &Extent) -> f64 {
        match (self, extent) {
            (_, Extent::Missing) => 0.0,
            (Scale::Numbers { range, .. }, Extent::Numbers(interval)) => interval.penalty(range),
            (Scale::Values(_), Extent::Places(places)) if places.len() == 1 => 0.0,
            (Scale::Values(values), Extent::Places(places)) => f64::from(places.len()) / values.len() as f64,
            _ => 1.0,
        }
    }

    /// The loss (LM) of a cell, which is also the Q-diversity of a label: as the penalty, but of the *other* values
    /// that it may stand for.
    pub fn loss(&self, extent: &Extent) -> f64 {
        match (self, extent) {
            (Scale::Values(values), Extent::Places(places)) => values.others(places.len()),
            _ => self.penalty(extent),
        }
    }

    /// How high in the tree a cell is, as a share of the height of the tree (GENC). A list without a tree has two
    /// levels; numbers have none.
    pub fn level(&self, extent: &Extent) -> Option<f64> {
        let Scale::Values(values) = self else { return None };
        Some(match (extent, &values.tree) {
            (Extent::Missing, _) => 0.0,
            (Extent::Places(places), Some(tree)) => {
                let height = |node: NodeId| f64::from(tree.heights[node.0 as usize]);
                let steps = places.node.map_or(0.0, height);
                // A tree that is a single node has no height to take a share of.
                steps / height(tree.taxonomy.root()).max(1.0)
            }
            (Extent::Places(places), None) if places.len() == 1 => 0.0,
            _ => 1.0,
        })
    }

    /// How many steps below the root a cell is, for Fung's distortion. A list without a tree hangs under a root of its
    /// own, and so does the missing value; numbers have no root.
    pub fn depth(&self, extent: &Extent) -> Option<u32> {
        let Scale::Values(values) = self else { return None };
        Some(match (extent, &values.tree) {
            (Extent::Missing, _) => 1,
            (Extent::Places(places), Some(tree)) => places.node.map_or(0, |node| tree.depths[node.0 as usize]),
            (Extent::Places(places), None) if places.len() == 1 => 1,
            _ => 0,
        })
    }

    /// The chance that a cell is in `asked`, if all that it may stand for is equally likely.
    pub fn share(&self, extent: &Extent, asked: &Extent) -> f64 {
        match (self, extent, asked) {
            (_, Extent::Missing, _) => 0.0,
            (Scale::Numbers { whole, .. }, Extent::Numbers(cell), Extent::Numbers(asked)) => {
                overlap(cell, asked, *whole)
            }
            (_, Extent::Places(cell), Extent::Places(asked)) => {
                f64::from(cell.shared_with(asked)) / f64::from(cell.len())
            }
            (Scale::Numbers { range, whole, .. }, _, Extent::Numbers(asked)) => overlap(&range.whole(), asked, *whole),
            (Scale::Values(values), _, Extent::Places(asked)) => f64::from(asked.len()) / values.len() as f64,
            // A question about everything, or about what the domain does not know.
            (.., Extent::Everything) => 1.0,
            _ => 0.0,
        }
    }
}

impl Values<'_> {
    /// How many values there are, the missing one aside.
    pub(crate) fn len(&self) -> usize {
        self.dictionary.texts().len()
    }

    /// Whether there is a tree over them.
    pub(crate) fn has_tree(&self) -> bool {
        self.tree.is_some()
    }

    /// (s - 1) / (|D| - 1), the share of the other values; 0 in a domain of one value.
    pub(crate) fn others(&self, values: u32) -> f64 {
        let others = self.len().saturating_sub(1).max(1);
        f64::from(values.saturating_sub(1)) / others as f64
    }

    /// The narrowest node over a stretch of leaves. Nodes are ranges of leaves, so the ends decide.
    pub(crate) fn common_node(&self, (first, last): (u32, u32)) -> Option<NodeId> {
        let taxonomy = self.tree.as_ref()?.taxonomy;
        self.path(first)
            .find(|&node| taxonomy.leaves_under(node).end > last as usize)
    }

    /// The node of a leaf and those above it; nothing without a tree.
    pub(crate) fn path(&self, leaf: u32) -> impl Iterator<Item = NodeId> {
        let tree = self.tree.as_ref();
        let leaf = tree.and_then(|tree| tree.taxonomy.find(self.dictionary.value(leaf)?));
        iter::successors(leaf, move |&node| tree?.taxonomy.parent(node))
    }

    /// The leaves under a node of the tree.
    pub(crate) fn leaves_under(&self, node: NodeId) -> ops::Range<u32> {
        let leaves = self.tree.as_ref().map_or(0..0, |tree| tree.taxonomy.leaves_under(node));
        leaves.start as u32..leaves.end as u32
    }
}

/// Whether a column has numbers, and all of them are whole.
fn are_whole(values: &Dictionary) -> bool {
    let numbers = values.numbers().unwrap_or_default();
    !numbers.is_empty() && numbers.iter().all(|number| number.fract() == 0.0)
}

/// The share of an interval that lies in another; a single number lies in it or not. Of whole numbers, those inside count.
fn overlap(cell: &Interval, asked: &Interval, whole: bool) -> f64 {
    if cell.from == cell.to {
        return f64::from(u8::from(asked.contains(cell.from)));
    }
    if whole && let Some(all) = WholeNumbers::inside(cell) {
        let shared = WholeNumbers::inside(asked).and_then(|asked| all.shared_with(asked));
        return shared.map_or(0.0, |shared| shared.count() / all.count());
    }
    let (from, to) = (cell.from.max(asked.from), cell.to.min(asked.to));
    // A cell of numbers is finite, and its ends are in order.
    let cell = Range::new(cell.from, cell.to);
    cell.map_or(0.0, |cell| if from < to { cell.share(from, to) } else { 0.0 })
}

/// A run of whole numbers, both ends included.
#[derive(Clone, Copy)]
struct WholeNumbers {
    first: f64,
    last: f64,
}

impl WholeNumbers {
    /// Those inside an interval, if there are any.
    fn inside(interval: &Interval) -> Option<Self> {
        let first = interval.from.ceil();
        let below = interval.to.ceil() - 1.0;
        let last = if interval.closed { interval.to.floor() } else { below };
        (first <= last).then_some(WholeNumbers { first, last })
    }

    fn shared_with(self, other: WholeNumbers) -> Option<Self> {
        let (first, last) = (self.first.max(other.first), self.last.min(other.last));
        (first <= last).then_some(WholeNumbers { first, last })
    }

    fn count(self) -> f64 {
        self.last - self.first + 1.0
    }
}

#[cfg(test)]
mod tests {
    use scumble_table::{Column, ValueOrder};

    use super::*;

    fn values(texts: &[&str]) -> Dictionary {
        let cells = texts.iter().map(|text| Some(*text));
        Column::from_cells("c", ValueOrder::Natural, cells).dictionary().clone()
    }

    fn jobs() -> Taxonomy {
        let node = |label: &str, parent| (label.to_owned(), parent);
        Taxonomy::from_parents(&[
            node("ANY", None),
            node("Professional", Some(0)),
            node("Engineer", Some(1)),
            node("Lawyer", Some(1)),
            node("Janitor", Some(0)),
        ])
        .unwrap()
    }

    /// Penalty, loss and level of a label.
    fn cost(scale: &Scale, label: &str) -> (f64, f64, Option<f64>) {
        let extent = scale.extent(label);
        (scale.penalty(&extent), scale.loss(&extent), scale.level(&extent))
    }

    #[test]
    fn a_stretch_of_numbers_costs_its_share_of_the_range() {
        let values = values(&["0", "20", "40", "100", "130"]);
        let scale = Scale::new(Domain::Continuous(Range::new(0.0, 100.0).unwrap()), &values);
        for (label, expected) in [
            ("[20, 40)", 0.2),
            ("37", 0.0),
            ("130", 0.0),
            ("90+", 0.1),
            ("<20", 0.2),
            ("[-50, 50]", 0.5),
            ("{20|100}", 0.8),
            ("**", 0.2),
            ("*", 1.0),
            ("131", 1.0),
            ("[200, 300)", 1.0),
            ("old", 1.0),
            ("{1|2}", 1.0),
        ] {
            assert_eq!(cost(&scale, label), (expected, expected, None), "{label}");
        }
    }

    #[test]
    fn a_node_costs_its_share_of_the_leaves_and_of_the_height() {
        let (tree, values) = (jobs(), values(&["Engineer"]));
        let scale = Scale::new(Domain::Tree(&tree), &values);
        for (label, expected) in [
            ("Engineer", (0.0, 0.0, Some(0.0))),
            ("Professional", (2.0 / 3.0, 0.5, Some(0.5))),
            ("{Engineer|Lawyer}", (2.0 / 3.0, 0.5, Some(0.5))),
            ("{Engineer|Janitor}", (2.0 / 3.0, 0.5, Some(1.0))),
            ("ANY", (1.0, 1.0, Some(1.0))),
            ("*", (1.0, 1.0, Some(1.0))),
            ("Astronaut", (1.0, 1.0, Some(1.0))),
        ] {
            assert_eq!(cost(&scale, label), expected, "{label}");
        }
        let depth = |label| scale.depth(&scale.extent(label));
        assert_eq!(
            ["Lawyer", "Professional", "Janitor", "*"].map(depth),
            [2, 1, 1, 0].map(Some)
        );
    }

    #[test]
    fn a_list_without_a_tree_has_two_levels() {
        let values = values(&["a", "ab", "ac", "d"]);
        let scale = Scale::new(Domain::Flat, &values);
        for (label, expected) in [
            ("a", (0.0, 0.0, Some(0.0))),
            ("{a|d}", (0.5, 1.0 / 3.0, Some(1.0))),
            ("a*", (0.5, 1.0 / 3.0, Some(1.0))),
            ("*", (1.0, 1.0, Some(1.0))),
            ("e", (1.0, 1.0, Some(1.0))),
        ] {
            assert_eq!(cost(&scale, label), expected, "{label}");
        }
    }

    #[test]
    fn one_value_and_one_number_are_whole_domains_that_lose_nothing() {
        let five = values(&["5"]);
        let scale = Scale::new(Domain::Continuous(Range::new(5.0, 5.0).unwrap()), &five);
        assert_eq!(["5", "[5, 5]", "*"].map(|label| cost(&scale, label).0), [0.0, 0.0, 1.0]);
        let scale = Scale::new(Domain::Flat, &five);
        assert_eq!(["5", "5.0", "*"].map(|label| cost(&scale, label).1), [0.0, 0.0, 1.0]);
        let tree = Taxonomy::from_parents(&[("five".into(), None)]).unwrap();
        let scale = Scale::new(Domain::Tree(&tree), &five);
        assert_eq!(cost(&scale, "five"), (0.0, 0.0, Some(0.0)));
    }

    /// As of all who are 31, 32, 33 or 34, a quarter is 31; other tools write the same interval in other ways.
    #[test]
    fn an_interval_of_whole_numbers_holds_as_many_as_lie_in_it() {
        let range = Range::new(0.0, 99.0).unwrap();
        let ages = values(&["31", "34", "60"]);
        let scale = Scale::new(Domain::Continuous(range), &ages);
        let share = |label, asked| scale.share(&scale.extent(label), &scale.extent(asked));
        for (label, asked, expected) in [
            ("[31, 34]", "31", 0.25),
            ("[31, 34]", "[31, 33)", 0.5),
            ("[31, 34)", "31", 1.0 / 3.0),
            ("[31, 34]", "[0, 99]", 1.0),
            ("[31, 34]", "[31.5, 31.9)", 0.0),
            ("]30, 34]", "31", 0.25),
            ("[31, 35[", "31", 0.25),
            ("31-34", "34", 0.25),
            ("90+", "99", 0.1),
            ("<10", "9", 0.1),
            ("*", "5", 0.01),
            ("31.5", "[31, 32)", 1.0),
            ("[31.2, 31.8]", "[31.2, 31.5)", 0.5),
        ] {
            let found = share(label, asked);
            assert!((found - expected).abs() < 1e-9, "{asked} in {label}: {found}");
        }
        let weights = values(&["31", "34.5"]);
        let scale = Scale::new(Domain::Continuous(range), &weights);
        let share = |label, asked| scale.share(&scale.extent(label), &scale.extent(asked));
        assert_eq!(share("[31, 34]", "[31, 32.5)"), 0.5, "not all are whole");
    }

    #[test]
    fn a_share_is_the_part_of_the_label_that_is_asked_for() {
        let numbers = values(&["0", "10"]);
        let scale = Scale::new(Domain::Continuous(Range::new(0.0, 10.0).unwrap()), &numbers);
        let share = |label, asked| scale.share(&scale.extent(label), &scale.extent(asked));
        assert_eq!(share("[0, 4)", "[1, 3)"), 0.5);
        assert_eq!(share("[0, 4)", "[1, 2.5)"), 0.5, "two whole numbers of four");
        assert_eq!(share("3", "[1, 3)"), 0.0);
        assert_eq!(share("3", "[3, 4)"), 1.0);
        assert_eq!(share("10", ">5"), 1.0);
        assert_eq!(share("10", "[5, 10)"), 0.0);
        assert_eq!(share("*", "[0, 4)"), 4.0 / 11.0);
        assert_eq!(share("who knows", "[0, 4)"), 4.0 / 11.0);
        let (tree, jobs) = (jobs(), values(&[]));
        let scale = Scale::new(Domain::Tree(&tree), &jobs);
        let share = |label, asked| scale.share(&scale.extent(label), &scale.extent(asked));
        assert_eq!(share("Professional", "Engineer"), 0.5);
        assert_eq!(share("Engineer", "Professional"), 1.0);
        assert_eq!(share("*", "Janitor"), 1.0 / 3.0);
        assert_eq!(scale.share(&Extent::Missing, &scale.extent("ANY")), 0.0);
    }
}
