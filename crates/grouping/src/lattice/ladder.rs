//! A [`Ladder`] is the levels of one column, from the finest to the coarsest, each of them a mask.
//!
//! | level | tree: ANY over Professional (Engineer, Lawyer) and Janitor | ages from 20 to 60 | values without a tree |
//! |---|---|---|---|
//! | 0 | Engineer, Lawyer, Janitor | 20, 21, … 60 | as they are |
//! | 1 | Professional, Janitor | [20, 30), [30, 40), [40, 50), [50, 60] | `*` |
//! | 2 | ANY | [20, 40), [40, 60] | |
//! | 3 | | `*` | |
//!
//! The levels of a tree count from its root: a leaf on a short path shows itself until its path begins, as in the files of
//! other tools, which repeat it. The range of numbers is halved as long as there are two values for every interval, and at
//! most [`HALVINGS`] times. One interval is shown as `*`, so that not even a missing value can be told. Numbers are those of the
//! rows: who has another, of a population, looks like nobody as long as there are intervals.
//!
//! Invariant: what a level shows of a value follows from what the level before shows of it, and never loses less. So
//! every group of a coarser node is a union of groups of a finer one, and its loss is no smaller.

use std::iter;

use scumble_table::{
    Column, ColumnId, Cut, Discretized, Interval, Mask, NodeId, Range, SUPPRESSED, Table, Taxonomy, with_codes,
};

use crate::Scale;

/// The most times that a range of numbers is halved: 64 intervals.
const HALVINGS: u32 = 6;

/// The loss of a cell of which nothing is told. Losses are whole numbers, so that sums of them depend on no order.
pub(super) const WHOLE_LOSS: u64 = 1 << 40;

/// The levels of one column.
#[derive(Debug)]
pub struct Ladder<'t> {
    id: ColumnId,
    taxonomy: Option<&'t Taxonomy>,
    masks: Vec<Mask>,
    rungs: Vec<Rung>,
}

/// What one level shows.
#[derive(Debug)]
pub(super) struct Rung {
    /// The label of each code of the column.
    pub of_code: Vec<u32>,
    /// What a cell with each label loses, of [`WHOLE_LOSS`].
    pub losses: Vec<u64>,
}

impl<'t> Ladder<'t> {
    /// The levels of a column of a table.
    ///
    /// # Panics
    /// If a column of a tree has a value that is no leaf: loading checks that.
    pub fn new(table: &Table, id: ColumnId, scale: Scale<'t>) -> Ladder<'t> {
        let column = table.column(id);
        let (taxonomy, masks) = match scale {
            Scale::Tree(taxonomy) | Scale::Leaves(taxonomy) => (Some(taxonomy), cuts(taxonomy)),
            Scale::Numbers { range } => (None, halvings(&numbers_of_rows(column), range)),
            Scale::Values { .. } => (None, vec![Mask::Exact, Mask::Suppress(Vec::new())]),
        };
        let loss = losses(column, scale);
        let rung = |mask: &Mask| {
            let (of_code, labels) = mask.labels(column, taxonomy);
            let losses = match mask {
                // The values may be many, and none loses anything.
                Mask::Exact => vec![0; labels.len()],
                _ => {
                    let loss = |label: Option<&str>| label.map_or(0.0, &loss);
                    labels.iter().map(|label| whole_number(loss(label))).collect()
                }
            };
            Rung { of_code, losses }
        };
        Ladder {
            id,
            taxonomy,
            rungs: masks.iter().map(rung).collect(),
            masks,
        }
    }

    /// Which column.
    pub fn column(&self) -> ColumnId {
        self.id
    }

    /// Its taxonomy, if its levels are cuts.
    pub fn taxonomy(&self) -> Option<&'t Taxonomy> {
        self.taxonomy
    }

    /// The mask of each level, the finest first.
    pub fn masks(&self) -> &[Mask] {
        &self.masks
    }

