//! Mondrian: every cut is the one that the definition names.

use proptest::prelude::*;
use scumble_grouping::{Grouping, Method, Mondrian, Problem, Scale, Space};
use scumble_level::Conditions;
use scumble_privacy::{QuasiIdentifier, Requirement, Template};
use scumble_progress::Work;
use scumble_table::taxonomy::{Format, parse};
use scumble_table::{Column, ColumnId, Table, Taxonomy, ValueOrder};

use crate::task::{Task, anonymity};

/// Cuts rows as the page of the module tells it, with everything counted anew for every cut.
fn slow(space: &Space, conditions: &Conditions, strict: bool, rows: Vec<u32>, table: usize) -> Vec<Vec<u32>> {
    let hull = space.hull(&rows);
    let mut axes: Vec<usize> = (0..space.axes()).collect();
    axes.sort_by(|&a, &b| space.loss_on(b, &hull).total_cmp(&space.loss_on(a, &hull)));
    for axis in axes.into_iter().filter(|&axis| space.loss_on(axis, &hull) > 0.0) {
        let cuts = if strict {
            strict_cuts(space, axis, &rows, table)
        } else {
            vec![halves(space, axis, &rows)]
        };
        for (left, right) in cuts {
            if conditions.are_met_by(&left) && conditions.are_met_by(&right) {
                let mut groups = slow(space, conditions, strict, left, table);
                groups.extend(slow(space, conditions, strict, right, table));
                return groups;
            }
        }
    }
    vec![rows]
}

type Sides = (Vec<u32>, Vec<u32>);

/// The lower half and the upper half; of equal values, the first rows are lower.
fn halves(space: &Space, axis: usize, rows: &[u32]) -> Sides {
    let mut sorted = rows.to_vec();
    sorted.sort_by_key(|&row| (space.cells(row)[axis], row));
    let mut right = sorted.split_off(rows.len() / 2);
    sorted.sort_unstable();
    right.sort_unstable();
    (sorted, right)
}

/// The cuts around the median, of those where two neighbours of the table alone lose as much as all rows, then of all.
fn strict_cuts(space: &Space, axis: usize, rows: &[u32], table: usize) -> Vec<Sides> {
    let all = 0..table as u32;
    let code = |row: &u32| space.cells(*row)[axis];
    let mut values: Vec<u32> = rows.iter().map(code).collect();
    values.sort_unstable();
    values.dedup();
    let cuts = values[1..]
        .iter()
        .map(|&value| -> Sides { rows.iter().partition(|row| code(row) < value) });
    let cuts: Vec<Sides> = cuts.collect();
    let loses_all = |(left, right): &&Sides| {
        let below = left.iter().map(code).max();
        let above = right.iter().map(code).min();
        // Of the values of the table from the one to the other, one row each.
        let mut between: Vec<u32> = all
            .clone()
            .filter(|row| Some(code(row)) >= below && Some(code(row)) <= above)
            .collect();
        between.sort_by_key(code);
        between.dedup_by_key(|row| code(row));
        let whole = space.loss_on(axis, &space.hull(rows));
        between
            .windows(2)
            .any(|pair| space.loss_on(axis, &space.hull(pair)) == whole)
    };
    let costly = around_median(cuts.iter().filter(loses_all).cloned().collect());
    costly.into_iter().chain(around_median(cuts)).collect()
}

