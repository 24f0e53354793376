//! A [`Pairing`]: two trees become one, and no other way to pair their children would lose less.
//!
//! | courses of three | courses of one | loss of a pair, of all four | left over, of all who have it |
//! |---|---|---|---|
//! | Math, Physics | CS | Math and CS: 4 · 3/7 | Physics: 3 |
//! | | | Physics and CS: 4 · 4/7 | Math: 3 |
//!
//! A tree counts as often as it has persons. A pair loses what its cells lose in common and what the pairs below them
//! lose, a row without a partner all its cells; so the loss of a pairing is what all persons of both trees lose, of the
//! cells that the two trees still had. To pair never costs more than to remove both, so the smaller set is paired whole.
//!
//! Invariant: the merged tree has a node for every pair and no other. Equal input gives equal pairs.
//!
//! # Source
//! The trees are those of Nergiz and Clifton, *MultiRelational k-Anonymity*, 2008. Pairs are found by the method of Kuhn
//! and Munkres, table by table and from the leaves upwards.
//!
//! # Cost
//! With `c` children to a node and `n` nodes in each tree, `O(n² + n · c²)`. Where a node has more than
//! [`MOST_PAIRED`] children on both sides, they are sorted and paired in parts of that size: near-linear in `c`.
//!
//! # What is lost
//! Which pairs are best for two trees need not be best once a third joins. Parts of long lists are not compared with
//! each other.

mod kinds;

use std::ops::Range;

use pathfinding::prelude::{Matrix, kuhn_munkres_min};

use crate::Database;
use crate::database::Layer;
use crate::tree::Tree;

pub(crate) use kinds::Kinds;

/// Longer lists of children are cut into parts.
const MOST_PAIRED: usize = 48;

/// Losses as whole numbers that can be added up over the whole database.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ruler {
    /// What a whole cell costs.
    cell: i64,
    /// How many bits finer the unit of the database is.
    shift: u32,
}

/// No sum of losses reaches this.
const LARGEST_SUM: u128 = 1 << 58;

impl Ruler {
    pub(crate) fn new(database: &Database) -> Ruler {
        let cell = u128::from(database.unit().whole());
        let all = u128::from(database.cells().max(1));
        let shift = (0..).find(|shift| (cell >> shift) * all <= LARGEST_SUM).unwrap_or(0);
        Ruler {
            cell: (cell >> shift) as i64,
            shift,
        }
    }

    /// What so many removed cells cost.
    pub(crate) fn removed(self, cells: u64) -> i64 {
        self.cell * cells as i64
    }

    /// What one of the persons whom a tree stands for loses in it.
    pub(crate) fn lost_in(self, database: &Database, tree: &Tree) -> i64 {
        let lost = |(table, layer): (usize, &Layer)| {
            let nodes = tree.table(table);
            let lost = |node: u32| self.lost(layer.loss_of_nodes(&nodes, node, &nodes, node));
            tree.nodes(table).map(lost).sum::<i64>()
        };
        database.layers().iter().enumerate().map(lost).sum()
    }

    fn lost(self, lost: u64) -> i64 {
        (lost >> self.shift) as i64
    }
}

