//! What happened to each column.

use proptest::prelude::*;
use scumble_utility::column_changes;

use crate::tables::*;

fn column(rows: &[Row], place: usize) -> Vec<Means> {
    rows.iter().map(|row| means(place, row[place])).collect()
}

/// Original cells that find an equal cell in the release which no other cell has found.
fn kept(before: &[Means], after: &[Means]) -> f64 {
    let single = |means: &&Means| match **means {
        Means::Missing | Means::Values([_]) => true,
        Means::Numbers(from, to) => from == to,
        _ => false,
    };
    let mut free: Vec<Means> = after.iter().filter(single).copied().collect();
    let found = before.iter().filter(|cell| {
        let place = free.iter().position(|other| other == *cell);
        place.map(|place| free.swap_remove(place)).is_some()
    });
    found.count() as f64
}

fn total_variation(place: usize, before: &[Means], after: &[Means]) -> f64 {
    let share = |cells: &[Means], value: &str| {
        let of_cell = |cell: &Means| match *cell {
            Means::Values(values) if values.contains(&value) => 1.0 / values.len() as f64,
            Means::Everything => 1.0 / domain(place).len() as f64,
            _ => 0.0,
        };
        cells.iter().map(of_cell).sum::<f64>() / cells.len() as f64
    };
    let missing =
        |cells: &[Means]| cells.iter().filter(|cell| **cell == Means::Missing).count() as f64 / cells.len() as f64;
    let values = domain(place)
        .iter()
        .map(|value| (share(before, value) - share(after, value)).abs());
    (values.sum::<f64>() + (missing(before) - missing(after)).abs()) / 2.0
}

/// The area between two distribution functions, in many thin strips.
fn earth_moved(length: f64, before: &[Means], after: &[Means]) -> f64 {
    const STRIPS: usize = 4000;
    let at_most = |cells: &[Means], x: f64| {
        let of_cell = |cell: &Means| match *cell {
            Means::Missing => None,
            Means::Numbers(from, to) if from == to => Some(f64::from(u8::from(from <= x))),
            Means::Numbers(from, to) => Some(((x - from) / (to - from)).clamp(0.0, 1.0)),
            _ => Some(x / length),
        };
        let present: Vec<f64> = cells.iter().filter_map(of_cell).collect();
        (!present.is_empty()).then(|| present.iter().sum::<f64>() / present.len() as f64)
    };
    let strips = (0..STRIPS).map(|strip| {
        let x = (strip as f64 + 0.5) / STRIPS as f64 * length;
        match (at_most(before, x), at_most(after, x)) {
            (Some(before), Some(after)) => (before - after).abs(),
            (None, None) => 0.0,
            _ => 1.0,
        }
    });
    strips.sum::<f64>() / STRIPS as f64
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn the_change_of_a_column_is_what_its_definition_says(tables in tables()) {
        let built = tables.build();
        let fast = column_changes(&built.comparison());
        for (place, fast) in fast.iter().enumerate() {
            let (before, after) = (column(&tables.before, place), column(&tables.after, place));
            prop_assert!(close(fast.cells_changed, 1.0 - kept(&before, &after) / before.len() as f64));
            if after.is_empty() {
                prop_assert_eq!(fast.distribution_distance, 1.0);
                continue;
            }
            match length(place) {
                None => prop_assert!(close(fast.distribution_distance, total_variation(place, &before, &after))),
                Some(length) => {
                    let naive = earth_moved(length, &before, &after);
                    prop_assert!((fast.distribution_distance - naive).abs() < 1e-3, "{fast:?} {naive}");
                }
            }
            let unknown = tables.after.iter().filter(|row| matches!(row[place], Some("old" | "Astronaut" | "c")));
            prop_assert_eq!(fast.unknown_cells, unknown.count() as u64);
        }
    }
}