    pub(super) fn rungs(&self) -> &[Rung] {
        &self.rungs
    }
}

/// The cuts of a tree by depth, from the leaves to the root.
fn cuts(taxonomy: &Taxonomy) -> Vec<Mask> {
    let mut depths = vec![0usize; taxonomy.nodes().len()];
    for node in taxonomy.nodes() {
        // Pre-order puts every parent before its children.
        if let Some(NodeId(parent)) = taxonomy.parent(node) {
            depths[node.0 as usize] = depths[parent as usize] + 1;
        }
    }
    let height = depths.iter().copied().max().unwrap_or(0);
    let at = |depth: usize| {
        let shown = |node: &NodeId| {
            let own = depths[node.0 as usize];
            own == depth || (own < depth && taxonomy.children(*node).is_empty())
        };
        let cut = Cut::new(taxonomy, taxonomy.nodes().filter(shown).collect());
        Mask::Generalize(cut.expect("every path has one node at a depth, or ends above it"))
    };
    (0..=height).rev().map(at).collect()
}

/// The numbers that rows have, ascending; a population may have others, which are not for a release to tell.
fn numbers_of_rows(column: &Column) -> Vec<f64> {
    let mut held = vec![false; column.dictionary().len()];
    with_codes!(column.codes(), |codes| codes
        .iter()
        .for_each(|&code| held[code as usize] = true));
    let numbers = column.dictionary().numbers().unwrap_or_default().iter().zip(held);
    numbers.filter(|(_, held)| *held).map(|(&number, _)| number).collect()
}

/// Numbers as they are, then ever fewer intervals, then nothing.
fn halvings(numbers: &[f64], range: Option<Range>) -> Vec<Mask> {
    let intervals = range_of(numbers, range).into_iter().flat_map(|range| {
        let halvings = (numbers.len() / 2).max(1).ilog2().min(HALVINGS);
        let bounds = bounds(&range, halvings, numbers);
        (0..halvings).map(move |level| {
            let Interval { from, to, .. } = range.whole();
            let every = 1 << level;
            let mut own: Vec<f64> = bounds.iter().copied().skip(every - 1).step_by(every).collect();
            // Halves of a range no longer than its numbers are precise may meet.
            own.dedup();
            own.retain(|&bound| from < bound && bound < to);
            Mask::Discretize(Discretized::Intervals(range.tile(&own)))
        })
    });
    let nothing = Mask::Discretize(Discretized::Whole);
    iter::once(Mask::Exact).chain(intervals).chain([nothing]).collect()
}

/// The range of the intervals of a column; `None` if it has no number.
fn range_of(numbers: &[f64], range: Option<Range>) -> Option<Range> {
    let own = || Range::new(*numbers.first()?, *numbers.last()?).ok();
    range.or_else(own)
}

/// Where a range halved so many times is parted. Between whole numbers it is parted at the next of them, which leaves
/// every number on its side.
fn bounds(range: &Range, halvings: u32, numbers: &[f64]) -> Vec<f64> {
    let Interval { from, to, .. } = range.whole();
    let are_whole = [from, to].iter().chain(numbers).all(|number| number.fract() == 0.0);
    let parts = 1u32 << halvings;
    (1..parts)
        .map(|part| f64::from(part) / f64::from(parts))
        // Not `from + share * (to - from)`: the length of a range may be more than a number can hold.
        .map(|share| from * (1.0 - share) + to * share)
        .map(|bound| if are_whole { bound.ceil() } else { bound })
        .collect()
}

