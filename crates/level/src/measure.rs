//! A [`Measure`] gives the level of one group from how many of its rows are of each *category*.
//!
//! A category is what a template tells rows apart by, beside the group: a sensitive value, a person, or for a
//! population whether a row is of the table or of it. Templates that count records have one category.
//!
//! Counts are sparse: categories that a set of rows lacks take no room.

use scumble_privacy::{Decimal, Sense};
use scumble_table::{NodeId, Taxonomy};

use crate::contributions::Contributions;

/// Some rows of a group: those in one slot and of one category.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Which part of a refinement they would go to; 0 where a set of rows is counted as a whole.
    pub slot: u32,
    /// What they are told apart by.
    pub category: u32,
    /// How many rows of the table they stand for.
    pub weight: u32,
}

/// The category of people of a population; rows of the table are of category 0.
pub const PERSON: u32 = 1;

/// How a template measures a group.
#[derive(Debug)]
pub enum Measure {
    /// Records.
    Size,
    /// People of a population that look like the group, if the group has a row.
    People,
    /// Different categories.
    Distinct,
    /// The largest share of a category.
    LargestShare,
    /// The largest share of a category that is a secret.
    LargestSecretShare {
        /// For each category.
        is_secret: Vec<bool>,
    },
    /// The largest share of a set of categories.
    LargestSetShare {
        /// For each category, the sets it is in.
        sets_of: Vec<Vec<u32>>,
        /// How many sets there are.
        sets: usize,
    },
    /// Two to the entropy in bits: as many equally frequent categories would be as diverse.
    Entropy,
    /// The largest `l` for which the first is less than `c` times the `l`-th and all after it.
    Recursive {
        /// The factor.
        c: Decimal,
    },
    /// Half the sum of the differences to the whole.
    EqualDistance {
        /// The share of each category in the whole.
        whole: Vec<f64>,
    },
    /// The mean difference of the cumulated shares.
    OrderedDistance {
        /// The share of each category in the whole.
        whole: Vec<f64>,
    },
    /// The differences summed over the edges of a tree.
    TreeDistance(Tree),
    /// The largest |ln(p/q)|.
    Disclosure {
        /// The share of each category in the whole.
        whole: Vec<f64>,
    },
    /// The largest (p − q)/q, infinite if above −ln q in the enhanced form.
    Likeness {
        /// The share of each category in the whole.
        whole: Vec<f64>,
        /// Whether the enhanced form is meant.
        enhanced: bool,
    },
    /// The largest share of the rows under a node that somebody in the group guards.
    Breach {
        /// For each category, the nodes it is under.
        paths: Vec<Vec<u32>>,
        /// For each category, the node that its people guard.
        guarded: Vec<Option<u32>>,
        /// How many nodes there are.
        nodes: usize,
    },
    /// How surely rows give away the sensitive ranges of their values, which are the categories.
    RangeDiversity(Contributions),
}

/// A tree over categories, by its edges; each is named by the node at its lower end.
#[derive(Debug)]
pub struct Tree {
    /// For each category, the edges from it up to the root.
    paths: Vec<Vec<u32>>,
    /// Half the length of each edge, the way from a leaf to the root being 1.
    lengths: Vec<f64>,
    /// The share of the whole under each edge.
    whole: Vec<f64>,
}

impl Tree {
    /// A tree over the values of a column, given as leaves (`None` for the missing value) with their shares.
    pub fn new(taxonomy: &Taxonomy, leaves: &[Option<&str>], shares: &[f64]) -> Tree {
        let heights = heights(taxonomy);
        let top = f64::from(heights[0]);
        let mut lengths: Vec<f64> = taxonomy
            .nodes()
            .map(|node| match taxonomy.parent(node) {
                Some(parent) => f64::from(heights[parent.0 as usize] - heights[node.0 as usize]) / (2.0 * top),
                None => 0.0,
            })
            .collect();
        // The missing value is one more leaf under the root.
        let missing = lengths.len() as u32;
        lengths.push(0.5);
        let paths: Vec<Vec<u32>> = leaves
            .iter()
            .map(|leaf| leaf.map_or(vec![missing], |leaf| path(taxonomy, leaf)))
            .collect();
        let mut whole = vec![0.0; lengths.len()];
        for (path, share) in paths.iter().zip(shares) {
            path.iter().for_each(|&edge| whole[edge as usize] += share);
        }
        Tree { paths, lengths, whole }
    }
}

/// The nodes from a leaf upwards, the root left out: everything is under it.
pub fn path(taxonomy: &Taxonomy, leaf: &str) -> Vec<u32> {
    let up = |node: &NodeId| taxonomy.parent(*node);
    let nodes = std::iter::successors(taxonomy.find(leaf), up);
    nodes
        .map(|NodeId(node)| node)
        .filter(|&node| node != taxonomy.root().0)
        .collect()
}