/// Two trees, and how many persons each stands for.
pub(crate) struct Pairing<'m, 't> {
    pub(crate) database: &'m Database<'t>,
    pub(crate) ruler: Ruler,
    pub(crate) first: (&'m Tree, usize),
    pub(crate) second: (&'m Tree, usize),
    /// If both trees are of one person: who they are, and what is known of the kinds of their rows.
    pub(crate) known: Option<(&'m Kinds, [u32; 2])>,
}

/// A node of the first tree and one of the second, of the same table.
type Pair = (u32, u32);

const ROOTS: Pair = (0, 0);

impl Pairing<'_, '_> {
    /// What all persons lose of the cells of the two trees.
    pub(crate) fn lost(&self) -> i64 {
        self.lost_below(0, ROOTS)
    }

    /// The merged tree. Its nodes have the rows of both if `with_rows`, else none.
    pub(crate) fn tree(&self, with_rows: bool) -> Tree {
        let layers = self.database.layers();
        let members = match with_rows {
            true => self.first.0.members() + self.second.0.members(),
            false => 0,
        };
        let most_nodes = self.first.0.len().min(self.second.0.len());
        let mut merged = Tree::with_room(self.database, members, most_nodes);
        let mut pairs: Vec<Vec<Pair>> = Vec::with_capacity(layers.len());
        for (table, layer) in layers.iter().enumerate() {
            merged.begin_table();
            let mut found = Vec::new();
            let parents: &[Pair] = layer.parent.map_or(&[ROOTS], |parent| &pairs[parent]);
            for &parent in parents {
                let start = found.len();
                match layer.parent {
                    None => found.push(ROOTS),
                    Some(_) => {
                        self.pair_children(table, parent, |pair| found.push(pair));
                    }
                }
                for &pair in &found[start..] {
                    self.unite(table, pair, with_rows, &mut merged);
                }
                merged.end_children();
            }
            pairs.push(found);
        }
        merged.count_cells(self.database);
        merged
    }

    fn lost_or_known(&self, table: usize, pair: Pair) -> i64 {
        match self.known {
            Some((kinds, persons)) => kinds.lost(table, persons, pair.into(), || self.lost_below(table, pair)),
            None => self.lost_below(table, pair),
        }
    }

    /// What two nodes and all below them lose.
    fn lost_below(&self, table: usize, pair: Pair) -> i64 {
        let below = self.database.layers()[table].children.iter();
        let below: i64 = below.map(|&child| self.pair_children(child, pair, |_| ())).sum();
        self.lost_of_nodes(table, pair) + below
    }

    fn lost_of_nodes(&self, table: usize, (first, second): Pair) -> i64 {
        let (firsts, seconds) = (self.first.0.table(table), self.second.0.table(table));
        let lost = self.database.layers()[table].loss_of_nodes(&firsts, first, &seconds, second);
        let persons = (self.first.1 + self.second.1) as i64;
        self.ruler.lost(lost) * persons
    }

    /// Pairs the children in a table of two nodes, tells the pairs one by one, and what all of it loses.
    fn pair_children(&self, table: usize, parents: Pair, mut found: impl FnMut(Pair)) -> i64 {
        let firsts = self.first.0.children(table, parents.0);
        let seconds = self.second.0.children(table, parents.1);
        match (firsts.len(), seconds.len()) {
            // Both are frequent, and need no list.
            (0, _) => return self.removed(table, self.second, seconds),
            (_, 0) => return self.removed(table, self.first, firsts),
            (1, 1) => {
                let pair = (firsts.start, seconds.start);
                found(pair);
                return self.lost_below(table, pair);
            }
            (a, b) if a.min(b) <= MOST_PAIRED => {
                let (firsts, seconds): (Vec<u32>, Vec<u32>) = (firsts.collect(), seconds.collect());
                return self.pair(table, &firsts, &seconds, &mut found);
            }
            _ => (),
        }
        let firsts = sorted(self.database, self.first.0, table, firsts);
        let seconds = sorted(self.database, self.second.0, table, seconds);
        let parts = firsts.len().min(seconds.len()).div_ceil(MOST_PAIRED);
        let part = |list: &[u32], place: usize| list.len() * place / parts..list.len() * (place + 1) / parts;
        let lost = (0..parts).map(|place| {
            let (firsts, seconds) = (&firsts[part(&firsts, place)], &seconds[part(&seconds, place)]);
            self.pair(table, firsts, seconds, &mut found)
        });
        lost.sum()
    }

    /// What nodes without partners lose.
    fn removed(&self, table: usize, (tree, persons): (&Tree, usize), nodes: Range<u32>) -> i64 {
        let cells: u64 = nodes.map(|node| tree.cells_below(table, node)).sum();
        self.ruler.removed(cells) * persons as i64
    }

    fn pair(&self, table: usize, firsts: &[u32], seconds: &[u32], found: &mut impl FnMut(Pair)) -> i64 {
        let first_is_smaller = firsts.len() <= seconds.len();
        let (rows, columns, larger) = if first_is_smaller {
            (firsts, seconds, self.second)
        } else {
            (seconds, firsts, self.first)
        };
        let pair_of = |row: u32, column: u32| if first_is_smaller { (row, column) } else { (column, row) };
        let alone = |&node: &u32| self.ruler.removed(larger.0.cells_below(table, node)) * larger.1 as i64;
        let alone: Vec<i64> = columns.iter().map(alone).collect();
        let mut weights = Vec::with_capacity(rows.len() * columns.len());
        for &row in rows {
            // Who finds a partner is not removed.
            let columns = columns.iter().zip(&alone);
            weights.extend(columns.map(|(&column, alone)| self.lost_or_known(table, pair_of(row, column)) - alone));
        }
        let partners = cheapest(rows.len(), columns.len(), weights, |row, column| {
            found(pair_of(rows[row], columns[column]));
        });
        partners + alone.iter().sum::<i64>()
    }

    /// Adds the node of a pair.
    fn unite(&self, table: usize, (first, second): Pair, with_rows: bool, merged: &mut Tree) {
        let (firsts, seconds) = (self.first.0.table(table), self.second.0.table(table));
        match with_rows {
            true => merged.add(firsts.rows(first).iter().chain(seconds.rows(second)).copied()),
            false => merged.add([]),
        }
        let axes = &self.database.layers()[table].axes;
        let cells = firsts.cells(axes.len(), first).zip(seconds.cells(axes.len(), second));
        for (axis, (a, b)) in axes.iter().zip(cells) {
            merged.add_cell(|lists| axis.unite(a, b, lists));
        }
    }
}

/// Nodes with like ones beside each other.
fn sorted(database: &Database, tree: &Tree, table: usize, nodes: Range<u32>) -> Vec<u32> {
    let axes = &database.layers()[table].axes;
    let of_table = tree.table(table);
    let cells = |node: u32| {
        let cells = axes.iter().zip(of_table.cells(axes.len(), node));
        cells.map(|(axis, cell)| axis.identity(cell))
    };
    let mut nodes: Vec<u32> = nodes.collect();
    nodes.sort_by(|&a, &b| {
        let below = |node| tree.cells_below(table, node);
        cells(a).cmp(cells(b)).then_with(|| below(a).cmp(&below(b)))
    });
    nodes
}

/// Gives every row its own column so that the sum of the weights, row by row, is the least; tells the pairs and the sum.
fn cheapest(rows: usize, columns: usize, weights: Vec<i64>, mut found: impl FnMut(usize, usize)) -> i64 {
    if rows == 0 {
        return 0;
    }
    // Where each row has its cheapest column to itself, nothing is cheaper. It is often so.
    let mut taken = [false; MOST_PAIRED * 2];
    let mut least = [0; MOST_PAIRED];
    let is_free = columns <= taken.len()
        && (0..rows).all(|row| {
            let own = &weights[row * columns..][..columns];
            let column = (0..columns).min_by_key(|&column| own[column]).unwrap_or(0);
            least[row] = column;
            !std::mem::replace(&mut taken[column], true)
        });
    if is_free {
        let chosen = least[..rows].iter().enumerate();
        return chosen
            .map(|(row, &column)| {
                found(row, column);
                weights[row * columns + column]
            })
            .sum();
    }
    let matrix = Matrix::from_vec(rows, columns, weights).expect("a weight for each row and column");
    let (sum, chosen) = kuhn_munkres_min(&matrix);
    chosen
        .into_iter()
        .enumerate()
        .for_each(|(row, column)| found(row, column));
    sum
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn pairs(rows: usize, columns: usize, weights: &[i64]) -> (i64, Vec<(usize, usize)>) {
        let mut pairs = Vec::new();
        let sum = cheapest(rows, columns, weights.to_vec(), |row, column| pairs.push((row, column)));
        (sum, pairs)
    }

    /// The least sum over all ways to give each row a column of its own.
    fn least(columns: usize, weights: &[i64], taken: &mut Vec<usize>) -> i64 {
        if weights.is_empty() {
            return 0;
        }
        let free: Vec<usize> = (0..columns).filter(|column| !taken.contains(column)).collect();
        let sums = free.into_iter().map(|column| {
            taken.push(column);
            let sum = weights[column] + least(columns, &weights[columns..], taken);
            taken.pop();
            sum
        });
        sums.min().unwrap()
    }

    /// A greedy first row would take 1 and leave 9: 10. Together 2 and 3 are less.
    #[test]
    fn the_first_row_does_not_take_what_the_second_needs_more() {
        assert_eq!(pairs(2, 2, &[1, 2, 3, 9]), (5, vec![(0, 1), (1, 0)]));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]

        #[test]
        fn no_other_pairs_are_cheaper(
            rows in 0..=4_usize,
            more in 0..=3_usize,
            weights in prop::collection::vec(-9..=9_i64, 28),
        ) {
            let columns = rows + more;
            let weights = &weights[..rows * columns];
            let (sum, pairs) = pairs(rows, columns, weights);
            prop_assert_eq!(sum, least(columns, weights, &mut Vec::new()));
            prop_assert_eq!(sum, pairs.iter().map(|&(row, column)| weights[row * columns + column]).sum::<i64>());
            let mut chosen: Vec<usize> = pairs.iter().map(|&(_, column)| column).collect();
            chosen.sort_unstable();
            chosen.dedup();
            prop_assert_eq!(chosen.len(), rows);
        }
    }
}
