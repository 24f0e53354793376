//! The losses of a space are those of the definition, on random tables.

mod dice;

use std::collections::BTreeSet;

use dice::{Dice, Kind, World};
use proptest::prelude::*;
use scumble_grouping::Space;

/// Definition 3.1.1, word by word; a missing value beside another costs all.
fn loss(world: &World, axis: usize, rows: &[u32]) -> f64 {
    let (id, kind) = world.quasi[axis];
    let column = world.table.column(id);
    let value = |row: &u32| column.dictionary().value(column.codes().at(*row as usize));
    let values: BTreeSet<Option<&str>> = rows.iter().map(value).collect();
    if values.len() == 1 {
        return 0.0;
    }
    if values.contains(&None) {
        return 1.0;
    }
    let values: Vec<&str> = values.into_iter().flatten().collect();
    let domain = column.dictionary().texts().len() as f64;
    match kind {
        Kind::Values => (values.len() as f64 - 1.0) / (domain - 1.0),
        Kind::Numbers => {
            let number = |text: &str| text.parse::<f64>().unwrap();
            let ends = |numbers: Vec<f64>| {
                let fold = |f: fn(f64, f64) -> f64| numbers.iter().copied().reduce(f).unwrap();
                fold(f64::max) - fold(f64::min)
            };
            let own = ends(values.iter().map(|text| number(text)).collect());
            own / ends(column.dictionary().texts().iter().map(number).collect())
        }
        Kind::Tree => {
            let tree = world.tree();
            let covers = |node: &scumble_table::NodeId| {
                let leaves = tree.leaves_under(*node);
                values.iter().all(|value| leaves.contains(&tree.leaf(value).unwrap()))
            };
            let spanned = tree
                .nodes()
                .filter(covers)
                .map(|node| tree.leaves_under(node).len())
                .min();
            (spanned.unwrap() as f64 - 1.0) / (tree.leaves().len() as f64 - 1.0)
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn a_hull_loses_what_the_definition_says(seed in any::<u64>(), rows in 2usize..12, columns in 1usize..5) {
        let world = Dice(seed).world(rows, columns, 0);
        let space = Space::new(&world.table, &world.quasi());
        let all: Vec<u32> = (0..rows as u32).collect();
        for size in 1..rows {
            let (some, rest) = all.split_at(size);
            let expected = |rows: &[u32]| (0..columns).map(|axis| loss(&world, axis, rows)).sum::<f64>() / columns as f64;
            let hull = space.hull(some);
            prop_assert!((space.loss(&hull) - expected(some)).abs() < 1e-12);
            prop_assert!((space.loss_with(&hull, rest[0]) - expected(&all[..=size])).abs() < 1e-12);
            prop_assert!((space.loss_of_both(&hull, &space.hull(rest)) - expected(&all)).abs() < 1e-12);
            prop_assert!((space.distance(0, rest[0]) - expected(&[0, rest[0]])).abs() < 1e-12);
        }
    }
}