/// The longest way down to a leaf, per node.
fn heights(taxonomy: &Taxonomy) -> Vec<u32> {
    let mut heights = vec![0; taxonomy.nodes().len()];
    // Children come after their parent in pre-order, so backwards every child is done before its parent.
    for node in (0..heights.len()).rev() {
        if let Some(NodeId(parent)) = taxonomy.parent(NodeId(node as u32)) {
            heights[parent as usize] = heights[parent as usize].max(heights[node] + 1);
        }
    }
    heights
}

impl Measure {
    /// The level of a set of rows given as cells, one per category and ascending; `None` if there is no group.
    pub fn level(&self, cells: &[Cell]) -> Option<f64> {
        self.level_of(cells, || total(cells) as f64)
    }

    /// The same of so many persons, who may be of several categories each: shares are of persons.
    pub fn level_among(&self, cells: &[Cell], persons: u64) -> Option<f64> {
        self.level_of(cells, || persons as f64)
    }

    /// The level of cells that are of `n` in all, which is asked for only where it matters.
    fn level_of(&self, cells: &[Cell], n: impl Fn() -> f64) -> Option<f64> {
        let share = |cell: &Cell, n: f64| f64::from(cell.weight) / n;
        (!cells.is_empty()).then_some(())?;
        Some(match self {
            Measure::Size => n(),
            Measure::People => {
                (cells[0].category != PERSON).then_some(())?;
                cells.get(1).map_or(0.0, |people| f64::from(people.weight))
            }
            Measure::Distinct => cells.len() as f64,
            Measure::LargestShare => {
                let largest = cells.iter().map(|cell| cell.weight).max().unwrap_or(0);
                f64::from(largest) / n()
            }
            Measure::LargestSecretShare { is_secret } => {
                let secrets = cells.iter().filter(|cell| is_secret[cell.category as usize]);
                let largest = secrets.map(|cell| cell.weight).max().unwrap_or(0);
                f64::from(largest) / n()
            }
            Measure::LargestSetShare { sets_of, sets } => {
                let mut sums = vec![0u64; *sets];
                for cell in cells {
                    let sets = sets_of[cell.category as usize].iter();
                    sets.for_each(|&set| sums[set as usize] += u64::from(cell.weight));
                }
                sums.into_iter().max().unwrap_or(0) as f64 / n()
            }
            Measure::Entropy => {
                let n = n();
                let bits = |share: f64| -share * share.log2();
                cells.iter().map(|cell| bits(share(cell, n))).sum::<f64>().exp2()
            }
            Measure::Recursive { c } => recursive(cells, *c),
            Measure::EqualDistance { whole } => {
                let n = n();
                // What is missing in one place is too much in another: half the sum is the sum of what is too much.
                let excess = |cell: &Cell| (share(cell, n) - whole[cell.category as usize]).max(0.0);
                cells.iter().map(excess).sum()
            }
            Measure::OrderedDistance { whole } => ordered(cells, whole, n()),
            Measure::TreeDistance(tree) => {
                let n = n();
                let mut differences: Vec<f64> = tree.whole.iter().map(|share| -share).collect();
                for cell in cells {
                    let path = tree.paths[cell.category as usize].iter();
                    path.for_each(|&edge| differences[edge as usize] += share(cell, n));
                }
                let moved = differences.iter().zip(&tree.lengths);
                moved.map(|(difference, length)| difference.abs() * length).sum()
            }
            Measure::Disclosure { whole } => {
                if cells.len() < whole.iter().filter(|&&share| share > 0.0).count() {
                    return Some(f64::INFINITY);
                }
                let n = n();
                let change = |cell: &Cell| (share(cell, n) / whole[cell.category as usize]).ln().abs();
                largest(cells.iter().map(change))
            }
            Measure::Likeness { whole, enhanced } => {
                let n = n();
                let gain = |cell: &Cell| {
                    let q = whole[cell.category as usize];
                    let gain = (share(cell, n) - q) / q;
                    let too_much = *enhanced && gain > -q.ln() + 1e-9;
                    if too_much { f64::INFINITY } else { gain }
                };
                largest(cells.iter().map(gain))
            }
            Measure::Breach { paths, guarded, nodes } => {
                let mut under = vec![0u64; *nodes];
                for cell in cells {
                    let path = paths[cell.category as usize].iter();
                    path.for_each(|&node| under[node as usize] += u64::from(cell.weight));
                }
                let guarded = cells.iter().filter_map(|cell| guarded[cell.category as usize]);
                guarded.map(|node| under[node as usize]).max().unwrap_or(0) as f64 / n()
            }
            Measure::RangeDiversity(contributions) => {
                contributions.range_diversity(cells.iter().map(|cell| (cell.category, cell.weight)))
            }
        })
    }

