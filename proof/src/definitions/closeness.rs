//! Closeness: the earth mover's distance between the values of a group and those of the whole release.

use std::collections::BTreeMap;

use super::groups::{Groups, tally};
use super::sight::Sight;
use crate::policy::Kind;
use crate::table::{Cell, number};
use crate::tree::Tree;

pub(super) fn levels(sight: &Sight, groups: &Groups, distance: Option<&str>, about: &str) -> Option<Vec<f64>> {
    let (place, kind) = (sight.find(about)?, &sight.column(about)?.kind);
    let whole = sight.all_cells(place);
    let level = |rows: &Vec<usize>| between(&sight.cells(place, rows), &whole, distance, kind);
    Some(groups.values().map(level).collect())
}

/// The distance between some cells and all of them.
pub(super) fn between(group: &[Cell], whole: &[Cell], distance: Option<&str>, kind: &Kind) -> f64 {
    let (group, whole) = (shares(group), shares(whole));
    match (distance, kind) {
        (None | Some("taxonomy"), Kind::Tree(tree)) => on_tree(&group, &whole, tree),
        (None | Some("ordered"), Kind::Numbers(_)) | (Some("ordered"), _) => on_line(&group, &whole, kind),
        _ => equal(&group, &whole),
    }
}

type Shares = BTreeMap<Cell, f64>;

fn shares(cells: &[Cell]) -> Shares {
    let share = |(value, count)| (value, count as f64 / cells.len() as f64);
    tally(cells).into_iter().map(share).collect()
}

fn share(of: &Shares, value: &Cell) -> f64 {
    of.get(value).copied().unwrap_or(0.0)
}

/// The share of rows that would have to change.
fn equal(group: &Shares, whole: &Shares) -> f64 {
    let surplus = |(value, q): (&Cell, &f64)| (share(group, value) - q).max(0.0);
    whole.iter().map(surplus).sum()
}

/// The shown values stand on a line, one step apart, the ends at 1: what passes each step is what is too much before it.
fn on_line(group: &Shares, whole: &Shares, kind: &Kind) -> f64 {
    let mut order: Vec<&Cell> = whole.keys().collect();
    order.sort_by(|a, b| {
        let place = |cell: &Cell| place(cell, kind);
        place(a).total_cmp(&place(b)).then(a.cmp(b))
    });
    let (mut before, mut work) = (0.0, 0.0);
    for value in &order[..order.len() - 1] {
        before += share(group, value) - share(whole, value);
        work += f64::abs(before);
    }
    work / (order.len() - 1).max(1) as f64
}

/// Where a value stands among others: by its leaf, or by its number.
fn place(cell: &Cell, kind: &Kind) -> f64 {
    let Some(text) = cell else { return f64::INFINITY };
    match kind {
        Kind::Tree(tree) => tree.find(text).map_or(f64::INFINITY, |leaf| leaf as f64),
        Kind::Plain | Kind::Numbers(_) => number(text).unwrap_or(f64::INFINITY),
    }
}

/// Values move as low in the tree as they can: under each node, lowest first, what is too much goes where something lacks,
/// at the height of the node. The missing value hangs under the root.
fn on_tree(group: &Shares, whole: &Shares, tree: &Tree) -> f64 {
    let mut left: Vec<(Cell, f64)> = whole
        .iter()
        .map(|(value, q)| (value.clone(), share(group, value) - q))
        .collect();
    let mut nodes: Vec<usize> = (0..tree.nodes.len()).collect();
    nodes.sort_by_key(|&node| tree.height(node));
    let mut work = 0.0;
    for node in nodes {
        let is_under = |cell: &Cell| match cell.as_ref().and_then(|value| tree.find(value)) {
            Some(leaf) => tree.is_above(node, leaf),
            None => node == 0,
        };
        let height = tree.height(node) as f64 / tree.height(0).max(1) as f64;
        while let Some((from, to)) = surplus_and_lack(&left, is_under) {
            let moved = left[from].1.min(-left[to].1);
            left[from].1 -= moved;
            left[to].1 += moved;
            work += moved * height;
        }
    }
    work
}

/// What is left after rounding is nothing.
const NOTHING: f64 = 1e-13;

fn surplus_and_lack(left: &[(Cell, f64)], is_under: impl Fn(&Cell) -> bool) -> Option<(usize, usize)> {
    let find = |fits: &dyn Fn(f64) -> bool| left.iter().position(|(cell, amount)| fits(*amount) && is_under(cell));
    Some((find(&|amount| amount > NOTHING)?, find(&|amount| amount < -NOTHING)?))
}