/// The share of the *other* values of its domain that a label may stand for.
fn losses<'c>(column: &'c Column, scale: Scale<'c>) -> impl Fn(&str) -> f64 + 'c {
    let others = |spanned: usize, all: usize| (spanned as f64 - 1.0) / (all as f64 - 1.0).max(1.0);
    let whole = match scale {
        Scale::Numbers { range } => range_of(&numbers_of_rows(column), range),
        Scale::Tree(_) | Scale::Leaves(_) | Scale::Values { .. } => None,
    };
    move |label| match scale {
        Scale::Tree(taxonomy) | Scale::Leaves(taxonomy) => {
            let leaves = |node: NodeId| taxonomy.leaves_under(node).len();
            let spanned = taxonomy.find(label).map_or(taxonomy.leaves().len(), leaves);
            others(spanned, taxonomy.leaves().len())
        }
        Scale::Numbers { .. } => {
            let interval = Some(label)
                .filter(|&label| label != SUPPRESSED)
                .and_then(Interval::parse);
            let share = interval.zip(whole);
            share.map_or(1.0, |(interval, range)| interval.penalty(&range).min(1.0))
        }
        Scale::Values { domain } => {
            let domain = domain.unwrap_or(column.dictionary().len());
            others(domain.max(1), domain)
        }
    }
}

fn whole_number(loss: f64) -> u64 {
    (loss * WHOLE_LOSS as f64).round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use scumble_table::ValueOrder;
    use scumble_table::taxonomy::{Format, parse};

    /// What each level shows of each value of a column without missing ones.
    fn shown(table: &Table, scale: Scale) -> Vec<Vec<String>> {
        let ladder = Ladder::new(table, ColumnId(0), scale);
        let column = table.column(ColumnId(0));
        let shown = |mask: &Mask| {
            let (of_code, labels) = mask.labels(column, ladder.taxonomy());
            let label = |&label: &u32| labels.at(label as usize).unwrap_or_default().to_owned();
            of_code.iter().map(label).collect()
        };
        ladder.masks().iter().map(shown).collect()
    }

    fn table(order: ValueOrder, cells: &[&str]) -> Table {
        let column = Column::from_cells("c", order, cells.iter().copied().map(Some));
        Table::new(cells.len(), vec![column])
    }

    #[test]
    fn a_short_path_shows_its_leaf_until_it_begins() {
        let text = "Engineer;Professional;White;ANY\nLawyer;Professional;White;ANY\nJanitor;Blue;ANY\n";
        let tree = parse(text, Format::Levels).unwrap();
        let jobs = table(ValueOrder::Taxonomy(&tree), &["Engineer", "Lawyer", "Janitor"]);
        assert_eq!(
            shown(&jobs, Scale::Tree(&tree)),
            [
                ["Engineer", "Lawyer", "Janitor"],
                ["Professional", "Professional", "Janitor"],
                ["White", "White", "Blue"],
                ["ANY", "ANY", "ANY"],
            ]
        );
        let losses = Ladder::new(&jobs, ColumnId(0), Scale::Tree(&tree)).rungs;
        assert_eq!(losses[2].losses, [WHOLE_LOSS / 2, 0]);
    }

    /// Eight ages: twice halved there are two for each interval. 31.25 and 38.5 are shown as the next whole number.
    #[test]
    fn a_range_is_halved_while_two_values_are_left_for_each_interval() {
        let ages = table(ValueOrder::Number, &["24", "25", "30", "31", "32", "40", "50", "53"]);
        let levels = shown(&ages, Scale::Numbers { range: None });
        assert_eq!(levels.len(), 4);
        let [first, second] = ["[24, 39)", "[39, 53]"];
        assert_eq!(levels[1][1..5], ["[24, 32)", "[24, 32)", "[24, 32)", "[32, 39)"]);
        assert_eq!(levels[2], [first, first, first, first, first, second, second, second]);
        assert_eq!(levels[3], ["*"; 8]);
    }

    #[test]
    fn a_column_of_one_number_is_shown_or_not() {
        let one = table(ValueOrder::Number, &["7", "7"]);
        assert_eq!(shown(&one, Scale::Numbers { range: None }), [["7"], ["*"]]);
        let none = table(ValueOrder::Number, &[]);
        assert_eq!(shown(&none, Scale::Numbers { range: None }).len(), 2);
    }
}