    /// Whether neither these rows nor any part of them can be what a level is made of: nobody among them has a secret.
    pub fn is_settled(&self, cells: &[Cell]) -> bool {
        match self {
            Measure::LargestSecretShare { is_secret } => !cells.iter().any(|cell| is_secret[cell.category as usize]),
            Measure::LargestSetShare { sets_of, .. } => {
                cells.iter().all(|cell| sets_of[cell.category as usize].is_empty())
            }
            Measure::Size
            | Measure::People
            | Measure::Distinct
            | Measure::LargestShare
            | Measure::Entropy
            | Measure::Recursive { .. }
            | Measure::EqualDistance { .. }
            | Measure::OrderedDistance { .. }
            | Measure::TreeDistance(_)
            | Measure::Disclosure { .. }
            | Measure::Likeness { .. }
            | Measure::Breach { .. }
            | Measure::RangeDiversity(_) => false,
        }
    }

    /// Whether the level only gets worse when rows leave a group, not only when the group is split.
    pub fn falls_with_rows(&self) -> bool {
        match self {
            Measure::Size | Measure::Distinct | Measure::People => true,
            Measure::LargestShare
            | Measure::LargestSecretShare { .. }
            | Measure::LargestSetShare { .. }
            | Measure::Entropy
            | Measure::Recursive { .. }
            | Measure::EqualDistance { .. }
            | Measure::OrderedDistance { .. }
            | Measure::TreeDistance(_)
            | Measure::Disclosure { .. }
            | Measure::Likeness { .. }
            | Measure::Breach { .. }
            | Measure::RangeDiversity(_) => false,
        }
    }

    /// The level of a group without some of its cells; `None` if nothing is left. `rest` is room to work in.
    pub fn level_without(&self, group: &[Cell], part: &[Cell], rest: &mut Vec<Cell>) -> Option<f64> {
        match self {
            // Neither needs the rest cell by cell, which matters where every person is a category.
            Measure::Size => {
                let left = total(group) - total(part);
                (left > 0).then_some(left as f64)
            }
            Measure::Distinct => {
                let whole = |cell: &&Cell| {
                    let at = group.binary_search_by_key(&cell.category, |cell| cell.category);
                    at.is_ok_and(|at| group[at].weight == cell.weight)
                };
                let left = group.len() - part.iter().filter(whole).count();
                (left > 0).then_some(left as f64)
            }
            Measure::LargestSecretShare { is_secret } => {
                let left = total(group) - total(part);
                let mut part = part.iter().peekable();
                let rest = |cell: &Cell| {
                    let off = part.next_if(|off| off.category == cell.category);
                    let weight = cell.weight - off.map_or(0, |off| off.weight);
                    if is_secret[cell.category as usize] { weight } else { 0 }
                };
                let largest = group.iter().map(rest).max().unwrap_or(0);
                (left > 0).then(|| f64::from(largest) / left as f64)
            }
            Measure::People
            | Measure::LargestShare
            | Measure::LargestSetShare { .. }
            | Measure::Entropy
            | Measure::Recursive { .. }
            | Measure::EqualDistance { .. }
            | Measure::OrderedDistance { .. }
            | Measure::TreeDistance(_)
            | Measure::Disclosure { .. }
            | Measure::Likeness { .. }
            | Measure::Breach { .. }
            | Measure::RangeDiversity(_) => {
                rest.clear();
                rest.extend_from_slice(group);
                subtract(rest, part, |cell| cell.category);
                self.level(rest)
            }
        }
    }
}

/// The rows that cells stand for.
pub fn total(cells: &[Cell]) -> u64 {
    cells.iter().map(|cell| u64::from(cell.weight)).sum()
}

/// Takes cells off others; both ascend by `key`, and every key of `off` is among the others.
pub fn subtract<K: PartialEq>(cells: &mut Vec<Cell>, off: &[Cell], key: impl Fn(&Cell) -> K) {
    let mut at = 0;
    for cell in off {
        while key(&cells[at]) != key(cell) {
            at += 1;
        }
        cells[at].weight -= cell.weight;
    }
    cells.retain(|cell| cell.weight > 0);
}

/// The largest of some figures, which are not below 0.
fn largest(figures: impl Iterator<Item = f64>) -> f64 {
    figures.fold(0.0, |a, b| Sense::AtMost.worse(a, b))
}

