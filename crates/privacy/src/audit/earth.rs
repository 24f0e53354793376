//! [`Earth`]: the earth mover's distance between a group and the release as a whole.
//!
//! How much of a group's rows must change value, and how far, to be distributed like all rows. The three grounds that
//! the earth is moved on differ in how far values are apart. Work is counted in whole numbers, n·N times too large for
//! a group of n of N rows.

use scumble_table::{NodeId, Taxonomy};

use super::kinds::{Count, size};
use super::whole::Whole;

/// The whole, and the ground between its values.
pub(crate) struct Earth {
    whole: Whole,
    ground: Ground,
}

enum Ground {
    /// Every value is at 1 from every other.
    Equal,
    Line(Line),
    Tree(Tree),
}

impl Earth {
    /// All values equally far.
    pub(crate) fn equal(whole: Whole) -> Self {
        Earth {
            whole,
            ground: Ground::Equal,
        }
    }

    /// Values on a line, in the order of their numbers, the shown ones one step apart.
    pub(crate) fn ordered(whole: Whole) -> Self {
        let ground = Ground::Line(Line::new(&whole));
        Earth { whole, ground }
    }

    /// Values at the leaves of a tree.
    pub(crate) fn tree(whole: Whole, taxonomy: &Taxonomy, leaf_of_value: &[Option<usize>]) -> Self {
        let ground = Ground::Tree(Tree::new(&whole, taxonomy, leaf_of_value));
        Earth { whole, ground }
    }

    /// From 0, distributed alike, to 1.
    pub(crate) fn distance(&self, group: &[Count]) -> f64 {
        let (size, rows) = (u128::from(size(group)), u128::from(self.whole.rows));
        let (work, longest) = match &self.ground {
            Ground::Equal => (self.surplus(group), 1),
            Ground::Line(line) => (line.work(group, size, rows), line.longest()),
            Ground::Tree(tree) => (tree.work(group, size, rows), tree.longest()),
        };
        // A longest way of 0 leads nowhere: there is but one value.
        work as f64 / (size * rows * longest.max(1)) as f64
    }

    /// What the group has too much of must move, all of it by 1. Only values that it has can be too frequent.
    fn surplus(&self, group: &[Count]) -> u128 {
        let size = size(group);
        let of_value = |count: &Count| {
            let (own, whole) = self.whole.shares(count, size);
            own.saturating_sub(whole)
        };
        group.iter().map(of_value).sum()
    }
}

/// Values in order. What must pass from place i to i + 1 is the difference of the cumulated shares up to i.
struct Line {
    /// The place of each value among those shown.
    place_of_value: Vec<usize>,
    /// The rows with this value or one before, for each place but the last.
    up_to: Vec<u64>,
    /// The sum of `up_to` before each place, and at the end of all.
    sums: Vec<u128>,
}

impl Line {
    fn new(whole: &Whole) -> Self {
        let mut line = Line {
            place_of_value: Vec::with_capacity(whole.rows_of_value.len()),
            up_to: Vec::new(),
            sums: vec![0],
        };
        let mut sum = 0;
        for &rows in &whole.rows_of_value {
            line.place_of_value.push(line.up_to.len());
            if rows > 0 {
                sum += rows;
                line.up_to.push(sum);
            }
        }
        line.up_to.pop();
        for (place, &rows) in line.up_to.iter().enumerate() {
            line.sums.push(line.sums[place] + u128::from(rows));
        }
        line
    }

    fn longest(&self) -> u128 {
        self.up_to.len() as u128
    }

    fn work(&self, group: &[Count], size: u128, rows: u128) -> u128 {
        let (mut work, mut from, mut own) = (0, 0, 0);
        for count in group {
            let place = self.place_of_value[count.value as usize];
            work += self.passing(from..place, own * rows, size);
            own += u128::from(count.rows);
            from = place;
        }
        work + self.passing(from..self.up_to.len(), own * rows, size)
    }

    /// The sum of |own − C·n| over places where the cumulated rows of the group stand still at `own`/N.
    ///
    /// C only grows, so it is below up to some place and above from there on; sums kept for both sides make the cost
    /// follow the group's own values and not all that are shown, of which a column of salaries has thousands.
    fn passing(&self, places: std::ops::Range<usize>, own: u128, size: u128) -> u128 {
        let is_below = |&up_to: &u64| u128::from(up_to) * size <= own;
        let turn = places.start + self.up_to[places.clone()].partition_point(is_below);
        let sum = |from: usize, to: usize| (self.sums[to] - self.sums[from]) * size;
        let below = own * (turn - places.start) as u128 - sum(places.start, turn);
        let above = sum(turn, places.end) - own * (places.end - turn) as u128;
        below + above
    }
}

/// Values at leaves; from one to another it is as far as their lowest common ancestor is high. What must pass between
/// a node and its parent is the difference of the shares under the node, and the way up is half of the way.
struct Tree {
    parent: Vec<usize>,
    /// How much higher the parent of each node is.
    climb: Vec<u64>,
    node_of_value: Vec<usize>,
    rows_under: Vec<u64>,
    height: u64,
}

impl Tree {
    /// The missing value is one more leaf under the root, numbered after the nodes of the taxonomy.
    fn new(whole: &Whole, taxonomy: &Taxonomy, leaf_of_value: &[Option<usize>]) -> Self {
        let nodes = taxonomy.nodes();
        let missing = nodes.len();
        let parent_of = |node: NodeId| taxonomy.parent(node).map_or(0, |NodeId(parent)| parent as usize);
        let parent: Vec<usize> = nodes.map(parent_of).chain([0]).collect();

        let mut height = vec![0; parent.len()];
        for node in (1..parent.len()).rev() {
            height[parent[node]] = height[parent[node]].max(height[node] + 1);
        }
        let leaves: Vec<usize> = (0..missing)
            .filter(|&node| taxonomy.children(NodeId(node as u32)).is_empty())
            .collect();
        let node_of = |leaf: &Option<usize>| leaf.map_or(missing, |leaf| leaves[leaf]);
        let mut tree = Tree {
            climb: (0..parent.len())
                .map(|node| height[parent[node]] - height[node])
                .collect(),
            node_of_value: leaf_of_value.iter().map(node_of).collect(),
            rows_under: Vec::new(),
            height: height[0],
            parent,
        };
        let rows = whole.rows_of_value.iter().enumerate();
        tree.rows_under = tree.count_under(rows.map(|(value, &rows)| (value, rows)));
        tree
    }

    fn longest(&self) -> u128 {
        2 * u128::from(self.height)
    }

    fn work(&self, group: &[Count], size: u128, rows: u128) -> u128 {
        let own = self.count_under(group.iter().map(|count| (count.value as usize, count.rows)));
        let of_node = |((&own, &whole), &climb): ((&u64, &u64), &u64)| {
            let passing = (u128::from(own) * rows).abs_diff(u128::from(whole) * size);
            passing * u128::from(climb)
        };
        own.iter().zip(&self.rows_under).zip(&self.climb).map(of_node).sum()
    }

    /// How many rows have a value under each node.
    fn count_under(&self, rows_of_value: impl Iterator<Item = (usize, u64)>) -> Vec<u64> {
        let mut under = vec![0; self.parent.len()];
        for (value, rows) in rows_of_value {
            under[self.node_of_value[value]] += rows;
        }
        // Parents come before their children.
        for node in (1..under.len()).rev() {
            under[self.parent[node]] += under[node];
        }
        under
    }
}