fn around_median(cuts: Vec<Sides>) -> Vec<Sides> {
    let (before, after): (Vec<Sides>, Vec<Sides>) =
        cuts.into_iter().partition(|(left, right)| left.len() <= right.len());
    let mut both: Vec<Sides> = before
        .into_iter()
        .next_back()
        .into_iter()
        .chain(after.into_iter().next())
        .collect();
    both.sort_by_key(|(left, right)| left.len().abs_diff(right.len()));
    both
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    #[test]
    fn every_cut_is_the_slow_one(seed in any::<u64>(), strict in any::<bool>()) {
        let task = Task::roll(seed, 40);
        let groups = task.gather(&Mondrian { strict });
        let all: Vec<u32> = (0..task.rows() as u32).collect();
        let expected = if all.is_empty() { Vec::new() } else { slow(&task.space(), &task.conditions(), strict, all, task.rows()) };
        prop_assert_eq!(task.grouping(&groups), task.grouping(&expected));
    }

    #[test]
    fn what_the_whole_keeps_is_never_broken(seed in any::<u64>(), strict in any::<bool>()) {
        let task = Task::roll(seed, 60);
        let groups = task.gather(&Mondrian { strict });
        task.check_all(&groups)?;
        if task.can_be_met() {
            task.check_kept(&groups)?;
        }
    }

    /// In a strict partition every row of one value on all axes is in one group.
    #[test]
    fn strict_groups_share_no_combination(seed in any::<u64>(), k in 1u64..5) {
        let task = Task::roll(seed, 60).of_size_only(k);
        let (groups, space) = (task.gather(&Mondrian { strict: true }), task.space());
        let group_of = |row: u32| groups.iter().position(|group| group.contains(&row));
        for a in 0..task.rows() as u32 {
            for b in (0..a).filter(|&b| space.cells(a) == space.cells(b)) {
                prop_assert_eq!(group_of(a), group_of(b));
            }
        }
    }
}

fn jobs() -> Taxonomy {
    let leaves = "Engineer;Professional;ANY\nLawyer;Professional;ANY\nJanitor;ANY\n";
    parse(leaves, Format::Levels).expect("the tree is right")
}

/// Groups of at least `k` rows, in table order.
fn cut(columns: Vec<Column>, scales: &[Scale], k: u64, strict: bool) -> Vec<Vec<u32>> {
    let quasi: Vec<ColumnId> = (0..columns.len()).map(ColumnId).collect();
    let table = Table::new(columns[0].codes().len(), columns);
    let scales: Vec<(ColumnId, Scale)> = quasi.iter().copied().zip(scales.iter().copied()).collect();
    let template = Template {
        of: QuasiIdentifier::all(quasi),
        demand: anonymity(k),
    };
    let requirement = Requirement {
        templates: vec![template],
    };
    let problem = Problem {
        table: &table,
        space: &Space::new(&table, &scales),
        requirement: &requirement,
        rows_left_out_at_most: 0,
        seed: 0,
        work: Work::unwatched(),
    };
    let groups = Mondrian { strict }.groups(&problem, &Conditions::new(&table, &requirement));
    Grouping::new(table.rows(), &groups.expect("nobody told it to stop")).rows()
}

/// The table on the page of the module: age first; then, among those of 60, lawyers from janitors.
#[test]
fn the_example_is_cut_twice() {
    let tree = jobs();
    let ages = ["20", "25", "60", "60", "60", "60"].map(Some);
    let jobs = ["Engineer", "Lawyer", "Lawyer", "Lawyer", "Janitor", "Janitor"].map(Some);
    let columns = vec![
        Column::from_cells("age", ValueOrder::Number, ages),
        Column::from_cells("job", ValueOrder::Taxonomy(&tree), jobs),
    ];
    let scales = [Scale::Numbers { range: None }, Scale::Tree(&tree)];
    assert_eq!(cut(columns, &scales, 2, true), [vec![0, 1], vec![2, 3], vec![4, 5]]);
}

/// Three engineers, two lawyers, three janitors, in threes. Both cuts are equally even, but only one of them leaves
/// less than ANY on both sides. Even halves have no choice.
#[test]
fn a_tree_is_cut_between_children_of_the_common_ancestor() {
    let tree = jobs();
    let jobs = [
        "Engineer", "Engineer", "Engineer", "Lawyer", "Lawyer", "Janitor", "Janitor", "Janitor",
    ]
    .map(Some);
    let columns = || vec![Column::from_cells("job", ValueOrder::Taxonomy(&tree), jobs)];
    let scales = [Scale::Tree(&tree)];
    assert_eq!(cut(columns(), &scales, 3, true), [vec![0, 1, 2, 3, 4], vec![5, 6, 7]]);
    assert_eq!(cut(columns(), &scales, 3, false), [vec![0, 1, 2, 3], vec![4, 5, 6, 7]]);
}