fn recursive(cells: &[Cell], c: Decimal) -> f64 {
    let mut weights: Vec<u32> = cells.iter().map(|cell| cell.weight).collect();
    weights.sort_unstable_by(|a, b| b.cmp(a));
    let most = u64::from(weights[0]);
    let mut tail = total(cells);
    let mut level = 0;
    for weight in weights {
        // `tail` is what the l-th and all that follow have together.
        if c.exceeds(most, tail) {
            level += 1;
        } else {
            break;
        }
        tail -= u64::from(weight);
    }
    f64::from(level)
}

fn ordered(cells: &[Cell], whole: &[f64], n: f64) -> f64 {
    let mut shares = cells.iter().peekable();
    let (mut ahead, mut moved) = (0.0, 0.0f64);
    // The last difference is zero: both add up to one.
    for (category, share) in whole.iter().enumerate().take(whole.len() - 1) {
        let own = shares.next_if(|cell| cell.category as usize == category);
        ahead += own.map_or(0.0, |cell| f64::from(cell.weight) / n) - share;
        moved += f64::abs(ahead);
    }
    moved / (whole.len() as f64 - 1.0).max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(weights: &[u32]) -> Vec<Cell> {
        let cell = |(category, &weight): (usize, &u32)| Cell {
            slot: 0,
            category: category as u32,
            weight,
        };
        weights
            .iter()
            .enumerate()
            .map(cell)
            .filter(|cell| cell.weight > 0)
            .collect()
    }

    fn level(measure: &Measure, weights: &[u32]) -> f64 {
        measure.level(&cells(weights)).unwrap()
    }

    /// 90 with HIV and 10 with Flu: the entropy is that of 1.38 equally frequent diseases (Fung prints 1.4).
    #[test]
    fn nine_in_ten_are_as_diverse_as_1_38() {
        assert!((level(&Measure::Entropy, &[90, 10]) - 1.384).abs() < 5e-4);
        assert!((level(&Measure::Entropy, &[5, 5, 5]) - 3.0).abs() < 1e-12);
    }

    /// 3, 2, 2, 1 with c = 2: 3 < 2·8, 3 < 2·5, 3 < 2·3, but not 3 < 2·1.
    #[test]
    fn recursive_diversity_counts_how_long_the_tail_outweighs_the_head() {
        assert_eq!(level(&Measure::Recursive { c: Decimal::of(2.0) }, &[2, 3, 1, 2]), 3.0);
        assert_eq!(level(&Measure::Recursive { c: Decimal::of(0.3) }, &[2, 3, 1, 2]), 0.0);
    }

    /// Nine salaries, 3K to 11K, once each; the group earns 3K, 4K and 5K (Li, Li and Venkatasubramanian: 0.375).
    #[test]
    fn three_low_salaries_are_0_375_from_the_whole() {
        let whole = vec![1.0 / 9.0; 9];
        let group = [1, 1, 1, 0, 0, 0, 0, 0, 0];
        let ordered = Measure::OrderedDistance { whole: whole.clone() };
        assert!((level(&ordered, &group) - 0.375).abs() < 1e-12);
        let equal = Measure::EqualDistance { whole };
        assert!((level(&equal, &group) - 6.0 / 9.0).abs() < 1e-12);
    }

    /// Two persons have both F and A, of all every second has an F and one in four an A: by persons F gains 1 and A 3.
    #[test]
    fn persons_of_several_categories_have_shares_of_persons() {
        let likeness = Measure::Likeness {
            whole: vec![0.5, 0.25],
            enhanced: false,
        };
        assert_eq!(likeness.level_among(&cells(&[2, 2]), 2), Some(3.0));
        assert_eq!(likeness.level(&cells(&[2, 2])), Some(1.0));
    }

    #[test]
    fn a_group_without_a_row_of_the_table_has_no_level() {
        assert_eq!(Measure::People.level(&cells(&[0, 7])), None);
        assert_eq!(level(&Measure::People, &[1, 7]), 7.0);
        assert_eq!(level(&Measure::People, &[1, 0]), 0.0);
    }

    #[test]
    fn what_is_left_of_a_group_is_measured_as_if_counted() {
        let (group, part, left) = (cells(&[4, 0, 3, 2]), cells(&[4, 0, 1, 0]), cells(&[0, 0, 2, 2]));
        let is_secret = vec![true, false, true, false];
        let measures = [
            Measure::LargestSecretShare { is_secret },
            Measure::Size,
            Measure::Distinct,
            Measure::LargestShare,
            Measure::Entropy,
        ];
        for measure in measures {
            let rest = measure.level_without(&group, &part, &mut Vec::new());
            assert_eq!(rest, measure.level(&left), "{measure:?}");
        }
    }
}
