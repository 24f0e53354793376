//! Collapsed rows with weights and rows that stand for themselves take the same steps.

use scumble_privacy::{Demand, History, QuasiIdentifier, Requirement, Template};
use scumble_progress::Work;
use scumble_refine::{Objective, Operation, Outcome, Problem, QuasiColumn, Refined, Weigh, refine};
use scumble_table::{Column, ColumnId, Table, ValueOrder};

/// 30,000 rows that nearly all differ, each `copies` times: three columns of numbers, one of words, a class.
fn table(copies: usize) -> Table {
    let rows = 30_000u64;
    let mixed = |row: u64, column: u64| {
        let mut x = (row * 8 + column + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        x = (x ^ (x >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x ^ (x >> 32)
    };
    let column = |at: u64, order: ValueOrder, cell: &dyn Fn(u64) -> String| {
        let cells: Vec<String> = (0..rows).map(|row| cell(mixed(row, at))).collect();
        let repeated = cells
            .iter()
            .flat_map(|cell| std::iter::repeat_n(Some(&cell[..]), copies));
        Column::from_cells(&format!("c{at}"), order, repeated)
    };
    let class = |row: u64| {
        let older = mixed(row, 0) % 90 > 40;
        let lucky = mixed(row, 9).is_multiple_of(3);
        if older != lucky { "y" } else { "n" }
    };
    let classes = (0..rows).flat_map(|row| std::iter::repeat_n(Some(class(row)), copies));
    let columns = vec![
        column(0, ValueOrder::Number, &|x| (x % 90).to_string()),
        column(1, ValueOrder::Number, &|x| (x % 20_000).to_string()),
        column(2, ValueOrder::Number, &|x| (x % 1000).to_string()),
        column(3, ValueOrder::Natural, &|x| format!("w{}", x % 40)),
        Column::from_cells("class", ValueOrder::Natural, classes),
    ];
    Table::new(rows as usize * copies, columns)
}

fn search(table: &Table, k: u64) -> Refined {
    let of = (0..4).map(ColumnId).collect();
    let requirement = Requirement {
        templates: vec![Template {
            of: QuasiIdentifier::all(of),
            demand: Demand::Anonymity { k, per: vec![] },
        }],
    };
    let operation = |at: usize| {
        if at < 3 {
            Operation::Discretize(None)
        } else {
            Operation::Suppress
        }
    };
    let problem = Problem {
        table,
        populations: &[],
        history: &History::default(),
        quasi: (0..4)
            .map(|at| QuasiColumn {
                id: ColumnId(at),
                operation: operation(at),
            })
            .collect(),
        class: Some(ColumnId(4)),
        requirement: &requirement,
        // The loss doubles with the rows, so only a choice by gain alone must be the same.
        objective: Objective::GainOnly,
        elsewhere: Vec::new(),
        weigh: Weigh::All,
        rows_left_out_at_most: 0,
        steps: None,
    };
    match refine(&problem, Work::unwatched()) {
        Outcome::Refined(refined) => refined,
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_row_twice_is_the_same_search_with_double_levels() {
    let (once, twice) = (search(&table(1), 10), search(&table(2), 20));
    assert!(once.trace.steps.len() > 10, "{}", once.trace.steps.len());
    assert_eq!(once.masks, twice.masks);
    assert_eq!(once.trace.steps.len(), twice.trace.steps.len());
    for (once, twice) in once.trace.steps.iter().zip(&twice.trace.steps) {
        assert_eq!((&once.value, &once.into), (&twice.value, &twice.into));
        assert_eq!(once.levels[0] * 2.0, twice.levels[0]);
    }
}

#[test]
fn the_steps_are_the_same_on_any_number_of_threads() {
    let table = table(1);
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| search(&table, 10).trace)
    };
    assert_eq!(on(1), on(2));
    assert_eq!(on(1), on(7));
}
